"""From a record to the one that it belongs to: as a page says it or else by the keys that it has, and those of records they name.

Takes a goal, what is known at the end of a first part, and the noun of a record; gives what the second part begins with. It is a
generator of Calls like a move, for it reads the page and may have to look records up; nearer ones come first. Where nothing leads
to the noun, the second part begins with what the first began with.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from typing import Any

from worldwright.solver.protocol import Call
from worldwright.training.calling import once
from worldwright.training.memory import Goal, Memory, owner
from worldwright.training.words import quoted, singular
from worldwright.world.protocol import CallResult

__all__ = ["concerned"]

_DEEP = 3
_PATH = re.compile(
    r"\bThe ([a-z][a-z -]*?) of an? ([a-z][a-z -]*?) are those whose ([a-z][a-z ]*?) names"
    r" (?:the \2|an? ([a-z][a-z -]*?) that in turn has the \2 as its ([a-z][a-z ]*?))\."
)
_Found = Generator[Call, CallResult, tuple[Any, int]]


def concerned(goal: Goal, memory: Memory, noun: str) -> Generator[Call, CallResult, tuple[str, dict[str, Any], int]]:
    """The field that led there, what the second part is told, and the calls that were made."""
    getter = goal.tools.get(f"get_{noun}")
    arg = getter.required[0] if getter is not None and len(getter.required) == 1 else f"{noun}_id"
    table = memory.table
    row: dict[str, Any] = {**memory.told, **(table.rows[0] if table.rows else {})}
    calls, known = 0, {table.noun} if any(one.startswith(f"get_{table.noun}(") for one in table.looks) else set[str]()
    if table.noun and table.noun not in known and row.get(table.key) is not None:
        shown, calls = yield from _shown(goal, table.noun, row[table.key])
        row, known = row | shown, {table.noun}
    way, spent = yield from _said(goal, table.noun, noun)
    calls += spent
    if way and row.get(way[0]) is not None:
        value = row[way[0]]
        if way[1]:
            shown, spent = yield from _shown(goal, way[1], value)
            value, calls = shown.get(way[2]), calls + spent
        if value is not None:
            return ".".join(filter(None, way)), {arg: value}, calls
    for _ in range(_DEEP):
        for field in sorted(row, key=lambda name: name.count(".")):
            if row[field] is not None and _names(goal, field, noun):
                return field, {arg: row[field]}, calls
        further = dict[str, Any]()
        for field, value in row.items():
            of = owner(field, goal.nouns)[0]
            joined = any(name.startswith(f"{field.rsplit('_', 1)[0]}.") for name in row)
            if of and of not in known and not joined and value is not None and not field.startswith("="):
                shown, spent = yield from _shown(goal, of, value)
                calls += spent
                further |= {f"{field}.{name}": one for name, one in shown.items()}
        row, known = further, set()
    return "told", dict(memory.told), calls


def _shown(goal: Goal, noun: str, key: Any) -> _Found:
    """The fields of a record; none if it can't be shown."""
    tool = goal.tools.get(f"get_{noun}")
    if tool is None or len(tool.required) != 1:
        return {}, 0
    found, calls = yield from once(tool.doc.name, {tool.required[0]: key}, tool.doc.doc)
    return (found if isinstance(found, Mapping) else {}), calls


def _said(goal: Goal, of: str, noun: str) -> _Found:
    """The way that a page of the second part names from such a record to the noun: a field, and a record's noun and field if one lies
    between; None where it names none."""
    tool = next((one for one in goal.tools.values() if one.reads_page), None)
    assert goal.second is not None
    calls = 0
    for page in quoted(goal.second.text) if tool is not None else ():
        if tool is None or " " in page or "-" not in page:
            continue
        found, spent = yield from once(tool.doc.name, {tool.required[0]: page}, tool.doc.doc)
        calls += spent
        for ours, theirs, *way in _PATH.findall(found["text"]) if isinstance(found, Mapping) and isinstance(found.get("text"), str) else ():
            if singular(ours.replace(" ", "_")) == of and theirs.replace(" ", "_") == noun:
                return tuple(one.replace(" ", "_") for one in way), calls
    return None, calls


def _names(goal: Goal, field: str, noun: str) -> bool:
    """Whether the field is the key of a record of this noun, in no other role."""
    above, _, plain = field.rpartition(".")
    return owner(field, goal.nouns) == (noun, "") or (plain == "id" and above.rsplit(".", 1)[-1] == noun)
