"""Nothing done, nothing said."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="untouched",
    side="accept",
    codes=("A1", "A2", "A3"),
    needs=frozenset({"reference"}),
    means="An agent that does nothing and says nothing is rewarded, though the task asks for something.",
    repair="Let the verifier demand the effect or the answer that the task asks for, so that the untouched state fails.",
    rule="the known solution does and says nothing either",
)


def rule(at: At) -> str:
    """Where doing nothing is the known solution, it is right."""
    return "" if at.does or at.asks or at.reference.acts else PROBE.rule


def trials(at: At) -> Steps:
    """No call; no answer, an empty one, a mere 'done'."""
    lead = "" if at.does or at.asks else at.lead("silence")
    claim = Claim.END if at.relation_known else Claim.CONSTRUCTION if at.does else Claim.ANSWER
    answers = [("no answer", None), ("an empty answer", ""), ("'done'", "done")]
    yield [at.must_fail(f"nothing done, {name}", (), answer, claim, lead=lead) for name, answer in answers]
