"""What a records episode leaves for grading: its calls, messages, answer and changes, and queries over all of them.

Takes an episode that has ended; the evidence lives until the episode is closed. Evidence tables are filled when a
query first reads one, whole or not at all. Promises that nothing an agent said or sent, however long or odd, keeps a
query from running: what can't be kept is replaced by a mark.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from worldwright.world.protocol import CallRecord, Message, RowChange
from worldwright.world.records.connection import GRADE_STEPS, Connection
from worldwright.world.records.policy import Statement

if TYPE_CHECKING:
    from worldwright.world.records.episode import RecordsEpisode

__all__ = ["LONGEST", "Found", "RecordsEvidence", "as_json", "reads_answer"]

LONGEST = 1_000_000
"""The most characters of one value that is kept or returned."""
_READS_TEXTS = "states"
"""In the name of each function that spends the budget of one grading: what it gives is asked for each time."""
_UNRECORDABLE = '{"unrecordable": true}'
_ENCODER = msgspec.json.Encoder()

Asked = tuple[str, int | None, tuple[tuple[type, Any], ...]]
"""A question: its text, most rows, and its parameters' types and values."""


class Found(msgspec.Struct, frozen=True):
    """What was found out about an end within so many `steps` a query, `used` of them."""

    value: Any
    steps: int
    used: int
    work: int = 0
    """What it took beside, in whatever unit who found it counts."""

    def holds(self, steps: int) -> bool:
        """Whether it would have been found within so many steps, too: they are counted in thousands, from anywhere within one."""
        return steps >= self.steps or self.used + _COARSE <= steps


_COARSE = 2_000


class RecordsEvidence:
    """What an episode leaves. Queries run on the episode's own state; nothing can be written any more."""

    def __init__(self, episode: RecordsEpisode, answer: Mapping[str, Any] | None, changes: Sequence[RowChange] | None = None) -> None:
        self.episode = episode
        self._loaded: set[str] = set()
        self._changes = changes
        self._rows: dict[Asked, Found] = {}
        """What was asked already: whatever the answer is, and with this answer."""
        self._rows_answered: dict[Asked, Found] = {}
        self.known: dict[Any, dict[Any, Found]] = {}
        """What gradings found out, by their own keys: whatever the answer is, and with this answer."""
        self.known_answered: dict[Any, dict[Any, Found]] = {}
        self.steps = GRADE_STEPS
        """Steps of SQLite's machine that a query may take."""
        self.used = 0
        """The most that a query took, in thousands, since somebody set this to 0."""
        self.answer = answer
        self.calls: Sequence[CallRecord] = tuple(episode.calls)
        self.messages: Sequence[Message] = tuple(episode.messages)
        self.started, self.ended = episode.world.spec.start(), episode.now()
        self.params = episode.params
        self.lost = episode.lost
        self.touched = bool(episode.calls) or answer is not None

    @property
    def changes(self) -> Sequence[RowChange]:
        """Net changes by row."""
        if self._changes is None:
            self._changes = self.episode.changes.rows()
        return self._changes

    def answered(self, answer: Mapping[str, Any] | None) -> RecordsEvidence:
        """The evidence if this had been the answer. This one must not be asked any more, since both stand on one state."""
        other = copy.copy(self)
        other.answer, other._rows_answered, other.known_answered = answer, {}, {}
        other.touched = bool(self.calls) or answer is not None
        if "answer" in self._loaded:
            self.episode.connection.grant(1_000_000_000)
            self.episode.connection.db.execute("DELETE FROM temp.answer")
            self._loaded.discard("answer")
        return other

    def run(self, statement: Statement, values: Mapping[str, Any], most: int | None = None) -> list[tuple[Any, ...]]:
        """Rows of a proven verifier query, not to be changed: who asks the same again gets the same list.

        Raises BudgetSpent, StateLost or apsw.Error.
        """
        connection = self.episode.connection
        asked = self._asked(statement, values, most)
        if asked is None:
            rows = self._run(connection, statement, values, most)
            self.used = max(self.used, self.steps - connection.left())
            return rows
        kept = self._rows_answered if reads_answer(statement) else self._rows
        found = kept.get(asked)
        if found is None or not found.holds(self.steps):
            rows = self._run(connection, statement, values, most)
            found = kept[asked] = Found(rows, self.steps, self.steps - connection.left())
        self.used = max(self.used, found.used)
        return found.value  # type: ignore[no-any-return]

    def _asked(self, statement: Statement, values: Mapping[str, Any], most: int | None) -> Asked | None:
        """What tells one question about this end from another; None if it has to be asked each time."""
        if _READS_TEXTS in statement.sql:
            return None
        if not all(name in values for name in statement.params):
            return None
        return statement.sql, most, tuple((values[name].__class__, values[name]) for name in statement.params)

    def _run(self, connection: Connection, statement: Statement, values: Mapping[str, Any], most: int | None) -> list[tuple[Any, ...]]:
        for table in _tables_of(statement.reads):
            if table not in self._loaded:
                insert, rows = _TABLES[table]
                connection.grant(1_000_000_000)
                connection.db.executemany(insert, rows(self))
                self._loaded.add(table)
        connection.keep(statement)
        return connection.run(statement, values, steps=self.steps, most=most)


def _calls(evidence: RecordsEvidence) -> list[tuple[Any, ...]]:
    return [(c.n, c.at, c.tool, c.args, int(c.ok), c.result, c.error) for c in evidence.calls]


def _changes(evidence: RecordsEvidence) -> list[tuple[Any, ...]]:
    rows = []
    for change in evidence.changes:
        key = as_json([value.hex() if isinstance(value, bytes) else value for value in change.key])
        for column in dict.fromkeys((*change.old, *change.new)):
            by = change.by if change.op == "delete" else "agent" if column in change.agent else "world"
            rows.append((change.table, change.op, key, column, change.old.get(column), change.new.get(column), by))
    return rows


def _answer(evidence: RecordsEvidence) -> list[tuple[Any, ...]]:
    given = evidence.answer if isinstance(evidence.answer, Mapping) else {}
    return [(_text(str(field)), _scalar(value)) for field, value in given.items()]


_TABLES: Mapping[str, tuple[str, Callable[[RecordsEvidence], list[tuple[Any, ...]]]]] = {
    "calls": ("INSERT INTO temp.calls VALUES (?, ?, ?, ?, ?, ?, ?)", _calls),
    "changes": ("INSERT INTO temp.changes (table_name, op, key, column_name, old, new, by) VALUES (?, ?, ?, ?, ?, ?, ?)", _changes),
    "answer": ("INSERT INTO temp.answer VALUES (?, ?)", _answer),
}


def reads_answer(statement: Statement) -> bool:
    """Whether the statement's rows depend on the answer."""
    return "answer" in _tables_of(statement.reads)


@functools.lru_cache(maxsize=4096)
def _tables_of(reads: frozenset[tuple[str, str, str]]) -> tuple[str, ...]:
    """The evidence tables among what a statement reads that are filled when they are first read."""
    return tuple(sorted({table for database, table, _ in reads if database == "temp" and table in _TABLES}))


def _scalar(value: Any) -> Any:
    """A value of the answer as SQL holds it; lists and objects as JSON text."""
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, float) or (isinstance(value, int) and -(2**63) <= value < 2**63):
        return value
    return as_json(value)


def _text(value: str) -> str:
    if len(value) > LONGEST:
        return _UNRECORDABLE
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()


def as_json(value: Any) -> str:
    """JSON text of what an agent sent or got; never fails, never longer than LONGEST."""
    try:
        text = _ENCODER.encode(value).decode()
    except (TypeError, ValueError, RecursionError, OverflowError):
        return _UNRECORDABLE
    return text if len(text) <= LONGEST else _UNRECORDABLE
