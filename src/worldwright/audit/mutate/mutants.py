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
from worldwright.verifier import Verifier, VerifierSpec
from worldwright.verifier.untouched import Untouched

__all__ = ["Mutant", "mutants"]


class Mutant(msgspec.Struct, frozen=True):
    """One changed verifier. `fault` is why it doesn't compile (then `verifier` is None); `affects` as in Proposal."""

    name: str
    kind: str
    spec: VerifierSpec
    direction: Direction
    verifier: Verifier | None = None
    fault: str = ""
    affects: Checks | None = None

    @property
    def text(self) -> str:
        """What would stand in `verifier.yaml`."""
        return encode_yaml(self.spec)

    @property
    def weakens(self) -> bool:
        """Whether it accepts all that the verifier accepts, and perhaps more."""
        return self.direction == "weaker"


_STEPS = 250_000
"""Steps that a query of a mutant may take: a condition that is left out can make it very slow."""


def mutants(entry: PackTask) -> list[Mutant]:
    """All mutants of the task's verifier. Raises PackError if the verifier itself doesn't compile."""
    seen = {msgspec.json.encode(entry.verifier.spec)}
    out = []
    shared = Untouched()
    for proposal in proposals(entry.verifier):
        data = msgspec.json.encode(proposal.spec)
        if data not in seen:
            seen.add(data)
            same = msgspec.json.encode(proposal.spec.compute) == msgspec.json.encode(entry.verifier.spec.compute)
            out.append(_compiled(entry, proposal, shared if same else None))
    return out


def _compiled(entry: PackTask, proposal: Proposal, shared: Untouched | None) -> Mutant:
    try:
        verifier, fault = Verifier(entry.task, proposal.spec, entry.where, shared), ""
        verifier.steps = _STEPS
    except PackError as refused:
        verifier, fault = None, str(refused)
    return Mutant(proposal.name, proposal.kind, proposal.spec, proposal.direction, verifier, fault, proposal.affects)
