"""What is known after a move: rows with what was looked up for them, lists of rows, and rows with the lines that belong to them.

Takes tables and what calls gave; gives new tables and memories, and calls nothing. A table says in its looks how it was come by:
two tables with equal identities have the same fields, but values may differ by the order in which they were looked up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.training.binding import EACH, is_own
from worldwright.training.memory import Goal, Memory, Row, Table, owner
from worldwright.training.moves import Move

__all__ = ["before", "expanded", "joined", "merged", "plain", "pushed", "with_table"]

_KEPT_TABLES = 3
_KEPT_ASIDE = 2
_MOST_ROWS = 200
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z")


def with_table(memory: Memory, table: Table, at: int = -1) -> Memory:
    """The memory with this table in the place of the one that stood there."""
    tables = list(memory.tables)
    tables[at] = table
    return msgspec.structs.replace(memory, tables=tuple(tables))


def pushed(memory: Memory, table: Table, aside: bool = False) -> Memory:
    """The table comes to hand, or beside what is at hand: a list that isn't paged is a statement or a roster to hold rows against."""
    if aside:
        table = msgspec.structs.replace(table, aside=True)
    others = [*memory.tables, table]
    last = others[-2] if aside else table
    beside = [one for one in others if one.aside and one is not last]
    earlier = [one for one in others if not one.aside and one is not last]
    return msgspec.structs.replace(memory, tables=(*earlier[-_KEPT_TABLES:], *beside[-_KEPT_ASIDE:], last))


def merged(goal: Goal, table: Table, move: Move, got: Mapping[tuple[Any, ...], Any], text: str) -> Table:
    """What was looked up, in each row: under its own names where it is about the row itself.

    What the desk has on a row never replaces what another tool has shown of it, in whichever order they were asked.
    """
    arg, field = move.bound[0]
    of = owner(arg, goal.nouns)[0] or owner(field, goal.nouns)[0]
    own = is_own(goal, table, field) or ("." not in field and (not table.noun or ("_" not in field and not owner(field, goal.nouns)[0])))
    prefix = "" if own else _prefix(field, of)
    rows, failed, nobodys = [], False, _looked_up(goal, move.tool)
    for row in table.rows:
        value = got.get(tuple(row.get(name) for _, name in move.bound))
        if isinstance(value, Mapping):
            failed = failed or (own and None in value.values() and move.tool != f"get_{of}")
            told = {
                f"{prefix}{name}": one
                for name, one in value.items()
                if name != arg and (one is not None or own or move.tool.startswith("get_"))
            }
            rows.append({**told, **row} if own and move.tool == f"get_{of}" else {**row, **told})
        else:
            failed = failed or own
            rows.append({**row} if not nobodys or nobodys in row else {**row, nobodys: None})
    noun, key = table.noun, table.key
    if not noun and own and of:
        noun, last = of, field.rsplit("_", 1)[-1]
        key = last if rows and last in rows[0] else field
        if key != field:
            rows = [{name: value for name, value in row.items() if name != field} for row in rows]
    elif own and move.tool == f"get_{of}" and key not in ("", field.rsplit("_", 1)[-1]):
        key = field.rsplit("_", 1)[-1] if rows and field.rsplit("_", 1)[-1] in rows[0] else key
    return msgspec.structs.replace(
        table, rows=tuple(rows), noun=noun, key=key, looks=table.looks | {text}, failed=table.failed | ({text} if failed else set())
    )


def _prefix(field: str, noun: str) -> str:
    """What the fields of a joined record are put behind: its role or noun, as the field that names it says it."""
    above, _, plain = field.rpartition(".")
    if "_" in plain or not noun:
        return f"{field.rsplit('_', 1)[0]}."
    return f"{above}.{noun}." if above else f"{noun}."


def _looked_up(goal: Goal, tool: str) -> str:
    """The key that a tool gives which finds records by something else (`lookup_site_by_name`); empty for other tools."""
    noun, by, _ = tool.partition("_")[2].partition("_by_")
    getter = goal.tools.get(f"get_{noun}")
    return getter.required[0] if by and getter is not None and len(getter.required) == 1 else ""


def expanded(goal: Goal, table: Table, move: Move, got: Mapping[tuple[Any, ...], Any]) -> Table:
    """The rows of lists, each with what is known of the row that it was listed for."""
    tool, rows, done = goal.tools[move.tool], list[Row](), set[tuple[Any, ...]]()
    above, kept = table.noun or "told", tool.pages or tool.finds
    each = [(row, tuple(row.get(name) for _, name in move.bound)) for row in table.rows]
    if move.bound and move.bound[0][1].startswith("'"):
        each = [({}, values) for values in got]
    for row, values in each:
        items = got.get(values)
        if not isinstance(items, list) or values in done:
            continue
        done.add(values)
        if move.bound and move.bound[0][1] == EACH:
            items = [{**item, move.bound[0][0]: values[0]} for item in items]
        known = {f"{above}.{name}": value for name, value in row.items() if "." not in name and not name.startswith("=")} if kept else {}
        rows += [{**known, **item} for item in items if isinstance(item, Mapping)]
    key = _key_of(goal, tool.noun, rows)
    name = f"{table.name}>{move.tool}({', '.join(arg for arg, _ in move.bound)})"
    return Table(name, tool.noun, tuple(rows[:_MOST_ROWS]), key, looks=before(table))


def before(table: Table) -> frozenset[str]:
    """What decided the contents of a table, as part of what decides those of one that is made of it."""
    return frozenset(one if ": " in one else f"{table.name}: {one}" for one in table.looks | table.kept)


def _key_of(goal: Goal, noun: str, rows: Sequence[Row]) -> str:
    own = [name for name in rows[0] if "." not in name] if rows else []
    getter = goal.tools.get(f"get_{noun}")
    if getter is not None and len(getter.required) == 1:
        last = getter.required[0].rsplit("_", 1)[-1]
        if last in own:
            return last
    return own[0] if own else ""


def joined(memory: Memory, move: Move) -> Memory:
    """The lines of another table with each row; lines that belong to none become rows of their own."""
    ours, lines = memory.tables[move.table], memory.tables[move.value]
    ((left, right),) = move.bound
    bare: list[Row] = [{name: value for name, value in one.items() if "." not in name} for one in lines.rows]
    rows: list[Row] = [{**row, "=lines": tuple(one for one in bare if one.get(right) == row.get(left))} for row in ours.rows]
    have = {row.get(left) for row in ours.rows}
    if move.where == "strays":
        strays = [one for one in bare if one.get(right) is None or (left == right and one[right] not in have)]
        rows = [{lines.key: None, **row} for row in rows] + [{**one, "=lines": (one,), "=unknown": True} for one in strays]
    theirs = {f"{lines.name}: {one}" for one in lines.looks | lines.kept}
    name, looks = f"{ours.name}+{lines.name}{move.where}", ours.looks | theirs | (before(ours) if move.where == "strays" else set())
    table = msgspec.structs.replace(ours, name=name, rows=tuple(rows), looks=looks)
    return msgspec.structs.replace(memory, tables=(*(one for one in memory.tables if one is not ours and one is not lines), table))


def plain(value: Any) -> Any:
    """A number where a text is one."""
    if isinstance(value, str) and _NUMBER.match(value):
        return float(value) if "." in value else int(value)
    return value
