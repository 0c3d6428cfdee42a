"""The solver `shotgun`: reads what it can, then does everything to everything, then gives a constant answer.

Takes nothing; gives a solver without any chance in it. Half of the calls go into reading, the others apply each tool that
writes, in turn, to the values seen that fit its arguments: the first argument runs through its values while the others keep
their likeliest. What it passes, acting without deciding passes.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from worldwright.solver.protocol import Action, Answer, Call, Observation
from worldwright.solver.seen import Seen, Slot, is_required, slots
from worldwright.task import Prompt

__all__ = ["ShotgunSolver"]

_VALUES = 60
"""At most so many values of one argument are tried."""
_DAY = "2026-01-01"
_CONSTANTS: dict[str, Any] = {"date": _DAY, "datetime": f"{_DAY}T00:00:00", "time": "00:00", "list": [], "object": {}, "string": ""}


class ShotgunSolver:
    """Acts on all it sees."""

    name = "shotgun"

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """An agent that has seen the prompt; the seed changes nothing."""
        return _Agent(prompt, shown)


class _Agent:
    def __init__(self, prompt: Prompt, shown: Mapping[str, Any]) -> None:
        self._seen = Seen(prompt, shown)
        needed = {tool.name: [slot for slot in slots(tool.args) if is_required(slot.spec)] for tool in prompt.tools}
        self._reads = {tool.name: needed[tool.name] for tool in prompt.tools if not tool.writes and tool.name != "wait"}
        self._writes = {tool.name: needed[tool.name] for tool in prompt.tools if tool.writes}
        self._answer = {slot.name: _constant(slot) for slot in slots(prompt.answer) if is_required(slot.spec)}
        self._acts: Iterator[Call] | None = None

    def act(self, observation: Observation) -> Action:
        for one in observation.returned:
            self._seen.read(one.result.value, tool=one.call.tool)
        for turn in observation.turns:
            self._seen.read(turn.fields)
        if self._acts is None:
            reading = self._read(observation.calls_left - observation.calls_left // 2)
            self._acts = itertools.chain(reading, self._write())
        call = next(self._acts, None) if observation.calls_left else None
        return Answer(self._answer) if call is None else call

    def close(self) -> None:
        """Nothing is held."""

    def _read(self, most: int) -> Iterator[Call]:
        """Reads not made yet, a call of each tool in turn, as long as there are any."""
        tried: set[str] = set()
        made, fresh = 0, True
        while fresh:
            fresh = False
            for tool, wanted in self._reads.items():
                call = next((call for call in self._ways(tool, wanted) if _key(call) not in tried), None)
                if call is None:
                    continue
                if made == most:
                    return
                tried.add(_key(call))
                made, fresh = made + 1, True
                yield call

    def _write(self) -> Iterator[Call]:
        """Writes, a call of each tool in turn."""
        left = [self._ways(tool, wanted) for tool, wanted in self._writes.items()]
        while left:
            for ways in list(left):
                call = next(ways, None)
                if call is None:
                    left.remove(ways)
                else:
                    yield call

    def _ways(self, tool: str, wanted: list[Slot]) -> Iterator[Call]:
        """All calls with values seen so far, the first argument changing fastest."""
        values = [self._seen.fitting(slot, _VALUES) or ([{}] if slot.spec.type == "object" else []) for slot in reversed(wanted)]
        for chosen in itertools.product(*values):
            yield Call(tool, {slot.name: value for slot, value in zip(wanted, reversed(chosen), strict=True)})


def _key(call: Call) -> str:
    return json.dumps([call.tool, call.args])


def _constant(slot: Slot) -> Any:
    """The first value listed, the least number, or the empty one of the type."""
    listed = slot.choices()
    if listed:
        return listed[-1] if slot.spec.type == "boolean" else listed[0]
    spec = slot.spec
    if spec.type in ("integer", "number"):
        bound = max(0, spec.minimum or 0) if spec.maximum is None or spec.maximum >= 0 else spec.maximum
        return math.ceil(bound) if spec.type == "integer" else bound
    return _CONSTANTS[spec.format or spec.type]
