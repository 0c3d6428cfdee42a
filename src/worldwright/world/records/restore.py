"""Keeping what an episode leaves apart from its state, and bringing the state back from it, to be graded again.

Takes evidence; gives a Kept of plain values. Takes a fresh episode of the same world, seed and parameters, and a Kept;
gives evidence over the same rows, calls, messages and events, so that any verifier finds in it what it would have found
at the time. Promises the order of rows too: the row numbers that decide it are kept where they can differ. Doesn't
notice that the world or the parameters are others: whoever calls has to compare digests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.world.protocol import CallRecord, Message, RowChange
from worldwright.world.records.branch import nothing_fires, row_number
from worldwright.world.records.connection import Connection
from worldwright.world.records.episode import RecordsEpisode
from worldwright.world.records.evidence import RecordsEvidence
from worldwright.world.records.image import quoted
from worldwright.world.records.schema import Schema, Table

__all__ = ["Kept", "keep", "restore"]

_STEPS = 1_000_000_000
_EVENTS = "SELECT n, at, event, key FROM temp.event_log ORDER BY n"
_MESSAGE = "INSERT INTO temp.messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_EVENT = "INSERT INTO temp.event_log (n, at, event, key) VALUES (?, ?, ?, ?)"

Event = tuple[int, str, str, Any]
"""What happened by itself: number, time, name, key."""
Number = tuple[str, tuple[Any, ...], int]
"""A row whose number differs from the start: table, key, number."""


class Kept(msgspec.Struct, frozen=True):
    """All that evidence rests on beside the start state; `ended` is the world's time at the end, `lost` why the state is gone."""

    changes: Sequence[RowChange]
    calls: Sequence[CallRecord]
    messages: Sequence[Message]
    ended: str
    events: Sequence[Event] = ()
    numbers: Sequence[Number] = ()
    lost: str | None = None


def keep(evidence: RecordsEvidence) -> Kept:
    """What has to be kept of evidence whose episode is still open."""
    events: Sequence[Event] = ()
    numbers: Sequence[Number] = ()
    if evidence.lost is None:
        episode = evidence.episode
        if episode.world.events:
            episode.connection.grant(_STEPS)
            events = [(int(n), str(at), str(name), key) for n, at, name, key in episode.connection.db.execute(_EVENTS)]
        numbers = _numbers(episode)
    return Kept(evidence.changes, evidence.calls, evidence.messages, evidence.ended, events, numbers, evidence.lost)


def restore(episode: RecordsEpisode, kept: Kept, answer: Mapping[str, Any] | None) -> RecordsEvidence:
    """Bring a fresh episode to the end that was kept; the evidence lives until the episode is closed."""
    connection, schema = episode.connection, episode.world.schema
    episode.changes.drop()
    connection.grant(_STEPS)
    connection.rewritten()
    with nothing_fires(connection.db):
        _apply(connection, schema, kept)
    connection.db.execute("DELETE FROM temp.messages")
    connection.db.executemany(_MESSAGE, [_message(one) for one in kept.messages])
    connection.db.executemany(_EVENT, kept.events)
    return episode.ended_as(kept.calls, kept.messages, kept.changes, kept.ended, kept.lost, answer)


def _message(one: Message) -> tuple[Any, ...]:
    return (one.n, one.at, one.call, one.sender, one.recipient, one.act, json.dumps(one.fields), one.text)


def _numbers(episode: RecordsEpisode) -> list[Number]:
    """Rows of tables that were inserted into, where they have another number than at the start."""
    out: list[Number] = []
    for name in sorted(episode.changes.inserted):
        table = episode.world.schema.tables[name]
        for number in row_number(table):
            keys = ", ".join(f"w.{quoted(column)}" for column in table.key)
            same = " AND ".join(f"b.{quoted(column)} = w.{quoted(column)}" for column in table.key)
            both = f"main.{quoted(name)} w LEFT JOIN before.{quoted(name)} b ON {same}"
            sql = f"SELECT w.{number}, {keys} FROM {both} WHERE b.{number} IS NOT w.{number}"
            episode.connection.grant(_STEPS)
            out += [(name, tuple(key), int(place)) for place, *key in episode.connection.db.execute(sql)]
    return sorted(out, key=lambda one: (one[0], one[2]))


def _apply(connection: Connection, schema: Schema, kept: Kept) -> None:
    """Give each row that differs its values of the end: all of them are taken out first, so that two may swap a UNIQUE value."""
    tables: dict[str, dict[tuple[Any, ...], RowChange | None]] = {}
    numbers = {(name, key): number for name, key, number in kept.numbers}
    for change in kept.changes:
        tables.setdefault(change.table, {})[change.key] = change
    for name, key in numbers:
        tables.setdefault(name, {}).setdefault(key, None)
    for name, wanted in tables.items():
        table = schema.tables[name]
        rows = [_row(connection, table, key, change, numbers.get((name, key))) for key, change in wanted.items()]
        where = " AND ".join(f"{quoted(column)} = ?" for column in table.key)
        connection.db.executemany(f"DELETE FROM main.{quoted(name)} WHERE {where}", list(wanted))
        for row in rows:
            if row:
                columns, marks = ", ".join(map(quoted, row)), ", ".join("?" * len(row))
                connection.db.execute(f"INSERT INTO main.{quoted(name)} ({columns}) VALUES ({marks})", tuple(row.values()))


def _row(connection: Connection, table: Table, key: tuple[Any, ...], change: RowChange | None, number: int | None) -> dict[str, Any] | None:
    """A row's values at the end, with its number if it has one of its own; None if it is gone."""
    if change is not None and change.op == "delete":
        return None
    place = row_number(table)
    if change is not None and change.op == "insert":
        row = dict(change.new)
    else:
        names = (*place, *table.stored())
        where = " AND ".join(f"{quoted(column)} = ?" for column in table.key)
        sql = f"SELECT {', '.join(map(quoted, names))} FROM main.{quoted(table.name)} WHERE {where}"
        found = connection.db.execute(sql, key).fetchone()
        if found is None:
            raise ValueError(f"the start state has no row {list(key)} in {table.name}, which was changed")
        row = dict(zip(names, found, strict=True)) | (change.new if change is not None else {})
    return row | {place[0]: number} if place and number is not None else row
