"""Values that an agent without understanding can use: those it was told, and those that calls gave.

Takes prompts and results; gives, for an argument's spec, the seen values that are valid for it, those first that stood
under a like name. Everything keeps the order of first sight, so the same attempt gives the same candidates everywhere.
Doesn't understand anything: it is what `random` and `shotgun` guess with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import takewhile
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
        self._check, form = _checked(spec)
        self.key = (name, form)
        """What decides which seen values fit, and how well."""
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
        return _likeness(self.name, name)


_KEPT = 4096
_compiled: dict[int, tuple[ArgSpec, Callable[[Any], Any], str]] = {}
"""By the identity of a spec, which is kept alive here: tools have the same specs in every attempt."""


def _checked(spec: ArgSpec) -> tuple[Callable[[Any], Any], str]:
    """What checks a value against the spec, and the spec as text without what is only said of it."""
    known = _compiled.get(id(spec))
    if known is None:
        form = msgspec.json.encode(msgspec.structs.replace(spec, doc="")).decode()
        known = (spec, compile_value(spec), form)
        if len(_compiled) >= _KEPT:
            _compiled.clear()
        _compiled[id(spec)] = known
    return known[1], known[2]


_slots: dict[int, tuple[Mapping[str, ArgSpec], list[Slot]]] = {}
_spoken: dict[int, tuple[ToolDoc, dict[str, ArgSpec]]] = {}
"""As above, by mapping and by tool."""


@lru_cache(maxsize=65_536)
def _likeness(slot: str, name: str) -> int:
    """See `Slot.likeness`; the same few names come again in every attempt."""
    if name == slot:
        return 3
    if name.endswith(f"_{slot}") or slot.endswith(f"_{name}"):
        return 2
    return int(not set(name.split("_")).isdisjoint(slot.split("_")))


def slots(specs: Mapping[str, ArgSpec]) -> list[Slot]:
    """Slots for all arguments of a tool, or all fields of an answer; the same ones for the same specs, as they keep nothing."""
    known = _slots.get(id(specs))
    if known is None:
        if len(_slots) >= _KEPT:
            _slots.clear()
        known = _slots[id(specs)] = (specs, [Slot(name, spec) for name, spec in specs.items()])
    return known[1]


def is_required(spec: ArgSpec) -> bool:
    """Whether a call without it is refused."""
    return spec.default is msgspec.UNSET and not spec.optional


def spoken_fields(tool: ToolDoc) -> dict[str, ArgSpec]:
    """The fields that can be said to people, of all people together: `say` tells them in the words of its description alone."""
    known = _spoken.get(id(tool))
    if known is None:
        if len(_spoken) >= _KEPT:
            _spoken.clear()
        known = _spoken[id(tool)] = (tool, _told_fields(tool))
    return known[1]


def _told_fields(tool: ToolDoc) -> dict[str, ArgSpec]:
    found: dict[str, ArgSpec] = {}
    for name, kind in _FIELD.findall(tool.args["fields"].doc if "fields" in tool.args else ""):
        if "/" in kind:
            other = found[name].enum or [] if name in found else []
            found[name] = ArgSpec(enum=list(dict.fromkeys([*other, *kind.split("/")])), optional=True)
        else:
            found[name] = ArgSpec(type=kind if kind in _TYPES else "string", optional=True)
    return found


Key = tuple[type, Any]
"""A seen value, told apart by its type too."""


class _Valid:
    """The seen values that are valid for specs of one form: `log` has each with each name it stood under; `read` is how far it looked."""

    def __init__(self) -> None:
        self.read = 0
        self.log: list[tuple[Key, str]] = []
        self.is_valid: dict[Key, bool] = {}


class _Fits:
    """The valid values for slots of one name and form, each with its rank: 0 is the worst, -3 the best; `read` is how far it looked."""

    def __init__(self, valid: _Valid) -> None:
        self.valid, self.read = valid, 0
        self.ranks: dict[Key, int] = {}
        self.ordered: list[Key] | None = None


class Seen:
    """The values seen so far."""

    def __init__(self, prompt: Prompt, shown: Mapping[str, Any]) -> None:
        self._names: dict[Key, set[str]] = {}
        self._log: list[tuple[Key, str]] = []
        """Each value with each name that it stood under, as they came."""
        self._valid: dict[str, _Valid] = {}
        self._fits: dict[tuple[str, str], _Fits] = {}
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
        return [key[1] for key in self._ordered(slot)[0][:most]]

    def likely(self, slot: Slot) -> list[Any]:
        """Those fitting values that stood under the likest name."""
        if slot.spec.enum is not None or slot.spec.type == "boolean" or slot.items is not None:
            return self.fitting(slot)
        keys, ranks = self._ordered(slot)
        return [key[1] for key in takewhile(lambda key: ranks[key] == ranks[keys[0]], keys)]

    def _ordered(self, slot: Slot) -> tuple[list[Key], Mapping[Key, int]]:
        """The fitting values, the likeliest first and then as they came, and their ranks; looks only at what is new since the last time."""
        fits = self._fits.get(slot.key)
        if fits is None:
            fits = self._fits[slot.key] = _Fits(self._valid.setdefault(slot.key[1], _Valid()))
        log = self._valid_log(fits.valid, slot)
        for key, name in log[fits.read :] if fits.read < len(log) else ():
            rank = -_likeness(slot.name, name)
            known = fits.ranks.get(key)
            if known is None or rank < known:
                fits.ranks[key] = rank
                fits.ordered = None
        fits.read = len(log)
        if fits.ordered is None:
            fits.ordered = sorted(fits.ranks, key=fits.ranks.__getitem__)
        return fits.ordered, fits.ranks

    def _valid_log(self, valid: _Valid, slot: Slot) -> list[tuple[Key, str]]:
        """All values so far that are valid for the slot, with their names."""
        known = valid.is_valid
        for pair in self._log[valid.read :] if valid.read < len(self._log) else ():
            key = pair[0]
            if key not in known:
                known[key] = slot.takes(key[1])
            if known[key]:
                valid.log.append(pair)
        valid.read = len(self._log)
        return valid.log

    def _add(self, value: Any, name: str) -> None:
        key = (type(value), value)
        names = self._names.get(key)
        if names is None:
            if len(self._names) >= _MOST:
                return
            names = self._names[key] = set()
        if name not in names:
            names.add(name)
            self._log.append((key, name))

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
