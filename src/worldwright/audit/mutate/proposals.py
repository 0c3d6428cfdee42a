"""All changes of a verifier that are tried, each as a Proposal: it accepts more, less, or other things.

Takes a compiled verifier. Doesn't touch `compute`, `written_by`, and what the world declares free.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldwright.audit.mutate.coupling import effects
from worldwright.audit.mutate.edit import GONE, Path, put
from worldwright.audit.mutate.expectations import expectation_proposals
from worldwright.audit.mutate.proposal import FRAME, Checks, Proposal, allowance
from worldwright.audit.mutate.sql import moved_bounds, silenced_arms, without_conditions
from worldwright.verifier import Verifier, VerifierSpec

__all__ = ["proposals"]


def proposals(verifier: Verifier) -> Iterator[Proposal]:
    """In the order in which `verifier.yaml` is read."""
    spec = verifier.spec
    yield from expectation_proposals(verifier)
    yield from _answers(spec)
    yield from _queries(spec)
    yield from _frame(verifier)
    yield from _allowances(spec)
    yield from _ends(spec)
    yield from _shifted(spec)


def _answers(spec: VerifierSpec) -> Iterator[Proposal]:
    for name in spec.answer:
        affects = None if spec.any_of else frozenset({("answer", f"answer {name}")})
        yield Proposal(f"answer.{name}: ungraded", "answer-ungraded", "weaker", put(spec, ("answer", name), GONE), affects)
    for k, one in enumerate(spec.any_of):
        for name in one.answer:
            changed = put(spec, ("any_of", k, "answer", name), GONE)
            yield Proposal(f"any_of[{k}].answer.{name}: ungraded", "answer-ungraded", "weaker", changed)


def _queries(spec: VerifierSpec) -> Iterator[Proposal]:
    for n, one in enumerate(spec.forbid):
        affects: Checks = frozenset({("forbid", one.name)})
        yield Proposal(f"forbid[{n}] '{one.name}': dropped", "forbid-dropped", "weaker", put(spec, ("forbid", n), GONE), affects)
        for shown, text in silenced_arms(one.rows):
            changed = put(spec, ("forbid", n, "rows"), text)
            yield Proposal(f"forbid[{n}] '{one.name}': without '{shown}'", "forbid-arm-dropped", "weaker", changed, affects)
    for n, one in enumerate(spec.demand):
        affects = frozenset({("demand", one.name)})
        yield Proposal(f"demand[{n}] '{one.name}': dropped", "demand-dropped", "weaker", put(spec, ("demand", n), GONE), affects)


def _frame(verifier: Verifier) -> Iterator[Proposal]:
    """All that a tool changes, allowed: each set of changes that some tool makes."""
    spec = verifier.spec
    for kinds in sorted({tuple(sorted(kinds)) for kinds in effects(verifier).values()}):
        whole = [allowance(op, table) for op, table in kinds]
        if any(one not in spec.allow for one in whole):
            wider = put(spec, ("allow",), [*spec.allow, *whole])
            what = ", ".join(f"any {op} of {table}" for op, table in kinds)
            yield Proposal(f"{what} allowed", "frame-opened", "weaker", wider, frozenset({FRAME}))


def _allowances(spec: VerifierSpec) -> Iterator[Proposal]:
    affects: Checks = frozenset({FRAME})
    for n, one in enumerate(spec.allow):
        if one.rows is not None:
            yield Proposal(f"allow[{n}]: any row", "allowance-broadened", "weaker", put(spec, ("allow", n, "rows"), None), affects)
        if one.columns:
            yield Proposal(f"allow[{n}]: any column", "allowance-broadened", "weaker", put(spec, ("allow", n, "columns"), []), affects)
        yield Proposal(f"allow[{n}]: removed", "allowance-removed", "stricter", put(spec, ("allow", n), GONE))


def _ends(spec: VerifierSpec) -> Iterator[Proposal]:
    for k, one in enumerate(spec.any_of if len(spec.any_of) > 1 else ()):
        yield Proposal(f"any_of[{k}] '{one.name}': removed", "end-removed", "stricter", put(spec, ("any_of", k), GONE))


def _shifted(spec: VerifierSpec) -> Iterator[Proposal]:
    for field, path, sql in _texts(spec):
        for shown, text in without_conditions(sql):
            yield Proposal(f"{field}: without '{shown}'", "condition-dropped", "shifted", put(spec, path, text), changed=(field, text))
        for shown, text in moved_bounds(sql):
            yield Proposal(f"{field}: '{shown}'", "bound-moved", "shifted", put(spec, path, text), changed=(field, text))


def _texts(spec: VerifierSpec) -> Iterator[tuple[str, Path, str]]:
    """Every query that stands for itself: its field, where it is, its text."""
    paths: list[Path] = [("define", name) for name in spec.define]
    groups: list[Path] = [(), *(("any_of", k) for k in range(len(spec.any_of)))]
    for group in groups:
        one = spec.any_of[int(group[1])] if group else spec
        paths += [(*group, "expect", n, part) for n in range(len(one.expect)) for part in ("rows", "wrong")]
        paths += [(*group, "answer", name) for name in one.answer]
    paths += [(kind, n, "rows") for kind in ("forbid", "demand") for n in range(len(getattr(spec, kind)))]
    for path in paths:
        text = _at(spec, path)
        if text is not None:
            field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
            yield field, path, text


def _at(spec: VerifierSpec, path: Path) -> str | None:
    thing: object = spec
    for part in path:
        thing = thing[part] if isinstance(thing, (list, dict)) else getattr(thing, str(part))  # type: ignore[index]
    return thing if isinstance(thing, str) else None
