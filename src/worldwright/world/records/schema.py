"""What `schema.sql` declares: tables, columns, keys and references, read back from SQLite itself.

Takes the schema's text; gives a Schema, or a PackError that names the table and the edit. Row changes can only be
followed in tables whose primary key is declared and NOT NULL, so anything else is refused here.
"""

from __future__ import annotations

import re
from typing import Any

import apsw
import msgspec

from worldwright.errors import PackError

__all__ = ["RESERVED", "Column", "ForeignKey", "Schema", "Table", "read_schema"]

RESERVED = frozenset({"calls", "changes", "answer", "messages", "event_log", "new", "before"})
"""Names that evidence tables use; a world table of that name would be hidden behind them."""

_REFUSED = {
    r"\bDEFERRABLE\b": "DEFERRABLE is never enforced here, since nothing commits",
    r"\bOR\s+ROLLBACK\b|\bON\s+CONFLICT\s+ROLLBACK\b": "OR ROLLBACK would end the episode's transaction",
    r"\bRAISE\s*\(\s*ROLLBACK": "RAISE(ROLLBACK) would end the episode's transaction",
    r"\bAUTOINCREMENT\b": "AUTOINCREMENT keeps a counter that no change log follows; INTEGER PRIMARY KEY is enough",
    r"\bCREATE\s+VIRTUAL\b": "virtual tables are not part of a world's state",
    r"\bCREATE\s+TEMP": "temporary objects belong to the engine",
}


class Column(msgspec.Struct, frozen=True):
    """A column; `family` is its declared type's meaning: integer, real, text, date, datetime, boolean or blob."""

    name: str
    declared: str
    family: str
    notnull: bool
    default: str | None
    generated: bool


class ForeignKey(msgspec.Struct, frozen=True):
    """Columns that refer to another table's columns."""

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...]


class Table(msgspec.Struct, frozen=True):
    """A table with its columns in order and its primary key (in column order, whatever the declaration's)."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    foreign: tuple[ForeignKey, ...]
    unique: tuple[tuple[str, ...], ...]
    nullable_key: str | None = None

    def column(self, name: str) -> Column | None:
        """The column of that name, if there is one."""
        return next((column for column in self.columns if column.name == name), None)

    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column.name for column in self.columns)

    def stored(self) -> tuple[str, ...]:
        """Names of the columns that hold values of their own (not generated)."""
        return tuple(column.name for column in self.columns if not column.generated)


class Schema(msgspec.Struct, frozen=True):
    """All tables of a world, by name."""

    sql: str
    tables: dict[str, Table]
    triggers: tuple[str, ...]
    views: tuple[str, ...]


def read_schema(sql: str, file: str = "schema.sql") -> Schema:
    """The schema that this text creates. Raises PackError."""
    bare = _without_comments(sql)
    for pattern, why in _REFUSED.items():
        found = re.search(pattern, bare, re.IGNORECASE)
        if found:
            raise PackError(why, file=file, line=bare.count("\n", 0, found.start()) + 1, field=found.group(0).strip())
    db = apsw.Connection(":memory:")
    try:
        db.execute(sql)
        names = [str(r[0]) for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")]
        triggers = tuple(str(r[0]) for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid"))
        views = tuple(str(r[0]) for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY rowid"))
        tables = {name: _table(db, name, file, sql) for name in names}
    except apsw.Error as fault:
        raise PackError(f"SQLite refuses the schema: {fault}", file=file, line=1) from fault
    finally:
        db.close()
    if not tables:
        raise PackError("no table", file=file, line=1, expected="at least one CREATE TABLE")
    return Schema(sql, tables, triggers, views)


def _without_comments(sql: str) -> str:
    """The text with comments and quoted text blanked, lines kept."""
    return re.sub(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", lambda m: re.sub(r"[^\n]", " ", m.group(0)), sql, flags=re.DOTALL)


def _line_of(sql: str, name: str) -> int:
    found = re.search(rf"CREATE\s+TABLE\s+(IF\s+NOT\s+EXISTS\s+)?[\[\"`]?{re.escape(name)}\b", sql, re.IGNORECASE)
    return sql.count("\n", 0, found.start()) + 1 if found else 1


def _table(db: apsw.Connection, name: str, file: str, sql: str) -> Table:
    line = _line_of(sql, name)
    if name.lower() in RESERVED:
        raise PackError(f"the table name '{name}' is taken by the evidence", file=file, line=line, expected="another name")
    quoted = name.replace('"', '""')
    info: list[Any] = list(db.execute(f'PRAGMA table_xinfo("{quoted}")'))
    keyed = sorted((row for row in info if row[5]), key=lambda row: row[5])
    if not keyed:
        raise PackError(f"table '{name}' has no primary key", file=file, line=line, expected="PRIMARY KEY")
    alias = len(keyed) == 1 and str(keyed[0][2]).upper() == "INTEGER"
    loose = [row[1] for row in keyed if not row[3] and not alias]
    nullable = str(loose[0]) if loose and not _without_rowid(db, name) else None
    columns = tuple(Column(row[1], row[2], _family(row[2]), bool(row[3]), row[4], row[6] in (2, 3)) for row in info if row[6] != 1)
    return Table(name, columns, tuple(row[1] for row in info if row[5]), _foreign(db, quoted), _unique(db, quoted), nullable)


def _without_rowid(db: apsw.Connection, name: str) -> bool:
    return any(row[4] for row in db.execute("PRAGMA table_list") if row[1] == name)


def _foreign(db: apsw.Connection, quoted: str) -> tuple[ForeignKey, ...]:
    groups: dict[int, list[Any]] = {}
    for row in db.execute(f'PRAGMA foreign_key_list("{quoted}")'):
        groups.setdefault(int(row[0]), []).append(row)
    out = []
    for rows in groups.values():
        rows.sort(key=lambda row: row[1])
        target = str(rows[0][2])
        targets = tuple(row[4] for row in rows)
        if None in targets:
            targets = tuple(row[1] for row in sorted((r for r in db.execute(f'PRAGMA table_xinfo("{target}")') if r[5]), key=lambda r: r[5]))
        out.append(ForeignKey(tuple(row[3] for row in rows), target, targets))
    return tuple(out)


def _unique(db: apsw.Connection, quoted: str) -> tuple[tuple[str, ...], ...]:
    out = []
    for row in list(db.execute(f'PRAGMA index_list("{quoted}")')):
        if row[2] and not row[4]:
            out.append(tuple(str(info[2]) for info in db.execute(f'PRAGMA index_info("{row[1]}")')))
    return tuple(sorted(out))


def _family(declared: str) -> str:
    """The meaning of a declared type, by SQLite's affinity rules refined by DATE, DATETIME and BOOLEAN."""
    kind = declared.upper()
    for word, family in (
        ("DATETIME", "datetime"),
        ("TIMESTAMP", "datetime"),
        ("DATE", "date"),
        ("BOOL", "boolean"),
        ("INT", "integer"),
        ("CHAR", "text"),
        ("CLOB", "text"),
        ("TEXT", "text"),
        ("BLOB", "blob"),
        ("REAL", "real"),
        ("FLOA", "real"),
        ("DOUB", "real"),
    ):
        if word in kind:
            return family
    return "real" if kind else "blob"
