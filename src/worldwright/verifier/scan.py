"""Reading a plain text once, from left to right, for the dates, times, amounts and numbers that it states.

Takes text that `loosened` has made plain; gives (type, value) in order, each run of digits read once: the digits of a
date or an id are no numbers. Every step takes at least one character and tries bounded patterns, so the time grows with
the length alone. Doesn't understand sentences: "not 12.30" states 12.30.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from worldwright.verifier.amounts import (
    AHEAD,
    BEHIND,
    NUMBER,
    SPELT,
    WORDS,
    is_coined,
    is_scaled,
    is_unit,
    read_amounts,
    read_cents,
    read_number,
)
from worldwright.verifier.dates import DATES, LETTERED_DATES, NO_AMOUNT, TIMES, bare_month, read_dates, read_time

__all__ = ["MOST_FIGURES", "PATTERN", "scan"]

MOST_FIGURES = 2_000
"""The most figures (numbers, dates, amounts, ids) that a text may hold; no letter comes near."""

_AHEAD = AHEAD % {"date": NO_AMOUNT}
PATTERN = re.compile(
    rf"""
      (?=[^\W\d_])(?:
          (?P<ahead>{_AHEAD}) | {LETTERED_DATES} | (?P<spelt>{SPELT}) | (?P<noon>(?:noon|midnight)(?![^\W_])) | (?P<word>[^\W\d_]++))
    | (?=\d)(?: {TIMES} | {DATES} | (?P<behind>{BEHIND}) | (?P<number>{NUMBER}))
    | (?P<sign>(?=[€$£¥]){_AHEAD})
    """,
    re.VERBOSE,
)
"""What a step may take. Starts at a letter, a digit or a sign; takes a word or a run of digits where it finds no value."""

_REFERENCE = re.compile(r"(?:clause|section|article|paragraph|para|rule)s?|art|sec|chapter|annex|appendix|version")
_BEFORE_MAY = re.compile(
    r"on|until|till|by|from|since|before|after|the|between|dated|effective|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun"
)
_CHAIN = ("", "-", "/", "_")
_AFTER_REFERENCE: tuple[str, ...] = (" ", ". ")
_AFTER_NUMBER: tuple[str, ...] = (" and ", " or ", " to ", "-")
_ENDS_DATE = re.compile(r" ?(?:[.;:!?)]|$)")
_STREET = re.compile(r" (?:street|road|avenue|lane|way|close|court|drive|square|place)(?![^\W_])")
_AND_COINS = ("", " ", " and ", ", ")


def scan(plain: str) -> tuple[tuple[str, Any], ...] | None:
    """All (type, value) that the text states, or None if it holds more than MOST_FIGURES.

    The type `word` is a number in words; the value None is one that can't be read.
    """
    return _Scan(plain).run()


class _Scan:
    """One reading. `end` is where the last word or number ended, `lettered` whether a word is part of what it belongs to."""

    def __init__(self, plain: str) -> None:
        self.plain = plain
        self.items: list[tuple[str, Any]] = []
        self.word, self.end, self.lettered = "", 0, False
        self.reference_end, self.reference_gaps = -1, _AFTER_REFERENCE
        self.whole_end = -1

    def run(self) -> tuple[tuple[str, Any], ...] | None:
        at, figures = 0, 0
        while match := PATTERN.search(self.plain, at):
            kind = match.lastgroup or ""
            figures += kind != "word"
            if figures > MOST_FIGURES:
                return None
            at = _TAKE[kind](self, match)
        return tuple(self.items)

    def _gap(self, since: int, match: re.Match[str]) -> str:
        """What stands between a place and a match, if it is short."""
        return self.plain[since : min(match.start(), since + 6)] if 0 <= since <= match.start() else "?"

    def _done(self, end: int, lettered: bool = False, word: str = "") -> int:
        self.end, self.lettered, self.word = end, lettered, word
        return end

    def _is_chained(self, match: re.Match[str]) -> bool:
        """Whether this goes on with what a word began, as in B-10432 or VR-2026-17."""
        return self.lettered and self._gap(self.end, match) in _CHAIN

    # ---- words

    def take_word(self, match: re.Match[str]) -> int:
        word = match.group(0)
        if word in WORDS:
            self.items.append(("word", WORDS[word]))
        if _REFERENCE.fullmatch(word):
            self.reference_end, self.reference_gaps = match.end(), _AFTER_REFERENCE
        return self._done(match.end(), True, word)

    def take_noon(self, match: re.Match[str]) -> int:
        self.items.append(("time", "12:00" if match.group(0) == "noon" else "00:00"))
        return self._done(match.end(), True, match.group(0))

    # ---- dates and times

    def take_time(self, match: re.Match[str]) -> int:
        self.items.append(("time", read_time(match.group(0))))
        return self._done(match.end())

    def take_date(self, match: re.Match[str]) -> int:
        kind, text = match.lastgroup or "", match.group(0)
        dates = read_dates(kind, text) if self._is_date(match, kind, text) else None
        if dates is None:
            return self._not_a_date(match)
        self.items += [("date", date) for date in dates]
        return self._done(match.end())

    def _is_date(self, match: re.Match[str], kind: str, text: str) -> bool:
        if kind in ("iso", "compact", "dashed"):
            return not (self._is_chained(match) and self._gap(self.end, match) in ("", "-"))
        if kind == "dotted":
            return text[-3] != "." or not self._is_reference(match)
        month = bare_month(kind, text)
        if not month:
            return True
        if kind == "dmy" and _STREET.match(self.plain, match.end()):
            return False
        before = self.word if self._gap(self.end, match) in (" ", ", ", ". ") else ""
        if month == "may":
            return _BEFORE_MAY.fullmatch(before) is not None or _ENDS_DATE.match(self.plain, match.end()) is not None
        return not (kind == "mdy" and before in ("in", "during"))

    def _not_a_date(self, match: re.Match[str]) -> int:
        """Take only the word, or only the number, that it begins with."""
        if match.lastgroup in ("mdy", "ordinal"):
            word = _WORD.match(self.plain, match.start())
            return self._done(word.end() if word else match.end(), True)
        rest = _FIGURE.match(self.plain, match.start())
        return _TAKE[rest.lastgroup or ""](self, rest) if rest else match.end()

    # ---- amounts and numbers

    def take_amounts(self, match: re.Match[str]) -> int:
        text = match.group(0)
        amounts = read_amounts(text)
        coined = is_coined(text)
        if coined and self.whole_end >= 0 and self._gap(self.whole_end, match) in _AND_COINS and 0 <= (amounts[0] or 100) < 100:
            amounts = [self.items.pop()[1] + amounts[0]]  # 126 euros and 38 cents
        self.items += [("money", amount) for amount in amounts]
        whole = not coined and len(amounts) == 1 and amounts[0] is not None and not _FRACTION.search(text)
        self.whole_end = match.end() if whole else -1
        return self._done(match.end())

    def take_behind(self, match: re.Match[str]) -> int:
        run = _RUN.match(self.plain, match.start())
        other = _THEN_AHEAD.match(self.plain, run.end()) if run else None
        if run and other and not _DECIMALS.search(run.group(0)) and (self._is_chained(match) or _DECIMALS.search(other.group(0))):
            return self.take_number(run)  # the currency is the next number's: bill B-10432 EUR 12.30, in 2026 EUR 12.30
        return self.take_amounts(match)

    def take_number(self, match: re.Match[str]) -> int:
        text, end = match.group(0), match.end()
        chained, glued = self._is_chained(match), self._gap(self.end, match) == ""
        reference = self._is_reference(match)
        if reference:
            self.reference_end, self.reference_gaps = end, _AFTER_NUMBER
        if chained and (glued or not _DECIMALS.search(text)):
            return self._done(end, True)
        value = None if is_scaled(self.plain, end) else read_number(text)
        if not reference and self._is_amount(text, end):
            self.items.append(("money", None if value is None else read_cents(text)))
        elif not reference or value is not None:
            self.items.append(("number", value))
        return self._done(end)

    def _is_amount(self, text: str, end: int) -> bool:
        """Whether a number without a currency is money: with two decimals, unless there are many dots, or a unit or a word follows."""
        plain = _DECIMALS.search(text) is not None and (text.count(".") < 2 or "," in text)
        return plain and not _FOLLOWED.match(self.plain, end) and not is_unit(self.plain, end) and not is_scaled(self.plain, end)

    def _is_reference(self, match: re.Match[str]) -> bool:
        """Whether this is the number of a clause, as in "clauses 3.12 and 3.14" or "§ 3.12"."""
        return self._gap(self.reference_end, match) in self.reference_gaps or "§" in self.plain[max(0, match.start() - 2) : match.start()]


_RUN = re.compile(NUMBER)
_WORD = re.compile(r"[^\W\d_]++")
_DECIMALS = re.compile(r"[.,]\d\d$")
_FRACTION = re.compile(r"[.,]\d\d?(?!\d)")
_FIGURE = re.compile(rf"(?P<behind>{BEHIND})|(?P<number>{NUMBER})", re.VERBOSE)
_FOLLOWED = re.compile(r"[^\W_]")
_THEN_AHEAD = re.compile(rf"[ ]{_AHEAD}", re.VERBOSE)
_TAKE: Mapping[str, Callable[[_Scan, re.Match[str]], int]] = {
    "word": _Scan.take_word,
    "noon": _Scan.take_noon,
    **dict.fromkeys(("stamp", "time"), _Scan.take_time),
    **dict.fromkeys(("iso", "compact", "dotted", "slashed", "dashed", "dmy", "mdy", "ordinal"), _Scan.take_date),
    **dict.fromkeys(("ahead", "sign", "spelt"), _Scan.take_amounts),
    "behind": _Scan.take_behind,
    "number": _Scan.take_number,
}
