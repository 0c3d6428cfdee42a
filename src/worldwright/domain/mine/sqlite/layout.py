"""What a SQLite file declares: tables of every kind, columns, keys, references, CHECKs, views and triggers.

Takes an open database; gives a Layout in which each table has its exact number of rows, or the reason why they can't be counted.
Reads names as they stand, whatever is in them; references lead to names as the tables spell them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.mine.sqlite.text import Check, Declared, read_table

__all__ = ["Column", "ForeignKey", "Layout", "Table", "Trigger", "View", "read_layout"]

Kind = Literal["table", "virtual", "shadow", "internal"]
_KEPT_APART = {"sqlite_schema", "sqlite_temp_schema", "sqlite_master", "sqlite_temp_master"}
_GENERATED = {2: "virtual", 3: "stored"}
_HIDDEN = 1


class Column(msgspec.Struct, frozen=True):
    """A column; `place` is its place in the declared primary key (0: none), `generated` its expression."""

    name: str
    declared: str
    notnull: bool
    default: str
    place: int
    generated: str = ""
    hidden: bool = False
    about: str = ""


class ForeignKey(msgspec.Struct, frozen=True):
    """Columns that a declaration says refer to another table's."""

    columns: tuple[str, ...]
    table: str
    to_columns: tuple[str, ...]


class Table(msgspec.Struct, frozen=True):
    """A table; `rows` is None where they can't be counted, `fault` says why."""

    name: str
    kind: Kind
    rows: int | None
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    has_rowid: bool
    unique: tuple[tuple[str, ...], ...] = ()
    foreign: tuple[ForeignKey, ...] = ()
    checks: tuple[Check, ...] = ()
    about: str = ""
    sql: str = ""
    fault: str = ""

    def column(self, name: str) -> Column:
        """The column of that name."""
        return next(one for one in self.columns if one.name == name)


class View(msgspec.Struct, frozen=True):
    """A view and its statement."""

    name: str
    sql: str


class Trigger(msgspec.Struct, frozen=True):
    """A trigger, the table it watches, and its statement."""

    name: str
    table: str
    sql: str


class Layout(msgspec.Struct, frozen=True):
    """All that the file declares."""

    tables: tuple[Table, ...]
    views: tuple[View, ...]
    triggers: tuple[Trigger, ...]
    indexes: int

    def table(self, name: str) -> Table:
        """The table of that name."""
        return next(one for one in self.tables if one.name == name)


def read_layout(file: Opened) -> Layout:
    """What the file declares. Raises sqlite3.DatabaseError if it is damaged."""
    schema = file.rows("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master ORDER BY rowid")
    kinds = {str(row[1]): str(row[2]) for row in file.rows("PRAGMA main.table_list")}
    names = [(name, sql) for kind, name, _, sql in schema if kind == "table" and name not in _KEPT_APART]
    tables = [_table(file, name, sql, _kind(name, sql, kinds.get(name, "table"))) for name, sql in names]
    return Layout(
        tables=tuple(_resolved(tables)),
        views=tuple(View(name, sql) for kind, name, _, sql in schema if kind == "view"),
        triggers=tuple(Trigger(name, table, sql) for kind, name, table, sql in schema if kind == "trigger"),
        indexes=sum(row[0] == "index" for row in schema),
    )


def _kind(name: str, sql: str, listed: str) -> Kind:
    if name.startswith("sqlite_"):
        return "internal"
    if listed == "virtual" or sql.lstrip().upper().startswith("CREATE VIRTUAL"):
        return "virtual"
    return "shadow" if listed == "shadow" else "table"


def _table(file: Opened, name: str, sql: str, kind: Kind) -> Table:
    said = read_table(sql)
    try:
        found = file.rows(f"PRAGMA main.table_xinfo({quoted(name)})")
        rows: int | None = file.one(f"SELECT count(*) FROM main.{quoted(name)}")
    except sqlite3.DatabaseError as fault:
        if kind == "table" and not isinstance(fault, sqlite3.OperationalError):
            raise
        return Table(name, kind, None, (), (), True, sql=sql, fault=str(fault))
    columns = tuple(_column(row, said) for row in found)
    key = tuple(one.name for one in sorted((one for one in columns if one.place), key=lambda one: one.place))
    return Table(
        name=name,
        kind=kind,
        rows=rows,
        columns=columns,
        key=key,
        has_rowid=not said.without_rowid and kind == "table",
        unique=_unique(file, name),
        foreign=tuple(_foreign(file, name)),
        checks=said.checks,
        about=said.about,
        sql=sql,
    )


def _column(row: Sequence[Any], said: Declared) -> Column:
    _, name, declared, notnull, default, place, hidden = row
    known = said.columns.get(str(name).casefold())
    generated = (known.generated if known else "") or _GENERATED.get(hidden, "") if hidden in _GENERATED else ""
    return Column(
        name=str(name),
        declared=str(declared or ""),
        notnull=bool(notnull),
        default="" if default is None else str(default),
        place=place,
        generated=generated,
        hidden=hidden == _HIDDEN,
        about=known.about if known else "",
    )


def _unique(file: Opened, name: str) -> tuple[tuple[str, ...], ...]:
    """The column sets that an index holds unique over all rows."""
    found = []
    for _, index, unique, _, partial in file.rows(f"PRAGMA main.index_list({quoted(name)})"):
        if unique and not partial:
            parts = [row[2] for row in file.rows(f"PRAGMA main.index_info({quoted(index)})")]
            if all(part is not None for part in parts):  # an expression has no name
                found.append(tuple(map(str, parts)))
    return tuple(dict.fromkeys(found))


def _foreign(file: Opened, name: str) -> list[ForeignKey]:
    groups: dict[int, list[Sequence[Any]]] = {}
    for row in file.rows(f"PRAGMA main.foreign_key_list({quoted(name)})"):
        groups.setdefault(row[0], []).append(row)
    out = []
    for _, rows in sorted(groups.items(), reverse=True):
        to = tuple("" if row[4] is None else str(row[4]) for row in rows)
        out.append(ForeignKey(tuple(str(row[3]) for row in rows), str(rows[0][2]), to))
    return out


def _resolved(tables: Sequence[Table]) -> list[Table]:
    """The tables, with references spelled as what they lead to is; a reference without columns leads to the primary key."""
    by_name = {one.name.casefold(): one for one in tables}
    return [msgspec.structs.replace(one, foreign=tuple(_lead(one, key, by_name) for key in one.foreign)) for one in tables]


def _lead(table: Table, key: ForeignKey, by_name: Mapping[str, Table]) -> ForeignKey:
    there = by_name.get(key.table.casefold())
    if there is None:
        return key
    to = key.to_columns if all(key.to_columns) else there.key
    return ForeignKey(tuple(_spelled(table, one) for one in key.columns), there.name, tuple(_spelled(there, one) for one in to))


def _spelled(table: Table, column: str) -> str:
    return next((one.name for one in table.columns if one.name.casefold() == column.casefold()), column)
