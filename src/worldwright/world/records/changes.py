"""What an episode changed, and who changed it.

One SQLite session follows the agent's writes; whenever the world itself writes (an event, a party), the session is
closed and its changes are kept as a segment, so that a row which both touched is told apart column by column.
The rows of triggers and cascades carry SQLite's indirect flag: the world's, as are those columns of the agent's own
rows that no statement of the agent names; but if the agent takes back what made them write, or it was no change at all,
they are the agent's (see `causes`), which is why calls of tools that may write beside what they say have segments of
their own. What was inserted and deleted again nets to nothing, and so does a column
that is as it was; but not if the agent undid what the world had done.
Doesn't see tables without a primary key or rows with NULL in it; both are refused when a world is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import apsw
import msgspec

from worldwright.world.protocol import RowChange
from worldwright.world.records.causes import AGENT, WORLD, Write, taken_back
from worldwright.world.records.connection import Connection
from worldwright.world.records.database import rank
from worldwright.world.records.schema import Schema, Table

__all__ = ["WHOLE_ROW", "Changes", "Mark", "Named", "changed_keys"]

WHOLE_ROW = ""
"""Stands for all columns: of a table whose rows a statement inserts, replaces or deletes."""

_ROW_NUMBER = "ROWID"  # as SQLite reports it, however a statement spells it

Named = frozenset[tuple[str, str]]
"""The (table, column) pairs that statements name as what they write."""


class Segment:
    """Changes that one side made in rows, the `n`th of an episode. `named` is what its statements named (the world's: nothing)."""

    def __init__(self, n: int, by: str, data: bytes, named: Named, schema: Schema) -> None:
        self._n, self._by, self._data, self._named, self._schema = n, by, data, named, schema

    @cached_property
    def writes(self) -> tuple[Write, ...]:
        """The same row by row, not to be changed: every end that comes after the segment asks for them."""
        return tuple(self._write(change) for change in apsw.Changeset.iter(self._data))

    def _write(self, change: apsw.TableChange) -> Write:
        table = self._schema.tables[change.name]
        old, new = _values(table.stored(), change.old), _values(table.stored(), change.new)
        mine = frozenset(old if change.op == "DELETE" else new)
        if change.indirect or self._by == WORLD:
            mine = frozenset()
        elif not _whole(self._named, table, change.op):
            mine = frozenset(name for name in mine if (change.name, name) in self._named)
        return Write(self._n, self._by, change.op, change.name, _key(change), mine, old, new)


class Mark(msgspec.Struct, frozen=True):
    """A point to come back to: all changes so far."""

    segments: tuple[Segment, ...]


class Changes:
    """Follows one connection's transaction. `stop` or `drop` before ROLLBACK."""

    def __init__(self, connection: Connection, schema: Schema, segments: tuple[Segment, ...] = ()) -> None:
        self._connection, self._schema = connection, schema
        self._segments = list(segments)
        self._named: set[tuple[str, str]] = set()
        self.inserted: set[str] = set()
        """Tables into which rows were inserted at any time, perhaps since undone."""
        self._session: apsw.Session | None = None
        self._open()

    def _open(self) -> None:
        self._session = apsw.Session(self._connection.db, "main")
        self._session.attach()

    def _shut(self, by: str, *, keep: bool = True) -> None:
        session, self._session = self._session, None
        named, self._named = frozenset(self._named), set()
        if session is None:
            return
        try:
            if keep and not self._connection.broken and not session.is_empty:
                self._connection.grant(100_000_000)
                data = session.changeset()
                if data:
                    self._segments.append(Segment(len(self._segments), by, data, named, self._schema))
        finally:
            session.close()

    def wrote(self, named: Named, inserted: Iterable[str]) -> None:
        """Note what the agent's statements name as written, and into which tables they insert."""
        self._named |= named
        self.inserted.update(inserted)

    def cut(self) -> None:
        """Begin a segment: what was written so far and what will be are of different causes."""
        self._shut(AGENT)
        self._open()

    @contextmanager
    def as_world(self) -> Iterator[None]:
        """What is written inside is the world's."""
        if self._session is None or self._named or not self._session.is_empty:
            self.cut()
        try:
            yield
        finally:
            self._shut(WORLD)
            self._open()

    def segments(self) -> tuple[Segment, ...]:
        """All changes so far; the open session goes on."""
        self.cut()
        return tuple(self._segments)

    def mark(self) -> Mark:
        """A point for `back`; to be taken together with a SAVEPOINT."""
        return Mark(self.segments())

    def back(self, mark: Mark) -> None:
        """Forget what came after the mark; to be called after ROLLBACK TO."""
        self.drop()
        self._segments = list(mark.segments)
        self._open()

    def stop(self) -> None:
        """Follow no longer."""
        self._shut(AGENT)

    def drop(self) -> None:
        """Follow no longer, and forget what the open session has seen."""
        self._shut(AGENT, keep=False)

    def rows(self) -> list[RowChange]:
        """Net changes by row, in the order (table, key); needs `stop` or `segments` first."""
        out = []
        for (table, key), row in self._folded().items():
            net = row.net(table, key)
            if net is not None:
                out.append(net)
        return sorted(out, key=lambda row: (row.table, [rank(value) for value in row.key]))

    def _folded(self) -> dict[tuple[str, tuple[Any, ...]], _Row]:
        rows: dict[tuple[str, tuple[Any, ...]], _Row] = {}
        writes = [write for segment in self._segments for write in segment.writes]
        blamed = taken_back(writes)
        for write in writes:
            row = rows.get((write.table, write.key))
            if row is None:
                row = rows[write.table, write.key] = _Row()
            row.follow(write.op, write.columns() if write.segment in blamed else write.mine, write.old, write.new)
        return rows


def _whole(named: Named, table: Table, op: str) -> bool:
    """Whether statements that name this made the change as a whole; a new key is a row gone and a row made."""
    keys = {*table.key, _ROW_NUMBER} if op != "UPDATE" else {WHOLE_ROW}
    return not named or any((table.name, name) in named for name in keys | {WHOLE_ROW})


def changed_keys(segments: Iterable[Segment]) -> dict[str, list[tuple[Any, ...]]]:
    """The keys of all rows that were written, by table."""
    seen: dict[str, dict[tuple[Any, ...], None]] = {}
    for segment in segments:
        for write in segment.writes:
            seen.setdefault(write.table, {})[write.key] = None
    return {table: list(keys) for table, keys in seen.items()}


class _Row:
    """What has become of one row, segment by segment."""

    def __init__(self) -> None:
        self.existed: bool | None = None
        self.alive = True
        self.by = ""
        self.old: dict[str, Any] = {}
        """At the start, as far as it was changed since."""
        self.new: dict[str, Any] = {}
        self.agent: frozenset[str] = frozenset()
        self.world: frozenset[str] = frozenset()
        self.undone: dict[str, Any] = {}
        """What the world had written and the agent wrote over."""
        self.restores = False

    def follow(self, op: str, mine: frozenset[str], old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """One segment's change of the row; `mine` are the columns that the agent's statements wrote."""
        if self.existed is None:
            self.existed = op != "INSERT"
        if self.existed:
            for name, value in old.items():
                self.old.setdefault(name, value)
        if op == "UPDATE":
            self._update(mine, old, new)
            return
        values = new if op == "INSERT" else old
        by = AGENT if mine >= values.keys() else WORLD
        self.restores = by == AGENT and self.by == WORLD and self.existed == (op == "INSERT")
        self.alive, self.by, self.new, self.undone = op == "INSERT", by, dict(values), {}
        self.agent = mine | (self.agent if self.existed and by == WORLD else frozenset())
        self.world = frozenset(values) - mine

    def _update(self, mine: frozenset[str], old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        theirs = frozenset(name for name in new if name not in mine)
        self.undone = {name: value for name, value in self.undone.items() if name not in theirs}
        for name in mine & self.world:
            self.undone.setdefault(name, old.get(name))
        self.world |= theirs
        self.agent |= mine
        if not self.existed:
            self.agent -= theirs
        self.new.update(new)

    def net(self, table: str, key: tuple[Any, ...]) -> RowChange | None:
        """The change from start to end, if there is one."""
        if not self.existed:
            if self.alive:
                return RowChange(table, "insert", key, {}, self.new, self.by, self.agent)
            return RowChange(table, "delete", key, self.new, {}, AGENT, self.agent) if self.restores else None
        if not self.alive:
            return RowChange(table, "delete", key, self.old, {}, self.by, self.agent)
        if self.restores:
            return RowChange(table, "insert", key, {}, self.new, AGENT, self.agent)
        old = {name: self.old.get(name) for name, value in self.new.items() if name not in self.old or not _same(self.old[name], value)}
        undone = {name for name, value in self.undone.items() if not _same(value, self.new[name])}
        mine = self.agent & (old.keys() - (self.undone.keys() - undone) | undone)
        old.update((name, self.undone[name]) for name in undone if name not in old)
        if not old:
            return None
        return RowChange(table, "update", key, old, {name: self.new[name] for name in old}, AGENT if mine else WORLD, mine)


def _key(change: Any) -> tuple[Any, ...]:
    """The primary key's values, in the order of the table's columns."""
    values = change.new if change.op == "INSERT" else change.old
    return tuple(values[n] for n in sorted(change.pk_columns))


def _values(names: tuple[str, ...], values: Any) -> dict[str, Any]:
    if values is None:
        return {}
    return {name: value for name, value in zip(names, values, strict=True) if value is not apsw.no_change}


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other
