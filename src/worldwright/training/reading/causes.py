"""Pages that tell what is to blame on a chain of records, and what is done about it.

Takes the text of a page's clauses and what checks showed of a chain (from the record itself to the deepest); gives which of them is
the cause, and the fix. `UNREAD` stands for what can't be read. Raises nothing. Days are from date to date.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from worldwright.training.reading.compare import holds
from worldwright.training.reading.fields import find
from worldwright.training.reading.parts import condition
from worldwright.training.reading.words import stem, tokens

__all__ = ["UNREAD", "cause", "ending", "fix", "link_name", "to_be_told"]

UNREAD = object()
"""Stands for a cause that the page's sentences, or the fields that are there, don't let one tell."""

Check = Mapping[str, Any]

_LINK = re.compile(r"\bnames in '([^']+)' the [a-z ]+? that it hangs on", re.IGNORECASE)
_BLAME = re.compile(r"To blame can be, of the chain[^,]*, (those whose [^;.]+)((?:;[^;.]+)*)\.", re.IGNORECASE)
_CHOICE = re.compile(r"The cause of the [a-z ]+? is (the [^.]+)\.", re.IGNORECASE)
_NEXT = re.compile(r"If by that nothing is to blame, look at those of the chain[^.]*? whose ([^.]+)\. ([^.]+)\.", re.IGNORECASE)
_NONE = re.compile(r"there is no cause: record none, with the fix '([^']+)'", re.IGNORECASE)
_WINDOW = re.compile(r"([a-z ]+?) was on the day of the report or at most (\d+) days before it", re.IGNORECASE)
_SINCE = re.compile(r"the cause is '([^']+)' since a day (more than|at least|over) (\d+) days before the day of the report", re.IGNORECASE)
_NAMED = re.compile(r"(more than|at least|over) (\d+) [a-z ]+? name the cause in '[^']+'", re.IGNORECASE)
_STEP = re.compile(r"\(([a-z])\) (?:if )?(.*?): '([^']+)'")


def link_name(page: str) -> str | None:
    """The field in which a record names the one that it hangs on."""
    found = _LINK.search(page)
    return found.group(1) if found else None


def cause(page: str, chain: Sequence[Check], reported: str, now: str) -> Any:
    """The check of the chain that is the cause, None where nothing is, `UNREAD` where that can't be told."""
    blame, choice = _BLAME.search(page), _CHOICE.search(page)
    if blame is None or choice is None:
        return UNREAD
    left = [_blamed(blame, check, reported, now) for check in chain]
    if None in left:
        return UNREAD
    kept = [(n, check) for n, check in enumerate(chain) if left[n]]
    if kept:
        return _chosen(choice.group(1), kept)
    after = _NEXT.search(page)
    if after is None:
        return None if _NONE.search(page) else UNREAD
    window = _WINDOW.search(after.group(1))
    if window is None:
        return UNREAD
    inside = [_within(check, window, reported) for check in chain]
    if None in inside:
        return UNREAD
    kept = [(n, check) for n, check in enumerate(chain) if inside[n]]
    return _chosen(after.group(2), kept) if kept else None


def fix(page: str, found: Check | None, reported: str, named: int | None) -> str | None:
    """The fix for this cause; `named` is how many records name it (None where nobody counted). None where it can't be told."""
    if found is None:
        none = _NONE.search(page)
        return none.group(1) if none else None
    at = page.find("The fix is that of the first of these that holds")
    for _, said, name in _STEP.findall(page[at:]) if at >= 0 else ():
        true = _step(said, found, reported, named)
        if true is None:
            return None
        if true:
            return str(name)
    return None


def to_be_told(page: str, name: str) -> bool | None:
    """Whether those that name the cause are notified where the fix is this one; None where the page speaks of no notices."""
    found = re.search(r"Where the fix is ([^,]+(?:, '[^']+')*(?: or '[^']+')?), notify", page)
    if found is not None:
        return name in re.findall(r"'([^']+)'", found.group(1))
    return None if "notify" in page.lower() else False


def ending(page: str, name: str) -> str | None:
    """What happens to the report with this fix: "closed", "open" or "handed over"; None where it can't be read."""
    for fixes, said in re.findall(r"An? [a-z ]+? with the fix ((?:'[^']+'(?:, | or )?)+) is recorded,? ([^.]+)\.", page):
        if name in re.findall(r"'([^']+)'", fixes):
            return "open" if "stays open" in said else "handed over" if "handed over" in said else "closed" if "closed" in said else None
    return "closed" if re.search(r"Every (?:other )?[a-z ]+? is recorded and then closed", page) else None


def _blamed(blame: re.Match[str], check: Check, reported: str, now: str) -> bool | None:
    tree = condition(f"A record of {blame.group(1)}.".replace("of those whose", "whose"))
    found = [None if tree is None else holds(tree, check, now, "records")]
    for said in blame.group(2).split(";"):
        if "is passed over" in said:
            passed = _passed(said, check, reported)
            found.append(None if passed is None else not passed)
        elif said.strip() and not re.search(r"^\s*the search goes on|doesn't matter", said):
            found.append(None)
    return False if False in found else None if None in found else True


def _passed(said: str, check: Check, reported: str) -> bool | None:
    """Whether an exclusion holds: "one that is 'faulty' only since a day after the day of the report", "a link that is covered"."""
    if re.search(r"only since a day after the day of the report", said):
        since = _date(check, "since")
        return None if since is None else since > reported[:10]
    flag = re.search(r"that (is|isn't) ([a-z]+) is passed over", said)
    if flag is None:
        return None
    key = _key(check, flag.group(2), lambda value: value in (0, 1, None))
    return None if key is None else bool(check[key]) is (flag.group(1) == "is")


def _chosen(said: str, kept: Sequence[tuple[int, Check]]) -> Any:
    """The one of these that a sentence chooses, key after key."""
    keys: list[Callable[[tuple[int, Check]], Any]] = []
    for word in re.findall(r"since the earliest day|since the latest day|changed last|changed first|deepest|nearest", said):
        if word in ("deepest", "nearest"):
            keys.append((lambda one: -one[0]) if word == "deepest" else (lambda one: one[0]))
            continue
        dates = {n: _date(check, "since" if word.startswith("since") else "change") for n, check in kept}
        if None in dates.values():
            return UNREAD
        late = word in ("since the latest day", "changed last")
        days = {n: datetime.date.fromisoformat(str(day)).toordinal() * (-1 if late else 1) for n, day in dates.items()}
        keys.append(lambda one, days=days: days[one[0]])  # type: ignore[misc]
    if not keys:
        return UNREAD if len(kept) > 1 else kept[0][1]
    ranked = sorted(kept, key=lambda one: tuple(key(one) for key in keys))
    return ranked[0][1]


def _step(said: str, found: Check, reported: str, named: int | None) -> bool | None:
    """Whether one of the conditions for a fix holds."""
    if re.search(r"in (?:every other|all other) cases?", said):
        return True
    window = _WINDOW.search(said)
    if window is not None:
        return _within(found, window, reported)
    count = _NAMED.search(said)
    if count is not None:
        return None if named is None else _over(count.group(1), named, int(count.group(2)))
    since = _SINCE.search(said)
    if since is None:
        return None
    tree = condition(f"A cause whose state is '{since.group(1)}' is one.")
    state, day = None if tree is None else holds(tree, found, "", "causes"), _date(found, "since")
    if state is None or day is None:
        return None
    return state and _over(since.group(2), _days(reported, day), int(since.group(3)))


def _over(word: str, have: int, limit: int) -> bool:
    return have >= limit if word.lower() == "at least" else have > limit


def _within(check: Check, window: re.Match[str], reported: str) -> bool | None:
    day = _date(check, re.sub(r"\b(?:the cause's|whose|its|last|if)\b", "", window.group(1)))
    return None if day is None else 0 <= _days(reported, day) <= int(window.group(2))


def _days(later: str, earlier: str) -> int:
    return (datetime.date.fromisoformat(later[:10]) - datetime.date.fromisoformat(earlier[:10])).days


def _date(check: Check, name: str) -> str | None:
    key = _key(check, name, lambda value: isinstance(value, str) and bool(re.match(r"\d{4}-\d\d-\d\d", value)))
    return str(check[key])[:10] if key is not None else None


def _key(check: Check, name: str, fits: Callable[[Any], bool]) -> str | None:
    return find(check, (), [stem(token.text) for token in tokens(name) if token.kind == "word"], "records", fits)
