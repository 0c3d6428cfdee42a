"""The pieces of a sentence: its comparisons, the brackets that name fields for them, and openings that hold neither.

Takes the tokens of a sentence; gives pieces with their places in it. Raises nothing. Promises to leave no opening of a
condition out: one that can't be read is a piece that is `unread`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from worldwright.training.reading.comparators import FLIPPED, Found, figure_at, is_negated, list_at, share_at
from worldwright.training.reading.presence import presence_at
from worldwright.training.reading.words import CLOSED, COPULAS, MARKERS, Token, stem

__all__ = ["Piece", "attach", "pieces_of", "uncovered"]

_NARROWING = frozenset(["for", "from", "in", "at", "by", "under", "during", "on", "of"])
_STRICT = (MARKERS - {"until", "whom", "what"}) | {"with"}


class Piece(msgspec.Struct):
    """A comparison or a bracket on its way to being a Part: its place in the sentence, and the names that brackets gave it."""

    start: int
    end: int
    found: Found | None
    names: list[tuple[str, ...]]
    crossed: bool = False


def pieces_of(line: Sequence[Token], outcome: str) -> list[Piece]:
    """The comparisons and the brackets, in order; the outcome that a sentence goes on to name is no comparison."""
    out: list[Piece] = []
    at = 0
    while at < len(line):
        if line[at].text == "(" and line[at].kind == "mark":
            close = next((n for n in range(at, len(line)) if line[n].text == ")" and line[n].kind == "mark"), len(line))
            inner = line[at + 1 : close]
            if not any(token.kind == "quoted" for token in inner):
                out.append(_bracket(line, at, close))
                at = close + 1
                continue
        share = share_at(line, at)
        if share is not None and not (out and out[-1].end > at):
            at = share[1]
            continue
        found = list_at(line, at) or figure_at(line, at) or presence_at(line, at)
        if found is None:
            at += 1
            continue
        if found.values == (outcome,) and out and not _continues(line, out[-1].end, at):
            at = found.end
            continue
        found = _as_denied(line, found, out)
        out.append(Piece(found.start, found.end, found, []))
        at = max(found.end, at + 1)
    return out


def _continues(line: Sequence[Token], start: int, at: int) -> bool:
    """Whether the words from `start` to `at` carry a condition on, and don't only say what follows from it."""
    return any(token.text in MARKERS or token.text in ("and", "or", "with", "kind") for token in line[start:at])


def _as_denied(line: Sequence[Token], found: Found, done: Sequence[Piece]) -> Found:
    """Quoted values after a denial are those that it must not be."""
    opens = max((piece.end for piece in done), default=0)
    marked = [n for n in range(opens, found.start) if line[n].text in MARKERS]
    if found.op == "in" and is_negated(line, marked[-1] if marked else opens, found.start):
        return msgspec.structs.replace(found, op="out")
    if found.op in FLIPPED and any(token.text == "nor" for token in line[opens : found.start]):
        return msgspec.structs.replace(found, op=FLIPPED[found.op])
    return found


def _bracket(line: Sequence[Token], at: int, close: int) -> Piece:
    """A bracket without quoted values: "(field is 1)" is a comparison of its own, "(field, field)" names fields."""
    inner = line[at + 1 : close]
    for n in range(len(inner)):
        found = figure_at(inner, n)
        if found is not None:
            name = tuple(stem(token.text) for token in inner[: found.start] if token.kind in ("word", "number"))
            while name and name[-1] in ("is", "are", "not"):
                name = name[:-1]
            return Piece(at, close + 1, found, [name])
    names, crossed = _names(inner)
    return Piece(at, close + 1, None, names, crossed)


def _names(inner: Sequence[Token]) -> tuple[list[tuple[str, ...]], bool]:
    """The fields that a bracket names, and whether it does so from the earlier to the later ("from this to that")."""
    crossed = bool(inner) and inner[0].text == "from" and any(token.text == "to" for token in inner)
    out: list[list[str]] = [[]]
    for n, token in enumerate(inner):
        if token.text == "," or (crossed and token.text == "to"):
            out.append([])
        elif token.text == ":":
            out[-1] = [*out[-1], ":"]
        elif token.kind in ("word", "number") and not (crossed and n == 0):
            out[-1].append(stem(token.text))
    return [tuple(name) for name in out if name], crossed


def attach(line: Sequence[Token], pieces: list[Piece]) -> list[Piece]:
    """Give the names of the brackets to the figures that they stand by: the one before, or else the one after."""
    figures = [piece for piece in pieces if piece.found is not None and not piece.names and piece.found.op not in ("in", "out")]
    for piece in pieces:
        if piece.found is not None:
            continue
        earlier = [one for one in figures if one.end <= piece.start]
        later = [one for one in figures if one.start >= piece.end]
        joined = earlier and any(token.text in ("and", "or") for token in line[earlier[-1].end : piece.start])
        chosen = earlier[-1] if earlier and not (joined and later) else (later[0] if later else None)
        if chosen is not None:
            chosen.names.extend(piece.names)
            chosen.crossed = chosen.crossed or piece.crossed
    return pieces


def uncovered(line: Sequence[Token], parts: Sequence[Piece]) -> list[Piece]:
    """A piece for every opening of a condition that holds no comparison."""
    opens = [n for n, token in enumerate(line) if token.kind == "word" and token.text in _STRICT and _opens(line, n)]
    out = []
    for n, at in enumerate(opens):
        end = opens[n + 1] if n + 1 < len(opens) else len(line)
        if line[at].text in ("if", "where", "when") and n + 1 < len(opens) and end - at <= 2:
            continue
        if not any(at < part.end and part.start < end for part in parts):
            out.append(Piece(at, end, _link(line, at, end) or Found("unread", (), at, end), []))
    return [*out, *_trailing(line, parts)]


def _trailing(line: Sequence[Token], parts: Sequence[Piece]) -> list[Piece]:
    """A piece for every phrase that narrows what stands before it and holds no comparison ("of kind 'cake' from abroad is")."""
    out = []
    for n, part in enumerate(parts):
        following = line[part.end].text if part.end < len(line) else ""
        if part.found is None or part.found.op not in ("in", "out") or following not in _NARROWING:
            continue
        ends = [
            k
            for k in range(part.end + 1, len(line))
            if line[k].text in COPULAS or line[k].kind in ("mark", "own") or line[k].text in MARKERS
        ]
        end = ends[0] if ends else len(line)
        if n + 1 >= len(parts) or parts[n + 1].start >= end:
            out.append(Piece(part.end, end, Found("unread", (), part.end, end), []))
    return out


def _link(line: Sequence[Token], at: int, end: int) -> Found | None:
    """A clause that only leads to another record, "that hangs on an order" before a "whose": the record has to be there."""
    articles = [n for n in range(at, end) if line[n].text in ("a", "an", "the", "some")]
    if line[at].text not in ("that", "which") or not articles or end >= len(line) or line[end].text not in ("whose", "with", "which"):
        return None
    noun = line[articles[-1] + 1 : end]
    if not 1 <= len(noun) <= 3 or any(token.kind != "word" or token.text in CLOSED for token in noun):
        return None
    return Found("some", tuple(token.text for token in noun), at, end)


def _opens(line: Sequence[Token], at: int) -> bool:
    """Whether the marker at this place really opens a condition ("later than that" and "that in turn" don't)."""
    before = line[at - 1].text if at else ""
    after = line[at + 1] if at + 1 < len(line) else None
    if line[at].text == "that" and (before in ("than", "after", "before", "so", "of") or after is None or after.kind == "mark"):
        return False
    if line[at].text == "with":
        return not any(token.text in ("is", "are", "goes") for token in line[:at])
    return True
