"""Finding something that can be asked of any world: a value that one of its tools gives for a row's key.

Takes a compiled world; gives a look-up that worked for every row on the seeds that were tried, or raises UsageError. It
is what `worldwright new task` starts from, so it only has to be true, not interesting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from worldwright.errors import UsageError
from worldwright.world.protocol import ToolDoc
from worldwright.world.records import RecordsWorld
from worldwright.world.records.schema import Column, Table

__all__ = ["LookUp", "find_look_up"]

_SEEDS = range(3)
_MOST_ROWS = 60
_LEAST_VALUES = 4
_PLAIN = ("", 0, 1)
"""What a guess would say."""
_PLAIN_SHARE = 0.02
_TYPES = {"integer": "integer", "real": "number", "text": "string", "date": "date"}


class LookUp(msgspec.Struct, frozen=True):
    """`tool(argument=key)` gives a row with the table's column."""

    tool: str
    argument: str
    table: str
    key: str
    column: str
    type: str


def find_look_up(world: RecordsWorld) -> LookUp:
    """The first look-up that holds. Raises UsageError if there is none."""
    for candidate in _candidates(world):
        if _holds(world, candidate):
            return candidate
    raise UsageError(
        f"no tool of {world.name} gives a row by its key alone, so there is nothing to start a task from: "
        "give the world a tool with `row`, or start from `worldwright new world`"
    )


def _candidates(world: RecordsWorld) -> Iterator[LookUp]:
    for name, tool in world.own.items():
        if tool.doc.writes or world.spec.tools[name].row is None or len(tool.doc.args) != 1:
            continue
        read = {(table, column) for statement in tool.statements() for _, table, column in statement.reads}
        for table in world.schema.tables.values():
            for column in table.columns:
                if len(table.key) == 1 and (table.name, column.name) in read and column.name not in (*table.key, *tool.doc.args):
                    yield from _candidate(tool.doc, table, column)


def _candidate(tool: ToolDoc, table: Table, column: Column) -> Iterator[LookUp]:
    if column.family in _TYPES:
        yield LookUp(tool.name, next(iter(tool.args)), table.name, table.key[0], column.name, _TYPES[column.family])


def _holds(world: RecordsWorld, one: LookUp) -> bool:
    """Whether the tool gives the column for every row, and a guess is seldom right."""
    values: list[Any] = []
    for seed in _SEEDS:
        rows = world.image(seed).query(
            f'SELECT "{one.key}", "{one.column}" FROM "{one.table}" WHERE "{one.column}" IS NOT NULL LIMIT {_MOST_ROWS}'
        )
        with world.start(seed) as episode:
            for key, value in rows:
                got = episode.call(one.tool, {one.argument: key})
                if not (got.ok and isinstance(got.value, dict) and one.column in got.value and got.value[one.column] == value):
                    return False
                values.append(value)
    plain = sum(value in _PLAIN for value in values)
    return len(set(values)) >= _LEAST_VALUES and plain <= _PLAIN_SHARE * len(values)
