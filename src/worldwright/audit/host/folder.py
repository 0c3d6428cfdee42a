"""The episode's folder: what is in it, and what an agent does there.

Takes the folder's path; gives its files as text, and writes, deletes or keeps writing on the agent's behalf. Promises that no
such act leaves the folder, by its path or by a link (ValueError says so), and that only plain files are read. Doesn't
limit what the environment itself does.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import os
import signal
import stat
import time

__all__ = ["MOST", "Keeper", "delete", "files", "write"]

MOST = 1_000_000
"""The most bytes read, of all files together."""
_PAUSE = 0.002
_NAP = time.sleep


def files(folder: str) -> tuple[dict[str, str], int]:
    """Every file by its relative path, in order, and how many are left out for their size.

    Text as UTF-8, or as latin-1 where it isn't that; a link as "-> TARGET", not followed; other kinds as "".
    """
    found: dict[str, str] = {}
    left, out = MOST, 0
    for path in sorted(_paths(folder)):
        status = os.lstat(path)
        name = os.path.relpath(path, folder)
        if stat.S_ISLNK(status.st_mode):
            found[name] = f"-> {os.readlink(path)}"
        elif not stat.S_ISREG(status.st_mode):
            found[name] = ""
        elif status.st_size > left:
            out += 1
        else:
            found[name] = _text(path, left)
            left -= status.st_size
    return found, out


def _paths(folder: str) -> list[str]:
    paths = []
    for root, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(root, name))]
        paths += [os.path.join(root, name) for name in (*names, *links)]
    return paths


def _text(path: str, most: int) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read(most)
    except PermissionError:
        return ""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _place(folder: str, name: str) -> str:
    """The path of a file in the folder. Raises ValueError for one outside."""
    if not isinstance(name, str) or not name or "\0" in name:
        raise ValueError(f"{name!r} is no file's name")
    path = os.path.normpath(os.path.join(folder, name))
    home = os.path.realpath(folder)
    parent = os.path.realpath(os.path.dirname(path))
    if os.path.isabs(name) or path == os.path.normpath(folder) or not (parent == home or parent.startswith(f"{home}/")):
        raise ValueError(f"{name} lies outside the folder")
    return os.path.join(parent, os.path.basename(path))


def write(folder: str, name: str, text: str) -> None:
    """Write a file, and the folders it needs. Raises ValueError for a path outside, OSError as writing does."""
    path = _place(folder, name)
    if os.path.islink(path):
        os.unlink(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))


def delete(folder: str, name: str) -> None:
    """Delete a file. Raises ValueError for a path outside, OSError as deleting does."""
    os.unlink(_place(folder, name))


class Keeper:
    """A process of the agent's that goes on writing a file, every few milliseconds, until it is ended."""

    def __init__(self, folder: str, name: str, text: str) -> None:
        write(folder, name, text)
        self._path, self._content = _place(folder, name), text.encode("utf-8", "surrogatepass")
        self._child = os.fork()
        if self._child == 0:
            try:
                self._go_on()
            finally:
                os._exit(0)

    def _go_on(self) -> None:
        os.closerange(3, 1024)  # what the environment holds open or locked is not this process's
        while True:
            try:
                file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o644)
                os.pwrite(file, self._content, 0)
                os.ftruncate(file, len(self._content))
                os.close(file)
            except OSError:
                pass  # its folder may be gone for a while
            _NAP(_PAUSE)

    def end(self) -> None:
        """End it."""
        try:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass  # the environment has ended and reaped it
