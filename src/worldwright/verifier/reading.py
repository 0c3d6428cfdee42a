"""Texts as checks read them: made plain once, scanned once, and at most so much of them in one grading.

Takes text that an agent may have written; gives a `Reading`. Promises bounded work whatever the text holds: one that is
longer than LONGEST or heaps up marks can't be read (`unread` says why), nor can the values of one with thousands of
figures, and one grading has so much work (BUDGET) and no more. What can be read doesn't depend on other gradings.
"""

from __future__ import annotations

import functools
import math
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from worldwright.verifier.compare import is_piled, loosened
from worldwright.verifier.ids import Piece, pieces_of

__all__ = ["BUDGET", "LONGEST", "Reading", "TextFault", "UnreadText", "one_grading", "read", "spend", "spent"]

LONGEST = 20_000
"""The most characters that a text may have, as it stands and when made plain, to be read."""
BUDGET = 4_000_000
"""The work that one grading may put into reading: enough for some three hundred letters of 3,000 characters."""
_FIGURE = 10
_TOO_LONG = f"it has more than {LONGEST:,} characters"


class TextFault(Exception):
    """A text check can't be carried out: a text can't be read, all of them are too much, or the check is not sound."""


class UnreadText(TextFault):
    """This one text can't be read."""


class Reading:
    """One text, read as far as is asked for. `unread` is why it can't be, or empty.

    `plain` has no differences of case, spacing and typography; in `spaced` dashes are set apart, so that words that a
    dash joins to an id are no part of it.
    """

    def __init__(self, text: str) -> None:
        self.plain = self.spaced = ""
        self.unread = _unread(text)
        if not self.unread:
            self.plain = loosened(text)
            self.spaced = loosened(text.replace("—", " - ")) if "—" in text else self.plain
        if max(len(self.plain), len(self.spaced)) > LONGEST:
            self.plain = self.spaced = ""
            self.unread = _TOO_LONG

    @functools.cached_property
    def values(self) -> tuple[tuple[str, Any], ...] | None:
        """What `scan` finds, or None if there are too many figures."""
        from worldwright.verifier.scan import MOST_FIGURES, scan  # its patterns take long to compile, and most worlds have no letters

        found = scan(self.spaced)
        spend(len(self.spaced) + _FIGURE * (MOST_FIGURES if found is None else len(found)))
        return found

    @functools.cached_property
    def pieces(self) -> list[Piece]:
        """The runs of letters and of digits in `spaced`."""
        spend(len(self.spaced))
        return pieces_of(self.spaced)


def _unread(text: str) -> str:
    """Why the text can't be read; some characters are many when made plain."""
    if len(text) > LONGEST:
        return _TOO_LONG
    if is_piled(text):
        return "it heaps up combining marks"
    many = not text.isascii() and len(unicodedata.normalize("NFKC", text)) > LONGEST
    return _TOO_LONG if many else ""


class _Desk:
    """The texts that one grading has read, and the work that is left to it."""

    def __init__(self, left: float) -> None:
        self.left = left
        self.kept: dict[str, Reading] = {}


_DESK: ContextVar[_Desk | None] = ContextVar("desk", default=None)


@contextmanager
def one_grading() -> Iterator[None]:
    """What is read inside shares one budget and is read once."""
    token = _DESK.set(_Desk(BUDGET))
    try:
        yield
    finally:
        _DESK.reset(token)


def read(text: str) -> Reading:
    """The text's reading. Raises TextFault when the grading has no work left."""
    desk = _DESK.get() or _Desk(math.inf)
    reading = desk.kept.get(text)
    if reading is None:
        spend(len(text) if len(text) <= LONGEST else 100)
        reading = desk.kept[text] = Reading(text)
        spend(len(reading.plain) if not reading.unread or len(text) > LONGEST else 5 * LONGEST)
    return reading


def spent() -> int:
    """What this grading has put into reading so far; 0 outside of one."""
    desk = _DESK.get()
    return 0 if desk is None else BUDGET - int(desk.left)


def spend(work: int) -> None:
    """Take this much from the grading's budget. Raises TextFault when it is used up."""
    desk = _DESK.get()
    if desk is not None:
        desk.left -= work
        if desk.left < 0:
            raise TextFault("the texts are too much to be read in one grading")
