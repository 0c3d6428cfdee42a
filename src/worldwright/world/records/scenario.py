"""A seed's start state: rows from `scenario.py`, from a sampled part of `scenario.sqlite`, or both.

Takes a world's files and a seed; gives tables of rows. Sampling keeps the foreign keys of `schema.sql` closed: what a
kept row refers to is kept. Which rows a seed sees depends on (seed, key) alone. Raises PackError or SandboxError.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import apsw
import msgspec

from worldwright.errors import PackError, SandboxError
from worldwright.files import decode_yaml
from worldwright.sandbox import Limits, call_function
from worldwright.world.records.database import Database, reading
from worldwright.world.records.schema import Schema

__all__ = ["KeepOf", "Sample", "ScenarioSource"]

Rows = list[dict[str, Any]]
Place = tuple[str, int]
"""A table, and a row's number in it."""
_LIMITS = Limits(seconds=10.0, turn_seconds=10.0, memory=512_000_000)
_MOST_ROWS = 200_000


class KeepOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Keep the rows that refer to a kept row of table `of`."""

    of: str


class Sample(msgspec.Struct, frozen=True, omit_defaults=True):
    """`sample.yaml`."""

    tables: dict[str, str]
    keep: dict[str, int | Literal["all"] | KeepOf] = {}


class ScenarioSource:
    """Where a world's rows come from; `file` is what to name when they don't fit the schema."""

    def __init__(self, schema: Schema, clock: str, code: str | None, database: bytes | None, sample: str | None, where: str) -> None:
        self._schema, self._clock, self._code, self._where = schema, clock, code, where
        self.file = f"{where}/scenario.py" if code is not None else f"{where}/sample.yaml"
        self._given: dict[str, Rows] = {}
        self._sample = decode_yaml(sample, Sample, f"{where}/sample.yaml") if sample is not None else None
        if (database is None) != (sample is None):
            missing = "scenario.sqlite" if database is None else "sample.yaml"
            raise PackError("scenario.sqlite and sample.yaml belong together", file=f"{where}/{missing}", expected="both or neither")
        if database is not None and self._sample is not None:
            self._given = self._read(database, self._sample)
            self._keys = {name: [self._key(name, row) for row in rows] for name, rows in self._given.items()}
            for name, rule in self._sample.keep.items():
                self._check_rule(name, rule, self._sample)
            self._links = self._linked(self._sample)
        elif code is None:
            raise PackError("no scenario", file=f"{where}/scenario.py", expected="scenario.py, or scenario.sqlite with sample.yaml")

    def rows(self, seed: int) -> dict[str, Rows]:
        """All tables of this seed's start state."""
        given = self._draw(seed, self._sample) if self._sample is not None else {}
        if self._code is None:
            return given
        args: dict[str, Any] = {"seed": seed}
        if self._sample is not None:
            args["given"] = given
        try:
            made = call_function(self._code, "scenario", args, seed=seed, clock=self._clock, name="scenario.py", limits=_LIMITS)
        except SandboxError as fault:
            raise PackError(f"scenario(seed={seed}) failed: {fault}", file=self.file, line=fault.line, expected="tables of rows") from fault
        if not isinstance(made, dict):
            raise PackError(f"scenario(seed={seed}) gave {type(made).__name__}", file=self.file, expected="a mapping from table to rows")
        return {**given, **made}

    def _read(self, data: bytes, sample: Sample) -> dict[str, Rows]:
        where = f"{self._where}/sample.yaml"
        source = Database(self._clock)
        out: dict[str, Rows] = {}
        try:
            # Bytes 18 and 19 say that the file was kept with a write-ahead log, which a database in memory can't have.
            source.db.deserialize("main", data[:18] + b"\x01\x01" + data[20:] if data[18:20] == b"\x02\x02" else data)
            for name, sql in sample.tables.items():
                field = f"tables.{name}"
                if name not in self._schema.tables:
                    known = ", ".join(sorted(self._schema.tables))
                    raise PackError(f"'{name}' is not a table of schema.sql", file=where, field=field, expected=known)
                names, out[name] = _select(source.db, sql, where, field)
                self._check_columns(name, names, field)
        except (apsw.Error, ValueError) as fault:
            raise PackError(f"can't be read: {fault}", file=f"{self._where}/scenario.sqlite", expected="a SQLite database") from fault
        finally:
            source.close()
        return out

    def _check_columns(self, name: str, names: Sequence[str], field: str) -> None:
        """A scenario.py may be given more than the table holds; without one the columns must be the table's."""
        table = self._schema.tables[name]
        stray = set() if self._code is not None else set(names) - set(table.stored())
        if stray or len(set(names)) < len(names) or not set(table.key) <= set(names):
            expected = f"columns of {name} ({', '.join(table.stored())}), each once, with the key {', '.join(table.key)}"
            raise PackError(f"it gives {', '.join(names)}", file=f"{self._where}/sample.yaml", field=field, expected=expected)

    def _check_rule(self, name: str, rule: int | str | KeepOf, sample: Sample) -> None:
        def refuse(message: str, expected: str) -> PackError:
            return PackError(message, file=f"{self._where}/sample.yaml", field=f"keep.{name}", expected=expected)

        for table in [name, rule.of] if isinstance(rule, KeepOf) else [name]:
            if table not in sample.tables:
                raise refuse(f"'{table}' is not under tables", ", ".join(sample.tables))
        if isinstance(rule, int) and rule < 0:
            raise refuse(f"got {rule}", "a number of rows, 0 or more")
        if isinstance(rule, KeepOf) and not any(one.table == rule.of for one in self._schema.tables[name].foreign):
            raise refuse(f"'{name}' has no reference to '{rule.of}'", "a foreign key in schema.sql")

    def _draw(self, seed: int, sample: Sample) -> dict[str, Rows]:
        kept: dict[str, set[tuple[Any, ...]]] = {name: set() for name in sample.tables}
        waiting: list[Place] = []
        for name, rule in sample.keep.items():
            if isinstance(rule, int):
                ranked = [(_rank(seed, name, key), n) for n, key in enumerate(self._keys[name])]
                waiting += [(name, n) for _, n in heapq.nsmallest(rule, ranked)]
            elif rule == "all":
                waiting += [(name, n) for n in range(len(self._given[name]))]
        followed: dict[str, list[set[tuple[Any, ...]]]] = {name: [set() for _ in links] for name, links in self._links.items()}
        while waiting:
            name, n = waiting.pop()
            key = self._keys[name][n]
            if key in kept[name]:
                continue
            kept[name].add(key)
            for link, done in zip(self._links[name], followed[name], strict=True):
                values = link.values[n]
                if values not in done:
                    done.add(values)
                    waiting += link.rows.get(values, ())
        return {
            name: [row for row, key in zip(self._given[name], self._keys[name], strict=True) if key in kept[name]] for name in sample.tables
        }

    def _key(self, name: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(row[column] for column in self._schema.tables[name].key)

    def _linked(self, sample: Sample) -> dict[str, list[_Link]]:
        """By table, what its rows bring along: what they refer to, and those who refer to them where a rule says so."""
        out: dict[str, list[_Link]] = {name: [] for name in sample.tables}
        for name in sample.tables:
            rule = sample.keep.get(name)
            for link in self._schema.tables[name].foreign:
                if link.table in out:
                    out[name].append(self._link(name, link.columns, link.table, link.targets))
                if isinstance(rule, KeepOf) and link.table == rule.of:
                    out[link.table].append(self._link(link.table, link.targets, name, link.columns))
        return out

    def _link(self, name: str, columns: tuple[str, ...], other: str, targets: tuple[str, ...]) -> _Link:
        """From the rows of a table to those of another one: NULL refers to nothing."""
        places: dict[tuple[Any, ...], list[Place]] = {}
        for n, values in enumerate(_values(self._given[other], targets)):
            if None not in values:
                places.setdefault(values, []).append((other, n))
        return _Link(_values(self._given[name], columns), places)


class _Link(msgspec.Struct, frozen=True):
    """The rows that each row of a table brings along: the table's `values` by row, and the rows that have these."""

    values: list[tuple[Any, ...]]
    rows: Mapping[tuple[Any, ...], list[Place]]


def _values(rows: Rows, columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [tuple(row.get(column) for column in columns) for row in rows]


def _select(db: apsw.Connection, sql: str, where: str, field: str) -> tuple[Sequence[str], Rows]:
    """The column names and rows of one SELECT."""
    seen: list[list[str]] = []

    def refuse(message: str, expected: str) -> PackError:
        return PackError(message, file=where, field=field, expected=expected)

    def trace(cursor: apsw.Cursor, _: str, __: object) -> bool:
        seen.append([str(item[0]) for item in cursor.get_description()])
        return True

    cursor = db.cursor()
    cursor.exec_trace = trace
    try:
        with reading(db):
            rows = list(itertools.islice(cursor.execute(sql), _MOST_ROWS + 1))
    except (apsw.Error, ValueError) as fault:
        raise refuse(f"SQLite refuses it: {fault}", "a SELECT over the source") from fault
    finally:
        cursor.close(True)
    if len(seen) != 1 or not seen[0]:
        raise refuse("it is not one SELECT", "one SELECT")
    if len(rows) > _MOST_ROWS:
        raise refuse("too many rows", f"at most {_MOST_ROWS:,}")
    return seen[0], [dict(zip(seen[0], row, strict=True)) for row in rows]


def _rank(seed: int, name: str, key: Sequence[Any]) -> tuple[bytes, str]:
    text = repr(list(key))
    return hashlib.sha256(f"{seed}\0{name}\0{text}".encode()).digest(), text
