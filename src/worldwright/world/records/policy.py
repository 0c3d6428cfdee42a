"""What each kind of SQL in a pack may do, proven when the pack is loaded.

Every text in a pack is static, so each is prepared once on a connection of its own role's; SQLite's authorizer reports
what it reads, writes and calls, through views, triggers and subqueries. Gives a Statement with its read and write
sets, or a PackError. Known gaps of the authorizer's report: the columns of an INSERT, generated columns, and what
references do by themselves.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import Any

import apsw
import apsw.ext
import msgspec

from worldwright.errors import PackError
from worldwright.world.records.database import Database, bare, is_denied, literals
from worldwright.world.records.schema import RESERVED, Schema

__all__ = ["EVIDENCE_SQL", "ROLES", "Role", "Statement", "Workbench"]

EVIDENCE_SQL = """
CREATE TEMP TABLE calls (n INTEGER PRIMARY KEY, at TEXT, tool TEXT, args TEXT, ok INTEGER, result TEXT, error TEXT);
CREATE TEMP TABLE messages (n INTEGER PRIMARY KEY, at TEXT, call INTEGER, sender TEXT, recipient TEXT, act TEXT, fields TEXT, text TEXT);
CREATE TEMP TABLE event_log (n INTEGER PRIMARY KEY, at TEXT, event TEXT, key);
CREATE TEMP TABLE changes (n INTEGER PRIMARY KEY, table_name TEXT, op TEXT, key TEXT, column_name TEXT, old, new, by TEXT);
CREATE TEMP TABLE answer (field TEXT, value);
"""
"""Evidence tables; made once a connection, before any transaction, and emptied by ROLLBACK."""


class Role(msgspec.Struct, frozen=True):
    """What a kind of SQL may read beside the world's tables, and whether it may write them."""

    name: str
    writes: bool = False
    temp: frozenset[str] = frozenset()
    before: bool = False
    functions: frozenset[str] = frozenset()


ROLES = {
    role.name: role
    for role in (
        Role("read", temp=frozenset({"event_log"})),
        Role("result", temp=frozenset({"event_log"}), functions=frozenset({"last_insert_rowid"})),
        Role("write", writes=True, temp=frozenset({"event_log"}), functions=frozenset({"last_insert_rowid"})),
        Role("event", temp=frozenset({"event_log", "messages"})),
        Role("event-effect", writes=True, temp=frozenset({"event_log", "messages"}), functions=frozenset({"last_insert_rowid"})),
        Role("rule", temp=frozenset({"event_log", "messages"})),
        Role("rule-effect", writes=True, temp=frozenset({"event_log", "messages"}), functions=frozenset({"last_insert_rowid"})),
        Role("bind"),
        Role(
            "verifier",
            temp=frozenset({"calls", "messages", "event_log", "changes", "answer"}),
            before=True,
            functions=frozenset({"states", "states_only"}),
        ),
    )
}

_ANY_TIME = "2000-01-01T00:00:00"
_EVIDENCE = RESERVED - {"new", "before"}
_SPECIAL = frozenset({"last_insert_rowid", "states", "states_only"})
_TEXT_REFUSED = {
    r"\bOR\s+ROLLBACK\b": "OR ROLLBACK would end the episode's transaction",
    r"\bRAISE\s*\(\s*ROLLBACK": "RAISE(ROLLBACK) would end the episode's transaction",
}
_REPLACE = re.compile(r"\bOR\s+REPLACE\b|\bREPLACE\s+INTO\b", re.IGNORECASE)
_PROVEN = 4096
"""So many proven texts are kept: mutants of a verifier share nearly all of theirs."""
_WRITES = {apsw.SQLITE_INSERT: "insert", apsw.SQLITE_UPDATE: "update", apsw.SQLITE_DELETE: "delete"}
_QUERYING = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE})
_OK = apsw.SQLITE_OK

Action = tuple[int, str | None, str | None, str | None, str | None]
"""What SQLite asks an authorizer: the kind of action, two names that depend on it, the database, the trigger or view around it."""


class Statement(msgspec.Struct, frozen=True):
    """One SQL text, proven: its parameters, result columns, and what it touches.

    `reads` holds (database, table, column), `writes` (op, table, column or ""), both seen through views and triggers;
    `direct` are the writes that the statement makes itself; it `spreads` if it may write beside them, through triggers
    or references (which SQLite's report leaves out).
    """

    sql: str
    params: tuple[str, ...]
    columns: tuple[str, ...]
    reads: frozenset[tuple[str, str, str]]
    writes: frozenset[tuple[str, str, str]]
    direct: frozenset[tuple[str, str, str]]
    spreads: bool = False


class Workbench:
    """An empty copy of a world's database on which texts are proven. Not used to run anything. Safe for threads."""

    def __init__(self, schema: Schema, file: str = "schema.sql") -> None:
        self._database = Database(_ANY_TIME)
        self._db = self._database.db
        self._lock = threading.Lock()
        self._views = frozenset(schema.views)
        self._followed = {(link.table, column) for link in schema.links() if link.acts for column in ("", "ROWID", *link.targets)}
        self._proven: dict[tuple[str, str], Statement] = {}
        self._db.execute("ATTACH ':memory:' AS before")
        self._db.execute(schema.sql)
        self._db.deserialize("before", self._db.serialize("main"))
        self._db.execute(EVIDENCE_SQL)
        for name in ("states", "states_only"):
            self._db.create_scalar_function(name, lambda *_: 0, deterministic=True)
        self._prove_schema(schema, file)

    def _prove_schema(self, schema: Schema, file: str) -> None:
        """Defaults, checks, triggers and views run inside the statements of tools, so they are held to a role too."""
        for name, table in schema.tables.items():
            columns = ", ".join(f'"{column}" = "{column}"' for column in table.stored())
            for sql in (f'INSERT INTO "{name}" DEFAULT VALUES', f'UPDATE "{name}" SET {columns}', f'DELETE FROM "{name}"'):
                self.prove(sql, "write", file=file, field=name)
        for name in schema.views:
            self.prove(f'SELECT * FROM "{name}"', "read", file=file, field=name)

    def prove(
        self, sql: str, role: str, *, params: frozenset[str] | None = None, file: str = "", line: int = 0, field: str = ""
    ) -> Statement:
        """Prepare `sql` under a role. `params` are the names it may use (None: any). Raises PackError."""

        def refuse(message: str, expected: str = "") -> PackError:
            return PackError(message, file=file, line=line, field=field, expected=expected)

        try:
            statement = self._proven.get((sql, role)) or self._prove(sql, role)
        except (apsw.Error, UnicodeEncodeError) as fault:
            raise refuse(f"SQLite refuses it: {fault}") from fault
        except _Refused as fault:
            raise refuse(str(fault), fault.expected) from None
        for name in statement.params:
            if params is not None and name not in params:
                raise refuse(f"unknown parameter :{name}", "one of " + ", ".join(sorted(params)) if params else "no parameter")
        return statement

    def _prove(self, sql: str, role: str) -> Statement:
        _check_text(sql)
        with self._lock:
            info = _looked_at(self._db, sql)
        statement = _statement(sql, info, ROLES[role])
        for _, table, _ in sorted(statement.direct):
            if table in self._views:
                raise _Refused(f"it writes the view '{table}'", "the table itself")
        statement = self._widened(statement)
        if len(self._proven) == _PROVEN:
            self._proven.clear()
        self._proven[sql, role] = statement
        return statement

    def _widened(self, statement: Statement) -> Statement:
        """With what SQLite's report leaves out: the deletes that REPLACE implies, and that rows elsewhere may follow."""
        direct = statement.direct
        if direct and _REPLACE.search(bare(statement.sql)):
            direct |= {("delete", table, "") for op, table, _ in direct if op != "delete"}
        spreads = statement.spreads or any(op != "insert" and (table, column) in self._followed for op, table, column in direct)
        return msgspec.structs.replace(statement, writes=statement.writes | direct, direct=direct, spreads=spreads)


class _Prepared(msgspec.Struct, frozen=True):
    """What SQLite says of a statement that it has prepared; `actions` in the order in which they were first asked for."""

    actions: tuple[Action, ...]
    bindings: tuple[str | None, ...]
    columns: tuple[str, ...]
    is_explain: bool
    is_readonly: bool


def _looked_at(db: apsw.Connection, sql: str) -> _Prepared:
    """Prepare a text without running it. Raises apsw.Error."""
    asked: dict[Action, None] = {}

    def authorize(*action: Any) -> int:
        asked[action] = None
        return _OK

    db.authorizer = authorize
    try:
        info = apsw.ext.query_info(db, sql)
    finally:
        db.authorizer = None
    columns = tuple(str(item[0]) for item in info.description)
    return _Prepared(tuple(asked), info.bindings_names, columns, bool(info.is_explain), info.is_readonly)


class _Refused(Exception):
    """A text that its role may not have."""

    def __init__(self, message: str, expected: str = "") -> None:
        super().__init__(message)
        self.expected = expected


def _check_text(sql: str) -> None:
    plain = bare(sql)
    for pattern, why in _TEXT_REFUSED.items():
        if re.search(pattern, plain, re.IGNORECASE):
            raise _Refused(why)
    if {"'localtime'", "'utc'"} & set(literals(sql)):
        raise _Refused("the world has no time zone", "no 'localtime' or 'utc'")
    first, _, rest = plain.partition(";")
    if rest.strip(" \n\t\r;"):
        raise _Refused("more than one statement", "one statement")
    # What is blanked may be the whole statement's text, but a statement begins with a word.
    if not first.strip():
        raise _Refused("no statement", "one statement")


def _statement(sql: str, info: _Prepared, role: Role) -> Statement:
    reads, writes, direct, problems = _sort_actions(info.actions, role)
    if info.is_explain:
        problems.append("it does EXPLAIN")
    if not role.writes and not (info.is_readonly and any(action[0] == apsw.SQLITE_SELECT for action in info.actions)):
        problems.append("it is no SELECT")
    if problems:
        raise _Refused(problems[0], f"what a {role.name} statement may do")
    if role.writes and not direct:
        raise _Refused("it writes nothing", "INSERT, UPDATE or DELETE")
    names = tuple(name for name in info.bindings if name)
    if len(names) != len(info.bindings):
        raise _Refused("a parameter has no name", ":name")
    fires = any(kind in _WRITES and inside for kind, _, _, _, inside in info.actions)
    return Statement(sql, tuple(dict.fromkeys(names)), info.columns, frozenset(reads), frozenset(writes), frozenset(direct), fires)


def _sort_actions(actions: Sequence[Action], rules: Role) -> tuple[set[Any], set[Any], set[Any], list[str]]:
    """Split the authorizer's report into reads, writes, direct writes, and what the role forbids."""
    reads: set[tuple[str, str, str]] = set()
    writes: set[tuple[str, str, str]] = set()
    direct: set[tuple[str, str, str]] = set()
    problems: list[str] = []
    for kind, one, two, named, inside in actions:
        if kind == apsw.SQLITE_READ:
            table, database = _place(str(one), named or None)
            problem = _bad_read(table, database, rules)
            problems += [problem] if problem else []
            reads.add((database, table, two or ""))
        elif kind in _WRITES:
            if (named or "main") != "main" or str(one).startswith("sqlite_"):
                problems.append(f"it writes {named or None}.{one}")
            elif not rules.writes:
                problems.append(f"it writes {one}")
            entry = (_WRITES[kind], str(one), (two or "") if kind == apsw.SQLITE_UPDATE else "")
            writes.add(entry)
            if not inside:
                direct.add(entry)
        elif kind == apsw.SQLITE_FUNCTION:
            function = str(two).lower()
            if is_denied(function) or (function in _SPECIAL and function not in rules.functions):
                problems.append(f"it calls {function}()")
        elif kind not in _QUERYING:
            problems.append(f"it does {str(apsw.mapping_authorizer_function[kind]).removeprefix('SQLITE_')}")
    return reads, writes, direct, problems


def _place(table: str, database: str | None) -> tuple[str, str]:
    """(table, database) as they are declared. Of a table without a used column SQLite reports what the text says."""
    if database is None:
        database = "temp" if table.lower() in _EVIDENCE else "main"
    return (table.lower() if table.lower() in _EVIDENCE else table), database.lower()


def _bad_read(table: str, database: str, rules: Role) -> str:
    if table.lower().startswith(("sqlite_", "pragma_")) or table.lower() == "dbstat":
        return f"it reads {table}"
    if database == "before" and not rules.before:
        return f"it reads before.{table}"
    if database == "temp" and table not in rules.temp:
        return f"it reads {table}"
    return ""
