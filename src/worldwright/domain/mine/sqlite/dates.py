"""Dates and times as databases write them: which form a value has, and when it is.

Takes values as they are stored; gives the form and an ISO text that sorts. Numbers count as times only where the column's name or its
declared type speaks of time: nothing else tells a moment from an amount. Day and month are told apart by the whole column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

__all__ = ["Dated", "read_dates"]

_ISO = re.compile(
    r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|[-+]\d{2}:?\d{2})?)?\Z", re.I
)
_PARTS = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:,?[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AaPp][Mm])?)?\Z")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})Z?)?\Z")
_WORDED = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?(?:(\d{1,2})[\s-]+([A-Za-z]{3,9})\.?|([A-Za-z]{3,9})\.?\s+(\d{1,2})),?[\s-]+(\d{4})(?:\s.*)?\Z"
)
_CLOCK = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)(:[0-5]\d(\.\d+)?)?( ?[AaPp][Mm])?\Z")
_MONTHS = {name: n for n, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)}
_ZERO = re.compile(r"0000-00-00|0000-01-01|0+/0+/0+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SCALES = (("epoch-seconds", 1.0), ("epoch-milliseconds", 1e3), ("epoch-microseconds", 1e6), ("epoch-nanoseconds", 1e9))
_FIRST, _LAST = 0.0, 4102444800.0
"""1970 to 2100, in seconds."""
_PLAUSIBLE = 100_000_000.0
"""March 1973: below this a number of seconds is more likely something else."""
_JULIAN = (2_400_000.0, 2_490_000.0)
_YEARS = (1000, 2999)
_GLANCE = 100
"""Values that are tried before all are read."""


class Dated(msgspec.Struct, frozen=True):
    """How a column's dates are written: forms with their counts, ISO texts by value, and how many values are no dates.

    `type` is date, datetime or time.
    """

    type: str
    forms: dict[str, int]
    iso: dict[Any, str]
    others: int

    @property
    def form(self) -> str:
        """The forms, the most frequent first."""
        return " | ".join(sorted(self.forms, key=lambda one: (-self.forms[one], one)))


def read_dates(counts: Mapping[Any, int], may_be_numbers: bool) -> Dated | None:
    """The values of a column as dates, or None if they aren't: fewer than 90 percent read as dates."""
    split = _first_parts(counts)
    if len(counts) > 2 * _GLANCE:
        some = list(counts)[:: len(counts) // _GLANCE]
        if sum(_read(value, may_be_numbers, split) is not None for value in some) < len(some) / 2:
            return None
    forms: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    iso: dict[Any, str] = {}
    others = blanks = 0
    for value, n in counts.items():
        found = _read(value, may_be_numbers, split)
        if found is not None:
            form, kind, iso[value] = found
            forms[form] += n
            kinds[kind] += n
        elif isinstance(value, str) and (not value.strip() or _ZERO.match(value)):
            blanks += n
        else:
            others += n
    read = sum(forms.values())
    if read == 0 or others > 0.1 * (read + others):
        return None
    if blanks:
        forms["blank"] = blanks
    kind = "datetime" if kinds["datetime"] else max(kinds, key=lambda one: kinds[one])
    return Dated(kind, dict(forms), iso, others)


Read = tuple[str, str, str]
"""Form, type, ISO text."""


def _read(value: Any, may_be_numbers: bool, split: str) -> Read | None:
    if isinstance(value, str):
        return _text(value.strip(), may_be_numbers, split)
    if isinstance(value, int | float) and not isinstance(value, bool) and may_be_numbers:
        return _number(value)
    return None


def _text(text: str, may_be_numbers: bool, split: str) -> Read | None:
    if match := _ISO.match(text):
        year, sign, month, day, hour, minute, second, zone = match.groups()
        name = {"-": "iso", "/": "year-first-slashes", ".": "year-first-dots"}[sign]
        return _made(name, (year, month, day), (hour, minute, second), zone or "")
    if match := _PARTS.match(text):
        one, sign, two, year, hour, minute, second, half = match.groups()
        mark = {"/": "slashes", ".": "dots", "-": "dashes"}[sign]
        return _parts((one, two, year), (_of_day(hour, half), minute, second), split, mark)
    if match := _WORDED.match(text):
        day, month, other, later, year = match.groups()
        number = _MONTHS.get((month or other)[:3].lower())
        return _made("month-name", (year, str(number), day or later), (None, None, None), "") if number else None
    if _CLOCK.match(text):
        return "clock", "time", text.rjust(5, "0") if text[1] != ":" else "0" + text
    if may_be_numbers and (match := _COMPACT.match(text)):
        return _made("compact", match.groups()[:3], match.groups()[3:], "")
    return _number(float(text)) if may_be_numbers and re.fullmatch(r"\d{9,19}(\.\d+)?", text) else None


def _of_day(hour: str | None, half: str | None) -> str | None:
    if hour is None or half is None:
        return hour
    return str(int(hour) % 12 + (12 if half.lower() == "pm" else 0))


def _made(form: str, date: Iterable[str | None], clock: Iterable[str | None], zone: str) -> Read | None:
    """The form with its type, and the ISO text; None if there is no such day."""
    year, month, day = (int(part or 0) for part in date)
    hour, minute, second = clock
    if not _YEARS[0] <= year <= _YEARS[1]:
        return None
    try:
        made = datetime(year, month, day, int(hour or 0), int(minute or 0), min(int(second or 0), 59))
    except ValueError:
        return None
    if hour is None:
        return f"{form}-date", "date", made.date().isoformat()
    return f"{form}-datetime{'-zoned' if zone else ''}", "datetime", made.isoformat()


def _parts(date: tuple[str, str, str], clock: tuple[str | None, ...], split: str, mark: str) -> Read | None:
    one, two, year = date
    if len(year) == 2:
        year = ("19" if int(year) >= 70 else "20") + year
    first = int(one) > 12 or (split != "us" and int(two) <= 12)
    form = {"us": "us", "eu": "eu", "both": "eu" if int(one) > 12 else "us" if int(two) > 12 else "day-or-month-first"}.get(split, "")
    if not form:
        form = "day-or-month-first"
    day, month = (one, two) if first else (two, one)
    return _made(f"{form}-{mark}", (year, month, day), clock, "")


def _first_parts(counts: Mapping[Any, int]) -> str:
    """Whether the days come first (eu), the months (us), both ways occur, or nothing tells (dots are European)."""
    found = set()
    for value in counts:
        match = _PARTS.match(value.strip()) if isinstance(value, str) else None
        if match is None:
            continue
        one, two = int(match[1]), int(match[3])
        if one > 12 or match[2] == ".":
            found.add("eu")
        elif two > 12:
            found.add("us")
    return "both" if len(found) == 2 else found.pop() if found else ""


def _number(value: float) -> Read | None:
    if _JULIAN[0] <= value < _JULIAN[1]:
        at = datetime(2000, 1, 1, 12, tzinfo=UTC) + timedelta(days=value - 2451545.0)
        return "julian-day", "datetime", at.replace(tzinfo=None).isoformat(timespec="seconds")
    if isinstance(value, int) and 19000101 <= value <= 21001231 and (found := _COMPACT.match(str(value))):
        return _made("compact", found.groups()[:3], (None, None, None), "")
    for form, scale in _SCALES:
        if _PLAUSIBLE <= value / scale <= _LAST:
            at = _EPOCH + timedelta(seconds=value / scale)
            return form, "datetime", at.replace(tzinfo=None).isoformat(timespec="seconds")
    return None
