"""The right answer, and nothing done."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="answer-alone",
    side="accept",
    codes=("A3", "A5", "A11"),
    needs=frozenset({"reference", "answer", "calls"}),
    means="Saying the right thing is rewarded though nothing was done.",
    repair="Demand the effects and the answer, both.",
    rule="the task asks for no answer, or for nothing but one",
)


def rule(at: At) -> str:
    """Both an answer and an effect must be asked for."""
    return "" if at.asks and at.does else PROBE.rule


def trials(at: At) -> Steps:
    """The reference's answer without its writes: without any call, and after its reads."""
    reads = [act for act, writes in zip(at.reference.acts, at.writes, strict=False) if not writes]
    claim = Claim.END if at.relation_known else Claim.CONSTRUCTION
    made = [at.must_fail("right answer, no call", (), at.reference.answer, claim)]
    if reads:
        made.append(at.must_fail("right answer, only reads", reads, at.reference.answer, claim))
    yield made
