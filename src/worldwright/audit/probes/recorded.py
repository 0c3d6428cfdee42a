"""Runs that the subject itself records as judged."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="recorded",
    side="accept",
    codes=("A3", "R1"),
    needs=frozenset(),
    means="A run that a person judged gets another verdict.",
    repair="Mend the verifier, or the judgement if it was wrong.",
    rule="no run is recorded",
)


def rule(at: At) -> str:
    """Only where there are recorded runs."""
    return "" if at.facts.recorded else PROBE.rule


def trials(at: At) -> Steps:
    """Every recorded run."""
    made = []
    for name, verdict, run in at.facts.recorded:
        make = at.must_pass if verdict == "pass" else at.must_fail
        made.append(make(f"recorded: {name}", run.acts, run.answer, Claim.RECORDED))
    yield at.take(made, 3)
