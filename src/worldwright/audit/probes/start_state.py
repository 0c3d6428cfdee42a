"""The start state is the goal already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.calls import argument_changes
from worldwright.audit.records import Claim, Outcome, Probe
from worldwright.audit.subject import Act, Session

PROBE = Probe(
    id="start-state",
    side="accept",
    codes=("A2", "A1"),
    needs=frozenset({"reference", "calls", "state"}),
    means="On every instance the known solution's calls change nothing and doing nothing is rewarded: there is nothing to do.",
    repair="Let `start` put the world in the state that the task is about, and check that it isn't the goal.",
    rule="the known solution only reads, or changes something on some instance",
    version=2,
)
_TRIED = 12
"""Calls with one argument changed that are tried to see whether a tool of the known solution writes at all."""


def rule(case: Case) -> str:
    """Only where the reference acts and never changes anything."""
    ready = [at for at in case.instances if at.paid]
    return "" if ready and all(at.reference.acts and at.known[0][1].changes == () for at in ready) else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Doing nothing, on every instance; with the known answer, unless the answer is what the task asks for."""
    ready = [at for at in fresh if at.paid]
    if not ready:
        return
    meant = all(map(_acting, ready))
    calls = [act.tool for act in _acting(ready[0])] if meant else _can_write(case, ready[0])
    if not calls:
        return
    plays = [at.play((), None if at.asks else at.reference.answer) for at in ready]
    passed = sum(attempts[0].status == "pass" for attempts in case.attempts([Session((play,)) for play in plays]))
    bad = passed == len(ready)
    at = ready[0]
    why = f"The known solution calls {', '.join(calls)} and changes nothing; doing nothing is rewarded on all {passed} instances."
    yield plain_outcome(
        PROBE, at, "nothing done, on every instance", not bad, why=why if bad else "", by=Claim.CONSTRUCTION.value,
        lead=bool(at.lead("silence")), session=Session((plays[0],)), expected="fail", got="pass" if bad else "fail",
    )  # fmt: skip


def _acting(at: At) -> list[Act]:
    """Calls of the reference that mean to do something."""
    return [act for act, writes in zip(at.reference.acts, at.writes, strict=False) if writes and not act.tool.startswith("$")]


def _can_write(case: Case, at: At) -> list[str]:
    """Tools that the reference calls without effect and that change something with another argument, so that its call could have."""
    results = at.known[0][1].results
    changed = {
        repr(other): other
        for act, result in zip(at.reference.acts, results, strict=False)
        if result.ok and not act.tool.startswith("$")
        for _, _, other in argument_changes(at, act)
    }
    some = list(changed.values())[-_TRIED:]
    done = case.attempts([Session((at.play((act,), finish=False),)) for act in some])
    return list(dict.fromkeys(act.tool for act, attempts in zip(some, done, strict=True) if attempts[0].changes))
