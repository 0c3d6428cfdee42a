"""Arguments for walks: drawn by type, from what earlier results have shown.

Takes a tool's description and the results so far; gives arguments that are valid by type. Promises that the same
results and the same source of chance give the same arguments in every process. Understands nothing: an `id` in what
`list_orders` gave is tried as `order_id`, values that stood in one row are tried together, the rest is invented.
"""

from __future__ import annotations

import datetime
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.world.arguments import compile_value, json_schema
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec

__all__ = ["Drawer", "Known", "takes"]

Known = Mapping[str, Sequence[Any]]
"""Values that walks may use from the start, by the name of the argument."""

_OPTIONAL = 0.6
_FROM_ROW, _LIKELY, _FITTING = 0.6, 0.9, 0.6
_RECENT, _FRESH = 5, 0.3
_LENGTHS = (1, 1, 1, 2, 3)
_MOST_ROWS, _MOST_VALUES = 400, 3_000
_SHORT = 80
_SPANS = (3, 10, 100, 10_000)
_WORD = re.compile(r"[\w.-]+")
_NUMBER = re.compile(r"\d{1,15}(?![\w.-])")
_QUOTED = re.compile(r"[\"'“‘]([^\"'“”‘’]{1,60})[\"'”’]")
_GROUP = re.compile(r"\((?:\?:)?([^()]*)\)(\{\d+(?:,\d*)?\}|[*+?])?")
_ATOM = re.compile(r"(\\.|\[[^\]]+\]|[^\\\[])(?:\{(\d+)(?:,\d*)?\}|([*+?]))?")
_TEXTS = ("", "a", "e", "x")
_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -_./:@"
_ANY_TEXT = ArgSpec()


def takes(spec: ArgSpec, value: Any) -> bool:
    """Whether the value is valid for the argument, as `worldwright.world.arguments` sees it."""
    return _passes(compile_value(spec), value)


def _passes(check: Callable[[Any], Any], value: Any) -> bool:
    try:
        check(value)
    except ValueError:
        return False
    return True


class Drawer:
    """Draws arguments; remembers what results have shown."""

    def __init__(self, rng: random.Random, known: Known) -> None:
        self._rng = rng
        self._rows: list[dict[str, Any]] = []
        self._values: dict[tuple[type, Any], set[str]] = {}
        self._checks: dict[int, tuple[ArgSpec, Callable[[Any], Any]]] = {}
        self._suiting: dict[tuple[int, type, Any], bool] = {}
        for name, values in known.items():
            for value in values:
                self._add(value, name, set())

    def read(self, value: Any, tool: str) -> None:
        """Take in what a call of the tool gave."""
        things = {f"{word}_" for word in _singles(tool.split("_")[1:])}
        self._read(value, "", things)

    def _read(self, value: Any, name: str, things: set[str]) -> None:
        if isinstance(value, Mapping):
            row = {str(key): one for key, one in value.items() if _is_plain(one)}
            row |= {f"{thing}{key}": row[key] for thing in sorted(things) for key in ("id", "name", "code", "key") if key in row}
            if len(self._rows) < _MOST_ROWS and row not in self._rows:
                self._rows.append(row)
            for key, one in value.items():
                self._read(one, str(key), things)
        elif isinstance(value, (list, tuple)):
            for one in value[:_MOST_ROWS]:
                self._read(one, name, things)
        elif _is_plain(value):
            self._add(value, name, things)
        elif isinstance(value, str):
            self._read_text(value)

    def _add(self, value: Any, name: str, things: set[str]) -> None:
        key = (type(value), value)
        if key in self._values or len(self._values) < _MOST_VALUES:
            known = self._values.setdefault(key, set())
            known.add(name)
            if name in ("id", "name", "code", "key"):
                known.update(f"{thing}{name}" for thing in things)

    def _read_text(self, text: str) -> None:
        """Take in the words and numbers of a long text."""
        for word in _WORD.findall(text)[:_MOST_ROWS]:
            word = word.strip(".-")
            self._add(int(word) if _NUMBER.fullmatch(word) else word, "", set())

    def learn(self, tool: ToolDoc) -> None:
        """Take in the examples that the descriptions of the tool's arguments quote."""
        for name, spec in tool.args.items():
            for text in _QUOTED.findall(spec.doc):
                self._add(text, name, set())

    def follow(self, other: Drawer) -> None:
        """Know what the other knows."""
        self._rows = list(other._rows)
        self._values = {key: set(names) for key, names in other._values.items()}

    def arguments(self, tool: ToolDoc, now: str, *, complete: bool = False) -> dict[str, Any]:
        """Arguments for one call; what may be left out is left out now and then, unless they are to be complete."""
        row = self._row(tool)
        out = {}
        for name, spec in tool.args.items():
            may_lack = spec.optional or spec.default is not msgspec.UNSET
            if complete or not may_lack or self._rng.random() < _OPTIONAL:
                out[name] = self._value(name, spec, row, now)
        return out

    def _row(self, tool: ToolDoc) -> dict[str, Any]:
        """A seen row that has values for most of the tool's arguments, or none."""
        if not self._rows or self._rng.random() >= _FROM_ROW:
            return {}
        sample = [self._rng.choice(self._rows) for _ in range(12)]
        return max(sample, key=lambda row: sum(any(_likeness(key, name) >= 2 for key in row) for name in tool.args))

    def _value(self, name: str, spec: ArgSpec, row: Mapping[str, Any], now: str) -> Any:
        rng = self._rng
        if spec.enum or spec.type == "boolean":
            return rng.choice(json_schema(spec)["enum"] if spec.enum else [True, False])
        if spec.type == "list":
            least, most = spec.min_length or 0, 3 if spec.max_length is None else spec.max_length
            items = spec.items or _ANY_TEXT
            number = max(least, min(rng.choice(_LENGTHS), most))
            return [self._value(_single(name), items, {} if n else row, now) for n in range(number)]
        if spec.type == "object":
            return {}
        beside = [value for key, value in row.items() if _likeness(key, name) >= 2 and self._suits(spec, value)]
        return beside[0] if beside else self._seen(name, spec, now)

    def _seen(self, name: str, spec: ArgSpec, now: str) -> Any:
        fits = [
            (value, max(_likeness(key, name) for key in names)) for (_, value), names in self._values.items() if self._suits(spec, value)
        ]
        best = max((like for _, like in fits), default=0)
        if best and self._rng.random() < _LIKELY:
            likely = [value for value, like in fits if like == best]
            return self._rng.choice(likely[-_RECENT:] if self._rng.random() < _FRESH else likely)
        if fits and self._rng.random() < _FITTING:
            return self._rng.choice(fits)[0]
        return self._invented(spec, now)

    def _invented(self, spec: ArgSpec, now: str) -> Any:
        rng = self._rng
        if spec.type in ("integer", "number"):
            return _number(spec, rng)
        form = spec.format or spec.type
        if form in ("date", "datetime", "time"):
            return _moment(form, _time(now) + datetime.timedelta(hours=rng.randrange(-48, 97)))
        return _shaped(spec.pattern, rng) if spec.pattern else rng.choice(_TEXTS).ljust(spec.min_length or 0, "x")[: spec.max_length]

    def _suits(self, spec: ArgSpec, value: Any) -> bool:
        """Whether a seen value is one of this kind, and valid; remembered."""
        if isinstance(value, str) is (spec.type in ("integer", "number")):
            return False
        key = (id(spec), type(value), value)
        if key not in self._suiting:
            _, check = self._checks.get(id(spec)) or self._checks.setdefault(id(spec), (spec, compile_value(spec)))
            self._suiting[key] = _passes(check, value)
        return self._suiting[key]


def _is_plain(value: Any) -> bool:
    return (isinstance(value, (int, float)) and not isinstance(value, bool)) or (isinstance(value, str) and len(value) <= _SHORT)


def _likeness(name: str, other: str) -> int:
    """3 the same name, 2 one ends like the other, 1 a word in common, 0."""
    if name == other:
        return 3
    if name.endswith(f"_{other}") or other.endswith(f"_{name}"):
        return 2
    return int(not set(name.split("_")).isdisjoint(other.split("_")))


def _singles(words: list[str]) -> list[str]:
    return [_single(word) for word in words]


def _single(name: str) -> str:
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def _number(spec: ArgSpec, rng: random.Random) -> float:
    """A whole number within the bounds, small more often than large; the bound itself where there is none."""
    least = math.ceil(spec.minimum if spec.minimum is not None else min(0, spec.maximum or 0))
    most = least + rng.choice(_SPANS) if spec.maximum is None else min(least + rng.choice(_SPANS), math.floor(spec.maximum))
    return rng.randint(least, most) if least <= most else spec.minimum or 0


def _time(now: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(now)
    except ValueError:
        return datetime.datetime(2026, 1, 1, 9)


def _moment(form: str, at: datetime.datetime) -> str:
    return {"date": at.date().isoformat(), "datetime": at.replace(microsecond=0, tzinfo=None).isoformat(), "time": at.strftime("%H:%M")}[
        form
    ]


def _shaped(pattern: str, rng: random.Random) -> str:
    """A text that fits a plain pattern: literals, classes, alternatives and counts; others are beyond it."""
    while (found := _GROUP.search(pattern)) is not None:
        chosen = rng.choice(found[1].split("|")) * _count(found[2] or "", rng)
        pattern = pattern[: found.start()] + chosen + pattern[found.end() :]
    atoms = _ATOM.findall(rng.choice(pattern.split("|")).strip("^$"))
    return "".join(_one_of(atom, rng) for atom, times, sign in atoms for _ in range(_count(times or sign, rng)))


def _count(quantity: str, rng: random.Random) -> int:
    number = re.search(r"\d+", quantity)
    return int(number[0]) if number else rng.randint(0, 1) if quantity in ("*", "?") else 1


def _one_of(atom: str, rng: random.Random) -> str:
    """A character for one atom of a pattern, tried out of those that are likely."""
    if len(atom) == 1 and atom != ".":
        return atom
    fitting = [letter for letter in _LETTERS if re.fullmatch(atom, letter)]
    return rng.choice(fitting) if fitting else atom[-1]
