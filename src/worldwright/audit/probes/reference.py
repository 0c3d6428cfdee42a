"""The subject's own solutions, again and again."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="reference",
    side="refuse",
    codes=("R3", "R5", "R6", "R1"),
    needs=frozenset({"reference"}),
    means="A solution that the environment itself offers as right is refused, or can't be carried out.",
    repair="Mend the ground truth, the tools or the verifier: one of them is wrong. If it fails only at times, make grading deterministic.",
)


def trials(at: At) -> Steps:
    """The reference thrice, every alternative twice, each in a fresh process."""
    made = [at.must_pass("reference", at.reference.acts, at.reference.answer, Claim.CONSTRUCTION)] * 3
    made += [at.must_pass(one.name, one.acts, one.answer, Claim.CONSTRUCTION) for one in at.facts.alternatives] * 2
    yield made
