"""Whether a mutant is its verifier in other words on one instance.

Takes a mutant that changes one text, and an instance; says whether that text, which asks nothing but the state before
and the parameters, gives the same rows as the verifier's own. Then both come to the same verdict on every run of that
instance, and the mutant needn't be compiled for it. What can't be asked is not alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import apsw
import msgspec

from worldwright.audit.mutate.mutants import STEPS, Mutant
from worldwright.errors import BudgetSpent, PackError, StateLost
from worldwright.pack import PackTask
from worldwright.task import Instance
from worldwright.verifier.compiled import CompiledQuery, Composer
from worldwright.verifier.reading import TextFault
from worldwright.world.records import RecordsEvidence
from worldwright.world.records.policy import Statement

__all__ = ["Alike"]

_MOST = 20_000
_FAULTS = (apsw.Error, BudgetSpent, StateLost, OverflowError, KeyError, TextFault, PackError)


class Alike:
    """Of one task's mutants."""

    def __init__(self, entry: PackTask) -> None:
        self._entry, self._verifier = entry, entry.verifier
        self._composer = Composer(self._verifier.spec, entry.task, entry.where)
        self._queries = {query.field: query for query in self._verifier.queries()}
        self._pairs: dict[str, tuple[Statement, Statement] | None] = {}

    def on(self, instance: Instance, mutant: Mutant) -> bool:
        """See the module."""
        try:
            pair = self._pair(mutant)
            ready = self._verifier.preflight(instance)
            if pair is None or ready.fault:
                return False
            with mutant.shared.evidence(self._entry.task, instance) as evidence:
                if evidence.lost:
                    return False
                evidence.steps = STEPS
                own, changed = (_rows(evidence, statement, ready.params) for statement in pair)
                return own == changed
        except _FAULTS:
            return False

    def _pair(self, mutant: Mutant) -> tuple[Statement, Statement] | None:
        """The verifier's text as it was proven, and the mutant's; None if they depend on what an agent does, or there is more."""
        if mutant.changed is None:
            return None
        if mutant.name not in self._pairs:
            self._pairs[mutant.name] = self._paired(*mutant.changed, mutant)
        return self._pairs[mutant.name]

    def _paired(self, field: str, text: str, mutant: Mutant) -> tuple[Statement, Statement] | None:
        place, _, name = field.partition(".")
        composer = self._composer
        if place == "define":
            text = f"SELECT * FROM {name}"
            if field not in self._queries:
                self._queries[field] = composer.query(text, name, field)
            composer = Composer(mutant.spec, self._entry.task, self._entry.where)
        own: CompiledQuery | None = self._queries.get(field)
        if own is None or not own.fixed:
            return None
        # What a text is changed to asks for nothing that it didn't ask for before.
        return own.statement, msgspec.structs.replace(own.statement, sql=composer.compose(text))


def _rows(evidence: RecordsEvidence, statement: Statement, params: Mapping[str, Any]) -> str:
    return repr(evidence.run(statement, {**params, "now": evidence.ended, "started": evidence.started}, most=_MOST))
