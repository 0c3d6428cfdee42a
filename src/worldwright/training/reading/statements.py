"""Pages that hold rows against another side's statement: what their amount is, and when that is a difference.

Takes the text of such a page's clauses and a row with `lines`, the statement's lines that belong to it (each as a tool gave it);
gives our amount, their amount, the truth of a clause that opens with a kind, and whether the statement is right. None where a
sentence can't be read or a field isn't there. Raises nothing. Amounts are whole cents; days are from date to date.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from worldwright.training.reading.compare import holds
from worldwright.training.reading.fields import find
from worldwright.training.reading.parts import condition
from worldwright.training.reading.words import stem, stems, tokens

__all__ = ["correction", "difference", "exempt", "fits", "our_amount", "our_words", "their_amount"]

_OURS = re.compile(r"Our amount of (?:an? |the |each )?[^.]*?\bis (?:its |the |their )?([^,.;]+)", re.IGNORECASE)
_THEIRS = re.compile(r"Their amount (?:of it )?is (?:the )?([^.]*)", re.IGNORECASE)
_AWAY = re.compile(
    r"their amount is (more than|over|at least) (\d+) (%|percent|cents?)(?: of our amount)?[^.]*? "
    r"(away from|above|over|below|under) our amount"
    r"|the difference, without its sign, is (more than|over|at least|at most|under|less than) (\d+) (%|percent|cents?)",
    re.IGNORECASE,
)
_BOOKED = re.compile(
    r"was booked (at most|under|less than|over|more than) (\d+) days (after|before) ([^,.;(]+)(, or before it)?", re.IGNORECASE
)
_RIGHT = re.compile(r"the statement is right (?:only )?(?:where|when|if) ([^.]+)", re.IGNORECASE)
_ONLY = re.compile(r"only those of the kinds? ((?:'[^']+'(?:, | or | and )?)+)", re.IGNORECASE)
_STILL = re.compile(r"\b(?:But|Yet|However,?) (an? [^.]*?) is still on its way", re.IGNORECASE)
_ASIDE = re.compile(r"\s*\((?:the clock's day|exactly|exactly, without rounding|without rounding|days from date to date|of several[^)]*)\)")


def our_words(page: str) -> tuple[str, ...]:
    """The words of the field that the page calls our amount."""
    found = _OURS.search(page)
    return stems(found.group(1)) if found else ()


def our_amount(page: str, row: Mapping[str, Any], about: str) -> int | None:
    """Our amount of the row."""
    if isinstance(row.get("ours"), int):
        return int(row["ours"])
    words = our_words(page)
    key = find(row, (), words, about, _is_money) if words else None
    return row.get(key) if key is not None else None


def their_amount(page: str, lines: Sequence[Mapping[str, Any]]) -> int | None:
    """Their amount: what the page makes of the lines; 0 where there are none."""
    said = " ".join(_THEIRS.findall(page)).lower()
    if not lines:
        return 0
    amounts = [_amount(line) for line in lines]
    if None in amounts or not said:
        return None
    if re.search(r"\b(sum|total) of\b|summed|added up", said):
        return sum(one for one in amounts if one is not None)
    dated = [(_booked(line), n) for n, line in enumerate(lines)]
    if len(lines) == 1:
        return amounts[0]
    if any(day is None for day, _ in dated):
        return None
    if re.search(r"booked last|last (?:one )?booked|latest|newest", said):
        return amounts[max(dated)[1]]
    if re.search(r"booked first|first (?:one )?booked|earliest|oldest", said):
        return amounts[min(dated)[1]]
    return None


def difference(page: str, ours: int, theirs: int) -> int | None:
    """The difference in cents with the sign that the page gives it."""
    text = page.lower()
    if re.search(r"their amount (?:less|minus) our amount", text):
        return theirs - ours
    return ours - theirs if re.search(r"our amount (?:less|minus) their amount", text) else None


def exempt(text: str, row: Mapping[str, Any], now: str, about: str) -> bool | None:
    """Whether a clause takes the row out altogether ("isn't reconciled", "is still on its way"); False where it speaks of neither."""
    plain = _ASIDE.sub("", text)
    if re.search(r"\b(?:isn't|aren't|is not|are not|is never) reconciled", plain):
        tree = condition(re.split(r"\b(?:isn't|aren't|is not|are not|is never) reconciled", plain)[0])
        return None if tree is None else holds(tree, row, now, about)
    still = _STILL.search(plain)
    if still is None:
        return False
    if re.search(r"without an? (?:\w+ )?line|no line", still.group(1)):
        if row.get("lines") is None:
            return None
        if row["lines"]:
            return False
    said = re.sub(r"\bwithout an? line\b", "", still.group(1))
    tree = condition(re.sub(r",? or (?:later|after)(?: than)? today\b,?", "", said))
    return None if tree is None else holds(tree, row, now, about)


def fits(text: str, page: str, row: Mapping[str, Any], about: str) -> bool | None:
    """Whether what a clause says after its kind holds for the row and its lines."""
    lines, low = row.get("lines"), _ASIDE.sub("", text).lower()
    if lines is None:
        return None
    if re.match(r"no lines? belongs?\b", low):
        return not lines
    several = re.match(r"(more than one|several|two or more|at least two) lines? belongs?\b", low)
    if several:
        return len(lines) > 1
    ours, theirs = our_amount(page, row, about), _theirs(page, row)
    if ours is None or theirs is None:
        return None
    if "opposite sign" in low:
        return theirs == -ours and (ours != 0 or not re.search(r"our amount isn't 0|is not 0", low))
    if re.match(r"their amount (?:isn't|is not|differs from) our amount", low):
        return theirs != ours
    return _away(low, ours, theirs)


def correction(text: str, page: str, row: Mapping[str, Any], kind: str, now: str, about: str) -> bool | None:
    """Whether by this clause the statement is right about the row, whose difference is of this kind; None where it doesn't say."""
    found = _RIGHT.search(_ASIDE.sub("", text))
    if found is None:
        return None
    only = _ONLY.search(text)
    if only and kind not in re.findall(r"'([^']+)'", only.group(1)):
        return False
    said = found.group(1)
    booked = _BOOKED.search(said)
    if booked:
        return _line_booked(booked, row, about)
    ours, theirs = our_amount(page, row, about), _theirs(page, row)
    if said.lower().startswith("the difference") or said.lower().startswith("their amount"):
        return None if ours is None or theirs is None else _away(said.lower(), ours, theirs)
    tree = condition(f"Where {said}")
    return None if tree is None else holds(tree, row, now, about)


def _theirs(page: str, row: Mapping[str, Any]) -> int | None:
    if isinstance(row.get("theirs"), int):
        return int(row["theirs"])
    return their_amount(page, row["lines"]) if row.get("lines") is not None else None


def _away(low: str, ours: int, theirs: int) -> bool | None:
    """Whether the two amounts are so far apart, by a sentence in lower case."""
    found = _AWAY.search(low)
    if found is None:
        return None
    word, figure, unit = (found.group(1) or found.group(5), int(found.group(2) or found.group(6)), found.group(3) or found.group(7))
    way = {"above": 1, "over": 1, "below": -1, "under": -1}.get(found.group(4) or "", 0)
    gap = way * (theirs - ours) if way else abs(theirs - ours)
    limit = figure * abs(ours) if unit in ("%", "percent") else figure
    gap = gap * 100 if unit in ("%", "percent") else gap
    if word in ("more than", "over"):
        return gap > limit
    if word == "at least":
        return gap >= limit
    return gap <= limit if word == "at most" else gap < limit


def _line_booked(booked: re.Match[str], row: Mapping[str, Any], about: str) -> bool | None:
    """Whether the line (the last of several) was booked within so many days of a date of the row."""
    word, figure, relation, operand, earlier = booked.groups()
    lines = row.get("lines")
    near = tokens(operand)
    key = find(row, near, [stem(token.text) for token in near if token.kind == "word"], about, _is_date)
    if not lines or key is None or row.get(key) is None:
        return None if key is None or lines is None else False
    days = [_booked(line) for line in lines]
    if any(day is None for day in days):
        return None
    span = (datetime.date.fromisoformat(max(str(day) for day in days)[:10]) - datetime.date.fromisoformat(row[key][:10])).days
    span = -span if relation.lower() == "before" else span
    if word.lower() in ("over", "more than"):
        return span > int(figure)
    within = span <= int(figure) if word.lower() == "at most" else span < int(figure)
    return within and (span >= 0 or bool(earlier))


def _amount(line: Mapping[str, Any]) -> int | None:
    """The one sum of money on a line."""
    sums = [value for key, value in line.items() if key.endswith("_cents")]
    return sums[0] if len(sums) == 1 and isinstance(sums[0], int) else None


def _booked(line: Mapping[str, Any]) -> str | None:
    """The day on which a line was booked."""
    named = [value for key, value in line.items() if "book" in key and _is_date(value)]
    dates = named or [value for value in line.values() if _is_date(value)]
    return dates[0] if len(dates) == 1 else None


def _is_money(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _is_date(value: Any) -> bool:
    return value is None or (isinstance(value, str) and bool(re.match(r"\d{4}-\d\d-\d\d", value)))
