"""Following a chain of records to what is to blame, as a page says.

Takes a page, and rows with the field that names where each chain begins; `traced` makes the calls and gives the rows with what came of
it: `=cause` (a key, or None), `=fix`, `=steps` to the cause, `=length` of the chain, `=ending` of the row itself; and the rows that are
to be told, each with `=about`. For a question about a chain, which the instruction asks rather than the page, `=cause` is what it asks
for, with `=days` and `=failed`. A row whose page or checks can't be read comes back as it was.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from worldwright.solver.protocol import Call
from worldwright.training.calling import once, paged
from worldwright.training.memory import Goal, Row, Table, owner
from worldwright.training.reading.causes import UNREAD, cause, ending, fix, link_name, to_be_told
from worldwright.training.reading.reach import outcome, reached
from worldwright.world.protocol import CallResult

__all__ = ["Traced", "begins", "traced"]

Traced = Generator[Call, CallResult, tuple[tuple[Row, ...], tuple[Row, ...], int]]
"""The rows, those to be told, and the number of calls."""

_NAMES = re.compile(r"\bEach ([a-z ]+?) names in '")
_STATE = re.compile(r"\b(?:been|state is) '([^']+)'")
_LEFT_OUT = re.compile(r"Leave out those that are ([a-z]+)")
_LINKED = re.compile(r"the others are recorded with that cause and the fix '([^']+)'")
_MOST = 50


def begins(goal: Goal, text: str, table: Table) -> str | None:
    """The field of the rows that names where a chain of the page begins; None where there is none, or no tool to follow it."""
    noun = _noun(goal, text)
    if noun is None:
        return None
    fields = [name for name in table.fields() if "." not in name and not name.startswith("=")]
    if table.noun == noun and ("_" not in table.key or owner(table.key, goal.nouns) == (noun, "")):
        return table.key
    return next((name for name in fields if owner(name, goal.nouns) == (noun, "") and name.endswith("_id")), None)


def traced(goal: Goal, text: str, rows: Sequence[Row], field: str) -> Traced:
    """See the module."""
    noun, link = str(_noun(goal, text)), str(link_name(text))
    out, told, spent = list[Row](), dict[tuple[Any, Any], Row](), 0
    for row in rows:
        if is_reach(text):
            found, notices, calls = yield from _reached(goal, text, noun, link, row.get(field))
            told |= {(one, row.get(field)): {"id": one, "=about": row.get(field)} for one in notices}
            spent += calls
            out.append({**row, **found})
            continue
        keys, chain, calls = yield from _chain(goal, noun, link, row.get(field))
        spent += calls
        if not chain:
            out.append(row)
            continue
        if _asked(goal.text):
            out.append({**row, **_found(goal, keys, chain)})
            continue
        reported = next((str(value) for name, value in row.items() if "report" in name and isinstance(value, str)), goal.now)
        check = cause(text, chain, reported, goal.now)
        if check is UNREAD:
            out.append(row)
            continue
        naming: list[Any] = []
        if check is not None:
            naming, calls = yield from _naming(goal, noun, link, keys[chain.index(check)])
            spent += calls
        name = fix(text, check, reported, len(naming))
        steps = chain.index(check) if check is not None else 0
        key = keys[steps] if check is not None else None
        worked = {"=cause": key, "=fix": name, "=outcome": name, "=steps": steps, "=length": len(chain)}
        out.append({**row, **worked, "=ending": ending(text, name) if name else None})
        if name and to_be_told(text, name):
            told |= {(one, key): {"id": one, "=about": key} for one in naming}
    return tuple(_linked(text, out)), tuple(told.values()), spent


def _linked(text: str, rows: Sequence[Row]) -> list[Row]:
    """Of rows with the same cause only the one that was reported first keeps its fix, where the page links the others to it."""
    said = _LINKED.search(text)
    causes: dict[Any, list[Row]] = {}
    for row in rows:
        causes.setdefault(row.get("=cause"), []).append(row)
    first = {cause: min(group, key=_reported) for cause, group in causes.items()}
    if said is None:
        return list(rows)
    name = said.group(1)
    linked = {"=fix": name, "=outcome": name, "=ending": ending(text, name)}
    return [row if row.get("=cause") is None or row is first[row["=cause"]] else {**row, **linked} for row in rows]


def _reported(row: Row) -> tuple[str, int]:
    """When a row was reported, and its number."""
    day = next((value for name, value in row.items() if "report" in name and isinstance(value, str)), "")
    return day[:10], next((value for value in row.values() if isinstance(value, int) and not isinstance(value, bool)), 0)


def _noun(goal: Goal, text: str) -> str | None:
    """The record whose chains the page is about, where tools show and check it."""
    found = _NAMES.search(text)
    noun = found.group(1).replace(" ", "_") if found and link_name(text) else ""
    return noun if noun and f"get_{noun}" in goal.tools and f"check_{noun}" in goal.tools else None


def _chain(goal: Goal, noun: str, link: str, key: Any) -> Generator[Call, CallResult, tuple[list[Any], list[Mapping[str, Any]], int]]:
    """The keys on the chain and what checks show of each; nothing where one of them can't be seen."""
    getter, check = goal.tools[f"get_{noun}"], goal.tools[f"check_{noun}"]
    keys, chain, spent = list[Any](), list[Mapping[str, Any]](), 0
    while key is not None and len(chain) < _MOST and key not in keys:
        have, calls = yield from once(getter.doc.name, {getter.required[0]: key}, "")
        shown, more = yield from once(check.doc.name, {check.required[0]: key}, "")
        spent += calls + more
        if not isinstance(have, Mapping) or not isinstance(shown, Mapping):
            return [], [], spent
        keys.append(key)
        chain.append(shown)
        key = have.get(link)
    return keys, chain, spent


def _reached(goal: Goal, text: str, noun: str, link: str, start: Any) -> Generator[Call, CallResult, tuple[Row, list[Any], int]]:
    """How many records are reached from this one over those that hang on it, and which of them are to be told."""
    check, spent = goal.tools[f"check_{noun}"], 0
    below, checks, steps, waiting = dict[Any, list[Any]](), dict[Any, Mapping[str, Any]](), {start: 0}, [start]
    while waiting and len(steps) < _MOST:
        key = waiting.pop(0)
        below[key], calls = yield from _naming(goal, noun, link, key)
        spent += calls
        for one in below[key]:
            if one not in steps:
                shown, calls = yield from once(check.doc.name, {check.required[0]: one}, "")
                spent += calls
                checks[one] = shown if isinstance(shown, Mapping) else {}
                steps[one] = steps[key] + 1
                waiting.append(one)
    found = reached(text, start, below, checks, goal.now)
    if found is None:
        return {}, [], spent
    name, tells = outcome(text, len(found))
    worked = {"=outcome": name, "=reached": len(found), "=farthest": max((steps[one] for one in found), default=0)}
    return worked, found if tells else [], spent


def _naming(goal: Goal, noun: str, link: str, key: Any) -> Generator[Call, CallResult, tuple[list[Any], int]]:
    """The keys of those that name this record as what they hang on."""
    getter = goal.tools[f"get_{noun}"]
    lister = next((one for one in goal.tools.values() if one.pages and one.noun == noun and link in one.optional), None)
    if lister is None:
        return [], 0
    found, calls = yield from paged(lister.doc.name, {link: key}, lister.doc.doc)
    last = getter.required[0].rsplit("_", 1)[-1]
    return [one.get(last) for one in found or []], calls


def is_reach(text: str) -> bool:
    """Whether the page asks whom something reaches rather than what is to blame."""
    return " reaches the " in text


def _asked(text: str) -> bool:
    """Whether the instruction itself says which one of the chain is looked for."""
    return bool(_STATE.search(text))


def _found(goal: Goal, keys: Sequence[Any], chain: Sequence[Mapping[str, Any]]) -> Row:
    """The one of the chain that the instruction asks for: the deepest, the nearest, or that since the earliest day."""
    state, left_out = _STATE.search(goal.text), _LEFT_OUT.search(goal.text)
    assert state is not None
    such = [(n, one) for n, one in enumerate(chain) if one.get("state") == state.group(1)]
    kept = [(n, one) for n, one in such if not (left_out and one.get(left_out.group(1)))]
    if "earliest day" in goal.text:
        kept.sort(key=lambda one: (str(one[1].get("since")), -one[0]))
    elif "nearest" not in goal.text:
        kept.reverse()
    base: Row = {"=length": len(chain), "=failed": len(such)}
    if not kept:
        return {**base, "=cause": None, "=steps": 0, "=days": 0, "=outcome": None}
    n, one = kept[0]
    since = datetime.date.fromisoformat(str(one.get("since"))[:10])
    days = (datetime.date.fromisoformat(goal.now[:10]) - since).days
    return {**base, "=cause": keys[n], "=steps": n, "=days": days, "=outcome": keys[n]}
