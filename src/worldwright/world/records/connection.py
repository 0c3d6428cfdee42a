"""A connection that holds one episode's state: limits, step budgets, the world's clock, and the pool it comes from.

Reset is BEGIN ... ROLLBACK over the bytes of an image, which nobody ever writes; they are attached as the state before, too.
Another image costs little: what was prepared stays good. The authorizer is the same for a connection's whole life. After
every failure the transaction is looked at: if SQLite has ended it, the connection is never used again.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import apsw

from worldwright.errors import BudgetSpent, StateLost, UsageError
from worldwright.ledger import stepped
from worldwright.world.records.database import Database, is_denied
from worldwright.world.records.image import Image
from worldwright.world.records.pages import Pages
from worldwright.world.records.policy import EVIDENCE_SQL, Statement

__all__ = ["GRADE_STEPS", "TOOL_STEPS", "Connection", "Pool", "SqlFault", "Versions"]

TOOL_STEPS = 400_000
"""Step budget (SQLite VM operations) of one statement of a tool, event or rule."""
GRADE_STEPS = 4_000_000
"""Step budget of one query of a verifier or of `bind`."""

_EVERY = 1_000
_STATEMENTS = 512
"""How many statements stay prepared, the most that apsw allows: one is dropped once so many others were run since."""
_KEPT = 64
_TURN = 300
"""After so many runs the kept statements are used again; with what else is run that is well before they are dropped."""
_AMPLE = 1_000_000_000
_HEAP = 12 * 2**30
_ANY_TIME = "2000-01-01T00:00:00"
_PRAGMAS = frozenset({"table_xinfo", "table_info", "index_list", "index_xinfo"})

SqlFault = apsw.Error

Versions = tuple[int, dict[str, int]]
"""Numbers that tell contents of tables apart: by table, and that of all others."""


_ALLOWED = frozenset(
    {apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_RECURSIVE, apsw.SQLITE_TRANSACTION, apsw.SQLITE_SAVEPOINT},
)
_WRITES = frozenset({apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE})
_OK, _DENY = apsw.SQLITE_OK, apsw.SQLITE_DENY
_FUNCTION, _PRAGMA = apsw.SQLITE_FUNCTION, apsw.SQLITE_PRAGMA


def _authorize(action: int, one: str | None, two: str | None, database: str | None, _: str | None) -> int:
    """The one run-time policy; what each role may do was proven at load. The common case first: it is asked several times a statement."""
    if action in _ALLOWED:
        return _OK
    if action in _WRITES:
        return _DENY if database == "before" else _OK
    if action == _FUNCTION:
        return _DENY if is_denied(two or "") else _OK
    return _OK if action == _PRAGMA and one in _PRAGMAS else _DENY


class Connection:
    """One episode's database. `begin` before use, `end` after; `broken` once its transaction was lost."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        apsw.hard_heap_limit(_HEAP)
        self._main, self._before = Pages(), Pages()
        self._database = Database(_ANY_TIME, statements=_STATEMENTS, pages={"main": self._main, "before": self._before})
        self.db = self._database.db
        self.image: Image | None = None
        self.broken = False
        self.coming: Any = None
        """What a move of the clock found out about this state (see `events`)."""
        self._left = self._undone = 0
        self._kept: OrderedDict[str, tuple[None, ...]] = OrderedDict()
        """Texts that stay prepared, and for each one value more than it takes."""
        self._turn = _TURN
        self._writes = itertools.count(1)
        self._versions: Versions = 0, {}
        self.db.execute("PRAGMA foreign_keys = ON")
        self.db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # or a bound value may have the statement prepared anew
        for function, code in functions.items():
            self.db.create_scalar_function(function, code, deterministic=True)
        self.db.execute(EVIDENCE_SQL)
        self.db.execute("ATTACH ? AS before", (self._database.uri_of("before"),))
        self.db.authorizer = _authorize
        self.db.set_progress_handler(self._spend, _EVERY)

    def load(self, image: Image) -> None:
        """Take another image as the start state. Raises UsageError inside a transaction, even if it only reads."""
        if self.db.txn_state() != apsw.SQLITE_TXN_NONE:
            raise UsageError("a connection can't take another start state while it reads or writes one")
        self._main.put(image.data, image.layout)
        self._before.put(image.data, image.layout)
        self.image = image

    def begin(self, now: str) -> None:
        """Start an episode at this time."""
        self.set_clock(now)
        self._left, self.coming = GRADE_STEPS, None
        self.rewritten()
        self.db.execute("BEGIN")

    def end(self) -> None:
        """Drop everything that the episode did."""
        self._left = _AMPLE
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")
        else:
            self.broken = True

    def close(self) -> None:
        """Close for good."""
        self.broken = True
        self._database.close()

    def set_clock(self, now: str) -> None:
        """Let SQLite's 'now' be this ISO time."""
        self._database.set_clock(now)

    def savepoint(self, name: str, what: str = "SAVEPOINT") -> None:
        """SAVEPOINT, ROLLBACK TO or RELEASE, whatever is left of the step budget."""
        self._left = _AMPLE
        if what == "ROLLBACK TO":
            self._undone += 1
            self.rewritten()
        self.db.execute(f"{what} {name}", can_cache=False)

    def state(self) -> tuple[int, int]:
        """A pair that differs whenever a row may be another one, within one episode."""
        return self._undone, self.db.total_changes()

    def rewritten(self) -> None:
        """Note that any table may hold other rows now; needed by those who write through `db` themselves."""
        self._versions = next(self._writes), {}

    def version_of(self, tables: Iterable[str]) -> tuple[int, ...]:
        """Numbers that are the same only while these tables of the state (named in lower case) hold the same rows, within one episode."""
        every, some = self._versions
        return tuple(some.get(table, every) for table in tables)

    def versions(self) -> Versions:
        """What `went_back` takes."""
        every, some = self._versions
        return every, dict(some)

    def went_back(self, versions: Versions) -> None:
        """Note that all rows are again as they were at these `versions`; to be called after ROLLBACK TO."""
        self._versions = versions[0], dict(versions[1])

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """What is written inside stays only if all of it succeeds."""
        self.open_whole()
        try:
            yield
        except BaseException:
            self.undo_whole()
            raise
        self.keep_whole()

    def open_whole(self) -> None:
        """Begin what `keep_whole` keeps and `undo_whole` undoes: `all_or_nothing` for the path that every call takes."""
        self._left = _AMPLE
        self.db.execute("SAVEPOINT whole", can_cache=False)

    def keep_whole(self) -> None:
        """See `open_whole`."""
        self._left = _AMPLE
        self.db.execute("RELEASE whole", can_cache=False)

    def undo_whole(self) -> None:
        """See `open_whole`."""
        if not self.broken:
            self._left = _AMPLE
            self._undone += 1
            self.rewritten()
            self.db.execute("ROLLBACK TO whole", can_cache=False)
            self.db.execute("RELEASE whole", can_cache=False)

    def grant(self, steps: int) -> None:
        """Give the statements that follow this step budget; needed by those who use `db` themselves."""
        self._left = steps

    def left(self) -> int:
        """What the last statement left of its step budget, in thousands."""
        return max(0, self._left)

    def keep(self, statement: Statement) -> None:
        """Let the statement, which is run seldom and takes long to prepare, stay prepared."""
        self._kept[statement.sql] = (None,) * (len(statement.params) + 1)
        self._kept.move_to_end(statement.sql)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def _use_kept(self) -> None:
        """Use the kept statements without running them: with a value too many they are prepared, and that is all."""
        self._turn = _TURN
        execute = self.db.cursor().execute
        for sql, values in self._kept.items():
            try:
                execute(sql, values)
            except (apsw.Error, MemoryError):
                continue

    def run(
        self, statement: Statement, values: Mapping[str, Any], steps: int = TOOL_STEPS, most: int | None = None
    ) -> list[tuple[Any, ...]]:
        """The statement's rows (at most `most`), within a step budget.

        Raises BudgetSpent when the budget is used up and the state is still there, StateLost when it isn't, and
        apsw.Error for what SQLite refuses (state intact).
        """
        self._left = steps
        self._turn -= 1
        if not self._turn:
            self._use_kept()
        if statement.writes:
            self._note(statement)
        try:
            cursor = self.db.execute(statement.sql, values)
            if most is None:
                return cursor.fetchall()
            rows = list(itertools.islice(cursor, most))
            if len(rows) == most:
                cursor.close()
            return rows
        except apsw.InterruptError as fault:
            self._check(fault)
            raise BudgetSpent(f"a statement used more than {steps:,} steps") from fault
        except UnicodeDecodeError as fault:
            raise apsw.MismatchError("a text is not valid Unicode") from fault
        except (apsw.Error, OverflowError, MemoryError) as fault:
            self._check(fault)
            raise

    def _note(self, statement: Statement) -> None:
        """The tables that the statement may write hold other rows now."""
        if statement.spreads:
            self.rewritten()
            return
        version = next(self._writes)
        for table in _written(statement.writes):
            self._versions[1][table] = version

    def _check(self, fault: BaseException) -> None:
        """Worst hazard: outside the transaction the next write would stay in the image for ever."""
        if not self.db.in_transaction:
            self.broken = True
            raise StateLost(f"the transaction was ended: {fault}") from fault

    def _spend(self) -> bool:
        stepped(_EVERY)
        self._left -= _EVERY
        return self._left < 0


@functools.lru_cache(maxsize=4096)
def _written(writes: frozenset[tuple[str, str, str]]) -> frozenset[str]:
    return frozenset(table.lower() for _, table, _ in writes)


class Pool:
    """Idle connections of one world. Safe for threads; a connection is used by one episode at a time."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], keep: int = 8) -> None:
        self._functions = functions
        self._keep = keep
        self._idle: OrderedDict[int, Connection] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, image: Image) -> Connection:
        """A connection on this image, outside any transaction; one that had it last is preferred, then the one given back last."""
        with self._lock:
            chosen = next((number for number, one in reversed(self._idle.items()) if one.image is image), None)
            if chosen is None and self._idle:
                chosen = next(reversed(self._idle))
            connection = self._idle.pop(chosen) if chosen is not None else None
        if connection is None:
            connection = Connection(self._functions)
        try:
            if connection.image is not image:
                connection.load(image)
        except BaseException:
            connection.close()
            raise
        return connection

    def give(self, connection: Connection) -> None:
        """Take back a connection whose episode has ended."""
        if connection.db.in_transaction:
            raise UsageError("a connection was given back inside a transaction")
        with self._lock:
            if not connection.broken and len(self._idle) < self._keep:
                self._idle[id(connection)] = connection
                return
        connection.close()

    def close(self) -> None:
        """Close what is idle."""
        with self._lock:
            while self._idle:
                self._idle.popitem()[1].close()
