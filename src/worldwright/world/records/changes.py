"""What an episode changed, and who changed it.

One SQLite session follows the agent's writes; whenever the world itself writes (an event, a party), the session is
closed and its changes are kept as a segment, so that a row which both touched is told apart column by column.
Rows inserted and deleted again net to nothing. Triggers' and cascades' rows carry SQLite's indirect flag: the world's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import apsw
import msgspec

from worldwright.world.protocol import RowChange
from worldwright.world.records.connection import Connection
from worldwright.world.records.schema import Schema

__all__ = ["Changes", "Mark"]


class Segment(msgspec.Struct, frozen=True):
    """Changes made by one party in a row: `by` is agent or world."""

    by: str
    data: bytes


class Mark(msgspec.Struct, frozen=True):
    """A point to come back to: all changes so far."""

    segments: tuple[Segment, ...]


class Changes:
    """Follows one connection's transaction. `stop` before ROLLBACK."""

    def __init__(self, connection: Connection, schema: Schema, segments: tuple[Segment, ...] = ()) -> None:
        self._connection, self._schema = connection, schema
        self._segments = list(segments)
        self._session: apsw.Session | None = None
        self._open(indirect=False)

    def _open(self, *, indirect: bool) -> None:
        session = apsw.Session(self._connection.db, "main")
        session.attach()
        session.indirect = indirect
        self._session = session

    def _shut(self, by: str) -> None:
        if self._session is not None:
            if not self._connection.broken and not self._session.is_empty:
                self._connection.grant(100_000_000)
                data = self._session.changeset()
                if data:
                    self._segments.append(Segment(by, data))
            self._session.close()
            self._session = None

    @contextmanager
    def as_world(self) -> Iterator[None]:
        """What is written inside is the world's."""
        self._shut("agent")
        self._open(indirect=True)
        try:
            yield
        finally:
            self._shut("world")
            self._open(indirect=False)

    def segments(self) -> tuple[Segment, ...]:
        """All changes so far; the open session goes on."""
        self._shut("agent")
        self._open(indirect=False)
        return tuple(self._segments)

    def mark(self) -> Mark:
        """A point for `back`; to be taken together with a SAVEPOINT."""
        return Mark(self.segments())

    def back(self, mark: Mark) -> None:
        """Forget what came after the mark; to be called after ROLLBACK TO."""
        if self._session is not None:
            self._session.close()
        self._segments = list(mark.segments)
        self._open(indirect=False)

    def stop(self) -> None:
        """Follow no longer."""
        self._shut("agent")

    def rows(self) -> list[RowChange]:
        """Net changes by row, in the order (table, key); needs `stop` or `segments` first."""
        if not self._segments:
            return []
        total = self._segments[0].data
        for segment in self._segments[1:]:
            total = apsw.Changeset.concat(total, segment.data)
        touched = self._touched()
        out = []
        for change in apsw.Changeset.iter(total):
            out += self._row(change, touched)
        return sorted(out, key=lambda row: (row.table, repr(row.key)))

    def _touched(self) -> dict[tuple[str, tuple[Any, ...]], tuple[set[str], set[str]]]:
        """By (table, key): the columns and the operations of the agent."""
        out: dict[tuple[str, tuple[Any, ...]], tuple[set[str], set[str]]] = {}
        for segment in self._segments:
            if segment.by != "agent":
                continue
            for change in apsw.Changeset.iter(segment.data):
                if change.indirect:
                    continue
                names = self._schema.tables[change.name].stored()
                columns, ops = out.setdefault((change.name, _key(change)), (set(), set()))
                ops.add(change.op.lower())
                values = change.new if change.op != "DELETE" else change.old
                columns.update(name for name, value in zip(names, values or (), strict=True) if value is not apsw.no_change)
        return out

    def _row(self, change: Any, touched: dict[tuple[str, tuple[Any, ...]], tuple[set[str], set[str]]]) -> list[RowChange]:
        names = self._schema.tables[change.name].stored()
        key, op = _key(change), change.op.lower()
        columns, ops = touched.get((change.name, key), (set(), set()))
        old, new = _values(names, change.old), _values(names, change.new)
        if op == "update":
            new = {name: value for name, value in new.items() if name not in old or not _same(old[name], value)}
            old = {name: value for name, value in old.items() if name in new}
            if not new:
                return []
            mine = columns & set(new) if "insert" not in ops and "delete" not in ops else set(new)
            by = "agent" if mine else "world"
        else:
            mine = columns & set(names)
            by = "agent" if op in ops else "world"
        return [RowChange(change.name, op, key, old, new, by, frozenset(mine))]


def _key(change: Any) -> tuple[Any, ...]:
    """The primary key's values, in the order of the table's columns."""
    values = change.new if change.op == "INSERT" else change.old
    return tuple(values[n] for n in sorted(change.pk_columns))


def _values(names: tuple[str, ...], values: Any) -> dict[str, Any]:
    return {} if values is None else {name: value for name, value in zip(names, values, strict=True) if value is not apsw.no_change}


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other
