"""Values worked out of a table, from which the policy answers: a typed set of expressions over the rows at hand.

Takes a goal, a memory and an answer's field; gives the Expressions whose value is valid for the field: a row's own value, a count,
a sum, a largest or smallest, the list of keys, or one of the listed values. Numbers are those of the rows, money in whole cents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from worldwright.solver.seen import Slot
from worldwright.training.memory import Goal, Memory, Row
from worldwright.training.words import quoted

__all__ = ["FORMS", "Expression", "expressions"]

FORMS = ("constant", "value", "count", "sum", "extreme", "list")
"""What an expression does."""

_MOST = 40


class Expression(msgspec.Struct, frozen=True):
    """A value, how it was worked out (`form` of FORMS, over `column`, of the rows `among`), and the name of all that."""

    name: str
    value: Any
    form: str
    column: str = ""
    among: str = "all"
    compared: str = ""


def expressions(goal: Goal, memory: Memory, field: str) -> list[Expression]:
    """The expressions that can answer the field; each value may come several times, under each way to work it out."""
    spec = goal.answer[field]
    slot, rows = Slot(field, spec), memory.table.rows
    found = []
    if spec.type == "list":
        found = [*_lists(memory, rows)]
    elif spec.type in ("integer", "number"):
        found = [*_numbers(goal, memory, rows, spec.doc), *_values(rows), Expression("0", 0, "constant")]
    else:
        found = [*_values(rows), *[Expression(f"'{one}'", one, "constant") for one in spec.enum or ()]]
        found += [Expression(f"'{one}'", one, "constant") for one in quoted(spec.doc) if not spec.enum]
    return [one for one in found if slot.takes(one.value)][:_MOST]


def groups(rows: Sequence[Row], wrote: bool) -> Iterator[tuple[str, list[Row]]]:
    """Rows by what was done with them: all, and those that were written or, before anything is, those that a clause decided."""
    yield "all", list(rows)
    if wrote:
        yield "written", [row for row in rows if row.get("=written")]
    elif any("=outcome" in row for row in rows):
        yield "decided", [row for row in rows if row.get("=outcome") is not None]


def _numbers(goal: Goal, memory: Memory, rows: Sequence[Row], doc: str) -> Iterator[Expression]:
    named = quoted(doc)
    for among, group in groups(rows, bool(memory.wrote)):
        yield Expression(f"count of {among}", len(group), "count", among=among)
        if among == "all":
            if any("=person" in row for row in rows):
                yield Expression(
                    "count of those nobody took", sum(row.get("=person") is None for row in rows), "count", "", among, "nobody"
                )
            if any("=cause" in row for row in rows):
                causes = [row.get("=cause") for row in rows]
                yield Expression("count of different causes", len({*causes} - {None}), "count", "", among, "different")
                yield Expression("count of those without a cause", causes.count(None), "count", "", among, "no cause")
            for value in named:
                n = sum(row.get("=outcome") == value for row in group)
                yield Expression(f"count of '{value}'", n, "count", "=outcome", among, value)
            if len(named) > 1:
                n = sum(row.get("=outcome") in named for row in group)
                yield Expression("count of those named", n, "count", "=outcome", among, "all named")
        for column in _columns(rows, among) if ">" in memory.table.name.split("+")[0] else ():
            values = [row[column] for row in group if isinstance(row.get(column), (int, float))] or [0]
            yield Expression(f"sum of {column} of {among}", sum(values), "sum", column, among)
            largest = max(values, key=abs) if column == "=difference" else max(values)
            yield Expression(f"largest {column} of {among}", largest, "extreme", column, among)
            if column == "=difference":
                yield Expression(f"largest {column} of {among} without its sign", max(map(abs, values)), "extreme", column, among, "abs")


def _columns(rows: Sequence[Row], among: str) -> list[str]:
    worked_out = [name for name in ("=amount", "=difference", "=change") if any(name in row for row in rows)]
    own = [name for row in rows[:1] for name in row if name.endswith("_cents") and "." not in name] if among == "all" else []
    return worked_out + own


def _values(rows: Sequence[Row]) -> Iterator[Expression]:
    """The fields of the one row at hand."""
    if len(rows) == 1:
        for name, value in rows[0].items():
            if name in ("=outcome", "=person", "=cause"):
                none = "nobody" if name == "=person" else "none"
                yield Expression(f"{name}, or '{none}'", none if value is None else value, "value", name)
            elif isinstance(value, (int, float, str)) and not isinstance(value, bool):
                yield Expression(name, value, "value", name)


def _lists(memory: Memory, rows: Sequence[Row]) -> Iterator[Expression]:
    key = memory.table.key
    for among, group in groups(rows, bool(memory.wrote)):
        if key:
            yield Expression(f"keys of {among}", [row.get(key) for row in group], "list", key, among)
    if any("=person" in row for row in rows):
        people = dict.fromkeys(row["=person"] for row in rows if row.get("=person") is not None)
        yield Expression("people who took one", list(people), "list", "person", "written", "people")
    yield Expression("nothing", [], "constant")
