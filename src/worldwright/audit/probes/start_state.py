"""The start state is the goal already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worldwright.audit.bench import At, Case, plain_outcome
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
)


def rule(case: Case) -> str:
    """Only where the reference acts and never changes anything."""
    ready = [at for at in case.instances if at.paid]
    return "" if ready and all(_idle(at) for at in ready) else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Doing nothing, on every instance."""
    ready = [at for at in fresh if at.paid]
    if not ready:
        return
    done = case.attempts([Session((at.play((), at.reference.answer),)) for at in ready])
    passed = sum(attempts[0].status == "pass" for attempts in done)
    bad = passed == len(ready)
    at = ready[0]
    lead = bool(at.lead("silence"))
    calls = ", ".join(act.tool for act in _acting(at))
    why = f"The known solution calls {calls} and changes nothing; doing nothing is rewarded on all {passed} instances."
    yield plain_outcome(
        PROBE, at, "nothing done, on every instance", not bad, why=why if bad else "", by=Claim.CONSTRUCTION.value, lead=lead,
        session=Session((at.play((), at.reference.answer),)), expected="fail", got="pass" if bad else "fail",
    )  # fmt: skip


def _acting(at: At) -> list[Act]:
    return [act for act, writes in zip(at.reference.acts, at.writes, strict=False) if writes and not act.tool.startswith("$")]


def _idle(at: At) -> bool:
    """Whether the reference has calls that mean to do something, and its end is the start."""
    attempt = at.known[0][1]
    return bool(_acting(at)) and attempt.changes == ()
