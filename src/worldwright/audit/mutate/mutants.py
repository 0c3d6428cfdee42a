"""Mutants of a task's verifier: compiled, and as the text that would stand in `verifier.yaml`.

Takes a task of a pack; gives every mutant that says something else than the verifier, with why it doesn't compile where it
doesn't. The same verifier gives the same mutants, in the same order.
"""

from __future__ import annotations

import msgspec

from worldwright.audit.mutate.proposal import Checks, Direction, Proposal
from worldwright.audit.mutate.proposals import proposals
from worldwright.errors import PackError
from worldwright.files import encode_yaml
from worldwright.pack import PackTask
from worldwright.verifier import Verifier

__all__ = ["Mutant", "mutants"]


class Mutant(msgspec.Struct, frozen=True):
    """One changed verifier. `fault` is why it doesn't compile (then `verifier` is None); `affects` as in Proposal."""

    name: str
    kind: str
    text: str
    direction: Direction
    verifier: Verifier | None = None
    fault: str = ""
    affects: Checks | None = None

    @property
    def weakens(self) -> bool:
        """Whether it accepts all that the verifier accepts, and perhaps more."""
        return self.direction == "weaker"


def mutants(entry: PackTask) -> list[Mutant]:
    """All mutants of the task's verifier. Raises PackError if the verifier itself doesn't compile."""
    seen = {encode_yaml(entry.verifier.spec)}
    out = []
    for proposal in proposals(entry.verifier):
        text = encode_yaml(proposal.spec)
        if text not in seen:
            seen.add(text)
            out.append(_compiled(entry, proposal, text))
    return out


def _compiled(entry: PackTask, proposal: Proposal, text: str) -> Mutant:
    try:
        verifier, fault = Verifier(entry.task, text, entry.where), ""
    except PackError as refused:
        verifier, fault = None, str(refused)
    return Mutant(proposal.name, proposal.kind, text, proposal.direction, verifier, fault, proposal.affects)
