"""When two values are the same: columns by their declared type, answers by theirs.

Answers forgive form (case, spacing, typographic variants, numbers as text, ISO forms, list order) and never content:
an absent, null, NaN or wrongly typed value equals nothing.
"""

from __future__ import annotations

import datetime
import functools
import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from worldwright.world.spec import ArgSpec

__all__ = ["is_piled", "loosened", "same_answer", "same_value"]

_INTEGER = re.compile(r"[+-]?\d{1,18}(\.0+)?\Z")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\Z")
_VARIANTS = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "‛": "'",
        "ʼ": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "‐": "-",
        "‑": "-",
        "‒": "-",
        "–": "-",
        "—": "-",
        "−": "-",
        "…": "...",
    }
)
_MOST = 100_000
"""Longer texts are the same only if they are the same to the letter."""
_CACHED = 4_000
_DROPPED = {ord(c): None for c in "\u200b\u200c\u200d\ufeff\u00ad"}
_PILE = 30
"""The most combining marks in a row that any writing needs (Unicode's stream-safe text format, UAX #15)."""
_MAYBE_PILED = re.compile(rf"[^\x00-\u02ff]{{{_PILE + 1}}}")


def loosened(text: str) -> str:
    """Text without differences of case, spacing and typography. What is piled up (see `is_piled`) stays as it is."""
    return _cached(text) if len(text) <= _CACHED else _loosened(text)


def _loosened(text: str) -> str:
    if text.isascii():
        return " ".join(text.casefold().split())
    bare = text.translate(_DROPPED)
    if _heaps(bare):
        return text
    plain = unicodedata.normalize("NFKC", bare).translate(_VARIANTS)
    return " ".join(unicodedata.normalize("NFC", plain.casefold()).split())


_cached = functools.lru_cache(maxsize=1024)(_loosened)


def is_piled(text: str) -> bool:
    """Whether the text heaps up combining marks, which no writing does and which normalising takes quadratic time for."""
    return not text.isascii() and _heaps(text.translate(_DROPPED))


def _heaps(bare: str) -> bool:
    if _MAYBE_PILED.search(bare) is None:
        return False
    row = 0
    for char in bare:
        row = row + 1 if _is_mark(char) else 0
        if row > _PILE:
            return True
    return False


@functools.lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    """Whether the character is nothing but combining marks."""
    return all(map(unicodedata.combining, unicodedata.normalize("NFKD", char)))


def same_value(family: str, wanted: Any, got: Any, tolerance: float = 0.0, loose: bool = False) -> bool:
    """Whether a column of this family holds the wanted value. NULL equals NULL alone."""
    if wanted is None or got is None:
        return wanted is None and got is None
    if isinstance(wanted, (int, float)) and isinstance(got, (int, float)):
        if tolerance:
            return abs(wanted - got) <= tolerance + 1e-12
        both_whole = isinstance(wanted, int) and isinstance(got, int)
        return wanted == got or (not both_whole and math.isclose(wanted, got, rel_tol=1e-12, abs_tol=0.0))
    if type(wanted) is not type(got):
        return False
    if family in ("date", "datetime") and isinstance(wanted, str):
        one, other = _instant(wanted), _instant(got)
        return wanted == got if one is None or other is None else one == other
    if loose and isinstance(wanted, str):
        return _alike(wanted, got)
    return bool(wanted == got)


def _alike(wanted: str, got: str) -> bool:
    return wanted == got or (max(len(wanted), len(got)) <= _MOST and loosened(wanted) == loosened(got))


def same_answer(spec: ArgSpec, wanted: Any, got: Any) -> bool:
    """Whether an answer field of this type gives the wanted value (for a list: the wanted values)."""
    if spec.type == "list":
        return _same_list(spec, wanted, got)
    if wanted is None or got is None:
        return False
    return _SAME.get(spec.format or spec.type, _same_text)(wanted, got)


def _same_list(spec: ArgSpec, wanted: Sequence[Any], got: Any) -> bool:
    if not isinstance(got, (list, tuple)) or len(got) != len(wanted):
        return False
    item = spec.items or ArgSpec()
    if spec.ordered:
        return all(same_answer(item, one, other) for one, other in zip(wanted, got, strict=True))
    left = list(got)
    for one in wanted:
        hit = next((n for n, other in enumerate(left) if same_answer(item, one, other)), None)
        if hit is None:
            return False
        left.pop(hit)
    return True


def _same_text(wanted: Any, got: Any) -> bool:
    if not isinstance(got, str):
        return isinstance(got, int) and not isinstance(got, bool) and abs(got) < 2**63 and str(got) == str(wanted)
    return _alike(str(wanted), got)


def _brief(text: str) -> str:
    """The text without the space around it; of what is too long to be a number or a time, nothing."""
    text = text.strip()
    return text if len(text) <= 60 else ""


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = unicodedata.normalize("NFKC", _brief(value)).translate(_VARIANTS)
        if _INTEGER.match(text):
            return int(text.split(".")[0])
        return float(text) if _NUMBER.match(text) and math.isfinite(float(text)) else None
    return value if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)) else None


def _same_integer(wanted: Any, got: Any) -> bool:
    one, other = _number(wanted), _number(got)
    return one is not None and other is not None and float(one).is_integer() and one == other if _small(one, other) else False


def _small(*values: Any) -> bool:
    return all(value is not None and abs(value) < 2**63 for value in values)


def _same_number(wanted: Any, got: Any) -> bool:
    one, other = _number(wanted), _number(got)
    return _small(one, other) and one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def _same_boolean(wanted: Any, got: Any) -> bool:
    words = {"true": True, "yes": True, "false": False, "no": False}
    value = words.get(got.strip().lower()) if isinstance(got, str) else got
    return isinstance(value, bool) and value == bool(wanted)


def _instant(value: Any) -> datetime.datetime | None:
    """An ISO date or time; with a zone, as the same instant in the world's own time (which is UTC here)."""
    if not isinstance(value, str):
        return None
    try:
        got = datetime.datetime.fromisoformat(_brief(value))
        return got.astimezone(datetime.UTC).replace(tzinfo=None) if got.tzinfo is not None else got
    except (ValueError, OverflowError):
        return None


def _same_datetime(wanted: Any, got: Any) -> bool:
    one, other = _instant(wanted), _instant(got)
    if one is None or other is None:
        return False
    return one.replace(microsecond=0) == other.replace(microsecond=0)


def _same_date(wanted: Any, got: Any) -> bool:
    one, other = _instant(wanted), _instant(got)
    return one is not None and other is not None and one.date() == other.date() and (other.time() == datetime.time() or one == other)


def _same_clock(wanted: Any, got: Any) -> bool:
    found = re.match(r"(\d{1,2}):(\d\d)(?::(\d\d))?\Z", got.strip()) if isinstance(got, str) else None
    aim = re.match(r"(\d{1,2}):(\d\d)(?::(\d\d))?\Z", str(wanted))
    if not found or not aim:
        return False
    return [int(x or 0) for x in found.groups()] == [int(x or 0) for x in aim.groups()]


_SAME = {
    "integer": _same_integer,
    "number": _same_number,
    "boolean": _same_boolean,
    "date": _same_date,
    "datetime": _same_datetime,
    "time": _same_clock,
}
