"""Which ids a text names, given the ids that are known: B-10432, also written B10432, B 10432 or b-10432.

An id is taken apart into letters and digits; what stands between them doesn't count. Ids of one shape have the same
letters and any digits. A word and a number are an id only where the known ids begin with that very word: "clause 3" is
none. Written without a sign between (B10432, B 10432), only as many digits as a known id has make an id of its shape.
Takes pieces in order, each looked at once for every id that may begin there: time grows with the text's length alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

__all__ = ["Ids", "Piece", "pieces_of"]

Piece = tuple[str, int, int]
"""A run of letters or of digits, with its start and end."""
Parts = tuple[str, ...]

_PIECE = re.compile(r"[^\W\d_]++|\d++")
_SIGNS = frozenset({"-", "/", "_", "#"})
_BETWEEN = frozenset({"", " ", ".", ":", ". ", ": ", " #", " - ", "- ", " -", " / "}) | _SIGNS
_MOST_PIECES = 40
_END = ""


def pieces_of(plain: str) -> list[Piece]:
    """The text's runs of letters and of digits."""
    return [(match.group(0), *match.span()) for match in _PIECE.finditer(plain)]


class Ids:
    """The ids that are known, ready to be looked for. `plain` texts, as `loosened` makes them."""

    def __init__(self, known: Iterable[str]) -> None:
        self.known: dict[Parts, str] = {}
        self._tree: dict[str, Any] = {}
        self._lengths: set[tuple[Parts, Parts]] = set()
        for text in known:
            parts = self.parts(text)
            if 0 < len(parts) <= _MOST_PIECES:
                self.known.setdefault(parts, text)
                shape = _shape(parts)
                self._lengths.add(_lengths(parts))
                node = self._tree
                for part in shape:
                    node = node.setdefault(part, {})
                node[_END] = {}

    @staticmethod
    def parts(text: str) -> Parts:
        """An id's letters and digits."""
        return tuple(piece for piece, _, _ in pieces_of(text))

    def named(self, plain: str, pieces: Sequence[Piece]) -> Iterator[tuple[Parts, bool]]:
        """The ids in a text that are known or of the shape of one that is, and whether each stands by itself.

        One that is joined by a hyphen to something else (B-10432-X) doesn't.
        """
        at = 0
        while at < len(pieces):
            length = self._longest(plain, pieces, at)
            if not length:
                at += 1
                continue
            before, after = self._border(plain, pieces, at - 1), self._border(plain, pieces, at + length - 1)
            if "" not in (before, after):
                yield tuple(piece for piece, _, _ in pieces[at : at + length]), "-" not in (before, after)
            at += length

    def _longest(self, plain: str, pieces: Sequence[Piece], at: int) -> int:
        """How many pieces from here are an id; 0 if none."""
        node, found, signs = self._tree, 0, True
        for n in range(at, min(len(pieces), at + _MOST_PIECES)):
            piece, start, _ = pieces[n]
            if n > at:
                between = plain[pieces[n - 1][2] : start] if start - pieces[n - 1][2] <= 3 else "?"
                if between not in _BETWEEN:
                    break
                signs = signs and between in _SIGNS
            node = node.get("0" if piece.isdecimal() else piece, {})
            if not node:
                break
            if _END in node and (signs or _lengths(tuple(one for one, _, _ in pieces[at : n + 1])) in self._lengths):
                found = n + 1 - at
        return found

    @staticmethod
    def _border(plain: str, pieces: Sequence[Piece], n: int) -> str:
        """What stands between this piece and the next; a space where the text begins or ends."""
        if n < 0 or n + 1 >= len(pieces):
            return " "
        start, end = pieces[n][2], pieces[n + 1][1]
        return plain[start:end] if end - start < 2 else " "


def _shape(parts: Parts) -> Parts:
    """What ids of one kind have in common: the letters."""
    return tuple("0" if part.isdecimal() else part for part in parts)


def _lengths(parts: Parts) -> tuple[Parts, Parts]:
    """The shape, and the digits as so many zeros."""
    return _shape(parts), tuple("0" * len(part) for part in parts if part.isdecimal())
