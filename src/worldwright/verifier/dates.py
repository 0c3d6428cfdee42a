"""Dates and times as letters write them: parts of the pattern that `scan` reads by, and what a match says.

Takes text that `loosened` has made plain. Dates are ISO (also compact: 20260304), day first with dots, or have the
month's name; one without a year is `--MM-DD`. With slashes, or with dashes and the year last, day and month can't be
told apart, so that is a date, but an unreadable one (None). Every part is bounded: to try it costs a constant.
"""

from __future__ import annotations

import datetime
import re

__all__ = ["DATES", "LETTERED_DATES", "NO_AMOUNT", "TIMES", "bare_month", "read_dates", "read_time"]

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_MONTH = rf"(?:{'|'.join([*_MONTHS, 'sept', *(m[:3] for m in _MONTHS)])})(?![^\W\d_])"
_UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_TEENS = ("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth")
_TENS = ("twentieth", *(f"twenty-{unit}" for unit in _UNITS), "thirtieth", "thirty-first")
_ORDINALS = {word: day for day, word in enumerate((*_UNITS, *_TEENS, *_TENS), start=1)}

_DAY = r"\d{1,2}(?:st|nd|rd|th)?(?![^\W_])"
_GLUED_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_TO = r"(?:\ ?-\ ?|\ (?:to|until|through)\ )(?:the\ )?"
_YEAR = r"(?:,?\ ?(?:(?:in|of)\ )?[ -]?\d{4}(?!\d)|,?\ ?'\d\d(?!\d))"
_SHORT_YEAR = r"[ -]\d\d(?=$|[.;)](?!\d))"

_CLEAR = r"""
      (?P<iso>\d{4}(?:-\d{1,2}-|/\d{1,2}/|\.\d{1,2}\.)\d{1,2}(?!\d))
    | (?P<dotted>(?<![\d.])\d{1,2}\.\ ?\d{1,2}\.(?:\ ?\d{4}(?!\d)|\d\d(?!\d|\.\d)))
    | (?P<slashed>(?<![\d/])\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)(?!\d))
    | (?P<dashed>\d{1,2}-\d{1,2}-(?:19|20)\d\d(?!\d|-\d))
"""
_DAY_MONTH = rf"{_GLUED_DAY}(?:(?:\ day)?\ of)?[ -]?{_MONTH}\.?"
DATES = rf"""{_CLEAR}
    | (?P<compact>(?:19|20)\d{{6}}(?!\d|[.,]\d))
    | (?P<dmy>(?<![\d.,:])(?:{_DAY}{_TO})?(?:{_DAY_MONTH}(?:{_YEAR}|{_SHORT_YEAR})?|\d{{1,2}}\.\ ?{_MONTH}\.?{_YEAR}))
"""
"""Dates that begin with a digit."""

LETTERED_DATES = rf"""
      (?P<mdy>{_MONTH}\.?[ -](?:the\ )?{_DAY}(?:-{_DAY}|{_TO}{_DAY}(?={_YEAR}))?(?:{_YEAR}|(?![.,:]\d)))
    | (?P<ordinal>(?:{"|".join(sorted(_ORDINALS, key=len, reverse=True))})(?:\ day)?\ of\ {_MONTH}\.?{_YEAR}?)
"""
"""Dates that begin with a letter."""

TIMES = r"""
      (?P<stamp>(?<=\dt)\d\d:?\d\d(?::?\d\d(?:\.\d{1,6})?)?(?!\d)(?:z(?!\w)|[+-]\d\d:?\d\d(?!\d))?)
    | (?P<time>(?<![\d:])(?:
          \d{1,2}:\d\d(?::\d\d(?:\.\d{1,6})?)?(?![\d:])(?:\ ?[ap]\.?m(?!\w)\.?)?
        | \d{1,2}(?:\.\d\d)?\ ?[ap]\.?m(?!\w)\.?
        | \d{1,2}(?:\.\d\d)?\ (?:o'clock|uhr)(?!\w)
        | 12\ (?:noon|midnight)(?!\w)))
"""
"""Times of day that begin with a digit."""

NO_AMOUNT = "(?:" + re.sub(r"\?P<\w+>", "?:", f"{_CLEAR}|{_DAY_MONTH}{_YEAR}|{TIMES}") + ")"
"""What is no amount though a currency stands before it: a date that is one beyond doubt, or a time."""

_RUNS = re.compile(r"\d+")
_PAIRS = re.compile(r"\d\d?")
_NAMED = re.compile(rf"(?<![^\W\d_]){_MONTH}")
_CERTAIN = re.compile(r"\d{4}|'\d\d|\d(?:st|nd|rd|th)|\ of\ ")
_SHORT = re.compile(r"[^\W\d_]\.?[ -]\d\d$")
_NUMBERS = {name[:3]: number for number, name in enumerate(_MONTHS, start=1)}


def read_dates(kind: str, text: str) -> list[str | None] | None:
    """The dates that a match of this kind says (None: one that can't be read), or None if it is no date after all."""
    if kind in ("dmy", "mdy", "ordinal"):
        return _written(kind, text)
    if kind == "slashed":
        return [None]
    parts = [int(part) for part in _RUNS.findall(text)]
    if kind == "iso":
        return [_date(*parts)]
    if kind == "compact":
        day = _date(parts[0] // 10_000, parts[0] // 100 % 100, parts[0] % 100)
        return [day] if day else None
    if kind == "dotted":
        day = _date(_century(parts[2]), parts[1], parts[0])
        return [day] if day or parts[2] > 99 else None
    sound = _date(parts[2], parts[1], parts[0]) or _date(parts[2], parts[0], parts[1])
    return [None] if sound else None


def _written(kind: str, text: str) -> list[str | None] | None:
    month = _NAMED.search(text)
    if month is None:
        return None
    ahead, behind = _RUNS.findall(text[: month.start()]), _RUNS.findall(text[month.end() :])
    if kind == "ordinal":
        ahead = [str(_ORDINALS[re.split(r"\ (?:day\ )?of\ ", text)[0]])]
    days, years = (ahead, behind) if kind != "mdy" else (behind, [])
    if " - " in text and len(days) == 2 and int(days[0]) >= int(days[1]):
        return None  # "reading 12 - 4 march 2026"
    if kind == "mdy" and (len(behind[-1]) == 4 or text[-3] == "'"):
        days, years = behind[:-1], behind[-1:]
    year = _century(int(years[0])) if years else None
    dates = [_date(year, _NUMBERS[month.group(0)[:3]], int(day)) for day in days]
    return dates if years or all(dates) else None


def _century(year: int) -> int:
    return year + 2000 if year < 100 else year


def _date(year: int | None, month: int, day: int) -> str | None:
    try:
        found = datetime.date(2000 if year is None else year, month, day).isoformat()
    except ValueError:
        return None
    return f"--{found[5:]}" if year is None else found


def bare_month(kind: str, text: str) -> str:
    """The month of a date that has neither year, ordinal nor "of", else "": "3 may" and "in march 4" may be no dates."""
    if kind not in ("dmy", "mdy") or _CERTAIN.search(text) or (kind == "dmy" and _SHORT.search(text)):
        return ""
    month = _NAMED.search(text)
    return month.group(0)[:3] if month else ""


def read_time(text: str) -> str | None:
    """The time of day as HH:MM, or None if there is no such time."""
    digits = [int(part) for part in _PAIRS.findall(text)]
    hour, minute = digits[0], digits[1] if len(digits) > 1 else 0
    if "midnight" in text:
        hour = 0
    elif re.search(r"[ap]\.?m", text):
        hour = hour % 12 + (12 if re.search(r"p\.?m", text) else 0)
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None
