"""What `schema.sql` declares: tables, columns, keys and references, read back from SQLite itself.

Takes the schema's text; gives a Schema, or a PackError that names the table and the edit. Row changes can only be
followed in tables whose primary key is declared and NOT NULL, so anything else is refused here.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import apsw
import msgspec

from worldwright.errors import PackError
from worldwright.world.records.database import Database, bare, declaring, literals

__all__ = ["NAME", "RESERVED", "Column", "ForeignKey", "Schema", "Table", "read_schema"]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
"""What worlds' tables, columns, tools and arguments may be called."""
RESERVED = frozenset({"calls", "changes", "answer", "messages", "event_log", "new", "before"})
"""Names that evidence tables use; a world table of that name would be hidden behind them."""

_REFUSED = {
    r"\bDEFERRABLE\b": "DEFERRABLE is never enforced here, since nothing commits",
    r"\bOR\s+ROLLBACK\b|\bON\s+CONFLICT\s+ROLLBACK\b": "OR ROLLBACK would end the episode's transaction",
    r"\bRAISE\s*\(\s*ROLLBACK": "RAISE(ROLLBACK) would end the episode's transaction",
    r"\bON\s+CONFLICT\s+REPLACE\b": "a constraint that replaces deletes rows that no statement names; write INSERT OR REPLACE",
    r"\bAUTOINCREMENT\b": "AUTOINCREMENT keeps a counter that no change log follows; INTEGER PRIMARY KEY is enough",
    r"\bCREATE\s+VIRTUAL\b": "virtual tables are not part of a world's state",
    r"\bCREATE\s+TEMP": "temporary objects belong to the engine",
}


_ANY_TIME = "2000-01-01T00:00:00"
_PASSIVE = {"NO ACTION", "RESTRICT"}
_NAMES = "SELECT name FROM sqlite_schema WHERE type = ? AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"


class Column(msgspec.Struct, frozen=True):
    """A column; `family` is its declared type's meaning: integer, real, text, date, datetime, boolean or blob."""

    name: str
    declared: str
    family: str
    notnull: bool
    default: str | None
    generated: bool


class ForeignKey(msgspec.Struct, frozen=True):
    """Columns that refer to another table's columns; `acts` if they follow what is done there (CASCADE, SET NULL ...)."""

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...]
    acts: bool = False


class Table(msgspec.Struct, frozen=True, dict=True):
    """A table with its columns in order and its primary key (in column order, whatever the declaration's).

    `numbered`: SQLite keeps a row number beside the key, which is the order in which rows come without ORDER BY.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    foreign: tuple[ForeignKey, ...]
    unique: tuple[tuple[str, ...], ...]
    nullable_key: str | None = None
    numbered: bool = False

    def column(self, name: str) -> Column | None:
        """The column of that name, if there is one."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column.name for column in self.columns)

    def stored(self) -> tuple[str, ...]:
        """Names of the columns that hold values of their own (not generated)."""
        return self._stored

    @cached_property
    def _stored(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if not column.generated)


class Schema(msgspec.Struct, frozen=True):
    """All tables of a world, by name."""

    sql: str
    tables: dict[str, Table]
    triggers: tuple[str, ...]
    views: tuple[str, ...]

    def links(self) -> list[ForeignKey]:
        """All references."""
        return [link for table in self.tables.values() for link in table.foreign]

    def has_policy(self) -> bool:
        """Whether there is a table that feeds the handbook."""
        table = self.tables.get("policy")
        return table is not None and {"name", "value"} <= set(table.names())


def read_schema(sql: str, file: str = "schema.sql") -> Schema:
    """The schema that this text creates. Raises PackError."""
    plain = bare(sql)
    for pattern, why in _REFUSED.items():
        found = re.search(pattern, plain, re.IGNORECASE)
        if found:
            raise PackError(why, file=file, line=plain.count("\n", 0, found.start()) + 1, field=found.group(0).strip())
    if {"'localtime'", "'utc'"} & set(literals(sql)):
        raise PackError("the world has no time zone", file=file, line=1, expected="no 'localtime' or 'utc'")
    database = Database(_ANY_TIME)
    db = database.db
    done: list[str] = []
    try:
        with declaring(db):
            _declare(db, sql, done)
        names = {kind: [str(row[0]) for row in db.execute(_NAMES, (kind,))] for kind in ("table", "trigger", "view")}
        for name in (*names["table"], *names["view"]):
            _check_name(name, file, _line_of(sql, name))
        tables = {name: _table(db, name, file, sql) for name in names["table"]}
        _check_references(db, tables, file, sql)
    except (apsw.Error, ValueError) as fault:
        raise PackError(
            f"SQLite refuses the schema: {fault}",
            file=file,
            line=_line_after(sql, done, fault),
            expected="CREATE TABLE, INDEX, TRIGGER and VIEW alone",
        ) from fault
    finally:
        database.close()
    if not tables:
        raise PackError("no table", file=file, line=1, expected="at least one CREATE TABLE")
    return Schema(sql, tables, tuple(names["trigger"]), tuple(names["view"]))


def _check_name(name: str, file: str, line: int) -> None:
    if name.lower() in RESERVED:
        raise PackError(f"the table name '{name}' is taken by the evidence", file=file, line=line, expected="another name")
    if not NAME.match(name):
        raise PackError(f"got the name '{name}'", file=file, line=line, expected="letters, digits and _, not beginning with a digit")


def _check_references(db: apsw.Connection, tables: dict[str, Table], file: str, sql: str) -> None:
    """SQLite looks at references only when a row is written; an agent must not be the first to find out."""
    for name, table in tables.items():
        for link in table.foreign:
            parent = tables.get(link.table)
            if parent is None or any(parent.column(column) is None for column in link.targets):
                wanted = f"{link.table}({', '.join(link.targets)})"
                raise PackError(f"'{name}' refers to {wanted}, which isn't there", file=file, line=_line_of(sql, name), field=name)
        try:
            db.execute(f'PRAGMA foreign_key_check("{name}")').fetchall()
        except apsw.SQLError as fault:
            raise PackError(
                str(fault), file=file, line=_line_of(sql, name), field=name, expected="a reference to a key or UNIQUE columns"
            ) from fault


def _declare(db: apsw.Connection, sql: str, done: list[str]) -> None:
    """Run the statements; `done` gets those that SQLite has accepted."""

    def note(_: apsw.Cursor, statement: str, __: object) -> bool:
        done.append(statement)
        return True

    cursor = db.cursor()
    cursor.exec_trace = note
    for _ in cursor.execute(sql):
        pass


def _line_after(sql: str, done: list[str], fault: BaseException) -> int:
    """The line where the first statement that isn't done goes wrong, or begins if SQLite can't tell."""
    end = 0
    for statement in done:
        end = sql.find(statement, end) + len(statement)
    rest = sql[end:].encode()
    begins = len(rest) - len(rest.lstrip(b"; \t\r\n"))
    return 1 + sql.count("\n", 0, end) + rest.count(b"\n", 0, max(begins, getattr(fault, "error_offset", -1)))


def _line_of(sql: str, name: str) -> int:
    found = re.search(rf"CREATE\s+(?:TABLE|VIEW)\s+(IF\s+NOT\s+EXISTS\s+)?[\[\"`]?{re.escape(name)}\b", sql, re.IGNORECASE)
    return sql.count("\n", 0, found.start()) + 1 if found else 1


def _table(db: apsw.Connection, name: str, file: str, sql: str) -> Table:
    line = _line_of(sql, name)
    quoted = name.replace('"', '""')
    info: list[Any] = list(db.execute(f'PRAGMA table_xinfo("{quoted}")'))
    keyed = sorted((row for row in info if row[5]), key=lambda row: row[5])
    if not keyed:
        raise PackError(f"table '{name}' has no primary key", file=file, line=line, expected="PRIMARY KEY")
    for row in info:
        if not NAME.match(row[1]):
            raise PackError(
                f"got the column name '{row[1]}'",
                file=file,
                line=line,
                field=name,
                expected="letters, digits and _, not beginning with a digit",
            )
    # An INTEGER PRIMARY KEY is the row number itself, and then SQLite keeps no index of its own for it.
    alias = (
        len(keyed) == 1
        and str(keyed[0][2]).upper() == "INTEGER"
        and not any(row[3] == "pk" for row in db.execute(f'PRAGMA index_list("{quoted}")'))
    )
    rowid = not _without_rowid(db, name)
    loose = [row[1] for row in keyed if not row[3] and not alias]
    nullable = str(loose[0]) if loose and rowid else None
    columns = tuple(Column(row[1], row[2], _family(row[2]), bool(row[3]), row[4], row[6] in (2, 3)) for row in info if row[6] != 1)
    key = tuple(row[1] for row in info if row[5])
    return Table(name, columns, key, _foreign(db, quoted), _unique(db, quoted), nullable, rowid and not alias)


def _without_rowid(db: apsw.Connection, name: str) -> bool:
    return any(row[4] for row in db.execute("PRAGMA table_list") if row[1] == name)


def _foreign(db: apsw.Connection, quoted: str) -> tuple[ForeignKey, ...]:
    """References as they are declared there: PRAGMA gives them in the spelling of the one who refers."""
    groups: dict[int, list[Any]] = {}
    for row in db.execute(f'PRAGMA foreign_key_list("{quoted}")'):
        groups.setdefault(int(row[0]), []).append(row)
    declared = {str(row[0]).lower(): str(row[0]) for row in db.execute(_NAMES, ("table",))}
    out = []
    for rows in groups.values():
        rows.sort(key=lambda row: row[1])
        target = declared.get(str(rows[0][2]).lower(), str(rows[0][2]))
        info = list(db.execute(f'PRAGMA table_xinfo("{target}")'))
        spelt = {str(row[1]).lower(): str(row[1]) for row in info}
        wanted = [row[4] for row in rows]
        if None in wanted:
            wanted = [row[1] for row in sorted((row for row in info if row[5]), key=lambda row: row[5])]
        targets = tuple(spelt.get(str(name).lower(), str(name)) for name in wanted)
        out.append(ForeignKey(tuple(row[3] for row in rows), target, targets, not {rows[0][5], rows[0][6]} <= _PASSIVE))
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
