"""What happens by itself when the clock moves: which event comes next, and how much one move of the clock may do.

Takes compiled events; gives the next that is due. `due` is asked again after each event, since each may change what
follows, so a move has a budget of events, of rows read and of SQLite's steps. Raises WorldError when it is used up.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from worldwright.errors import BudgetSpent, WorldError
from worldwright.world.arguments import shown
from worldwright.world.records.connection import TOOL_STEPS, Connection
from worldwright.world.records.database import instant, rank
from worldwright.world.records.policy import Statement
from worldwright.world.spec import EventSpec

__all__ = ["MOST_DUE", "MOST_EVENTS", "Due", "Event", "Move", "is_settled"]

MOST_EVENTS = 1_000
"""The most events of one move."""
MOST_DUE = 5_000
"""The most rows that `due` may give."""
_ROWS = 2_000_000
_STEPS = 100_000_000


class Event(NamedTuple):
    """A compiled event."""

    spec: EventSpec
    due: Statement
    effect: tuple[Statement, ...]


class Due(msgspec.Struct, frozen=True):
    """An event that comes next: its place in the file, its key, and its time."""

    order: int
    key: Any
    at: str


class Asked(msgspec.Struct, frozen=True):
    """What an event's `due` gave, at these versions of the tables that it reads, and the steps that it took."""

    versions: tuple[int, ...]
    rows: list[tuple[Any, ...]]
    steps: int


class Coming(msgspec.Struct, frozen=True):
    """What comes next in a state of the rows, and what it cost to find it."""

    state: tuple[int, int]
    due: Due | None
    rows: int
    steps: int


class Known(msgspec.Struct):
    """What an episode's moves have found out: by event what was due, and what comes next."""

    due: dict[str, Asked]
    coming: Coming | None


_TIMELY = re.compile(
    r"/\*|--|\bnow\b|\bcurrent_(?:date|time|timestamp)\b|"
    r"\b(?:date|time|datetime|julianday|unixepoch|strftime|timediff)\b\W*\(",
    re.IGNORECASE,
)
"""What may tell the time in a query (or hide from this search that it does)."""


def is_settled(due: Statement, views: Sequence[str]) -> bool:
    """Whether what a query gives hangs on rows alone, as far as its text shows; where there are views it may hang on anything."""
    return not views and _TIMELY.search(due.sql) is None


class Move:
    """One move of the clock, with what is left of its budget. `settled`: what is due hangs on rows alone (see `is_settled`)."""

    def __init__(self, connection: Connection, events: Sequence[Event], settled: bool = False) -> None:
        self._connection, self._events, self._settled = connection, events, settled
        if connection.coming is None:
            connection.coming = Known({}, None)
        self._known: Known = connection.coming
        self.happened = 0
        self._rows, self._steps = _ROWS, _STEPS

    def run(self, statement: Statement, values: Mapping[str, Any], most: int | None = None) -> list[tuple[Any, ...]]:
        """The statement's rows, within what is left."""
        steps = min(TOOL_STEPS, self._steps)
        rows = self._connection.run(statement, values, steps, most)
        self._steps -= steps - self._connection.left()
        return rows

    def next(self, now: str, target: str, fired: Container[tuple[str, Any]]) -> Due | None:
        """The event that comes next until `target`, if there is one: by time, then place in the file, then key."""
        found = self._coming(now, fired)
        if found is None or found.at > target:
            return None
        self.happened += 1
        if self.happened > MOST_EVENTS:
            raise BudgetSpent(f"more than {MOST_EVENTS} events at once")
        return found

    def _coming(self, now: str, fired: Container[tuple[str, Any]]) -> Due | None:
        """The event that comes next, whenever that is. What is due by the rows alone isn't looked for again until one is written."""
        state = self._connection.state()
        known = self._known.coming
        if known is not None and known.state == state:
            self._spend(known.rows, known.steps)
            return known.due
        rows, steps = self._rows, self._steps
        found = self._looked_for(now, fired)
        if self._settled:
            self._known.coming = Coming(state, found, rows - self._rows, steps - self._steps)
        return found

    def _spend(self, rows: int, steps: int) -> None:
        """Take from the budget what looking again would cost, so that no result hangs on what is remembered."""
        if self._rows < rows or self._steps < steps:
            raise BudgetSpent("the events are due for too many keys")
        self._rows -= rows
        self._steps -= steps

    def _looked_for(self, now: str, fired: Container[tuple[str, Any]]) -> Due | None:
        best: tuple[Any, Due] | None = None
        for order, event in enumerate(self._events):
            name = event.spec.name
            for key, at in self._due(event, now):
                if key is None or at is None or (name, key) in fired:
                    continue
                when = instant(at)
                if when is None:
                    raise WorldError(f"the event '{name}' is due at {shown(at)}, which is no time")
                place = (when, order, rank(key))
                if best is None or place < best[0]:
                    best = place, Due(order, key, when)
        return None if best is None else best[1]

    def _due(self, event: Event, now: str) -> list[tuple[Any, ...]]:
        """What is due; not asked again while the tables that it reads hold the same rows."""
        tables = _read(event.due.reads) if self._settled else None
        if tables is None:
            return self._asked(event, now)
        versions = self._connection.version_of(tables)
        known = self._known.due.get(event.spec.name)
        if known is not None and known.versions == versions:
            self._spend(0, known.steps)
            return self._counted(event, known.rows)
        steps = self._steps
        rows = self._asked(event, now)
        self._known.due[event.spec.name] = Asked(versions, rows, steps - self._steps)
        return rows

    def _asked(self, event: Event, now: str) -> list[tuple[Any, ...]]:
        return self._counted(event, self.run(event.due, {"now": now}, MOST_DUE + 1))

    def _counted(self, event: Event, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        self._rows -= len(rows)
        if len(rows) > MOST_DUE or self._rows < 0:
            fewer = f"at most {MOST_DUE:,}, fewer where many happen at once"
            raise BudgetSpent(f"the event '{event.spec.name}' is due for too many keys ({fewer})")
        return rows


@functools.lru_cache(maxsize=1024)
def _read(reads: frozenset[tuple[str, str, str]]) -> tuple[str, ...] | None:
    """The tables of the state that a query reads, in lower case; None if it reads others, which are written without notice."""
    if any(database != "main" for database, _, _ in reads):
        return None
    return tuple(sorted({table.lower() for _, table, _ in reads}))
