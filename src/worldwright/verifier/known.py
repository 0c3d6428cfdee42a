"""One part of a grading, which other gradings of the same end may have found out before.

Takes evidence and what tells the part from others; gives what is known of it, or keeps what is found out. A part is
known as long as its evidence lives, and only to who allows queries as many steps and has as much work left for reading
as finding it out took. What faults is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from worldwright.verifier.reading import BUDGET, TextFault, spend, spent
from worldwright.world.records import RecordsEvidence
from worldwright.world.records.evidence import Found

if TYPE_CHECKING:
    from worldwright.task import Task

__all__ = ["Known", "Whose"]

T = TypeVar("T")
_LITTLE = BUDGET // 4
"""Work of a grading so far, beyond which its parts are not kept: what a text costs depends on what was read before."""


class Whose:
    """The parts that gradings of one end have in common: those by verifiers of one task with the same parameters."""

    def __init__(self, evidence: RecordsEvidence, task: Task, params: Mapping[str, Any], mark: str) -> None:
        root = (task, mark or repr(params))
        self.evidence = evidence
        self.always = evidence.known.setdefault(root, {})
        self.answered = evidence.known_answered.setdefault(root, {})


class Known:
    """`value` is what is known, or None; `asks_answer` says whether it depends on the answer."""

    def __init__(self, whose: Whose, key: Any, asks_answer: bool) -> None:
        self._whose, self._key = whose, key
        self._kept = whose.answered if asks_answer else whose.always
        self._began = spent()
        self.value: Any = None
        found = self._kept.get(key)
        if found is not None and found.holds(whose.evidence.steps) and _affords(found.work):
            self.value = found.value
            whose.evidence.used = max(whose.evidence.used, found.used)

    def keep(self, value: T, work: int | None = None) -> T:
        """Let it be known. `work` went into reading (None: all since this part was begun)."""
        evidence = self._whose.evidence
        if spent() <= _LITTLE:
            self._kept[self._key] = Found(value, evidence.steps, evidence.used, spent() - self._began if work is None else work)
        return value


def _affords(work: int) -> bool:
    """Take so much work from the grading; whether it was there. Who lacks it finds out alone, and fails over it."""
    try:
        spend(work)
    except TextFault:
        return False
    return True
