"""Handbook pages as clauses that can be evaluated on rows: what a reader understands of a rule, and what it doesn't.

Takes the rendered text of a page and rows as tools gave them (own fields by name, fields of joined records as
"entity.field"); gives each clause's truth for a row (true, false, or None for unknown), the amount it gives in cents, and the
words of what is missing. Works by language alone: the words of fields, quoted values, and the closed classes of English.
Raises nothing. Promises None, never a guess, where a sentence can't be read or a field isn't there; it doesn't promise to read
every sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from worldwright.training.reading.compare import holds, parts_of, value_of
from worldwright.training.reading.parts import condition, is_rest
from worldwright.training.reading.people import desk_field, fallback, in_order
from worldwright.training.reading.statements import correction, difference, exempt, fits, our_amount, our_words, their_amount
from worldwright.training.reading.sums import cents_of
from worldwright.training.reading.words import content, stems

__all__ = [
    "Clause",
    "amount",
    "clauses_of",
    "correctable",
    "difference_of",
    "first",
    "judged",
    "missing",
    "ours_known",
    "ours_of",
    "stray_of",
    "takers",
    "theirs_of",
    "truth",
]

_NUMBERED = re.compile(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", re.MULTILINE | re.DOTALL)
_OUTCOME = re.compile(r"\bOutcome: '([^']+)'")
_OPENS = re.compile(r"'([^']+)':\s")
_ABOUT = re.compile(
    r"What is decided on ([a-z][a-z -]*)[.:]|The first clause that fits an? ([a-z][a-z -]*?) decides"
    r"|How our ([a-z][a-z -]*?) are held against",
    re.IGNORECASE,
)


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
    about = " ".join(stems(next(filter(None, found.groups())) if found else ""))
    out = []
    for number, said in _NUMBERED.findall(page):
        text = " ".join(said.split())
        outcome = _OUTCOME.search(text) or _OPENS.match(text)
        out.append(Clause(int(number), text, outcome.group(1) if outcome else None, content(stems(_OUTCOME.sub("", text))), about))
    return tuple(out)


def truth(clause: Clause, row: Mapping[str, Any], now: str) -> bool | None:
    """Whether the clause's condition holds for the row at this moment (ISO); None where that is unknown. A clause that opens with a kind
    is held against the row's `lines`, `ours` and `theirs`."""
    if _OPENS.match(clause.text):
        return fits(_said(clause), "", row, clause.about)
    if clause.about and re.match(rf"(?:no|none|not)\b(?:\W+\w+){{0,2}}?\W+{clause.about.split()[-1]}s?\b", clause.text, re.IGNORECASE):
        return None
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


def ours_of(page: tuple[Clause, ...]) -> tuple[str, ...]:
    """The stems of the field that a reconciling page calls our amount; empty where it names none."""
    return our_words(_text(page))


def ours_known(page: tuple[Clause, ...], row: Mapping[str, Any]) -> bool:
    """Whether the row has the field that a reconciling page calls our amount."""
    return our_amount(_text(page), row, page[0].about) is not None


def theirs_of(page: tuple[Clause, ...], lines: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> int | None:
    """Their amount of the row in cents, by the lines that belong to it; 0 where there are none."""
    return their_amount(_text(page), lines)


def judged(page: tuple[Clause, ...], row: Mapping[str, Any], now: str) -> tuple[str | None, int | None, bool]:
    """The kind of the row's difference (None where it is none), the difference in cents with the page's sign (0 where it is none), and
    whether all that decides it is known. The row has `lines`: those of the statement that belong to it."""
    text, sure = _text(page), True
    for clause in page:
        out = exempt(clause.text, row, now, clause.about)
        if out:
            return None, 0, sure
        sure = sure and out is not None
    for clause in page:
        if clause.outcome is None:
            continue
        said = fits(_said(clause), text, row, clause.about)
        if said:
            ours, theirs = our_amount(text, row, clause.about), their_amount(text, row["lines"])
            return clause.outcome, None if ours is None or theirs is None else difference(text, ours, theirs), sure
        sure = sure and said is not None
    return None, 0 if sure else None, sure


def difference_of(page: tuple[Clause, ...], ours: int, theirs: int) -> int | None:
    """How far apart the amounts are, in cents, with the sign that the page gives it."""
    return difference(_text(page), ours, theirs)


def stray_of(page: tuple[Clause, ...]) -> str | None:
    """The kind of a line that belongs to nothing of ours, where the page calls that a difference."""
    found = re.search(r"A line that belongs to none of our [^.]*? is a difference[^.]*? of the kind '([^']+)'", _text(page))
    return found.group(1) if found else None


def correctable(page: tuple[Clause, ...], row: Mapping[str, Any], kind: str, now: str) -> bool | None:
    """Whether by the page the statement is right about the row, whose difference is of this kind; None where that is unknown."""
    text = _text(page)
    for clause in page:
        if "statement is right" in clause.text:
            return correction(clause.text, text, row, kind, now, clause.about)
    return None


def takers(page: tuple[Clause, ...], people: Sequence[Mapping[str, Any]], row: Mapping[str, Any], now: str) -> list[Any] | None:
    """The ids of the people who are free, in the order in which the page would have them take the row; those of the desk that is the
    row's `outcome` (of the desk that the page names besides, where nobody of it is free), or all of them where the row has none. None
    where that can't be known."""
    text, said = _text(page), [clause.text for clause in page]
    if not people:
        return []
    field = desk_field(text, people[0])
    if row.get("outcome") is None:
        return in_order(text, said, people, now)
    if field is None:
        return None
    for desk in dict.fromkeys((row["outcome"], fallback(text))):
        asked = [person for person in people if desk is not None and person.get(field) == desk]
        found = in_order(text, said, asked, now) if asked else []
        if found is None or found:
            return found
    return []


def _text(page: tuple[Clause, ...]) -> str:
    return " ".join(clause.text for clause in page)
