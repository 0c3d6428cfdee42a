"""Numbers and amounts of money as letters write them: parts of the pattern that `scan` reads by, and what they say.

Takes text that `loosened` has made plain. An amount is a number with a currency's word, code or sign before or after
it; a bare number is one too if it has exactly two decimals. What is no plain figure (a word of size, as in 2k euros; no
number that can be read; an amount in words) is money that can't be read (None). Runs of digits are taken whole
(possessively), everything else is bounded: a text is read in time that grows with its length.
"""

from __future__ import annotations

import re
from decimal import Decimal

__all__ = ["AHEAD", "BEHIND", "NUMBER", "SPELT", "WORDS", "is_coined", "is_scaled", "is_unit", "read_amounts", "read_cents", "read_number"]

WORDS = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
"""Number words that `states` knows as numbers."""

_MOST_DIGITS = 15
_END = r"(?![^\W_])"
_CODES = r"(?:eur|usd|gbp|chf|cad|aud|nzd|jpy|sek|nok|dkk|pln)"
_SIGN = r"[€$£¥]"
_COINS = rf"(?:cents?|ct|pence){_END}"
_CURRENCY = rf"(?:(?:{_CODES}|euros?|dollars?|pounds?|quid|bucks?|francs?|yen){_END}|{_SIGN}(?!\d))"
_SCALE = r"(?:k|m|mn|mio|bn|thousand|hundred|million|billion|grand|dozen)s?"
_LARGE = (
    "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?"
)
_SMALL = "zero|one|two|three|four|five|six|seven|eight|nine"

NUMBER = r"\d++(?:[.,]\d++)*+"
_GROUPED = r"\d{1,3}(?:[ ']\d{3}(?!\d)){1,4}+(?:[.,]\d{1,2})?+(?!\d|[.,']\d)"
_FIGURE = rf"(?:{_GROUPED}|{NUMBER})"
_ROUND = r"(?:[.,]-{1,2}(?!\d))?"
_GAP = r"[*_]{0,2}[ -]?[*_]{0,2}"

AHEAD = rf"""
    (?:(?:{_CODES}|euros?)(?![^\W\d_])|{_SIGN})
    (?:[ ]?(?:{_LARGE}){_END}
     | [ :=*_)|~+-]{{0,5}}\.?(?!%(date)s){_FIGURE}{_ROUND}(?:[ -]?{_SCALE}{_END})?(?:-(?=\d)(?!%(date)s){_FIGURE})?)
"""
"""A currency and its amount, or a range; `date` is what is no amount."""

BEHIND = rf"(?:{NUMBER}-(?=\d))?+{_FIGURE}{_ROUND}(?:[ -]?{_SCALE}(?![^\W_]))?{_GAP}(?:{_CURRENCY}|{_COINS})"
"""An amount, or a range, and its currency."""

SPELT = rf"(?:{_SMALL}|{_LARGE})[ -](?:{_CURRENCY}|{_COINS})"
"""The end of an amount in words."""

_UNIT = re.compile(
    r" ?(?:%|°|percent|per cent|(?:[kmg]?wh|[km]?w|kg|g|mg|km|m|cm|mm|m2|m3|l|ml|h|hrs?|hours?|min|minutes|days?|years?"
    rf"|degrees|lit(?:er|re)s?|met(?:er|re)s?|miles?){_END})"
)
_SCALED = re.compile(rf"(?:k{_END}|[ -](?:thousand|hundred|million|billion|dozen){_END})")
_FIGURES = re.compile(_FIGURE)
_PLAIN = re.compile(r"\d+(?:[.,]\d+)?")
_POINTED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_DOTTED = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+,\d{1,2}|(?:\.\d{3}){2,})")
_COINED = re.compile(rf"{_COINS}$")
_SIZED = re.compile(rf"\d(?:[.,]-{{1,2}})?[ -]?{_SCALE}{_END}")


def read_number(text: str) -> int | float | None:
    """The number that a run of figures is, or None if it is none (1.2.3) or too long to be exact."""
    if len(text) <= _MOST_DIGITS and text.isdecimal():
        return int(text)
    value = _decimal(text)
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)


def read_amounts(text: str) -> list[int | float | None]:
    """The amounts of a match of AHEAD, BEHIND or SPELT, in cents; None is one that can't be read."""
    figures = _FIGURES.findall(text)
    if not figures or _SIZED.search(text):
        return [None] * max(1, len(figures))
    factor = 1 if is_coined(text) else 100
    return [read_cents(figure, factor) for figure in figures]


def read_cents(figure: str, factor: int = 100) -> int | float | None:
    """A figure as cents, exactly: a fraction of a cent is kept."""
    value = _decimal(figure)
    if value is None:
        return None
    cents = value * factor
    return int(cents) if cents == cents.to_integral_value() else float(cents)


def _decimal(text: str) -> Decimal | None:
    if len(text) > 2 * _MOST_DIGITS or sum(map(str.isdecimal, text)) > _MOST_DIGITS:
        return None
    text = text.replace(" ", "").replace("'", "")
    if _POINTED.fullmatch(text):
        text = text.replace(",", "")
    elif _DOTTED.fullmatch(text):
        text = text.replace(".", "")
    return Decimal(text.replace(",", ".")) if _PLAIN.fullmatch(text) else None


def is_coined(text: str) -> bool:
    """Whether a match of BEHIND counts cents, not whole units."""
    return _COINED.search(text) is not None


def is_unit(plain: str, end: int) -> bool:
    """Whether a unit that is no currency follows, so that 12.50 % and 12.50 kWh are no money."""
    return _UNIT.match(plain, end) is not None


def is_scaled(plain: str, end: int) -> bool:
    """Whether a word of size follows: 2k, 3 million."""
    return _SCALED.match(plain, end) is not None
