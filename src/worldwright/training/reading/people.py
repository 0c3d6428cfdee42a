"""Pages that say who takes a piece of work: who is free, and who of those comes first.

Takes the text of a page's clauses and rows of people as tools gave them; gives their ids in the order in which the page takes
them, or None where a sentence about who is free can't be read. Raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from worldwright.training.reading.compare import holds
from worldwright.training.reading.fields import find
from worldwright.training.reading.parts import condition
from worldwright.training.reading.words import stem, tokens

__all__ = ["desk_field", "fallback", "in_order", "load_field", "says_who"]

Person = Mapping[str, Any]

_DESK = re.compile(r"those of the (\w+) that is the outcome|those whose (\w+) is the outcome", re.IGNORECASE)
_ELSE = re.compile(r"If nobody of the \w+ is free, somebody of the \w+ '([^']+)' takes", re.IGNORECASE)
_NOBODY = re.compile(r"Nobody who is (?:still )?(.*?) is free\b", re.IGNORECASE)
_DATED = re.compile(r"([A-Z][a-z ]+?) is the (?:last day|day) of", re.MULTILINE)
_FEWER = re.compile(
    r"free only (?:while|if|when) their ([a-z ]+?)(?: and these (\d+)(?: [a-z]+)? together)? are (fewer than|less than|under|at most) "
    r"(?:their ([a-z ]+)|(\d+))",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"(An? [^.(]*\([^)]*\)|An? [^.]*?) must (?:also )?have (fewer than|under|less than|at most) (\d+) ([a-z ]+)", re.IGNORECASE
)
_FIRST = re.compile(
    r"the one with the (fewest|least|lowest|smallest|earliest|most|highest|largest|greatest|latest) "
    r"([a-z ]+?)(?: \(([^)]*)\))?(?= takes|[.,]| and\b|$)"
)
_UP = frozenset(["fewest", "least", "lowest", "smallest", "earliest"])


def desk_field(page: str, person: Person) -> str | None:
    """The field of a person that has to be the outcome."""
    found = _DESK.search(page)
    return _field(person, found.group(1) or found.group(2)) if found else None


def fallback(page: str) -> str | None:
    """The desk that is asked where nobody of the right one is free."""
    found = _ELSE.search(page)
    return found.group(1) if found else None


def load_field(page: str, person: Person) -> str | None:
    """The field of a person that rises by one with each piece of work that they take."""
    found = _FEWER.search(page)
    return _field(person, found.group(1)) if found else None


def says_who(page: str) -> bool:
    """Whether the page says who of several people comes first."""
    return bool(_order(page))


def in_order(page: str, clauses: Sequence[str], people: Sequence[Person], now: str) -> list[Any] | None:
    """The ids of those of the people who are free, first the one who takes it."""
    kept = []
    for person in people:
        free = _is_free(clauses, person, now)
        if free is None:
            return None
        if free:
            kept.append(person)
    keys = _keys(page, people[0]) if people else []
    if people and (not keys or None in keys):
        return None
    try:
        kept.sort(key=lambda person: tuple(key(person) for key in keys if key is not None))
    except TypeError:
        return None
    return [_identity(person) for person in kept]


def _is_free(clauses: Sequence[str], person: Person, now: str) -> bool | None:
    """Whether no clause keeps this person from taking anything."""
    found = [test(text, person, now) for text in clauses for test in (_absent, _full, _also)]
    if False in found:
        return False
    return None if "?" in found else True


def _absent(text: str, person: Person, now: str) -> bool | str | None:
    """False where the person is away by a clause, "?" where it can't be told, None where the clause doesn't keep them."""
    nobody = _NOBODY.search(text)
    if nobody is None:
        return None
    dated = _DATED.search(text)
    if dated:
        return _away_until(text, dated.group(1), person, now)
    tree = condition(f"A person who is {nobody.group(1)} is out.")
    away = None if tree is None else holds(tree, person, now, "people")
    return "?" if away is None else (False if away else None)


def _away_until(text: str, name: str, person: Person, now: str) -> bool | str | None:
    field = _field(person, name)
    if field is None:
        return "?"
    said = [
        part for part in re.split(r"[:;.]|, (?=anyone|whoever)", text) if re.search(r"\bis (?:still )?away\b", part) and "today" in part
    ]
    if not said:
        return "?"
    value, today = person[field], now[:10]
    if value is None:
        return None
    same = re.search(r"today's date|is today\b|today or later", said[0]) is not None
    return False if str(value)[:10] > today or (same and str(value)[:10] == today) else None


def _full(text: str, person: Person, now: str) -> bool | str | None:
    """Whether the person has room, by "their this are fewer than their that"."""
    if not re.search(r"\bfree only\b", text):
        return None
    found = _FEWER.search(text)
    if found is None:
        return "?"
    have, spare, word, limit, figure = found.groups()
    mine, most = _field(person, have), _field(person, limit) if limit else None
    if mine is None or (limit and most is None):
        return "?"
    amount, least = person[mine], person[most] if most else int(figure)
    if amount is None or least is None:
        return "?" if amount is None else None
    full = amount + int(spare or 0) > least if word.lower() == "at most" else amount + int(spare or 0) >= least
    return False if full else None


def _also(text: str, person: Person, now: str) -> bool | str | None:
    """A further limit for some: "a trainee (trainee is 1) must also have fewer than 3 open items"."""
    found = _ALSO.search(text)
    if found is None:
        return "?" if re.search(r"\bmust also\b", text) else None
    tree = condition(f"{found.group(1)} is one.")
    concerns = None if tree is None else holds(tree, person, now, "people")
    field = _field(person, found.group(4))
    if concerns is None or field is None:
        return "?"
    if not concerns or person[field] is None:
        return None
    limit = int(found.group(3))
    return False if (person[field] > limit if found.group(2).lower() == "at most" else person[field] >= limit) else None


def _keys(page: str, person: Person) -> list[Any]:
    """The keys of the order, in turn; None for one that can't be read."""
    out = []
    for word, name, formula in _FIRST.findall(_order(page)):
        sign = 1 if word in _UP else -1
        less = re.fullmatch(r"([a-z ]+?) less ([a-z ]+)", formula.strip()) if formula else None
        fields = [_field(person, one) for one in (less.groups() if less else (name,))]
        out.append(None if None in fields else _key(fields, sign))
    return out


def _key(fields: Sequence[str | None], sign: int) -> Any:
    names = [name for name in fields if name is not None]
    if len(names) == 2:
        return lambda person: sign * (person[names[0]] - person[names[1]])
    if sign > 0:
        return lambda person: person[names[0]]
    return lambda person: -person[names[0]]


def _order(page: str) -> str:
    """The sentences that say who of the free ones comes first."""
    at = page.find("Of those who are free")
    end = page.find("If nobody", at)
    return page[at : end if end > at else len(page)] if at >= 0 else ""


def _field(person: Person, name: str) -> str | None:
    words = [stem(token.text) for token in tokens(name) if token.kind == "word"]
    return find(person, (), words, "people", lambda value: True) if words else None


def _identity(person: Person) -> Any:
    return person.get("id", next((value for key, value in person.items() if key.endswith("_id") or key == "key"), None))
