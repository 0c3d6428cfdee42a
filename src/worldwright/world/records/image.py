"""A start state: the bytes of a database, and its digest.

Takes tables of rows and the world's time; gives an Image, or a PackError naming table, row and column. The digest is
over the rows in key order, not over SQLite's bytes, so another machine and SQLite version can prove that it built the
same state. A default that asks for the time gets the world's.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import operator
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import apsw

from worldwright.errors import PackError
from worldwright.world.records.database import Database, declaring, is_denied
from worldwright.world.records.schema import Schema, Table

__all__ = ["Image", "build_image", "quoted", "rows_digest"]

_LAYOUT = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid"
_POLICY = "SELECT name, value FROM main.policy"


class Image:
    """An immutable start state; the one copy of its bytes serves every episode, as the state to begin with and as the state before."""

    def __init__(self, schema: Schema, source: apsw.Connection) -> None:
        self.schema = schema
        self.data = bytes(source.serialize("main"))
        self.layout = zlib.crc32(repr(source.execute(_LAYOUT).fetchall()).encode())
        """The same for images whose schema is the same and lies on the same pages."""
        self.digest = rows_digest(source, schema)
        self.policy: dict[str, Any] = {str(name): value for name, value in source.execute(_POLICY)} if schema.has_policy() else {}
        self._lock = threading.Lock()
        self._asked = apsw.Connection(":memory:")
        self._asked.deserialize("main", self.data)

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of the start state; for the engine's own texts, never a pack's."""
        with self._lock:
            return self._asked.execute(sql, values).fetchall()


def rows_digest(db: apsw.Connection, schema: Schema, database: str = "main") -> str:
    """sha256 over all rows of all tables, each table in key order, values as JSON."""
    total = hashlib.sha256()
    for name in sorted(schema.tables):
        table = schema.tables[name]
        columns = ", ".join(quoted(column) for column in table.names())
        order = ", ".join(quoted(column) for column in table.key)
        total.update(f"{name} {json.dumps(table.names())}\n".encode())
        rows = db.execute(f"SELECT {columns} FROM {quoted(database)}.{quoted(name)} ORDER BY {order}")
        total.update(_lines(rows.fetchall()).encode())
    return total.hexdigest()


def _blob(value: Any) -> Any:
    return {"blob": value.hex()}


_SEAM = ",\x1f"
"""A separator with a character that JSON never holds as it stands, so that it can be told from what values hold."""
_encode = json.JSONEncoder(separators=(_SEAM, ": "), default=_blob).encode


def _lines(rows: Sequence[Sequence[Any]]) -> str:
    """Each row as JSON on a line of its own; all in one go, which costs a third of one by one."""
    return _encode(rows)[1:-1].replace(f"]{_SEAM}[", "]\n[").replace(_SEAM, ", ") + "\n" if rows else ""


def quoted(name: str) -> str:
    """A name as SQL text."""
    return '"' + name.replace('"', '""') + '"'


def build_image(schema: Schema, tables: Mapping[str, Sequence[Mapping[str, Any]]], now: str, file: str) -> Image:
    """The start state with these rows at this time. Raises PackError for unknown tables or columns and for broken constraints."""
    if not isinstance(tables, Mapping):
        raise PackError(f"scenario gave {type(tables).__name__}", file=file, expected="a mapping from table to rows")
    database = Database(now)
    db = database.db
    try:
        db.execute("PRAGMA foreign_keys = OFF")
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        db.execute("BEGIN")
        with declaring(db):
            db.execute(schema.sql)
        db.authorizer = _no_chance
        for name, rows in tables.items():
            if name not in schema.tables:
                raise PackError(f"the scenario fills a table '{name}' that schema.sql doesn't declare", file=file, field=str(name))
            _insert(db, schema.tables[name], rows, file)
        db.authorizer = None
        db.execute("COMMIT")
        _check(db, schema, file)
        db.execute("VACUUM")
        return Image(schema, db)
    finally:
        database.close()


def _no_chance(action: int, one: str | None, two: str | None, database: str | None, source: str | None) -> int:
    """Defaults, checks and generated columns of the schema may not call what differs from run to run."""
    return apsw.SQLITE_DENY if action == apsw.SQLITE_FUNCTION and is_denied(str(two)) else apsw.SQLITE_OK


def _check(db: apsw.Connection, schema: Schema, file: str) -> None:
    for one in schema.tables.values():
        missing = " OR ".join(f"{quoted(column)} IS NULL" for column in one.key)
        if one.nullable_key and db.execute(f"SELECT 1 FROM {quoted(one.name)} WHERE {missing}").fetchone():
            raise PackError("a row has NULL in its key", file=file, field=f"{one.name}.{one.nullable_key}", expected="a value")
    for table, rowid, parent, _ in db.execute("PRAGMA foreign_key_check"):
        raise PackError(f"row {rowid} of '{table}' refers to a row of '{parent}' that isn't there", file=file, field=str(table))


def _insert(db: apsw.Connection, table: Table, rows: Any, file: str) -> None:
    if not isinstance(rows, (list, tuple)):
        raise PackError(f"got {type(rows).__name__}", file=file, field=table.name, expected="a list of rows")
    known = frozenset(table.stored())
    at = 0
    alike = _alike(rows, known)
    if alike is not None:
        counted = itertools.count()
        try:
            db.executemany(_insertion(table, tuple(rows[0])), map(operator.itemgetter(0), zip(alike, counted, strict=False)))
        except (apsw.Error, OverflowError, UnicodeEncodeError) as fault:
            raise _refused(next(counted) - 1, fault, table, file) from fault
        return

    def checked() -> Iterator[Any]:
        for n, row in enumerate(rows):
            _check_row(n, row, table, known, file)
            yield n, row

    def values(some: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        nonlocal at
        for n, row in some:
            at = n
            yield tuple(row.values())

    try:
        for columns, some in itertools.groupby(checked(), key=lambda one: tuple(one[1])):
            db.executemany(_insertion(table, columns), values(some))
    except (apsw.Error, OverflowError, UnicodeEncodeError) as fault:
        raise _refused(at, fault, table, file) from fault


def _alike(rows: Sequence[Any], known: frozenset[str]) -> list[tuple[Any, ...]] | None:
    """The rows' values, where all have the same columns and nothing is to be said against any; None if each must be looked at."""
    if not rows or set(map(type, rows)) != {dict} or not rows[0] or not known.issuperset(rows[0]):
        return None
    columns = tuple(rows[0])
    if any(tuple(row) != columns for row in rows):
        return None
    values = [tuple(row.values()) for row in rows]
    return values if _SIMPLE.issuperset(map(type, itertools.chain.from_iterable(values))) else None


def _insertion(table: Table, columns: Sequence[str]) -> str:
    names, marks = ", ".join(map(quoted, columns)), ", ".join("?" for _ in columns)
    return f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({marks})"


def _refused(at: int, fault: Exception, table: Table, file: str) -> PackError:
    return PackError(f"row {at}: {fault}", file=file, field=table.name, expected="what schema.sql allows")


_SIMPLE = frozenset({int, str, bytes, bool, type(None)})
"""Types whose every value SQL can hold."""


def _check_row(n: int, row: Any, table: Table, known: frozenset[str], file: str) -> None:
    if type(row) is dict and row and known.issuperset(row) and _SIMPLE.issuperset(map(type, row.values())):
        return
    if not isinstance(row, Mapping) or not row:
        raise PackError(f"row {n} is {type(row).__name__}", file=file, field=table.name, expected="a mapping from column to value")
    for column, value in row.items():
        if column not in known:
            raise PackError(f"row {n} has an unknown column '{column}'", file=file, field=table.name, expected=", ".join(table.stored()))
        fits = value is None or isinstance(value, (int, float, str, bytes))
        if not fits or (isinstance(value, float) and not math.isfinite(value)):
            message = f"row {n}, column '{column}': {type(value).__name__} is not a value SQL can hold"
            raise PackError(message, file=file, field=table.name, expected="text, a number or null")
