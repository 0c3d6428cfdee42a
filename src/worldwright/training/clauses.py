"""Handbook pages as clauses that can be evaluated on rows: what a reader understands of a rule, and what it doesn't.

Takes the rendered text of a page and rows as tools gave them (own fields by name, fields of joined records as
"entity.field"); gives each clause's truth for a row (true, false, or None for unknown), the amount it gives in cents, and the
words of what is missing. Works by language alone: the words of fields, quoted values, and the closed classes of English.
Raises nothing. Promises None, never a guess, where a sentence can't be read or a field isn't there; it doesn't promise to read
every sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from worldwright.training.reading.compare import holds, parts_of, value_of
from worldwright.training.reading.parts import condition, is_rest
from worldwright.training.reading.sums import cents_of
from worldwright.training.reading.words import content, stems

__all__ = ["Clause", "amount", "clauses_of", "first", "missing", "truth"]

_NUMBERED = re.compile(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", re.MULTILINE | re.DOTALL)
_OUTCOME = re.compile(r"\bOutcome: '([^']+)'")
_OPENS = re.compile(r"'([^']+)':\s")
_ABOUT = re.compile(r"What is decided on ([a-z][a-z -]*)[.:]|The first clause that fits an? ([a-z][a-z -]*?) decides", re.IGNORECASE)


class Clause(msgspec.Struct, frozen=True):
    """One numbered clause: `outcome` is the quoted value after "Outcome:", or the one that opens the clause; `words` are the
    stems of its content words; `about` is what the page decides on, as far as it says."""

    number: int
    text: str
    outcome: str | None
    words: frozenset[str]
    about: str = ""


@lru_cache(maxsize=1024)
def clauses_of(page: str) -> tuple[Clause, ...]:
    """All numbered clauses of the page, in order."""
    found = _ABOUT.search(page)
    about = " ".join(stems((found.group(1) or found.group(2)) if found else ""))
    out = []
    for number, said in _NUMBERED.findall(page):
        text = " ".join(said.split())
        outcome = _OUTCOME.search(text) or _OPENS.match(text)
        out.append(Clause(int(number), text, outcome.group(1) if outcome else None, content(stems(_OUTCOME.sub("", text))), about))
    return tuple(out)


def truth(clause: Clause, row: Mapping[str, Any], now: str) -> bool | None:
    """Whether the clause's condition holds for the row at this moment (ISO); None where that is unknown."""
    tree = condition(_said(clause))
    return None if tree is None else holds(tree, row, now, clause.about)


def amount(clause: Clause, page: tuple[Clause, ...], row: Mapping[str, Any], now: str) -> int | None:
    """The whole cents that the clause gives for the row, by the page's own rounding; None where it can't be known."""
    return cents_of(_OUTCOME.sub("", clause.text), " ".join(one.text for one in page if one.outcome is None), row, clause.about)


def missing(clause: Clause, row: Mapping[str, Any], now: str = "") -> frozenset[str]:
    """The content words of those comparisons of the clause for which no field of the row could be found."""
    tree = condition(_said(clause))
    if tree is None:
        return clause.words
    out: frozenset[str] = frozenset()
    for part in parts_of(tree):
        if value_of(part, row, now, clause.about)[0]:
            continue
        named = [word for name in part.names for word in name if word != ":"]
        around = part.lead if part.op == "unread" else part.before if part.op in ("in", "out") else (*part.before, *part.after)
        near = [token.text for token in around if token.kind == "word"]
        out |= content(stems(" ".join(named or near)))
    return out


def first(page: tuple[Clause, ...], row: Mapping[str, Any], now: str) -> tuple[Clause | None, bool]:
    """The first clause with an outcome that is true of the row, and whether every clause before it is known to be false."""
    sure = True
    for clause in page:
        if clause.outcome is None:
            continue
        said = truth(clause, row, now)
        if said or (said is None and is_rest(clause.text)):
            return clause, sure
        sure = sure and said is not None
    return None, sure


def _said(clause: Clause) -> str:
    """The clause without the quoted word that opens it."""
    opening = _OPENS.match(clause.text)
    return clause.text[opening.end() :] if opening else clause.text
