"""Which tools can write with a table's rows: what fills their arguments, and for which rows.

Takes a goal, a memory and a table; gives each tool that writes with the fields (or `'constants`) that fill its arguments and the
condition. What was worked out fills the arguments that are named after it; keys fill those that name them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from worldwright.training.binding import Fields, fields_of, fitting
from worldwright.training.deciding import page_of
from worldwright.training.memory import Goal, Memory, Table, Tool
from worldwright.training.words import stem

__all__ = ["writings"]

_Bound = tuple[tuple[str, str], ...]
_DECIDED = {"outcome": "=outcome", "kind": "=outcome", "person_id": "=person", "fix": "=fix", "reached": "=reached"}
_ENDINGS = ("closed", "handed over")
_BEGIN = {"cause_": "=cause", "about_": "=about"}

_NOBODY = re.compile(r"\bno person\b|\bnobody is to\b", re.IGNORECASE)
"""Says that nothing is to be written of who takes it, so that what can write it isn't used."""


def writings(goal: Goal, memory: Memory, table: Table) -> Iterator[tuple[str, _Bound, str]]:
    """See the module."""
    if not table.rows:
        return
    fields, ready = table.fields(), fields_of(goal, table)
    for name, tool in goal.tools.items():
        if tool.doc.writes and name not in ("wait", "say"):
            for bound in _filled(goal, memory, table, tool, fields, ready):
                for where in _conditions(table, tool, bound):
                    yield name, bound, where


def _filled(goal: Goal, memory: Memory, table: Table, tool: Tool, fields: list[str], ready: Fields) -> list[_Bound]:
    """The ways to fill all required arguments, and those optional ones that are worked out."""
    ways: list[_Bound] = [()]
    for arg, spec in tool.doc.args.items():
        if arg not in tool.required and _DECIDED.get(arg) == "=person" and _NOBODY.search(goal.text):
            return []
        choices: list[str] = []
        worked_out = _DECIDED.get(arg) or next((field for begin, field in _BEGIN.items() if arg.startswith(begin)), None)
        if worked_out in fields:
            choices = (
                [worked_out] if not spec.enum or worked_out == "=fix" or "=reached" in fields or _can_give(memory, table, spec.enum) else []
            )
        elif spec.enum and arg in tool.required and not table.page:
            choices = [f"'{one}" for one in spec.enum]
        elif spec.type in ("integer", "number") and arg.endswith("_cents"):
            wanted = ("=difference",) if "difference" in arg else ("=theirs", "=amount")
            choices = [one for one in wanted if one in fields] or ([] if table.page else ["'0"])
        elif arg in tool.required:
            choices = [field for field, strength in fitting(goal, table, arg, ready, {}) if strength == 2][:1]
        if choices:
            ways = [(*way, (arg, choice)) for way in ways for choice in choices]
        elif arg in tool.required:
            return []
    return ways


def _can_give(memory: Memory, table: Table, values: Sequence[Any]) -> bool:
    """Whether the page by which the rows were decided can lead to one of the values."""
    return any(clause.outcome in values for clause in page_of(memory.pages.get(table.page, "")))


def _conditions(table: Table, tool: Tool, bound: _Bound) -> list[str]:
    """For which rows to write: for all, or those whose outcome isn't what was recorded; our amount becomes theirs only where it may."""
    if any(field == "=theirs" for _, field in bound):
        return ["where it is to be corrected"]
    if "=ending" in table.fields() and len(bound) == 1:
        verb = stem(tool.doc.name.split("_", 1)[0])
        return [f"where it is {one}" for one in _ENDINGS if stem(one.split(" ", 1)[0]) == verb]
    decided = any(field.startswith("=") for _, field in bound) and "person_id" not in tool.doc.args and "recorded" not in tool.doc.doc
    return (
        ["for each", "where the outcome differs"]
        if not decided and any(row.get("outcome") and "=outcome" in row for row in table.rows)
        else ["for each"]
    )
