"""Which typed values a free text states, and which it states beyond those allowed.

Takes text; gives values by type: `money`, `date`, `time`, `number` (see `scan`), `id` (see `ids`) and `text`. A value
that can't be read states nothing and is one too many. Raises TextFault for a text that can't be read at all, so that no
check passes for want of reading. Doesn't understand sentences: "not 12.30" states 12.30.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from worldwright.verifier.compare import loosened
from worldwright.verifier.ids import Ids
from worldwright.verifier.reading import Reading, TextFault, UnreadText, read, spend

__all__ = ["FUNCTIONS", "found", "mentioned", "missing", "states", "states_only", "strays"]

_KINDS = ("money", "date", "time", "number", "id", "text")
_UNREAD = {"date": "an unreadable date", "time": "an unreadable time", "money": "an unreadable amount"}
_CLOCK = re.compile(r"(?:\A|[T ])(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?\Z")


def found(text: str) -> tuple[tuple[str, Any], ...]:
    """All (type, value) that the text names, in order, but ids; a date without a year is `--MM-DD`, an unreadable value None."""
    return read(text).values or ()


def states(text: Any, kind: Any, value: Any) -> int:
    """1 if the text states the value of this type, else 0. Raises TextFault if it can't be read."""
    return int(not missing(text, kind, [value]))


def states_only(text: Any, kind: Any, allowed: Any) -> int:
    """1 if every value of this type that the text states is in the JSON array `allowed`, else 0; 0 if it can't be read."""
    try:
        values = [] if allowed is None else json.loads(allowed)
    except (TypeError, ValueError, RecursionError):
        values = None
    if not isinstance(values, list):
        raise TextFault("states_only got no JSON array of values")
    if kind not in _KINDS:
        raise TextFault(f"there is no type '{kind}' that a text can state")
    if not isinstance(text, str):
        return 1
    try:
        return int(kind != "text" and not strays(text, kind, values))
    except UnreadText:
        return 0


def missing(text: Any, kind: str, values: Sequence[Any]) -> list[Any]:
    """The values that the text doesn't state. An id must stand by itself: B-10432-X doesn't state B-10432."""
    is_stated = _teller(text, kind, values, joined=False)
    return [value for value in values if not is_stated(value)]


def mentioned(text: Any, kind: str, values: Sequence[Any]) -> list[Any]:
    """The values that occur in the text, an id also where something is joined to it."""
    is_stated = _teller(text, kind, values, joined=True)
    return [value for value in values if is_stated(value)]


def strays(text: str, kind: str, allowed: Sequence[Any]) -> list[Any]:
    """The values of this type that the text states beyond those allowed; none for `text`."""
    if kind == "text":
        return []
    reading = _readable(text, kind)
    spend(20 + len(allowed))
    if kind == "id":
        spend(len(reading.pieces))
        ids = _ids(_plain_ids(allowed))
        return ["-".join(parts) for parts, _ in ids.named(reading.spaced, reading.pieces) if parts not in ids.known and _is_lettered(parts)]
    keys = {key for value in allowed for key in _keys(kind, value)}
    return [_UNREAD.get(kind, "unreadable") if got is None else got for one, got in reading.values or () if one == kind and got not in keys]


def _readable(text: str, kind: str) -> Reading:
    """The text's reading, of which `values` is there if this type needs them."""
    if kind not in _KINDS:
        raise TextFault(f"there is no type '{kind}' that a text can state")
    reading = read(text)
    if reading.unread:
        raise UnreadText(f"it can't be read: {reading.unread}")
    if kind not in ("id", "text") and reading.values is None:
        raise UnreadText("it can't be read: it holds thousands of figures")
    return reading


def _teller(text: Any, kind: str, values: Sequence[Any], joined: bool) -> Callable[[Any], bool]:
    """What tells of each value whether the text states it."""
    if not isinstance(text, str):
        return lambda value: False
    reading = _readable(text, kind)
    spend(20 + len(values))
    if kind == "text":
        return lambda value: value is not None and _contains(reading.plain, loosened(str(value)))
    if kind == "id":
        spend(len(reading.pieces))
        ids = _ids(_plain_ids(values))
        told = {ids.known[parts] for parts, alone in ids.named(reading.spaced, reading.pieces) if (alone or joined) and parts in ids.known}
        return lambda value: value is not None and _same_id(value, ids) in told
    kinds = (kind, "word") if kind == "number" else (kind,)
    stated = {got for one, got in reading.values or () if got is not None and one in kinds}
    return lambda value: not stated.isdisjoint(_keys(kind, value))


def _contains(plain: str, part: str) -> bool:
    """Whether the part stands in the text as a whole: no letter, digit or underscore is joined to it."""
    spend(20 + len(plain) // 10)
    at = plain.find(part) if part else -1
    while at >= 0:
        around = plain[at - 1 : at] + plain[at + len(part) : at + len(part) + 1]
        if not re.search(r"\w", around):
            return True
        at = plain.find(part, at + 1)
    return False


# ---- ids


@functools.lru_cache(maxsize=256)
def _ids(known: tuple[str, ...]) -> Ids:
    return Ids(known)


def _plain_ids(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(sorted({loosened(str(value)) for value in values if value is not None}))


def _same_id(value: Any, ids: Ids) -> str | None:
    return ids.known.get(ids.parts(loosened(str(value))))


def _is_lettered(parts: Sequence[str]) -> bool:
    return any(not part.isdecimal() for part in parts)


# ---- values as keys that are compared


def _keys(kind: str, value: Any) -> tuple[Any, ...]:
    """What a text has to state for this value: none if it is no value of its type."""
    if not isinstance(value, (int, float, str)):
        return ()
    if kind == "date":
        day = str(value)[:10]
        return (day, f"--{day[5:]}")
    if kind == "time":
        clock = _CLOCK.search(str(value))
        return (f"{int(clock[1]):02d}:{clock[2]}",) if clock else ()
    try:
        number = abs(float(value))
    except (TypeError, ValueError, OverflowError):
        return ()
    return (round(number, 9),) if math.isfinite(number) else ()


FUNCTIONS: dict[str, Callable[..., Any]] = {"states": states, "states_only": states_only}
"""SQL functions that a verifier may use; a world's connections need them."""
