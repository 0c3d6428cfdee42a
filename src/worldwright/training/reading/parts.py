"""A sentence with a condition, cut into its comparisons.

Takes the text of one clause; gives a tree: `Part` (a comparison, with the words around it and the fields that a bracket
names), `All`, `AnyOf`, `Not`. A piece that opens like a condition and holds no comparison is a Part that is `unread`, so it
is never taken for true. Raises nothing. Promises the same tree for the same text, whatever the rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from worldwright.training.reading.pieces import Piece, attach, pieces_of, uncovered
from worldwright.training.reading.words import CLOSED, Token, content, tokens

__all__ = ["All", "AnyOf", "Not", "Part", "Tree", "condition", "is_rest"]

_OUTCOME = re.compile(r"\s*Outcome: '([^']*)'\.?\s*$")
_REST = re.compile(r"(otherwise|in (all|any|every) other cases?|in all else|everything else|for the rest)\b", re.IGNORECASE)
_UNSAID = re.compile(r"\b(?:none|any|all|one) of (?:these|them|the following|which)\b", re.IGNORECASE)
_CONCEDED = re.compile(
    r",?\s*\b(whatever|whichever|however (?!much )|however much|regardless of|no matter|even (?:if|where|when))\b[^,;.(]*", re.IGNORECASE
)


class Part(msgspec.Struct, frozen=True):
    """One comparison. `before` are the words that lead to it (from the end of the one before), `lead` all the words of the
    sentence up to there, `after` those that follow it; `names` the fields that brackets name, `crossed` if they run from the earlier
    to the later; `percent` where the figure is one."""

    op: str
    values: tuple[str | float, ...] = ()
    lead: tuple[Token, ...] = ()
    before: tuple[Token, ...] = ()
    after: tuple[Token, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    crossed: bool = False
    percent: bool = False


class All(msgspec.Struct, frozen=True):
    """Every one of these."""

    parts: tuple[Tree, ...]


class AnyOf(msgspec.Struct, frozen=True):
    """At least one of these."""

    parts: tuple[Tree, ...]


class Not(msgspec.Struct, frozen=True):
    """The contrary."""

    part: Tree


Tree = Part | All | AnyOf | Not


def is_rest(text: str) -> bool:
    """Whether the clause is for all that the clauses before it left."""
    return bool(_REST.match(text.strip()))


@lru_cache(maxsize=4096)
def condition(text: str) -> Tree | None:
    """The condition of a clause; None where it has none that can be seen."""
    outcome = _OUTCOME.search(text)
    text = _CONCEDED.sub("", _OUTCOME.sub("", text))
    if is_rest(text):
        return All(())
    line = tokens(text)
    pieces = attach(line, pieces_of(line, outcome.group(1) if outcome else ""))
    parts = [piece for piece in pieces if piece.found is not None]
    opened = uncovered(line, parts)
    if _spread(line, [*parts, *opened]) or _UNSAID.search(text):
        return None
    everything = sorted([*parts, *opened], key=lambda piece: piece.start)
    if not everything:
        return All(()) if re.match(r"(all|every|any other)\b", text.strip(), re.IGNORECASE) else None
    return _joined(line, everything)


def _spread(line: Sequence[Token], pieces: Sequence[Piece]) -> bool:
    """Whether the conditions stand in more than one sentence, so that nothing says how they hang together."""
    stops = [n for n, token in enumerate(line) if token.kind == "mark" and token.text in (".", "?", "!", ";")]
    return len({sum(1 for stop in stops if stop < piece.start) for piece in pieces}) > 1


def _joined(line: Sequence[Token], pieces: Sequence[Piece]) -> Tree:
    """The tree: "and" holds more closely than "or", and that more closely than mere sequence; "unless" turns the rest over."""
    sequence: list[list[list[Tree]]] = [[[]]]
    turned: int | None = None
    for n, piece in enumerate(pieces):
        opens = pieces[n - 1].end if n else 0
        between = [token.text for token in line[opens : piece.start] if token.kind != "quoted"]
        if "unless" in between or ("except" in between and turned is None) or line[piece.start].text in ("unless",):
            sequence.append([[]])
            turned = len(sequence) - 1 if turned is None else turned
        elif n and (joint := _joint(between)) != "and":
            sequence[-1].append([]) if joint == "or" else sequence.append([[]])
        sequence[-1][-1].append(_part(line, pieces, n))
    levels = [_one(AnyOf, [_one(All, group) for group in groups]) for groups in sequence]
    if turned is not None:
        levels = [*levels[:turned], Not(_one(All, levels[turned:]))]
    return _one(All, levels)


def _joint(between: Sequence[str]) -> str:
    """What joins two comparisons: "and", "or", or nothing of the kind ("")."""
    joints = [(n, word) for n, word in enumerate(between) if word in ("and", "or")]
    if not joints:
        return ""
    at, word = joints[-1] if len(joints) == 1 else joints[0]
    loose = word == "and" and at > 0 and between[at - 1] == ","
    return "" if loose else word


def _one(kind: type[All] | type[AnyOf], parts: Sequence[Tree]) -> Tree:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _part(line: Sequence[Token], pieces: Sequence[Piece], n: int) -> Part:
    piece = pieces[n]
    assert piece.found is not None
    opens = pieces[n - 1].end if n else 0
    closes = pieces[n + 1].start if n + 1 < len(pieces) else len(line)
    after = list(line[piece.end : closes])
    if n + 1 < len(pieces) and {token.text for token in after} <= {"and", "or", "but", ","}:  # "at least 3 but under 5 docks"
        after = list(line[pieces[n + 1].end : pieces[n + 2].start if n + 2 < len(pieces) else len(line)])
    stop = next((k for k, token in enumerate(after) if token.text in (",", ".", ";", "(")), len(after))
    led = n > 0 and (leading := pieces[n - 1].found) is not None and leading.op == "some"
    before = line[pieces[n - 1].start if led else opens : piece.start]
    if n and not piece.names and not content(tuple(token.text for token in before if token.kind == "word")) and _bare(after[:stop]):
        before, after = line[_opening(pieces, n) : piece.start], []
    return Part(
        piece.found.op,
        piece.found.values,
        tuple(line[: piece.start]) if piece.found.op != "unread" else tuple(line[piece.start : piece.end]),
        tuple(before),
        tuple(after[:stop]),
        tuple(piece.names),
        piece.crossed,
        piece.found.percent,
    )


def _bare(after: Sequence[Token]) -> bool:
    return not [token for token in after[:1] if token.kind == "word" and token.text not in CLOSED]


def _opening(pieces: Sequence[Piece], n: int) -> int:
    return pieces[n - 2].end if n > 1 else 0
