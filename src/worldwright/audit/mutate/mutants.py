"""Mutants of a task's verifier: compiled when they are needed, and as the text that would stand in `verifier.yaml`.

Takes a task of a pack; gives every mutant that says something else than the verifier, with why it doesn't compile where it
doesn't. The same verifier gives the same mutants, in the same order.
"""

from __future__ import annotations

import functools

import msgspec

from worldwright.audit.mutate.proposal import Proposal
from worldwright.audit.mutate.proposals import proposals
from worldwright.errors import PackError
from worldwright.files import encode_yaml
from worldwright.pack import PackTask
from worldwright.verifier import Verifier
from worldwright.verifier.untouched import Untouched

__all__ = ["STEPS", "Mutant", "mutants"]

STEPS = 250_000
"""Steps that a query of a mutant may take: a condition that is left out can make it very slow."""


class Mutant:
    """One changed verifier; what isn't explained here is as in Proposal. `shared` is what it shares with others."""

    def __init__(self, entry: PackTask, proposal: Proposal, shared: Untouched, computes: bool) -> None:
        self.name, self.kind, self.spec = proposal.name, proposal.kind, proposal.spec
        self.direction, self.affects, self.changed = proposal.direction, proposal.affects, proposal.changed
        self.shared = shared
        self._entry, self._computes = entry, computes

    @functools.cached_property
    def _compiled(self) -> tuple[Verifier | None, str]:
        try:
            verifier = Verifier(self._entry.task, self.spec, self._entry.where, None if self._computes else self.shared)
        except PackError as refused:
            return None, str(refused)
        verifier.steps = STEPS
        return verifier, ""

    @property
    def verifier(self) -> Verifier | None:
        """It, or None if it doesn't compile."""
        return self._compiled[0]

    @property
    def fault(self) -> str:
        """Why it doesn't compile, or empty."""
        return self._compiled[1]

    @property
    def text(self) -> str:
        """What would stand in `verifier.yaml`."""
        return encode_yaml(self.spec)

    @property
    def weakens(self) -> bool:
        """Whether it accepts all that the verifier accepts, and perhaps more."""
        return self.direction == "weaker"

    def forget(self) -> None:
        """Drop what was computed for instances."""
        self.shared.forget()
        if "_compiled" in self.__dict__ and self.verifier is not None:
            self.verifier.forget()


def mutants(entry: PackTask) -> list[Mutant]:
    """All mutants of the task's verifier. Raises PackError if the verifier itself doesn't compile."""
    seen = {msgspec.json.encode(entry.verifier.spec)}
    compute = msgspec.json.encode(entry.verifier.spec.compute)
    out = []
    shared = Untouched()
    for proposal in proposals(entry.verifier):
        data = msgspec.json.encode(proposal.spec)
        if data not in seen:
            seen.add(data)
            out.append(Mutant(entry, proposal, shared, msgspec.json.encode(proposal.spec.compute) != compute))
    return out
