"""The reference with one argument changed."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.calls import argument_changes, is_prose
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="argument",
    side="accept",
    codes=("A3", "A11"),
    needs=frozenset({"reference", "calls"}),
    means="A write with a wrong value, or aimed at another row, is rewarded.",
    repair="Let the verifier compare the column that the argument sets, by its type, and the row that it is set in.",
    rule="the reference changes nothing",
)


def rule(at: At) -> str:
    """Only what is written can be wrong."""
    return "" if at.does else PROBE.rule


def trials(at: At) -> Steps:
    """One argument of one write: the next row, one off, another choice, other sign, other unit."""
    made: dict[str, list[Trial]] = {}
    acts = at.reference.acts
    for n, act in enumerate(acts):
        if not at.writes[n]:
            continue
        for name, how, changed in argument_changes(at, act):
            trial = _trial(at, n, name, how, acts[:n] + (changed,) + acts[n + 1 :])
            made.setdefault(f"{n}.{name}", []).append(trial)
    one_each = [at.rng.choice(every) for every in made.values()]
    yield at.take(one_each, 5)


def _trial(at: At, n: int, name: str, how: str, acts: tuple[object, ...]) -> Trial:
    act = at.reference.acts[n]
    right, wrong = act.args[name], acts[n].args[name]  # type: ignore[attr-defined]
    named = at.named(right) and not at.named(wrong)
    lead = "" if named else at.lead_about(("choice", "tolerance", "optional", "extras"), act.tool, name)
    if is_prose(name, right):
        lead = f"'{name}' is the agent's own words"
    variant = f"call {n + 1}, {act.tool}: {name}, {how}"
    return at.must_fail(variant, acts, at.reference.answer, Claim.END, "The brief names the right value." if named else "", lead)  # type: ignore[arg-type]
