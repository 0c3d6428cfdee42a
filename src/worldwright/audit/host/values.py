"""Python values as JSON and back: what crosses between the host and a child.

`encode` takes a value and gives plain JSON data; `decode` gives the value back. Promises: None, bool, int, float (nan and
infinite too), str (lone surrogates too), list, dict with any keys, tuple, set, frozenset, bytes, Decimal, Fraction, complex,
UUID, date, datetime (naive, or with a fixed offset), time, timedelta come back equal and of the same type. Any other value
raises Unencodable, or with `loose` becomes the nearest plain thing: rows and named tuples dicts, numbers of other packages
Python's, the rest its repr without addresses. A value nested deeper than DEEPEST is such an other value.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import enum
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

__all__ = ["DEEPEST", "Held", "Unencodable", "decode", "encode", "shown"]

DEEPEST = 60
_LONGEST_SHOWN = 2_000
_LARGEST = 10**300
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class Unencodable(ValueError):
    """A value that can't leave its process."""


class Held:
    """Where a value stays that can't leave its process: in a known solution (0: the reference), at "" (its answer) or "ACT.NAME"."""

    def __init__(self, known: int, at: str = "", shown: str = "") -> None:
        self.known, self.at, self.shown = known, at, shown


def shown(value: object, longest: int = _LONGEST_SHOWN) -> str:
    """The repr without addresses and of bounded length; says so where the value can't even give one."""
    try:
        text = repr(value)
    except BaseException as fault:  # noqa: BLE001 - foreign code; its failure is the answer
        return f"<{type(value).__name__} whose repr raises {type(fault).__name__}>"
    text = _ADDRESS.sub(" at 0x...", text)
    return text if len(text) <= longest else text[:longest] + "..."


def encode(value: Any, loose: bool = False, depth: int = 0) -> Any:
    """The value as JSON data. Raises Unencodable unless `loose`."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind in _PLAIN:
        return _PLAIN[kind](value)
    if depth >= DEEPEST:
        return _other(value, loose, depth)
    if kind is list:
        return [encode(item, loose, depth + 1) for item in value]
    if kind is dict:
        return _encode_dict(value, loose, depth)
    if kind in _COLLECTIONS:
        items = [encode(item, loose, depth + 1) for item in value]
        return {_COLLECTIONS[kind]: items if kind is tuple else sorted(items, key=repr)}
    if kind in (datetime.datetime, datetime.time) and value.tzinfo is not None and type(value.tzinfo) is not datetime.timezone:
        return _other(value, loose, depth)
    if kind in _TAGGED:
        tag, to_text, _ = _TAGGED[kind]
        return {tag: to_text(value)}
    if kind is Held:
        return {"$held": [value.known, value.at, value.shown]}
    return _other(value, loose, depth)


def _text(value: str) -> Any:
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"$text": base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()}
    return value


def _integer(value: int) -> Any:
    return value if -_LARGEST < value < _LARGEST else {"$int": hex(value)}


def _float(value: float) -> Any:
    return value if value - value == 0 else {"$float": repr(value)}


_PLAIN: dict[type, Callable[[Any], Any]] = {str: _text, int: _integer, float: _float}
_BASES: tuple[Any, ...] = (bool, int, float, str, bytes)
_COLLECTIONS: dict[type, str] = {tuple: "$tuple", set: "$set", frozenset: "$frozenset"}


def _encode_dict(value: dict[Any, Any], loose: bool, depth: int) -> Any:
    if all(type(key) is str and not key.startswith("$") and key.isascii() for key in value):
        return {key: encode(item, loose, depth + 1) for key, item in value.items()}
    return {"$dict": [[encode(key, loose, depth + 1), encode(item, loose, depth + 1)] for key, item in value.items()]}


def _other(value: Any, loose: bool, depth: int) -> Any:
    if not loose:
        raise Unencodable(f"a {type(value).__name__} can't leave its process: {shown(value, 200)}")
    nearest = None if depth >= DEEPEST else _nearest(value)
    return _text(shown(value)) if nearest is None else encode(nearest, loose, depth + 1)


def _nearest(value: Any) -> Any:
    """A plainer value that says the same, or None."""
    try:
        if isinstance(value, enum.Enum):
            return value.value
        for plain in _BASES:
            if isinstance(value, plain):
                return plain(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        if isinstance(value, tuple) and hasattr(value, "_asdict"):
            return dict(value._asdict())
        if isinstance(value, Mapping) or (hasattr(value, "keys") and hasattr(value, "__getitem__")):
            return {key: value[key] for key in value.keys()}  # noqa: SIM118 - sqlite3.Row iterates over its values
        if isinstance(value, (list, tuple, set, frozenset)):
            return list(value)
        return value.tolist() if hasattr(value, "tolist") and hasattr(value, "dtype") else None
    except Exception:  # noqa: BLE001 - foreign code; its repr is shown instead
        return None


_TAGGED: dict[type, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {
    bytes: ("$bytes", lambda value: base64.b64encode(value).decode(), base64.b64decode),
    Decimal: ("$decimal", str, Decimal),
    Fraction: ("$fraction", str, Fraction),
    UUID: ("$uuid", str, UUID),
    complex: ("$complex", lambda value: [repr(value.real), repr(value.imag)], lambda parts: complex(float(parts[0]), float(parts[1]))),
    datetime.datetime: ("$datetime", lambda value: [value.isoformat(), value.fold], lambda parts: _moment(*parts)),
    datetime.date: ("$date", datetime.date.isoformat, datetime.date.fromisoformat),
    datetime.time: (
        "$time",
        lambda value: [value.isoformat(), value.fold],
        lambda parts: datetime.time.fromisoformat(parts[0]).replace(fold=parts[1]),
    ),
    datetime.timedelta: (
        "$timedelta",
        lambda value: [value.days, value.seconds, value.microseconds],
        lambda parts: datetime.timedelta(parts[0], parts[1], parts[2]),
    ),
}
"""By type: the tag, and how there and back."""


def _moment(text: str, fold: int) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text).replace(fold=fold)


def decode(data: Any, held: Callable[[Held], Any] = lambda found: found) -> Any:
    """The value again; `held` says what stands for a value that stayed behind. ValueError for data that `encode` never gives."""
    if isinstance(data, list):
        return [decode(item, held) for item in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        tag, content = next(iter(data.items()))
        if tag.startswith("$"):
            try:
                return _untag(tag, content, held)
            except (TypeError, KeyError, AttributeError, IndexError, ArithmeticError) as fault:
                raise ValueError(f"not a value: {tag} {shown(content, 100)}") from fault
    return {key: decode(item, held) for key, item in data.items()}


def _untag(tag: str, content: Any, held: Callable[[Held], Any]) -> Any:
    if tag == "$held":
        return held(Held(*content))
    if tag == "$text":
        return base64.b64decode(content).decode("utf-8", "surrogatepass")
    if tag == "$int":
        return int(content, 16)
    if tag == "$float":
        return float(content)
    if tag == "$dict":
        return {decode(key, held): decode(item, held) for key, item in content}
    return _READERS[tag](content) if tag in _READERS else _GATHERED[tag](decode(item, held) for item in content)


_READERS = {tag: back for tag, _, back in _TAGGED.values()}
_GATHERED: dict[str, Callable[[Any], Any]] = {tag: kind for kind, tag in _COLLECTIONS.items()}
