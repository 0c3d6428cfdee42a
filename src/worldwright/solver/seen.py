"""Values that an agent without understanding can use: those it was told, and those that calls gave.

Takes prompts and results; gives, for an argument's spec, the seen values that are valid for it, those first that stood
under a like name. Everything keeps the order of first sight, so the same attempt gives the same candidates everywhere.
Doesn't understand anything: it is what `random` and `shotgun` guess with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from worldwright.task import Prompt
from worldwright.world.arguments import compile_value, json_schema
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec

__all__ = ["Seen", "Slot", "is_required", "slots", "spoken_fields"]

_MOST = 3_000
_SHORT = 80
_FOUND = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?|\b\d\d:\d\d\b|\d+(?:\.\d+)?")
_FIELD = re.compile(r"(\w+) \(([^()]+)\):")
_TYPES = ("integer", "number", "boolean", "date", "datetime")


class Slot:
    """A value to be found: an argument of a tool, or a field of an answer."""

    def __init__(self, name: str, spec: ArgSpec) -> None:
        self.name, self.spec = name, spec
        self._check: Callable[[Any], Any] = compile_value(spec)
        self._likeness: dict[str, int] = {}
        self._taken: dict[tuple[type, Any], bool] = {}
        self._scalar = spec.type not in ("list", "object", "boolean")
        self._textual = spec.type not in ("integer", "number")
        self.items = Slot(name, spec.items or ArgSpec()) if spec.type == "list" else None

    def takes(self, value: Any) -> bool:
        """Whether the value is valid here."""
        if self._scalar and isinstance(value, str) is not self._textual:
            return False
        try:
            self._check(value)
        except ValueError:
            return False
        return True

    def choices(self) -> list[Any] | None:
        """All values there are, where the spec lists them."""
        if self.spec.type == "boolean":
            return [True, False]
        return None if self.spec.enum is None else [value for value in json_schema(self.spec)["enum"] if self.takes(value)]

    def likeness(self, name: str) -> int:
        """How well a name that a value stood under fits: 3 the same, 2 one ends like the other, 1 a word in common, 0."""
        if name not in self._likeness:
            ends = name.endswith(f"_{self.name}") or self.name.endswith(f"_{name}")
            shares = not set(name.split("_")).isdisjoint(self.name.split("_"))
            self._likeness[name] = 3 if name == self.name else 2 if ends else int(shares)
        return self._likeness[name]

    def takes_seen(self, key: tuple[type, Any]) -> bool:
        """As `takes`, for a seen number or text, remembered."""
        if key not in self._taken:
            self._taken[key] = self.takes(key[1])
        return self._taken[key]


def slots(specs: Mapping[str, ArgSpec]) -> list[Slot]:
    """Slots for all arguments of a tool, or all fields of an answer."""
    return [Slot(name, spec) for name, spec in specs.items()]


def is_required(spec: ArgSpec) -> bool:
    """Whether a call without it is refused."""
    return spec.default is msgspec.UNSET and not spec.optional


def spoken_fields(tool: ToolDoc) -> dict[str, ArgSpec]:
    """The fields that can be said to people, of all people together: `say` tells them in the words of its description alone."""
    found: dict[str, ArgSpec] = {}
    for name, kind in _FIELD.findall(tool.args["fields"].doc if "fields" in tool.args else ""):
        if "/" in kind:
            other = found[name].enum or [] if name in found else []
            found[name] = ArgSpec(enum=list(dict.fromkeys([*other, *kind.split("/")])), optional=True)
        else:
            found[name] = ArgSpec(type=kind if kind in _TYPES else "string", optional=True)
    return found


class Seen:
    """The values seen so far."""

    def __init__(self, prompt: Prompt, shown: Mapping[str, Any]) -> None:
        self._names: dict[tuple[type, Any], dict[str, None]] = {}
        self.read(dict(shown))
        for text in (prompt.instruction, *(text for _, text in prompt.opening), prompt.system):
            self._read_text(text)

    def read(self, value: Any, name: str = "", tool: str = "") -> None:
        """Take in what a call of `tool` gave: all numbers and short texts; of long texts the numbers, dates and times."""
        if isinstance(value, Mapping):
            for key, one in value.items():
                self.read(one, str(key), tool)
        elif isinstance(value, (list, tuple)):
            for one in value:
                self.read(one, name, tool)
        elif isinstance(value, str) and len(value) > _SHORT:
            self._read_text(value)
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
            self._add(value, name)
            for other in _others(name, tool):
                self._add(value, other)

    def fitting(self, slot: Slot, most: int = _MOST) -> list[Any]:
        """Valid values for the slot, the likeliest first: what it lists, or what was seen; of a list each single item and all."""
        listed = slot.choices()
        if listed is not None:
            return listed[:most]
        if slot.items is not None:
            single = self.fitting(slot.items, most)
            return [many for many in ([[one] for one in single] + [single]) if slot.takes(many)][:most]
        found = [(-max(map(slot.likeness, names)), key[1]) for key, names in self._names.items() if slot.takes_seen(key)]
        return [value for _, value in sorted(found, key=lambda pair: pair[0])][:most]

    def likely(self, slot: Slot) -> list[Any]:
        """Those fitting values that stood under the likest name."""
        fits = self.fitting(slot)
        if slot.spec.enum is not None or slot.items is not None or not fits:
            return fits
        best = self._like(slot, fits[0])
        return [value for value in fits if self._like(slot, value) == best]

    def _like(self, slot: Slot, value: Any) -> int:
        return max((slot.likeness(name) for name in self._names.get((type(value), value), {})), default=0)

    def _add(self, value: Any, name: str) -> None:
        key = (type(value), value)
        if key in self._names or len(self._names) < _MOST:
            self._names.setdefault(key, {})[name] = None

    def _read_text(self, text: str) -> None:
        for found in _FOUND.findall(text):
            if found.isdecimal() and len(found) < 16:
                self._add(int(found), "")
            elif "-" in found or ":" in found:
                self._add(found.replace(" ", "T"), "")
                if len(found) > 10:
                    self._add(found[:10], "")
            elif "." in found:
                self._add(float(found), "")


def _others(name: str, tool: str) -> list[str]:
    """The `id` in a row of `list_rentals` is a `rental_id` to other tools."""
    if name not in ("id", "name", "code", "number"):
        return []
    return [f"{word.removesuffix('s')}_{name}" for word in tool.split("_")[1:]]
