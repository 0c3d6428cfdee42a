"""Changes of a verifier's expectations: what they call for is dropped, opened, widened, or held to more strictly.

Takes a compiled verifier; gives Proposals. Where an expectation goes, what it called for is allowed instead, so that a
right run still passes; expectations that only go together (see `coupling`) go together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from worldwright.audit.mutate.coupling import coupled
from worldwright.audit.mutate.edit import GONE, Path, put
from worldwright.audit.mutate.proposal import FRAME, Checks, Direction, Proposal, allowance
from worldwright.audit.mutate.sql import silenced_arms
from worldwright.verifier import Verifier
from worldwright.verifier.compiled import CompiledExpectation
from worldwright.verifier.spec import Allowance
from worldwright.world.records.image import quoted

__all__ = ["expectation_proposals"]

_NUMBERS = frozenset({"integer", "real"})


class _Place(msgspec.Struct, frozen=True):
    """An expectation where it stands."""

    verifier: Verifier
    path: Path
    one: CompiledExpectation
    affects: Checks | None
    beside: frozenset[str] = frozenset()
    """Tables of the expectations that it is coupled with."""

    def change(self, what: str, kind: str, direction: Direction, *edits: tuple[Path, Any]) -> Proposal:
        """A proposal: `edits` are (path inside the expectation, value)."""
        spec = self.verifier.spec
        for path, value in edits:
            spec = put(spec, self.path + path, value)
        return self.proposal(what, kind, direction, spec)

    def proposal(self, what: str, kind: str, direction: Direction, spec: Any) -> Proposal:
        """The same for a spec that is changed already."""
        return Proposal(f"{self.field}: {what}", kind, direction, spec, self.affects if direction == "weaker" else None)

    @property
    def field(self) -> str:
        """Where it stands in verifier.yaml."""
        return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path).lstrip(".")


def expectation_proposals(verifier: Verifier) -> Iterator[Proposal]:
    """All changes of expectations."""
    for group in _groups(verifier):
        yield _gone(group)
        for place in group:
            for changes in (_opened, _kinder, _texts, _wrong, _stricter):
                yield from changes(place)


def _groups(verifier: Verifier) -> Iterator[list[_Place]]:
    """All expectations, together those that only go together."""
    sets: list[tuple[Path, Sequence[CompiledExpectation]]] = [((), verifier.base.expect)]
    sets += [(("any_of", k), one.expect) for k, one in enumerate(verifier.alternatives)]
    for path, every in sets:
        for numbers in coupled(verifier, every):
            beside = frozenset(every[n].table.name for n in numbers) if len(numbers) > 1 else frozenset[str]()
            yield [_Place(verifier, (*path, "expect", n), every[n], _affected(verifier, every[n]), beside) for n in numbers]


def _affected(verifier: Verifier, one: CompiledExpectation) -> Checks | None:
    return None if verifier.spec.any_of else _same_table(verifier, one)


def _same_table(verifier: Verifier, one: CompiledExpectation) -> Checks:
    """Rows of one table are matched together, so a change of one expectation can show in the others of its table."""
    names = [other for other in verifier.base.expect if other.table.name == one.table.name]
    return frozenset({FRAME} | {(other.op, other.name) for other in names} | {("wrong", other.name) for other in names})


def _gone(group: Sequence[_Place]) -> Proposal:
    """What they called for is only allowed."""
    spec = group[0].verifier.spec
    for place in reversed(group):
        spec = put(spec, place.path, GONE)
    spec = put(spec, ("allow",), [*spec.allow, *(one for one in map(_instead, group) if one is not None)])
    affects: Checks | None = frozenset()
    for place in group:
        affects = None if affects is None or place.affects is None else affects | place.affects
    fields = ", ".join(place.field for place in group)
    return Proposal(f"{fields}: not called for, only allowed", "expectation-dropped", "weaker", spec, affects)


def _instead(place: _Place) -> Allowance | None:
    """What is allowed instead: these rows, and of a row that was to be updated the graded columns."""
    one, columns = place.one, []
    stays = [name for name in one.pinned if name not in one.spec.tolerance and name not in one.spec.loose]
    if one.op != "insert":
        stays = list(one.table.key)
    if one.op == "update":
        graded = dict.fromkeys([*one.pinned, *one.spec.open, *one.spec.must_state, *one.spec.must_not_state])
        columns = [name for name in graded if name not in one.table.key]
    if one.op == "update" and not columns:
        return None
    return allowance(one.op, one.table.name, _picked(one.spec.rows, stays) if stays else None, columns)


def _opened(place: _Place) -> Iterator[Proposal]:
    one = place.one
    which = {name for link in one.table.foreign if link.table in place.beside for name in link.columns}
    for name in _said(one):
        if name in which:  # of which row it is, which a coupled expectation says too
            continue
        stays = [other for other in one.pinned if other != name]
        if stays:
            edits = ((("rows",), _picked(one.spec.rows, stays)), (("open",), [*one.spec.open, name]))
            yield place.change(f"{name} is open", "column-opened", "weaker", *edits)


def _kinder(place: _Place) -> Iterator[Proposal]:
    spec, table = place.one.spec, place.one.table
    links = {name for link in table.foreign for name in link.columns}
    for name in _said(place.one):
        column = table.column(name)
        family = column.family if column is not None else ""
        if family in _NUMBERS:
            wide = spec.tolerance.get(name, 0) * 10 or 1.0
            yield place.change(
                f"{name} within {wide:g}", "tolerance-widened", "weaker", (("tolerance",), spec.tolerance | {name: float(wide)})
            )
        elif family == "text" and name not in links and name not in spec.loose:
            yield place.change(f"{name} is loose", "column-loosened", "weaker", (("loose",), [*spec.loose, name]))


def _texts(place: _Place) -> Iterator[Proposal]:
    for field in ("must_state", "must_not_state"):
        for column, checks in getattr(place.one.spec, field).items():
            for n, text in enumerate(checks):
                path, what = (field, column, n), f"{field} {text.type} of {column}"
                yield place.change(f"{what}: dropped", "text-check-dropped", "weaker", (path, GONE))
                if text.may is not None:
                    yield place.change(f"{what}: without may", "may-removed", "stricter", ((*path, "may"), None))


def _wrong(place: _Place) -> Iterator[Proposal]:
    text = place.one.spec.wrong
    if text is None:
        return
    yield place.change("wrong: dropped", "wrong-dropped", "weaker", (("wrong",), None))
    for shown, silenced in silenced_arms(text):
        yield place.change(f"wrong: without '{shown}'", "wrong-arm-dropped", "weaker", (("wrong",), silenced))


def _stricter(place: _Place) -> Iterator[Proposal]:
    for name in place.one.spec.tolerance:
        yield place.change(f"{name} exactly", "tolerance-removed", "stricter", (("tolerance", name), GONE))
    for n, name in enumerate(place.one.spec.loose):
        yield place.change(f"{name} to the letter", "loose-removed", "stricter", (("loose", n), GONE))


def _said(one: CompiledExpectation) -> list[str]:
    """The pinned columns that say what must be, not of which row."""
    return [] if one.op == "delete" else [name for name in one.pinned if one.op == "insert" or name not in one.table.key]


def _picked(rows: str, names: list[str]) -> str:
    return f"SELECT {', '.join(map(quoted, names))} FROM (\n{rows.strip().rstrip(';')}\n)"
