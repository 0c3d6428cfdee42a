"""What each kind of SQL in a pack may do, proven when the pack is loaded.

Every text in a pack is static, so each is prepared once on a connection of its own role's; SQLite's authorizer reports
what it reads, writes and calls, through views, triggers and subqueries. Gives a Statement with its read and write
sets, or a PackError. Known gaps of the authorizer's report: the columns of an INSERT, generated columns, and the
delete that REPLACE implies.
"""

from __future__ import annotations

import re
from typing import Any

import apsw
import apsw.ext
import msgspec

from worldwright.errors import PackError

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

_NEVER = frozenset(
    "random randomblob changes total_changes load_extension sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id "
    "sqlite_version readfile writefile edit fts3_tokenizer sqlite_log sqlite_offset".split()
)
_SPECIAL = frozenset({"last_insert_rowid", "states", "states_only"})
_TEXT_REFUSED = {
    r"\bOR\s+ROLLBACK\b": "OR ROLLBACK would end the episode's transaction",
    r"\bRAISE\s*\(\s*ROLLBACK": "RAISE(ROLLBACK) would end the episode's transaction",
}
_WRITES = {"SQLITE_INSERT": "insert", "SQLITE_UPDATE": "update", "SQLITE_DELETE": "delete"}


class Statement(msgspec.Struct, frozen=True):
    """One SQL text, proven: its parameters, result columns, and what it touches.

    `reads` holds (database, table, column), `writes` (op, table, column or ""), both seen through views and triggers;
    `direct` are the writes that the statement makes itself.
    """

    sql: str
    params: tuple[str, ...]
    columns: tuple[str, ...]
    reads: frozenset[tuple[str, str, str]]
    writes: frozenset[tuple[str, str, str]]
    direct: frozenset[tuple[str, str, str]]


class Workbench:
    """An empty copy of a world's database on which texts are proven. Not used to run anything."""

    def __init__(self, schema_sql: str) -> None:
        self._db = apsw.Connection(":memory:")
        self._db.execute(schema_sql)
        self._db.execute(EVIDENCE_SQL)
        self._db.execute("ATTACH ':memory:' AS before")
        for (create,) in self._db.execute("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall():
            self._db.execute(re.sub(r"(?i)^\s*CREATE\s+TABLE\s+", "CREATE TABLE before.", str(create), count=1))
        for name in ("states", "states_only"):
            self._db.create_scalar_function(name, lambda *_: 0, deterministic=True)

    def prove(self, sql: str, role: str, *, params: frozenset[str] | None = None, file: str = "", line: int = 0, field: str = "") -> Statement:
        """Prepare `sql` under a role. `params` are the names it may use (None: any). Raises PackError."""
        rules = ROLES[role]

        def refuse(message: str, expected: str = "") -> PackError:
            return PackError(message, file=file, line=line, field=field, expected=expected)

        bare = re.sub(r"--[^\n]*|/\*.*?\*/", " ", sql, flags=re.DOTALL)
        for pattern, why in _TEXT_REFUSED.items():
            if re.search(pattern, bare, re.IGNORECASE):
                raise refuse(why)
        if re.search(r"'(localtime|utc)'", bare, re.IGNORECASE):
            raise refuse("the world has no time zone", "no 'localtime' or 'utc'")
        try:
            info = apsw.ext.query_info(self._db, sql, actions=True)
        except apsw.Error as fault:
            raise refuse(f"SQLite refuses it: {fault}") from fault
        if (info.query_remaining or "").strip(" \n\t;"):
            raise refuse("more than one statement", "one statement")
        if not info.query.strip():
            raise refuse("no statement", "one statement")
        reads, writes, direct, problems = _sort_actions(info.actions or [], rules)
        if problems:
            raise refuse(problems[0], f"what a {role} statement may do")
        if rules.writes and not direct:
            raise refuse("it writes nothing", "INSERT, UPDATE or DELETE")
        names = tuple(name for name in info.bindings_names if name) if info.bindings_names else ()
        if len(names) != info.bindings_count:
            raise refuse("a parameter has no name", ":name")
        if params is not None:
            for name in names:
                if name not in params:
                    raise refuse(f"unknown parameter :{name}", "one of " + ", ".join(sorted(params)) if params else "no parameter")
        columns = tuple(str(item[0]) for item in info.description) if info.description else ()
        return Statement(sql, tuple(dict.fromkeys(names)), columns, frozenset(reads), frozenset(writes), frozenset(direct))


def _sort_actions(actions: Any, rules: Role) -> tuple[set[Any], set[Any], set[Any], list[str]]:
    """Split the authorizer's report into reads, writes, direct writes, and what the role forbids."""
    reads: set[tuple[str, str, str]] = set()
    writes: set[tuple[str, str, str]] = set()
    direct: set[tuple[str, str, str]] = set()
    problems: list[str] = []
    for action in actions:
        name = action.action_name
        if name == "SQLITE_READ":
            table, database = str(action.table_name), str(action.database_name or "main")
            problem = _bad_read(table, database, rules)
            problems += [problem] if problem else []
            reads.add((database, table, str(action.column_name or "")))
        elif name in _WRITES:
            if (action.database_name or "main") != "main" or str(action.table_name).startswith("sqlite_"):
                problems.append(f"it writes {action.database_name}.{action.table_name}")
            elif not rules.writes:
                problems.append(f"it writes {action.table_name}")
            entry = (_WRITES[name], str(action.table_name), str(getattr(action, "column_name", "") or ""))
            writes.add(entry)
            if not action.trigger_or_view:
                direct.add(entry)
        elif name == "SQLITE_FUNCTION":
            function = str(action.function_name).lower()
            if function in _NEVER or (function in _SPECIAL and function not in rules.functions):
                problems.append(f"it calls {function}()")
        elif name not in ("SQLITE_SELECT", "SQLITE_RECURSIVE"):
            problems.append(f"it does {name.removeprefix('SQLITE_')}")
    return reads, writes, direct, problems


def _bad_read(table: str, database: str, rules: Role) -> str:
    if table.startswith("sqlite_") or table == "dbstat" or table.startswith("pragma_"):
        return f"it reads {table}"
    if database == "before" and not rules.before:
        return f"it reads before.{table}"
    if database == "temp" and table not in rules.temp:
        return f"it reads {table}"
    return ""
