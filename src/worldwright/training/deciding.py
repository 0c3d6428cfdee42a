"""Deciding rows by a page: which clause fits each, and what it gives.

Takes a page's text and rows; gives the rows with `=outcome`, `=amount` (whole cents, None where no clause tells) and `=unsure`
(whether a clause before the one that fits couldn't be judged); where the rows have lines of a statement and the page says how they
are held against each other, with `=difference`, `=theirs`,
`=change` and `=correct` instead of the amount. It reads pages with `clauses`, and does no more than they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from worldwright.training.clauses import (
    Clause,
    amount,
    clauses_of,
    correctable,
    difference_of,
    first,
    judged,
    missing,
    ours_known,
    ours_of,
    stray_of,
    theirs_of,
    truth,
)
from worldwright.training.memory import Row
from worldwright.training.words import stem

__all__ = ["decided", "lacking", "page_of", "unclear"]


@lru_cache(maxsize=4096)
def page_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a page; the same page comes again in every attempt."""
    return clauses_of(text)


@lru_cache(maxsize=16_384)
def lacking(text: str, fields: frozenset[str]) -> tuple[frozenset[str], frozenset[str], float]:
    """Of a page's deciding clauses those that name what no field holds: the stems of what is lacking, all stems of these clauses, and
    their share."""
    row = dict.fromkeys(fields, 0)
    page = page_of(text)
    if ours_of(page):
        words = frozenset[str]() if ours_known(page, row) else frozenset(stem(word) for word in ours_of(page))
        about = frozenset(stem(word) for word in page[0].about.split())
        return words, words | about if words else words, float(bool(words) or "=lines" not in fields)
    rows = [dict.fromkeys(fields, value) for value in (0, "", "2000-01-01")]
    found = [
        (frozenset[str].intersection(*(missing(clause, one) for one in rows)) or _unpaid(clause, page, row), clause)
        for clause in page
        if clause.outcome
    ]
    words = frozenset(stem(word) for one, _ in found for word in one)
    around = frozenset(stem(word) for one, clause in found if one for word in clause.words)
    return words, around, sum(bool(one) for one, _ in found) / len(found) if found else 1.0


def unclear(text: str, rows: Sequence[Row], now: str) -> frozenset[str]:
    """The stems of the clauses that couldn't be judged for rows that were decided all the same."""
    page = page_of(text)
    if ours_of(page):
        return frozenset()
    doubted = [row for row in rows if row.get("=unsure")][:2]
    found = [clause for row in doubted for clause in page if clause.outcome and truth(clause, row, now) is None]
    return frozenset(stem(word) for clause in found for word in clause.words)


def _unpaid(clause: Clause, page: tuple[Clause, ...], row: Row) -> frozenset[str]:
    """The words of a clause that gives an amount, where the field that it is a share of isn't there."""
    gives = ("%" in clause.text or "cents" in clause.text) and any("amount" in one.text for one in page if one.outcome is None)
    return clause.words if gives and amount(clause, page, row, "") is None else frozenset()


def decided(text: str, rows: Sequence[Row], noun: str, now: str) -> tuple[Row, ...]:
    """See the module."""
    page = page_of(text)
    if any("=lines" in row for row in rows) and ours_of(page):
        return tuple(_judged(page, row, now) for row in rows)
    out = list[Row]()
    for row in rows:
        clause, sure = first(page, row, now)
        cents = amount(clause, page, row, now) if clause is not None else None
        out.append({**row, "=outcome": clause.outcome if clause else None, "=amount": cents, "=unsure": not sure})
    return tuple(out)


def _judged(page: tuple[Clause, ...], row: Row, now: str) -> Row:
    """The row held against its lines: kind, difference, their amount, and whether ours is to be corrected."""
    theirs = theirs_of(page, row["=lines"], row)
    if row.get("=unknown"):
        kind = stray_of(page)
        stray = difference_of(page, 0, theirs) if kind and theirs is not None else 0
        return {**row, "=outcome": kind, "=difference": stray, "=theirs": None, "=correct": False, "=unsure": False}
    kind, difference, sure = judged(page, {**row, "lines": row["=lines"]}, now)
    right = kind is not None and correctable(page, {**row, "lines": row["=lines"]}, kind, now) is True
    change = (difference or 0) * (difference_of(page, 0, 1) or 0) if right else 0
    worked = {"=outcome": kind, "=difference": difference, "=theirs": theirs if kind else None, "=correct": right, "=change": change}
    return {**row, **worked, "=unsure": not sure}
