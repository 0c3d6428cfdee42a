"""The places that may be written, put back as they were after each request.

Takes folders; `mark` remembers what is in them, `restore` makes them so again. Promises, once nothing writes there any
more: names, contents, links and kinds are those of the mark (not times, owners or modes). Other file systems mounted within
are left alone. Gives up, and says so, where a tree is too deep to be named or too large to be remembered.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

__all__ = ["Scratch"]

_MOST = 16 << 20


class Scratch:
    """Writable folders, and what was in them when they were marked."""

    def __init__(self, places: Sequence[str]) -> None:
        self.places = [place for place in places if os.path.isdir(place)]
        self._files: dict[str, tuple[tuple[int, ...], bytes]] = {}
        self._others: dict[str, str] = {}
        self.fault = ""

    def mark(self) -> None:
        """Remember what is there."""
        self._files, self._others, self.fault = {}, {}, ""
        total = 0
        for path, status in self._walk():
            if stat.S_ISREG(status.st_mode):
                total += status.st_size
                if total > _MOST:
                    self.fault = "more was written at import than is remembered"
                    return
                self._files[path] = (_identity(status), _content(path))
            else:
                self._others[path] = os.readlink(path) if stat.S_ISLNK(status.st_mode) else "folder" if stat.S_ISDIR(status.st_mode) else ""

    def restore(self) -> str:
        """Put it back; "" or why that can't be done."""
        if self.fault:
            return self.fault
        try:
            there = dict(self._walk())
            for path in sorted(there, reverse=True):
                if not self._belongs(path, there[path]):
                    _remove(path, there.pop(path))
            for path in sorted(self._others.keys() - there.keys()):
                _make(path, self._others[path])
            for path, (identity, content) in self._files.items():
                if path not in there or _identity(there[path]) != identity:
                    _write(path, content)
                    self._files[path] = (_identity(os.lstat(path)), content)
        except (OSError, RecursionError) as fault:
            return f"scratch can't be put back: {fault}"
        return ""

    def _belongs(self, path: str, status: os.stat_result) -> bool:
        if stat.S_ISREG(status.st_mode):
            return path in self._files
        if stat.S_ISLNK(status.st_mode):
            return path in self._others and os.readlink(path) == self._others[path]
        return self._others.get(path, "-") == ("folder" if stat.S_ISDIR(status.st_mode) else "")

    def _walk(self) -> Iterator[tuple[str, os.stat_result]]:
        """Everything in these places, folders before what is in them; the places themselves not."""
        for place in self.places:
            device = os.lstat(place).st_dev
            folders = [place]
            while folders:
                folder = folders.pop()
                for name in _names(folder):
                    path = f"{folder}/{name}"
                    status = os.lstat(path)
                    if status.st_dev != device:
                        continue
                    yield path, status
                    if stat.S_ISDIR(status.st_mode):
                        folders.append(path)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except PermissionError:
        os.chmod(folder, 0o700)
        return os.listdir(folder)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _remove(path: str, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        os.rmdir(path)
    else:
        os.unlink(path)


def _make(path: str, kind: str) -> None:
    if kind == "folder":
        os.mkdir(path)
    elif kind:
        os.symlink(kind, path)


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, content: bytes) -> None:
    """In place where the file is there, so that who holds it open still does."""
    try:
        target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except PermissionError:
        os.chmod(path, 0o600)
        target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        os.ftruncate(target, 0)
        os.write(target, content)
    finally:
        os.close(target)
