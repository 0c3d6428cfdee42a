"""A seed's start state: rows from `scenario.py`, from a sampled part of `scenario.sqlite`, or both.

Takes a world's files and a seed; gives tables of rows. Sampling keeps the foreign keys of `schema.sql` closed: what a
kept row refers to is kept. Which rows a seed sees depends on (seed, key) alone. Raises PackError or SandboxError.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections.abc import Iterable, Mapping, Sequence
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
Kept = dict[str, dict[tuple[Any, ...], dict[str, Any]]]
_LIMITS = Limits(seconds=20.0, turn_seconds=20.0, memory=512_000_000)
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
            for name, rule in self._sample.keep.items():
                self._check_rule(name, rule, self._sample)
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
        kept: Kept = {name: {} for name in sample.tables}
        for name, rule in sample.keep.items():
            if isinstance(rule, int):
                ranked = [(self._rank(seed, name, row), n) for n, row in enumerate(self._given[name])]
                self._add(kept, name, (self._given[name][n] for _, n in heapq.nsmallest(rule, ranked)))
            elif rule == "all":
                self._add(kept, name, self._given[name])
        self._close(kept)
        children = {name: rule.of for name, rule in sample.keep.items() if isinstance(rule, KeepOf)}
        while sum([self._add(kept, name, self._children(name, parent, kept)) for name, parent in children.items()]):
            self._close(kept)
        return {name: [row for row in self._given[name] if self._key(name, row) in kept[name]] for name in sample.tables}

    def _key(self, name: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(row[column] for column in self._schema.tables[name].key)

    def _rank(self, seed: int, name: str, row: Mapping[str, Any]) -> tuple[bytes, str]:
        key = repr(list(self._key(name, row)))
        return hashlib.sha256(f"{seed}\0{name}\0{key}".encode()).digest(), key

    def _add(self, kept: Kept, name: str, rows: Iterable[dict[str, Any]]) -> bool:
        """Whether one of these rows is new."""
        before = len(kept[name])
        kept[name].update((self._key(name, row), row) for row in rows)
        return len(kept[name]) > before

    def _children(self, name: str, parent: str, kept: Kept) -> Rows:
        out: Rows = []
        for link in self._schema.tables[name].foreign:
            if link.table == parent:
                known = {tuple(row.get(column) for column in link.targets) for row in kept[parent].values()}
                out += [row for row in self._given[name] if tuple(row.get(column) for column in link.columns) in known]
        return out

    def _close(self, kept: Kept) -> None:
        """Add what kept rows refer to, until nothing is missing."""
        index: dict[tuple[str, tuple[str, ...]], dict[tuple[Any, ...], dict[str, Any]]] = {}
        waiting = [(name, row) for name, rows in kept.items() for row in rows.values()]
        while waiting:
            name, row = waiting.pop()
            for link in self._schema.tables[name].foreign:
                if link.table not in kept:
                    continue
                if (link.table, link.targets) not in index:
                    index[link.table, link.targets] = {
                        tuple(one.get(column) for column in link.targets): one for one in self._given[link.table]
                    }
                parent = index[link.table, link.targets].get(tuple(row.get(column) for column in link.columns))
                if parent is not None and self._add(kept, link.table, [parent]):
                    waiting.append((link.table, parent))


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
