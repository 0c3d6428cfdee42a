"""Replays a call log without any sandbox: the calls one by one, then the answer.

Takes calls as (tool, args) and an answer; gives a solver that does the same whatever comes back. This is how a plan that
ran once is run again, cut short or changed, at the cost of its calls alone. Doesn't notice that the world went another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.solver.protocol import Action, Answer, Call, Observation
from worldwright.task import Prompt
from worldwright.world.protocol import CallRecord

__all__ = ["ReplaySolver", "logged"]


def logged(calls: Iterable[CallRecord]) -> list[tuple[str, Any]]:
    """The calls of an episode's evidence in the form that is replayed."""
    return [(call.tool, msgspec.json.decode(call.args)) for call in calls]


class ReplaySolver:
    """Makes these calls and gives this answer."""

    def __init__(self, calls: Sequence[tuple[str, Any]], answer: Mapping[str, Any] | None = None, name: str = "replay") -> None:
        self.calls, self.answer, self.name = tuple(calls), answer, name

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """An agent at the log's start."""
        return _Agent(self)


class _Agent:
    def __init__(self, solver: ReplaySolver) -> None:
        self._left, self._answer = iter(solver.calls), solver.answer

    def act(self, observation: Observation) -> Action:
        tool, args = next(self._left, (None, None))
        return Answer(self._answer) if tool is None else Call(tool, args)

    def close(self) -> None:
        """Nothing is held."""
