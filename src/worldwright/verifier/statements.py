"""Which typed values a free text states: amounts, dates, times, ids, numbers.

Takes text; gives the values it names, each read once (the digits of a date are no numbers). Dates are ISO, written
out, or written out without a year; slashed dates are ambiguous and read as none. A number is money with a currency
word or sign, or with two decimals. Doesn't understand sentences: "not 12.30" states 12.30.
"""

from __future__ import annotations

import datetime
import functools
import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from worldwright.verifier.compare import loosened

__all__ = ["FUNCTIONS", "found", "states", "states_only"]

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_MONTH = "|".join([*_MONTHS, *(m[:3] for m in _MONTHS), "sept"])
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d{2}|\d+(?:[.,]\d+)?"
_COINS = r"cents?\b|ct\b|pence\b"
_CURRENCY = r"(?:eur|usd|gbp|chf|cad|aud)\b|euros?\b|dollars?\b|pounds?\b|€|\$|£"
_AHEAD = r"(?:eur|usd|gbp|chf|cad|aud|euros?)(?:\b|(?=\d))|€|\$|£"
_SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = {word: number for number, word in enumerate(_SPELT)}

_PATTERNS = re.compile(
    rf"""
      (?P<iso>\b\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}}(?:(?=t\d)|\b))
    | (?P<dotted>\b\d{{1,2}}\.\d{{1,2}}\.\d{{4}}\b)
    | (?P<slashed>\b\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)\b)
    | (?P<dmy>\b\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?[\ -](?:{_MONTH})\b\.?(?:,?[\ -]\d{{4}}\b)?)
    | (?P<mdy>\b(?:{_MONTH})\b\.?\ \d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\ \d{{4}}\b)?)
    | (?P<time>(?<![\d:.])t?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\d:])(?:\ ?[ap]\.?m\b\.?)?|\b\d{{1,2}}\ ?[ap]\.?m\b\.?)
    | (?P<ahead>(?<!\w)(?:{_AHEAD})\ ?-?(?:{_NUMBER}))
    | (?P<id>\b(?=[a-z0-9/-]*[a-z])(?=[a-z0-9/-]*\d)[a-z][a-z0-9]*(?:[-/][a-z0-9]+)+\b|\b[a-z]{{1,6}}\d{{2,}}[a-z0-9]*\b)
    | (?P<behind>(?<![\w.,])(?:{_NUMBER})\ ?(?:{_CURRENCY}|{_COINS}))
    | (?P<number>(?<![\w.,])(?:{_NUMBER})(?![\w]))
    | (?P<loose>(?<![.,])\d+(?:[.,]\d+)*)
    """,
    re.VERBOSE,
)
_MOST = 50_000


@functools.lru_cache(maxsize=256)
def found(text: str) -> tuple[tuple[str, Any], ...]:
    """All (type, value) that the text names, in order; a date without a year is `--MM-DD`, an unreadable one None."""
    plain = loosened(unicodedata.normalize("NFKC", text[:_MOST]))
    return tuple(item for match in _PATTERNS.finditer(plain) if (item := _read(match.lastgroup or "", match.group(0))) is not None)


def _read(kind: str, text: str) -> tuple[str, Any] | None:
    if kind in ("iso", "dotted", "slashed", "dmy", "mdy"):
        return "date", _DATES[kind](text)
    if kind == "time":
        return "time", _time(text)
    if kind == "id":
        return "id", text
    if kind in ("ahead", "behind"):
        amount = re.search(_NUMBER, text)
        value = _decimal(amount.group(0)) if amount else None
        if value is None:
            return None
        coins = re.search(rf"(?:{_COINS})$", text) is not None
        return "money", round(value if coins else value * 100)
    value = _decimal(text)
    if value is None:
        return None
    if re.search(r"[.,]\d\d$", text) and kind == "number":
        return "money", round(value * 100)
    return "number", value


def _decimal(text: str) -> float | int | None:
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    elif re.fullmatch(r"\d{1,3}(\.\d{3})+,\d{2}", text):
        text = text.replace(".", "").replace(",", ".")
    else:
        text = text.replace(",", ".")
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return None


def _date(year: str | int | None, month: int, day: str | int) -> str | None:
    try:
        return (
            datetime.date(int(year) if year else 2000, month, int(day)).isoformat()
            if year
            else f"--{datetime.date(2000, month, int(day)).isoformat()[5:]}"
        )
    except ValueError:
        return None


def _month(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, start=1) if name.startswith(word[:3]))


def _written(text: str) -> str | None:
    month = re.search(rf"\b(?:{_MONTH})\b", text)
    numbers = re.findall(r"\d+", text)
    if month is None or not numbers:
        return None
    return _date(numbers[1] if len(numbers) > 1 else None, _month(month.group(0)), numbers[0])


_DATES: dict[str, Callable[[str], str | None]] = {
    "iso": lambda text: _date(*(int(part) for part in re.split(r"[-/]", text))),
    "dotted": lambda text: _date(text.split(".")[2], int(text.split(".")[1]), text.split(".")[0]),
    "slashed": lambda text: None,
    "dmy": _written,
    "mdy": _written,
}


def _time(text: str) -> str | None:
    digits = [int(part) for part in re.findall(r"\d+", text)]
    hour, minute = digits[0], digits[1] if len(digits) > 1 else 0
    if re.search(r"[ap]\.?m", text):
        hour = hour % 12 + (12 if "p" in text else 0)
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None


def states(text: Any, kind: Any, value: Any) -> int:
    """1 if the text states the value of this type, else 0."""
    if not isinstance(text, str) or value is None:
        return 0
    if kind == "text":
        return int(re.search(rf"(?<!\w){re.escape(loosened(str(value)))}(?!\w)", loosened(text)) is not None)
    if kind == "id":
        return int(re.search(rf"(?<![\w-]){re.escape(loosened(str(value)))}(?![\w-])", loosened(text)) is not None)
    if any(one == kind and _equal(kind, got, value) for one, got in found(text)):
        return 1
    return int(kind == "number" and any(_WORDS.get(word) == value for word in re.findall(r"[a-z]+", loosened(text))))


def states_only(text: Any, kind: Any, allowed: Any) -> int:
    """1 if every value of this type that the text states is in the JSON array `allowed`, else 0."""
    if not isinstance(text, str):
        return 1
    values = json.loads(allowed) if isinstance(allowed, str) else []
    return int(not strays(text, kind, values))


def strays(text: str, kind: str, allowed: list[Any]) -> list[Any]:
    """The values of this type that the text states beyond those allowed."""
    shapes = {_shape(str(value)) for value in allowed}
    out = []
    for one, got in found(text):
        if one != kind or any(_equal(kind, got, value) for value in allowed):
            continue
        if kind != "id" or _shape(got) in shapes:
            out.append(got if got is not None else "an unreadable date" if kind == "date" else "unreadable")
    return out


def _shape(value: str) -> str:
    """What ids of one kind have in common: everything but the digits."""
    return re.sub(r"\d+", "0", loosened(value))


def _equal(kind: str, got: Any, value: Any) -> bool:
    if got is None or value is None:
        return False
    if kind == "date":
        wanted = str(value)[:10]
        return bool(got == wanted or (got.startswith("--") and got[2:] == wanted[5:]))
    if kind == "time":
        return bool(got == (str(value)[-8:][:5] if "T" in str(value) else str(value)[:5]))
    if kind == "id":
        return bool(got == loosened(str(value)))
    try:
        return bool(abs(abs(float(value)) - got) < 1e-9)
    except (TypeError, ValueError):
        return False


FUNCTIONS: dict[str, Callable[..., Any]] = {"states": states, "states_only": states_only}
"""SQL functions that a verifier may use; a world's connections need them."""
