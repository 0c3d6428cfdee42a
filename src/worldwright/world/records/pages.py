"""Databases whose pages are bytes at hand: one connection, first over one start state and then over another.

Takes images; SQLite reads their pages as it would a file that somebody else has just replaced, so that what it has
prepared stays good as long as the schema lies in the same place. Nothing is ever written: an episode's pages stay in
memory until its ROLLBACK. Opens no file of the machine. To be used with `journal_mode` MEMORY and without spilling.
"""

from __future__ import annotations

import itertools

import apsw

__all__ = ["PageFile", "Pages"]

_generations = itertools.count(1)
_HEADER = 100
_PAGE = 4096


class Pages:
    """The pages that a database has now; none at first."""

    def __init__(self) -> None:
        self.data = self._first = b""

    def put(self, data: bytes, layout: int) -> None:
        """Take these from now on; only between transactions. `layout` says where the schema's tables lie, as a number of 32 bits.

        In the header, SQLite's change counter tells that the pages are others, and its schema cookie whether the layout is.
        """
        self.data = data
        if data:
            generation = next(_generations) % 2**32
            head = data[:24] + generation.to_bytes(4, "big") + data[28:40] + layout.to_bytes(4, "big") + data[44:_HEADER]
            self._first = head + data[_HEADER:_PAGE]

    def read(self, amount: int, offset: int) -> bytes:
        """So many bytes from there on; fewer at the end."""
        if offset < _HEADER:
            return (self._first if offset + amount <= _PAGE else self._first + self.data[_PAGE:])[offset : offset + amount]
        return self.data[offset : offset + amount]


class PageFile:
    """The pages as SQLite's file; there is nobody to be locked out."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name, as all below
        return self._pages.read(amount, offset)

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._pages.data)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        raise apsw.ReadOnlyError("a start state is never written")

    def xTruncate(self, size: int) -> None:  # noqa: N802
        raise apsw.ReadOnlyError("a start state is never written")

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Nothing to do."""

    def xLock(self, level: int) -> None:  # noqa: N802
        """Nothing to do."""

    def xUnlock(self, level: int) -> None:  # noqa: N802
        """Nothing to do."""

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, op: int, pointer: int) -> bool:  # noqa: N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return _PAGE

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0

    def xClose(self) -> None:  # noqa: N802
        """Nothing to do."""
