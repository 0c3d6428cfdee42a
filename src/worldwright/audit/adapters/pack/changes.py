"""What the agent changed, as an audit compares it.

Takes an episode's row changes; gives those by the agent, without what the world declares free. Rows that are new get
names that don't depend on the order in which they were made: where SQLite numbers a table's rows, the number is nobody's
choice, so new rows are `new-1`, `new-2`, ... in the order of their content, in their own key and wherever another changed
row refers to them. Doesn't give what events, people and triggers did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from worldwright.audit.subject import Change
from worldwright.verifier.matching import is_row_number
from worldwright.world.protocol import RowChange
from worldwright.world.records.evidence import as_json
from worldwright.world.records.schema import Schema, Table

__all__ = ["agent_changes", "cell"]

Free = frozenset[tuple[str, str]]
Names = Mapping[tuple[str, Any], str]


def agent_changes(rows: Iterable[RowChange], schema: Schema, free: Free) -> tuple[Change, ...]:
    """The agent's changes, by table and key."""
    mine = [(row, op) for row, op in ((row, _op(row)) for row in rows) if op]
    names = _named([row for row, op in mine if op == "insert"], schema, free)
    out = (_change(row, op, schema.tables[row.table], free, names) for row, op in mine)
    return tuple(sorted((one for one in out if one is not None), key=lambda one: (one.table, one.op, one.key)))


def cell(value: Any) -> Any:
    """A value as tools show it: bytes as hexadecimal text."""
    return value.hex() if isinstance(value, bytes) else value


def _op(row: RowChange) -> Any:
    """What the agent did to the row ("" if nothing). Of a row that the world made it can only have updated columns."""
    if row.by == "agent":
        return row.op
    return "update" if row.agent and row.op != "delete" else ""


def _change(row: RowChange, op: Any, table: Table, free: Free, names: Names) -> Change | None:
    kept = [name for name in dict.fromkeys((*row.old, *row.new)) if (row.table, name) not in free and (op != "update" or name in row.agent)]
    if op == "update" and not kept:
        return None
    key = names.get((row.table, row.key[0])) if op == "insert" else None
    if key is not None:
        kept = [name for name in kept if name not in table.key]
    new = _referring(row.table, row.new, kept, names, table)
    return Change(row.table, op, key or _key(row.key), {name: cell(row.old[name]) for name in kept if name in row.old}, new)


def _referring(table: str, values: Mapping[str, Any], kept: Sequence[str], names: Names, spec: Table) -> dict[str, Any]:
    """The values, with the names of new rows where they refer to some."""
    parents = {link.columns[0]: link.table for link in spec.foreign if len(link.columns) == 1}
    return {
        name: names.get((parents[name], values[name]), cell(values[name])) if name in parents else cell(values[name])
        for name in kept
        if name in values
    }


def _named(inserted: Sequence[RowChange], schema: Schema, free: Free) -> dict[tuple[str, Any], str]:
    """Names of the new rows of numbered tables, by table and number; parents first."""
    by_table: dict[str, list[RowChange]] = {}
    for row in inserted:
        by_table.setdefault(row.table, []).append(row)
    names: dict[tuple[str, Any], str] = {}
    for table in _parents_first(by_table, schema):
        spec = schema.tables[table]
        if len(spec.key) != 1 or not is_row_number(spec, spec.key[0]):
            continue
        kept = [name for name in spec.stored() if name not in spec.key and (table, name) not in free]
        content = {row.key[0]: as_json(_referring(table, row.new, kept, names, spec)) for row in by_table[table]}
        for n, number in enumerate(sorted(content, key=lambda number: (content[number], number)), 1):
            names[(table, number)] = f"new-{n}"
    return names


def _parents_first(tables: Iterable[str], schema: Schema) -> Iterator[str]:
    """The tables, each after those that it refers to (in a circle: any order)."""
    left = sorted(tables)
    while left:
        free = [name for name in left if not any(link.table in left and link.table != name for link in schema.tables[name].foreign)]
        for name in free or left[:1]:
            yield name
            left.remove(name)


def _key(key: Sequence[Any]) -> str:
    return str(cell(key[0])) if len(key) == 1 else as_json([cell(value) for value in key])
