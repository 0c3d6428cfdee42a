"""Bringing a fresh copy of a start state to where an episode stands, row by row.

Takes two connections of one image and the keys that were written; the second then holds what the first holds, with the
row numbers that decide in which order rows come without ORDER BY. Why not SQLite's own ways: `serialize` inside a
transaction gives the start state, and a changeset can't be applied where two rows swap a UNIQUE value or a cascade has
deleted what the changeset deletes as well. Nothing fires meanwhile: neither triggers nor references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

from worldwright.world.records.connection import Connection
from worldwright.world.records.image import quoted
from worldwright.world.records.schema import Schema, Table

__all__ = ["copy_rows", "nothing_fires", "row_number"]

_STEPS = 1_000_000_000
_EVIDENCE = ("messages", "event_log")


def copy_rows(
    source: Connection, target: Connection, schema: Schema, keys: Mapping[str, Sequence[tuple[Any, ...]]], inserted: Iterable[str]
) -> None:
    """Make `target` hold the rows of these keys as `source` does, and the evidence tables written so far.

    `inserted` names the tables into which rows were inserted: a row made again just as it was is no change, but it has
    another number.
    """
    source.grant(_STEPS)
    target.grant(_STEPS)
    target.rewritten()
    with nothing_fires(target.db):
        for name, wanted in keys.items():
            _copy(source.db, target.db, schema.tables[name], wanted)
        for name in inserted:
            table = schema.tables[name]
            if table.numbered:
                _copy(source.db, target.db, table, _renumbered(source.db, target.db, table))
    for name in _EVIDENCE:
        rows = source.db.execute(f"SELECT * FROM temp.{name}").fetchall()
        if rows:
            target.db.executemany(f"INSERT INTO temp.{name} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _copy(source: apsw.Connection, target: apsw.Connection, table: Table, keys: Sequence[tuple[Any, ...]]) -> None:
    columns = ", ".join(quoted(name) for name in (*row_number(table), *table.stored()))
    where = " AND ".join(f"{quoted(name)} = ?" for name in table.key)
    place = f"main.{quoted(table.name)}"
    rows = [row for key in keys for row in source.execute(f"SELECT {columns} FROM {place} WHERE {where}", key)]
    target.executemany(f"DELETE FROM {place} WHERE {where}", keys)
    if rows:
        target.executemany(f"INSERT INTO {place} ({columns}) VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _renumbered(source: apsw.Connection, target: apsw.Connection, table: Table) -> list[tuple[Any, ...]]:
    """The keys of rows whose numbers differ."""
    columns = ", ".join(quoted(name) for name in (*row_number(table), *table.key))
    numbers, theirs = (
        {row[1:]: row[0] for row in db.execute(f"SELECT {columns} FROM main.{quoted(table.name)}")} for db in (source, target)
    )
    return [key for key, number in numbers.items() if theirs.get(key) != number]


def row_number(table: Table) -> tuple[str, ...]:
    """The name under which a table that has row numbers beside its key gives them."""
    taken = {name.lower() for name in table.names()}
    return tuple(name for name in ("rowid", "oid", "_rowid_") if table.numbered and name not in taken)[:1]


@contextmanager
def nothing_fires(db: apsw.Connection) -> Iterator[None]:
    """Neither triggers nor references act on what is written inside."""
    switches = (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, apsw.SQLITE_DBCONFIG_ENABLE_FKEY)
    for switch in switches:
        db.config(switch, 0)
    try:
        yield
    finally:
        for switch in switches:
            db.config(switch, 1)
