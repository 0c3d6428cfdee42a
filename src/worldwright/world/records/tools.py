"""A world's own tools, compiled: arguments checked, statements proven, failures turned into words for the agent.

Takes ToolSpecs; gives callables over a connection. A tool either reads, or writes all or nothing. What the agent did
wrong is a ToolRefusal; BudgetSpent and StateLost pass through to the episode.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import apsw
import msgspec

from worldwright import templates
from worldwright.errors import BudgetSpent, PackError, TemplateFault
from worldwright.world.arguments import Validator, compile_arguments
from worldwright.world.protocol import ToolDoc
from worldwright.world.records.changes import Named
from worldwright.world.records.connection import TOOL_STEPS, Connection
from worldwright.world.records.evidence import LONGEST
from worldwright.world.records.policy import Statement, Workbench
from worldwright.world.records.schema import NAME
from worldwright.world.spec import ToolSpec

__all__ = ["MAX_ROWS", "Tool", "ToolRefusal", "compile_tool", "in_words", "inserts"]

MAX_ROWS = 500
"""The most rows that one call returns."""


_ENCODER = msgspec.json.Encoder()
Rows = list[tuple[Any, ...]]


_TOO_BROAD = "The request is too broad to be answered. Narrow it."


class Outcome(NamedTuple):
    """What a call gives, and the same as JSON text."""

    value: Any
    text: str


class ToolRefusal(Exception):
    """The call is refused, with the text that the agent sees."""


class Tool:
    """One compiled tool."""

    def __init__(
        self,
        name: str,
        spec: ToolSpec,
        validate: Validator,
        require: list[tuple[Statement, str]],
        effect: list[Statement],
        result: Statement | None,
    ) -> None:
        self.name, self.spec, self.validate = name, spec, validate
        self.require, self.effect, self.result = require, effect, result
        self.named: Named = frozenset((table, column) for one in effect for _, table, column in one.direct)
        """What its statements name as written; a column "" stands for whole rows."""
        self.many, self.make = spec.rows is not None, _maker(result.columns if result else ())
        self.inserts = inserts(effect)
        self.spreads = any(one.spreads for one in effect)
        self.doc = ToolDoc(name, spec.doc, dict(spec.args), writes=bool(spec.effect))

    def statements(self) -> list[Statement]:
        """All statements, in the order they may run."""
        return [one for one, _ in self.require] + self.effect + ([self.result] if self.result else [])

    def run(self, connection: Connection, values: Mapping[str, Any]) -> Outcome:
        """Do it. Raises ToolRefusal; nothing has changed then."""
        self._requirements(connection, values)
        if not self.effect:
            return self._value(connection, values)
        connection.open_whole()
        try:
            connection.db.set_last_insert_rowid(0)
            for statement in self.effect:
                connection.run(statement, values)
            outcome = self._value(connection, values) if self.result else Outcome({"done": True}, '{"done":true}')
        except BaseException:
            connection.undo_whole()
            raise
        connection.keep_whole()
        return outcome

    def _requirements(self, connection: Connection, values: Mapping[str, Any]) -> None:
        for statement, otherwise in self.require:
            if not self._rows(connection, statement, values, 1):
                raise ToolRefusal(self._words(otherwise, values))

    def _value(self, connection: Connection, values: Mapping[str, Any]) -> Outcome:
        statement = self.result
        assert statement is not None
        try:
            rows = connection.run(statement, values, TOOL_STEPS, MAX_ROWS + 1)
        except BudgetSpent:
            raise ToolRefusal(_TOO_BROAD) from None
        if self.many:
            if len(rows) > MAX_ROWS:
                raise ToolRefusal(f"More than {MAX_ROWS} records match. Narrow the request or ask for a page.")
            return _short(_dicts(self.make, rows))
        if not rows:
            if self.effect and self.spec.missing is None:
                return Outcome({"done": True}, '{"done":true}')
            raise ToolRefusal(self._words(self.spec.missing or "Nothing was found.", values))
        return _short(_dicts(self.make, rows)[0])

    def _rows(self, connection: Connection, statement: Statement, values: Mapping[str, Any], most: int) -> list[tuple[Any, ...]]:
        try:
            return connection.run(statement, values, most=most)
        except BudgetSpent:
            raise ToolRefusal(_TOO_BROAD) from None

    def _words(self, text: str, values: Mapping[str, Any]) -> str:
        try:
            return templates.render(text, values)
        except TemplateFault:
            return "The request was refused."


def inserts(statements: Iterable[Statement]) -> frozenset[str]:
    """The tables into which these insert, triggers included."""
    return frozenset(table for one in statements for op, table, _ in one.writes if op == "insert")


@functools.cache
def _maker(names: tuple[str, ...]) -> Callable[[Rows], list[dict[str, Any]]]:
    """A function from rows to dicts with these keys, as a dict display: four times as fast as dict(zip(...))."""
    cells = ", ".join(f"{name!r}: v{n}" for n, name in enumerate(names))
    row = "".join(f"v{n}, " for n in range(len(names)))
    made: Callable[[Rows], list[dict[str, Any]]] = eval(f"lambda rows: [{{{cells}}} for ({row}) in rows]", {"__builtins__": {}})
    return made


def _dicts(make: Callable[[Rows], list[dict[str, Any]]], rows: Rows) -> list[dict[str, Any]]:
    """Rows as an agent sees them: JSON's own values."""
    if not _UNEASY.isdisjoint(map(type, itertools.chain.from_iterable(rows))):
        rows = [tuple(map(_json, row)) for row in rows]
    return make(rows)


_UNEASY = frozenset({bytes, float})
"""Types that JSON doesn't have, or not all of."""


def _json(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _short(value: Any) -> Outcome:
    """The value with its JSON text, unless it is too long to be returned."""
    text = _ENCODER.encode(value)
    if len(text) > LONGEST:
        raise ToolRefusal(f"The result is too long ({len(text):,} characters). Narrow the request.")
    return Outcome(value, text.decode())


def compile_tool(name: str, spec: ToolSpec, bench: Workbench, file: str) -> Tool:
    """Check and prove a tool. Raises PackError."""
    field = f"tools.{name}"
    if (spec.rows is None) == (spec.row is None) and not (spec.effect and spec.rows is None and spec.row is None):
        raise PackError("a tool has either rows or row (a write may have neither)", file=file, field=field)
    _check_names(name, spec, file)
    validate = compile_arguments(name, spec.args, file)
    names = frozenset(spec.args) | {"now"}

    def prove(sql: str, role: str, part: str) -> Statement:
        return bench.prove(sql, role, params=names, file=file, field=f"{field}.{part}")

    require = [(prove(one.that, "read", f"require[{n}].that"), one.otherwise) for n, one in enumerate(spec.require)]
    effect = [prove(sql, "write", f"effect[{n}]") for n, sql in enumerate(spec.effect)]
    text = spec.rows if spec.rows is not None else spec.row
    result = prove(text, "result" if effect else "read", "rows" if spec.rows is not None else "row") if text is not None else None
    if result is not None and (not result.columns or len(set(result.columns)) < len(result.columns)):
        raise PackError("the result has two columns of one name, or none", file=file, field=field, expected="each column once (use AS)")
    for part, template in [(f"require[{n}].otherwise", one.otherwise) for n, one in enumerate(spec.require)] + [
        ("missing", spec.missing or "")
    ]:
        for unknown in sorted(templates.names_in(template, file=file, field=f"{field}.{part}") - names):
            raise PackError(
                f"the name '{unknown}' is undefined here", file=file, field=f"{field}.{part}", expected=", ".join(sorted(names))
            )
    return Tool(name, spec, validate, require, effect, result)


def _check_names(name: str, spec: ToolSpec, file: str) -> None:
    field = f"tools.{name}"
    for word in (name, *spec.args):
        if not NAME.match(word):
            raise PackError(f"got the name '{word}'", file=file, field=field, expected="letters, digits and _, not beginning with a digit")
    if "now" in spec.args:
        raise PackError("the argument name 'now' is taken by the clock", file=file, field=f"{field}.args.now")
    for arg, one in spec.args.items():
        if one.type == "object":
            raise PackError(
                "a tool's argument can't be an object", file=file, field=f"{field}.args.{arg}", expected="another type, or a list"
            )


def in_words(fault: BaseException) -> str:
    """What SQLite refused, in the words of a professional system."""
    text = str(fault)
    for pattern, words in _WORDS:
        found = re.search(pattern, text)
        if found:
            return words.format(*(_human(group) for group in found.groups()))
    if isinstance(fault, apsw.ConstraintError):
        return f"{text[:1].upper()}{text[1:300]}"
    return "The request could not be carried out."


def _human(name: str) -> str:
    """`credits.rental_id, credits.day` as `rental id, day`."""
    parts = [part.strip().rsplit(".", 1)[-1].replace("_", " ") for part in name.split(",")]
    return ", ".join(parts)[:200]


_WORDS: tuple[tuple[str, str], ...] = (
    (r"UNIQUE constraint failed: (.+)", "There is already a record with the same {0}."),
    (r"NOT NULL constraint failed: (.+)", "A value for {0} is required."),
    (r"FOREIGN KEY constraint failed", "The request refers to a record that doesn't exist, or removes one that others refer to."),
    (r"CHECK constraint failed: (.+)", "The record would break a rule of the system: {0}."),
    (r"LIKE or GLOB pattern too complex", "The text to look for is too long."),
    (r"string or blob too big", "The text is too long."),
    (r"too large|overflow", "A number is too large."),
)
