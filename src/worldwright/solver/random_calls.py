"""The solver `random`: some valid calls at random, then a valid answer at random.

Takes nothing but its seed; gives a solver that draws how many calls it makes, which tools it calls, and with which of the
values that it has seen. What it passes, luck passes. Valid means valid by type: the world may still refuse a call.
"""

from __future__ import annotations

import datetime
import math
import random
from collections.abc import Mapping
from typing import Any

from worldwright.solver.protocol import Action, Answer, Call, Observation, chance
from worldwright.solver.seen import Seen, Slot, is_required, slots, spoken_fields
from worldwright.task import Prompt

__all__ = ["RandomSolver"]

_OPTIONAL = 0.5
_INVENTED = {"call": 0.1, "answer": 0.5}
_LIKELY = 0.8
_SPANS = (4, 10, 100, 10_000)
_MANY = 3


class RandomSolver:
    """Up to `most` random calls, then a random answer."""

    name = "random"

    def __init__(self, most: int = 12) -> None:
        self.most = most

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """An agent with its own source of chance."""
        return _Agent(prompt, chance(seed, self.name), shown, self.most)


class _Agent:
    def __init__(self, prompt: Prompt, rng: random.Random, shown: Mapping[str, Any], most: int) -> None:
        self._rng, self._seen = rng, Seen(prompt, shown)
        self._tools = {tool.name: slots(tool.args) for tool in prompt.tools}
        self._fields = next((slots(spoken_fields(tool)) for tool in prompt.tools if tool.name == "say"), [])
        self._answer = slots(prompt.answer)
        self._left = rng.randint(0, most) if self._tools else 0
        self._now = ""

    def act(self, observation: Observation) -> Action:
        self._now = observation.now
        for one in observation.returned:
            self._seen.read(one.result.value, tool=one.call.tool)
        for turn in observation.turns:
            self._seen.read(turn.fields)
        if self._left == 0 or observation.calls_left == 0:
            return Answer(self._some(self._answer, "answer"))
        self._left -= 1
        tool = self._rng.choice(list(self._tools))
        args = self._some(self._tools[tool], "call")
        if tool == "say" and "fields" in args:
            args["fields"] = self._some(self._fields, "call")
        return Call(tool, args)

    def close(self) -> None:
        """Nothing is held."""

    def _some(self, wanted: list[Slot], use: str) -> dict[str, Any]:
        """A value for each slot; optional ones are left out now and then."""
        return {slot.name: self._draw(slot, use) for slot in wanted if is_required(slot.spec) or self._rng.random() >= _OPTIONAL}

    def _draw(self, slot: Slot, use: str) -> Any:
        listed = slot.choices()
        if listed:
            return self._rng.choice(listed)
        if slot.items is not None:
            most = min(_MANY, slot.spec.max_length or _MANY)
            return [self._draw(slot.items, use) for _ in range(self._rng.randint(min(slot.spec.min_length or 0, most), most))]
        fits: list[Any] = []
        if self._rng.random() >= _INVENTED[use]:
            fits = self._seen.likely(slot) if self._rng.random() < _LIKELY else self._seen.fitting(slot)
        return self._rng.choice(fits) if fits else self._invent(slot)

    def _invent(self, slot: Slot) -> Any:
        spec, rng = slot.spec, self._rng
        if spec.type == "object":
            return {}
        if spec.type in ("integer", "number"):
            least = math.ceil(spec.minimum if spec.minimum is not None else min(0, spec.maximum or 0))
            most = math.floor(spec.maximum) if spec.maximum is not None else least + rng.choice(_SPANS) - 1
            return rng.randint(least, max(least, most))
        form = spec.format or spec.type
        moment = datetime.datetime.fromisoformat(self._now) + datetime.timedelta(hours=rng.randrange(72))
        if form in ("date", "datetime", "time"):
            return {"date": moment.date().isoformat(), "datetime": moment.isoformat(), "time": moment.strftime("%H:%M")}[form]
        return "x" * max(spec.min_length or 0, rng.randrange(2))
