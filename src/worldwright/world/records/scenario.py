"""A seed's start state: rows from `scenario.py`, from a sampled part of `scenario.sqlite`, or both.

Takes a world's files and a seed; gives tables of rows. Sampling keeps the foreign keys of `schema.sql` closed: what a
kept row refers to is kept. Which rows a seed sees depends on (seed, key) alone. Raises PackError or SandboxError.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

import apsw
import msgspec

from worldwright.errors import PackError, SandboxError
from worldwright.files import decode_yaml
from worldwright.sandbox import Limits, call_function
from worldwright.world.records.schema import Schema

__all__ = ["KeepOf", "Sample", "ScenarioSource"]

Rows = list[dict[str, Any]]
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
    """Where a world's rows come from."""

    def __init__(self, schema: Schema, clock: str, code: str | None, database: bytes | None, sample: str | None, where: str) -> None:
        self._schema, self._clock, self._code, self._where = schema, clock, code, where
        self._given: dict[str, Rows] = {}
        self._sample = decode_yaml(sample, Sample, f"{where}/sample.yaml") if sample is not None else None
        if (database is None) != (sample is None):
            raise PackError("scenario.sqlite and sample.yaml belong together", file=where, expected="both or neither")
        if database is not None and self._sample is not None:
            self._given = self._read(database, self._sample)
        elif code is None:
            raise PackError("no scenario", file=where, expected="scenario.py, or scenario.sqlite with sample.yaml")

    def rows(self, seed: int) -> dict[str, Rows]:
        """All tables of this seed's start state."""
        given = self._draw(seed, self._sample) if self._sample is not None else {}
        if self._code is None:
            return given
        args: dict[str, Any] = {"seed": seed}
        if self._sample is not None:
            args["given"] = given
        where = f"{self._where}/scenario.py"
        try:
            made = call_function(self._code, "scenario", args, seed=seed, clock=self._clock, name="scenario.py", limits=_LIMITS)
        except SandboxError as fault:
            raise PackError(f"scenario(seed={seed}) failed: {fault}", file=where, line=fault.line, expected="tables of rows") from fault
        if not isinstance(made, dict):
            raise PackError(f"scenario(seed={seed}) gave {type(made).__name__}", file=where, expected="a mapping from table to rows")
        return {**given, **made}

    def _read(self, database: bytes, sample: Sample) -> dict[str, Rows]:
        where = f"{self._where}/sample.yaml"
        db = apsw.Connection(":memory:")
        out: dict[str, Rows] = {}
        try:
            db.deserialize("main", database)
            for name, sql in sample.tables.items():
                if name not in self._schema.tables:
                    raise PackError(f"'{name}' is not a table of schema.sql", file=where, field=f"tables.{name}", expected=", ".join(sorted(self._schema.tables)))
                out[name] = _select(db, sql, where, f"tables.{name}")
        except apsw.Error as fault:
            raise PackError(f"can't be read: {fault}", file=f"{self._where}/scenario.sqlite", expected="a SQLite database") from fault
        finally:
            db.close()
        for name, rule in sample.keep.items():
            known = [name, rule.of] if isinstance(rule, KeepOf) else [name]
            for table in known:
                if table not in sample.tables:
                    raise PackError(f"'{table}' is not under tables", file=where, field=f"keep.{name}", expected=", ".join(sample.tables))
            if isinstance(rule, KeepOf) and not any(one.table == rule.of for one in self._schema.tables[name].foreign):
                raise PackError(f"'{name}' has no reference to '{rule.of}'", file=where, field=f"keep.{name}", expected="a foreign key in schema.sql")
        return out

    def _draw(self, seed: int, sample: Sample) -> dict[str, Rows]:
        kept: dict[str, dict[tuple[Any, ...], dict[str, Any]]] = {name: {} for name in sample.tables}
        for name, rule in sample.keep.items():
            key = self._schema.tables[name].key
            rows = self._given[name]
            if isinstance(rule, int):
                rows = sorted(rows, key=lambda row: (_rank(seed, name, [row[k] for k in key]), repr([row[k] for k in key])))[:rule]  # noqa: B023 - used at once
            elif isinstance(rule, KeepOf):
                rows = self._children(name, rule.of, kept)
            for row in rows:
                kept[name][tuple(row[k] for k in key)] = row
            self._close(kept)
        return {
            name: [row for row in self._given[name] if tuple(row[k] for k in self._schema.tables[name].key) in kept[name]] for name in sample.tables
        }

    def _children(self, name: str, parent: str, kept: Mapping[str, Mapping[tuple[Any, ...], Any]]) -> Rows:
        out = []
        for link in self._schema.tables[name].foreign:
            if link.table != parent:
                continue
            known = {tuple(row[t] for t in link.targets) for row in kept[parent].values()}
            out += [row for row in self._given[name] if tuple(row.get(c) for c in link.columns) in known]
        return out

    def _close(self, kept: dict[str, dict[tuple[Any, ...], dict[str, Any]]]) -> None:
        """Add what kept rows refer to, until nothing is missing."""
        index: dict[tuple[str, tuple[str, ...]], dict[tuple[Any, ...], dict[str, Any]]] = {}
        waiting = [(name, row) for name, rows in kept.items() for row in rows.values()]
        while waiting:
            name, row = waiting.pop()
            for link in self._schema.tables[name].foreign:
                if link.table not in kept:
                    continue
                if (link.table, link.targets) not in index:
                    index[link.table, link.targets] = {tuple(one[t] for t in link.targets): one for one in self._given[link.table]}
                parent = index[link.table, link.targets].get(tuple(row.get(c) for c in link.columns))
                if parent is None:
                    continue
                key = tuple(parent[k] for k in self._schema.tables[link.table].key)
                if key not in kept[link.table]:
                    kept[link.table][key] = parent
                    waiting.append((link.table, parent))


def _select(db: apsw.Connection, sql: str, where: str, field: str) -> Rows:
    try:
        cursor = db.execute(sql)
        first = cursor.fetchone()
        if first is None:
            return []
        names = [str(item[0]) for item in cursor.get_description()]
        rows = [first, *cursor.fetchall()]
    except apsw.Error as fault:
        raise PackError(f"SQLite refuses it: {fault}", file=where, field=field, expected="a SELECT over the source") from fault
    if len(rows) > _MOST_ROWS:
        raise PackError(f"{len(rows):,} rows", file=where, field=field, expected=f"at most {_MOST_ROWS:,}")
    return [dict(zip(names, row, strict=True)) for row in rows]


def _rank(seed: int, table: str, key: list[Any]) -> bytes:
    return hashlib.sha256(f"{seed}\0{table}\0{key!r}".encode()).digest()
