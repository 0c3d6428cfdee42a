"""A verifier's texts, composed with its definitions and proven.

Takes a VerifierSpec and a task; gives compiled queries with their result columns, and whether each depends on the
state before alone (then its rows are computed once an instance). Raises PackError naming the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from worldwright.errors import PackError
from worldwright.task import Task
from worldwright.verifier.spec import Allowance, Alternative, Expectation, Query, TextCheck, VerifierSpec
from worldwright.world.records.evidence import reads_answer
from worldwright.world.records.policy import Statement
from worldwright.world.records.schema import RESERVED, Table

__all__ = ["AnswerQuery", "CompiledAllowance", "CompiledExpectation", "CompiledQuery", "CompiledSet", "CompiledText", "Composer", "Group"]

_BUILT_IN = frozenset({"json_each", "json_tree"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUIET = re.compile(r"""'(?:[^']|'')*'|--[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]""", re.DOTALL)
_HEAD = re.compile(r"(?is)^(?:\s|--[^\n]*\n|/\*.*?\*/)*WITH\s+(RECURSIVE\s+)?")


class CompiledQuery(msgspec.Struct, frozen=True):
    """One query; `fixed` if its rows depend on the state before and the parameters alone."""

    name: str
    field: str
    statement: Statement
    fixed: bool


class CompiledText(msgspec.Struct, frozen=True):
    """A text check on a column."""

    column: str
    type: str
    values: CompiledQuery
    may: CompiledQuery | None
    must: bool


class CompiledExpectation(msgspec.Struct, frozen=True):
    """An expectation; `pinned` are the columns of `rows`."""

    spec: Expectation
    name: str
    op: str
    table: Table
    rows: CompiledQuery
    pinned: tuple[str, ...]
    wrong: CompiledQuery | None
    texts: tuple[CompiledText, ...]
    key: bytes
    """The same for expectations, of any verifier of the task, that are the same in all but where they stand."""
    asks_answer: bool
    """Whether it depends on the answer."""


class CompiledAllowance(msgspec.Struct, frozen=True):
    """An allowance; `key` as in CompiledExpectation."""

    op: str
    table: Table
    rows: CompiledQuery | None
    columns: tuple[str, ...]
    key: tuple[str, ...]


class AnswerQuery(msgspec.Struct, frozen=True):
    """The query for an answer field."""

    field: str
    query: CompiledQuery


class Group(msgspec.Struct, frozen=True):
    """Expectations that are met together: all inserts into one table, or one update or delete. `key` as theirs."""

    op: str
    places: tuple[int, ...]
    members: tuple[CompiledExpectation, ...]
    key: tuple[bytes, ...]
    asks_answer: bool


class CompiledSet(msgspec.Struct, frozen=True):
    """Expectations and answers that belong together: the verifier's own, or one alternative's."""

    name: str
    expect: tuple[CompiledExpectation, ...]
    answer: tuple[AnswerQuery, ...]

    def with_base(self, base: CompiledSet) -> CompiledSet:
        """An alternative with what the verifier says for all of them."""
        return CompiledSet(self.name, base.expect + self.expect, base.answer + self.answer)

    def groups(self) -> tuple[Group, ...]:
        """Its expectations as they are graded: inserts table by table, then the others one by one."""
        tables: dict[str, list[int]] = {}
        rest = []
        for n, one in enumerate(self.expect):
            if one.op == "insert":
                tables.setdefault(one.table.name, []).append(n)
            else:
                rest.append([n])
        return tuple(self._group(places) for places in (*tables.values(), *rest))

    def _group(self, places: list[int]) -> Group:
        members = tuple(self.expect[n] for n in places)
        return Group(members[0].op, tuple(places), members, tuple(one.key for one in members), any(one.asks_answer for one in members))


class _Definition(msgspec.Struct, frozen=True):
    """One named query: its field, its text in a WITH, and the words in it that may be names."""

    field: str
    body: str
    words: frozenset[str]


class Composer:
    """Compiles one verifier's texts."""

    def __init__(self, spec: VerifierSpec, task: Task, file: str) -> None:
        self.spec, self.task, self.file = spec, task, file
        self.world = task.world
        self.params = task.names | {"now", "started"} | {f"compute_{name}" for name in spec.compute} | {"new_keys"}
        self._definitions: dict[str, _Definition] = {}
        self._used: set[str] = set()
        for name, one in spec.compute.items():
            field = f"compute.{name}"
            self._check_columns(one.columns, field)
            picked = ", ".join(f"value ->> {n}" for n in range(len(one.columns)))
            self._add(name, f"({', '.join(one.columns)})", f"SELECT {picked} FROM json_each(:compute_{name})", field)
        for name, sql in spec.define.items():
            self._add(name, "", sql.strip().rstrip(";"), f"define.{name}")

    def _add(self, name: str, columns: str, sql: str, field: str) -> None:
        def refuse(message: str) -> PackError:
            return PackError(message, file=self.file, field=field, expected="another name")

        key, schema = name.lower(), self.world.schema
        if not _NAME.fullmatch(name):
            raise refuse(f"the name '{name}' is not plain")
        if key in self._definitions:
            raise refuse(f"the name '{name}' is taken by {self._definitions[key].field}")
        for what, names in (("a table", schema.tables), ("a view", schema.views), ("the evidence", RESERVED), ("SQLite", _BUILT_IN)):
            if key in {one.lower() for one in names}:
                raise refuse(f"the name '{name}' is taken by {what}")
        self._definitions[key] = _Definition(field, f"{name}{columns} AS ({sql}\n)", frozenset(_words(sql)))

    def _check_columns(self, columns: list[str], field: str) -> None:
        if not columns or len({one.lower() for one in columns}) < len(columns) or not all(map(_NAME.fullmatch, columns)):
            raise PackError(f"got the columns {columns}", file=self.file, field=field, expected="plain names, each once")

    def compose(self, sql: str, extra: str = "") -> str:
        """The query with the definitions that it uses, and theirs, in front."""
        needed = self._needed(sql)
        self._used |= needed
        parts = [one.body for key, one in self._definitions.items() if key in needed] + ([extra] if extra else [])
        if not parts:
            return sql
        head = _HEAD.match(sql)
        rest = f", {sql[head.end() :]}" if head else f" {sql}"
        return f"WITH RECURSIVE {', '.join(parts)}{rest}"

    def _needed(self, sql: str) -> set[str]:
        """The definitions (lower case, as SQLite tells names apart) that a query names, and those that they name."""
        needed: set[str] = set()
        left = _words(sql) & self._definitions.keys()
        while left:
            key = left.pop()
            needed.add(key)
            left |= (self._definitions[key].words & self._definitions.keys()) - needed
        return needed

    def unused(self) -> list[str]:
        """The fields of definitions that nothing composed so far uses, not even by way of another definition."""
        return [one.field for key, one in self._definitions.items() if key not in self._used]

    def query(self, sql: str, name: str, field: str, extra: str = "", more: Iterable[str] = ()) -> CompiledQuery:
        """Compose and prove one query."""
        statement = self.world.bench.prove(
            self.compose(sql, extra), "verifier", params=frozenset(self.params) | frozenset(more), file=self.file, field=field
        )
        fixed = (
            not extra and "now" not in statement.params and all(db == "before" or table in _BUILT_IN for db, table, _ in statement.reads)
        )
        return CompiledQuery(name, field, statement, fixed)

    def named(self, queries: Iterable[Query], kind: str) -> tuple[CompiledQuery, ...]:
        """`forbid` or `demand`."""
        return tuple(self.query(one.rows, one.name, f"{kind}[{n}]") for n, one in enumerate(queries))

    def set(self, name: str, expect: Iterable[Expectation], answer: dict[str, str], field: str) -> CompiledSet:
        """Expectations and answers that belong together."""
        compiled = tuple(self.expectation(one, f"{field}expect[{n}]") for n, one in enumerate(expect))
        for key in answer:
            if key not in self.task.brief.answer:
                raise PackError(
                    f"the brief asks for no '{key}'",
                    file=self.file,
                    field=f"{field}answer.{key}",
                    expected=", ".join(self.task.brief.answer) or "none",
                )
        queries = tuple(AnswerQuery(key, self._answer(key, sql, f"{field}answer.{key}")) for key, sql in answer.items())
        return CompiledSet(name, compiled, queries)

    def _answer(self, key: str, sql: str, field: str) -> CompiledQuery:
        query = self.query(sql, key, field)
        if len(query.statement.columns) != 1:
            raise PackError(f"gives {len(query.statement.columns)} columns", file=self.file, field=field, expected="one column")
        return query

    def alternatives(self) -> tuple[CompiledSet, ...]:
        """`any_of`."""
        return tuple(self._alternative(n, one) for n, one in enumerate(self.spec.any_of))

    def _alternative(self, n: int, one: Alternative) -> CompiledSet:
        return self.set(one.name, one.expect, one.answer, f"any_of[{n}].")

    def expectation(self, one: Expectation, field: str) -> CompiledExpectation:
        """Compile one expectation and check its columns."""
        op, table = self._target(one, field)
        rows = self.query(one.rows, one.name or field, f"{field}.rows")
        pinned = rows.statement.columns
        columns = frozenset(table.names())

        def known(names: Iterable[str], part: str) -> None:
            for name in names:
                if name not in columns:
                    raise PackError(
                        f"'{name}' is not a column of {table.name}",
                        file=self.file,
                        field=f"{field}.{part}",
                        expected=", ".join(table.names()),
                    )

        known(pinned, "rows")
        known(one.open, "open")
        known(one.tolerance, "tolerance")
        known(one.loose, "loose")
        known([*one.must_state, *one.must_not_state], "must_state")
        if len(set(pinned)) < len(pinned):
            raise PackError("a column is pinned twice", file=self.file, field=f"{field}.rows")
        if op != "insert" and not set(table.key) <= set(pinned):
            raise PackError("the primary key is not pinned", file=self.file, field=f"{field}.rows", expected=", ".join(table.key))
        for name in set(one.open) & set(pinned):
            raise PackError(f"'{name}' is both pinned and open", file=self.file, field=f"{field}.open")
        wrong = None
        if one.wrong is not None:
            wrong = self.query(one.wrong, one.name or field, f"{field}.wrong", extra=_new(table))
        texts = [self._text(column, n, check, True, field) for column, checks in one.must_state.items() for n, check in enumerate(checks)]
        texts += [
            self._text(column, n, check, False, field) for column, checks in one.must_not_state.items() for n, check in enumerate(checks)
        ]
        queries = [rows, *([wrong] if wrong else []), *(query for text in texts for query in (text.values, text.may) if query is not None)]
        key = msgspec.json.encode((one, [query.statement.sql for query in queries]))
        asks_answer = any(reads_answer(query.statement) for query in queries)
        name = one.name or f"{op} {table.name}"
        return CompiledExpectation(one, name, op, table, rows, pinned, wrong, tuple(texts), key, asks_answer)

    def _text(self, column: str, n: int, check: TextCheck, must: bool, field: str) -> CompiledText:
        where = f"{field}.{'must_state' if must else 'must_not_state'}.{column}[{n}]"
        values = self.query(check.values, column, f"{where}.values")
        may = self.query(check.may, column, f"{where}.may") if check.may is not None else None
        for one in (values, may):
            if one is not None and "value" not in one.statement.columns:
                raise PackError("no column 'value'", file=self.file, field=one.field, expected="SELECT ... AS value")
        return CompiledText(column, check.type, values, may, must)

    def allowance(self, one: Allowance, n: int) -> CompiledAllowance:
        """Compile one allowance."""
        field = f"allow[{n}]"
        op, table = self._target(one, field)
        rows = self.query(one.rows, field, f"{field}.rows") if one.rows is not None else None
        for name in (*one.columns, *(rows.statement.columns if rows else ())):
            if table.column(name) is None:
                raise PackError(f"'{name}' is not a column of {table.name}", file=self.file, field=field, expected=", ".join(table.names()))
        key = (op, table.name, "" if rows is None else rows.statement.sql, *one.columns)
        return CompiledAllowance(op, table, rows, tuple(one.columns), key)

    def _target(self, one: Expectation | Allowance, field: str) -> tuple[str, Table]:
        op, name = one.target()
        if not op:
            raise PackError("names not exactly one of insert, update, delete", file=self.file, field=field, expected="one of them")
        table = self.world.schema.tables.get(name)
        if table is None:
            raise PackError(
                f"'{name}' is not a table", file=self.file, field=f"{field}.{op}", expected=", ".join(sorted(self.world.schema.tables))
            )
        return op, table


def _new(table: Table) -> str:
    """The matched rows as a table `new`, picked by key out of the state after."""
    ties = " AND ".join(f'w."{column}" IS (k.value ->> {n})' for n, column in enumerate(table.key))
    return f'new AS (SELECT w.* FROM json_each(:new_keys) k JOIN main."{table.name}" w ON {ties})'


def _words(sql: str) -> set[str]:
    """The words of a query that may be names, in lower case: what is quoted as a name counts, strings and comments don't."""
    bare = _QUIET.sub(lambda match: match.group(0) if match.group(0)[0] in '"`[' else " ", sql)
    return set(map(str.lower, _NAME.findall(bare)))
