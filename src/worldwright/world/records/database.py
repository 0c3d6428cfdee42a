"""SQLite as a world needs it: the world's clock, strict quoting, limits, and nothing that reaches outside.

Takes a time; gives a private in-memory database whose 'now' is that time until `set_clock`. Text in double quotes is
always a name, so a misspelt column is an error and never a text. `declaring` and `reading` are the authorizers for
the texts of a pack that run while a world is built: the first creates objects, the second only looks.
Doesn't protect against one operation that is slow in itself; step budgets are set by whoever runs statements.
"""

from __future__ import annotations

import datetime
import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import apsw

from worldwright.world.records.pages import PageFile, Pages

__all__ = ["Database", "bare", "declaring", "instant", "is_denied", "later", "literals", "rank", "reading"]

_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
_EPOCH = datetime.datetime(1970, 1, 1)
_JULIAN_EPOCH_MS = 210_866_760_000_000
_BUILD_STEPS = 40_000_000
_EVERY = 10_000
_LONGEST_MOMENT = 40
_numbers = itertools.count()

_LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: 8_000_000,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 200_000,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 60,
    apsw.SQLITE_LIMIT_VDBE_OP: 50_000,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 2_100,
    apsw.SQLITE_LIMIT_COLUMN: 500,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 16,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 400,
    apsw.SQLITE_LIMIT_ATTACHED: 2,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_DENIED = frozenset({"random", "randomblob", "changes", "total_changes", "load_extension", "fts3_tokenizer", "fts5_source_id"})
_TOKEN = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\[[^\]]*\]", re.DOTALL)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?)?\Z", re.ASCII)


class _Clock(apsw.VFS):
    """SQLite's 'now' for one database, and the pages of those that aren't made anew; opens nothing else."""

    def __init__(self, name: str, pages: Mapping[str, Pages]) -> None:
        super().__init__(name, base="")
        self.ms = _JULIAN_EPOCH_MS
        self._pages = pages

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802 - SQLite's name
        found = self._pages.get(name.filename() if isinstance(name, apsw.URIFilename) else str(name))
        if found is None:
            raise apsw.CantOpenError(f"{name}: no such database here")
        return PageFile(found)

    def xFullPathname(self, name: str) -> str:  # noqa: N802 - SQLite's name
        return name

    def xAccess(self, path: str, flags: int) -> bool:  # noqa: N802 - SQLite's name
        return False

    def xCurrentTime(self) -> float:  # noqa: N802 - SQLite's name
        return self.ms / 86_400_000

    def xCurrentTimeInt64(self) -> int:  # noqa: N802 - SQLite's name
        return self.ms


class Database:
    """One private connection; `close` it when done.

    Its database is an empty one in memory; or, where there are `pages`, those named "main", and what else they name can be
    attached by the URI that `uri_of` gives.
    """

    def __init__(self, now: str, statements: int = 64, pages: Mapping[str, Pages] | None = None) -> None:
        self.name = f"worldwright-{next(_numbers)}"
        self._vfs = _Clock(self.name, pages or {})
        self.set_clock(now)
        what = "main" if pages else ":memory:"
        self.db = apsw.Connection(what, flags=_FLAGS, vfs=self.name, statementcachesize=statements)
        for limit, value in _LIMITS.items():
            self.db.limit(limit, value)
        self.db.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
        self.db.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        self.db.execute("PRAGMA temp_store = MEMORY")
        self.db.execute("PRAGMA recursive_triggers = OFF")
        if pages:
            self.db.execute("PRAGMA main.journal_mode = MEMORY")
            self.db.execute("PRAGMA cache_spill = OFF")

    def uri_of(self, name: str) -> str:
        """The URI under which other pages of this database can be attached, to be read."""
        return f"file:{name}?mode=ro&vfs={self.name}"

    def set_clock(self, now: str) -> None:
        """Let 'now' be this ISO time."""
        self._vfs.ms = _JULIAN_EPOCH_MS + _milliseconds(now)

    def close(self) -> None:
        """Close for good; safe to call twice."""
        self.db.close()
        self._vfs.unregister()


def is_denied(function: str) -> bool:
    """Whether no text of a pack may call it: chance, the machine, or what outlives a rollback."""
    name = function.lower()
    return name in _DENIED or name.startswith("sqlite_")


@contextmanager
def declaring(db: apsw.Connection) -> Iterator[None]:
    """Inside, only tables, indices, triggers and views may be created."""
    with _guarded(db, _DECLARING, owned=True):
        yield


@contextmanager
def reading(db: apsw.Connection) -> Iterator[None]:
    """Inside, only SELECT is possible, within a step budget."""
    with _guarded(db, _READING, owned=False):
        yield


_READING = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_RECURSIVE})
_DECLARING = _READING | {
    apsw.SQLITE_CREATE_TABLE,
    apsw.SQLITE_CREATE_INDEX,
    apsw.SQLITE_CREATE_TRIGGER,
    apsw.SQLITE_CREATE_VIEW,
    apsw.SQLITE_REINDEX,
}
_OWN = frozenset({apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE})


@contextmanager
def _guarded(db: apsw.Connection, allowed: frozenset[int], *, owned: bool) -> Iterator[None]:
    """`owned`: SQLite's own tables may be written, as CREATE does. What was refused is in the error's text."""
    left, refused = _BUILD_STEPS, ""

    def authorize(action: int, one: str | None, two: str | None, database: str | None, _: str | None) -> int:
        nonlocal refused
        fine = action in allowed or (owned and action in _OWN and str(one).startswith("sqlite_"))
        if action == apsw.SQLITE_FUNCTION:
            fine = not is_denied(str(two))
        if database == "temp":
            fine = False
        if not fine and not refused:
            refused = (
                f"{str(apsw.mapping_authorizer_function[action]).removeprefix('SQLITE_').replace('_', ' ')} {two or one or ''}".strip()
            )
        return apsw.SQLITE_OK if fine else apsw.SQLITE_DENY

    def spend() -> bool:
        nonlocal left
        left -= _EVERY
        return left < 0

    db.authorizer = authorize
    db.set_progress_handler(spend, _EVERY)
    try:
        yield
    except apsw.AuthError as fault:
        raise apsw.AuthError(f"{refused or fault} is not allowed here") from fault
    finally:
        db.authorizer = None
        db.set_progress_handler(None)


def bare(sql: str) -> str:
    """The text with comments, quoted text and quoted names blanked, lines kept."""
    return _TOKEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group(0)), sql)


def literals(sql: str) -> list[str]:
    """The texts in single quotes, lower case, quotes included."""
    return [found.group(0).lower() for found in _TOKEN.finditer(sql) if found.group(0).startswith("'")]


def instant(value: object) -> str | None:
    """An ISO date or time without a zone as `YYYY-MM-DDTHH:MM:SS` (a date is its midnight), or None."""
    return _instant(value) if isinstance(value, str) and len(value) <= _LONGEST_MOMENT else None


@functools.lru_cache(maxsize=4096)
def _instant(value: str) -> str | None:
    if not _MOMENT.match(value):
        return None
    try:
        return datetime.datetime.fromisoformat(value).replace(microsecond=0).isoformat()
    except ValueError:
        return None


@functools.lru_cache(maxsize=4096)
def _milliseconds(moment: str) -> int:
    """From 1970 to this ISO time."""
    return (datetime.datetime.fromisoformat(moment) - _EPOCH) // datetime.timedelta(milliseconds=1)


def rank(value: object) -> tuple[int, Any]:
    """A key under which SQL values sort as SQLite sorts them: NULL, numbers, texts, blobs."""
    if value is None:
        return 0, 0
    return (1 if isinstance(value, (int, float)) else 2 if isinstance(value, str) else 3), value


@functools.lru_cache(maxsize=4096)
def later(now: str, seconds: int) -> str:
    """`now` and so many seconds, at most the end of the year 9999."""
    try:
        return (datetime.datetime.fromisoformat(now) + datetime.timedelta(seconds=seconds)).isoformat()
    except OverflowError:
        return datetime.datetime.max.replace(microsecond=0).isoformat()
