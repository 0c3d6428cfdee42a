"""Opening somebody's SQLite file without leaving a trace in it or beside it, or saying in one line why it can't be read.

Takes a path; gives a connection that can only read. A file with changes that SQLite has not yet moved into it (a `-wal` or a
hot `-journal` beside it) is read from a private copy, so that the changes count and the original stays as it is. Work is
bounded by steps of SQLite's machine, never by a clock. Raises UsageError.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sqlite3
import tempfile
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from worldwright.errors import UsageError

__all__ = ["MOST_BYTES", "STEPS", "Opened", "opened", "quoted"]

MOST_BYTES = 4 * 2**30
"""The largest file that is read."""
STEPS = 400_000_000
"""Steps of SQLite's machine that one statement may take: some seconds."""
_CHECKED = 512 * 2**20
"""Files up to this size are checked page by page before anything is believed."""
_EVERY = 100_000
_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_WAL_VERSION = 2
_LOCKS, _LOCKED_BYTES = 0x40000002, 510
_DAMAGE = ("***", "Tree ", "Page ", "Freelist", "Main freelist", "database disk image")


def quoted(name: str) -> str:
    """A name as SQL takes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


class Opened:
    """A database that is open for reading: its connection, name, digest and size."""

    def __init__(self, db: sqlite3.Connection, path: Path, digest: str, size: int) -> None:
        self.db, self.path, self.digest, self.size = db, path, digest, size
        self._left = 0
        db.set_progress_handler(self._spend, _EVERY)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a statement; sqlite3.OperationalError if it takes more than STEPS."""
        self._left = STEPS
        return _asked(self.db, sql, values)

    def one(self, sql: str, *values: Any) -> Any:
        """The first value of the first row."""
        return self.rows(sql, *values)[0][0]

    def _spend(self) -> bool:
        self._left -= _EVERY
        return self._left < 0


def _asked(db: sqlite3.Connection, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows of a statement; an error whose own text can't be read is damage too."""
    try:
        return db.execute(sql, values).fetchall()
    except UnicodeDecodeError as fault:
        raise sqlite3.DatabaseError("malformed text in what the file declares") from fault


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """The database in a file. Raises UsageError, in one line, if it isn't one or can't be read."""
    size = _size(path)
    header = _header(path, size)
    _unlocked(path)
    with _readable(path, header) as (file, mode):
        db = sqlite3.connect(f"file:{urllib.parse.quote(str(file))}?{mode}", uri=True, timeout=0, isolation_level=None)
        try:
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            _begin(db, path)
            made = Opened(db, path, _digest(file), size)
            _whole(made)
            yield made
        except sqlite3.DatabaseError as fault:
            raise _told(path, fault) from fault
        finally:
            db.close()


def _size(path: Path) -> int:
    if path.is_dir():
        raise UsageError(f"{path}: a folder (expected a SQLite file)")
    if not path.exists():
        raise UsageError(f"{path}: not found (expected a SQLite file)")
    if not path.is_file():
        raise UsageError(f"{path}: not a plain file (expected a SQLite file)")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise UsageError(f"{path}: {size:,} bytes (expected at most {MOST_BYTES:,}; copy the tables that matter into a file of their own)")
    return size


def _header(path: Path, size: int) -> bytes:
    """The file's header. Raises UsageError if the bytes aren't a database, or not all of one."""
    if size == 0:
        raise UsageError(f"{path}: empty, 0 bytes (expected a SQLite file)")
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except PermissionError:
        raise UsageError(f"{path}: no permission to read it (expected a SQLite file)") from None
    if not header.startswith(_MAGIC):
        raise UsageError(f"{path}: not a SQLite database, it begins with {_looks(header)}")
    if len(header) < _HEADER:
        raise UsageError(f"{path}: truncated, {size} bytes are less than a header (expected the whole file; copy it again)")
    page = int.from_bytes(header[16:18], "big")
    page = 65536 if page == 1 else page
    pages = int.from_bytes(header[28:32], "big")
    is_counted = header[24:28] == header[92:96] and pages > 0
    if page < 512 or page & (page - 1):
        raise UsageError(f"{path}: damaged, its header states pages of {page} bytes (expected a power of two; take a backup)")
    if (is_counted and size < page * pages and not _beside(path, "-wal")) or size < page:
        whole = f"{page * pages:,}" if is_counted else f"at least {page:,}"
        raise UsageError(f"{path}: truncated, {size:,} of {whole} bytes are there (expected the whole file; copy it again)")
    return header


def _looks(header: bytes) -> str:
    """What the first bytes are, in words."""
    known = {
        b"PK": "a zip's signature (unpack it first)",
        b"\x1f\x8b": "gzip's signature (unpack it first)",
        b"** This file contains an SQLite 2": "the signature of SQLite 2 (convert it with sqlite 2's .dump)",
        b"DUCK": "DuckDB's signature",
        b"\x00\x01\x00\x00Standard": "the signature of Microsoft Access",
    }
    for start, text in known.items():
        if header.startswith(start) or header[8:12] == start:
            return f"{text} (expected a SQLite file)"
    if all(32 <= one < 127 or one in b"\r\n\t" for one in header):
        text = header[:24].decode("ascii").split("\n")[0].strip()
        hint = "; run a SQL script first: sqlite3 new.sqlite < FILE" if b"CREATE" in header.upper() or b"BEGIN" in header.upper() else ""
        return f"the text '{text}' (expected a SQLite file{hint})"
    return f"the bytes {header[:8].hex(' ')} (expected a SQLite file; an encrypted one must be decrypted first)"


def _beside(path: Path, ending: str) -> Path | None:
    """The file beside it with that ending, if it holds anything; beside what a link leads to, as SQLite has it."""
    real = path.resolve()
    beside = real.with_name(real.name + ending)
    return beside if beside.is_file() and beside.stat().st_size > 0 else None


def _unlocked(path: Path) -> None:
    """Raises UsageError if another process keeps readers out. Takes the lock of a reader for a moment, writes nothing."""
    with path.open("rb") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, _LOCKED_BYTES, _LOCKS)
        except OSError:
            raise _locked(path) from None
        fcntl.lockf(file, fcntl.LOCK_UN, _LOCKED_BYTES, _LOCKS)


def _locked(path: Path) -> UsageError:
    return UsageError(f"{path}: locked, another program is writing to it (expected a file at rest; close the program, or copy the file)")


@contextmanager
def _readable(path: Path, header: bytes) -> Iterator[tuple[Path, str]]:
    """Which file to open, and how: itself, or a private copy where changes lie beside it."""
    beside = [one for one in (_beside(path, "-wal"), _beside(path, "-journal")) if one is not None]
    if not beside:
        yield path, "immutable=1" if header[18] == _WAL_VERSION else "mode=ro"
        return
    with tempfile.TemporaryDirectory(prefix="worldwright-") as folder:
        copy = Path(folder) / path.resolve().name
        before = _stamps(path, *beside)
        shutil.copyfile(path, copy)
        for one in beside:
            shutil.copyfile(one, copy.with_name(one.name))
        if _stamps(path, *beside) != before:
            raise _locked(path)
        yield copy, "mode=rw"


def _stamps(*files: Path) -> list[tuple[int, int]]:
    try:
        return [(stat.st_size, stat.st_mtime_ns) for stat in (os.stat(one) for one in files)]
    except FileNotFoundError:
        return []


def _begin(db: sqlite3.Connection, path: Path) -> None:
    """A transaction from here on, so that all that is read belongs together."""
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA query_only = ON")
        db.execute("BEGIN")
        _asked(db, "SELECT count(*) FROM sqlite_master")
    except sqlite3.DatabaseError as fault:
        raise _told(path, fault) from fault


def _told(path: Path, fault: sqlite3.DatabaseError) -> Exception:
    """What SQLite says of a file, as a line for whoever gave it; what isn't the file's doing stays as it is."""
    text = str(fault).replace("\n", " ")
    if "locked" in text or "busy" in text:
        return _locked(path)
    if "not a database" in text:
        return UsageError(f"{path}: not a SQLite database, or an encrypted one (expected a SQLite file that opens without a key)")
    if text == "interrupted":
        return UsageError(f"{path}: a statement took more than {STEPS:,} steps (expected less; copy the tables that matter into a file)")
    if "no such" in text:
        return UsageError(f"{path}: can't be read here, SQLite says '{text}' (expected a file that needs no extension)")
    if any(word in text for word in ("malformed", "disk", "corrupt", "unable to open", "***", "Tree ", "Page ", "Freelist", "unsupported")):
        return UsageError(f"{path}: damaged, SQLite says '{text}' (expected a whole file; copy it again, or mend it with .recover)")
    return fault


def _digest(file: Path) -> str:
    total = hashlib.sha256()
    with file.open("rb") as source:
        while part := source.read(1 << 20):
            total.update(part)
    return total.hexdigest()


def _whole(made: Opened) -> None:
    """Raises UsageError if pages are damaged; rows that break a CHECK or NOT NULL are no damage."""
    if made.size > _CHECKED:
        return
    said: list[tuple[Any, ...]] = []
    with suppress(sqlite3.OperationalError):  # a function, collation or module that isn't here, or too many steps
        said = made.rows("PRAGMA quick_check(50)")
    for (text,) in said:
        if str(text).startswith(_DAMAGE):
            raise _told(made.path, sqlite3.DatabaseError(str(text).replace("\n", " ")))
