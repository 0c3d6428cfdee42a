"""Whether there is anything in a field, in words: "has no deputy", "without an order", "isn't known", "is empty".

Takes tokens and a place in them; gives a comparison of the kinds `none` and `some`, or None. The words of the field stand
before a phrase that ends a sentence's part ("whose order is empty") and in the comparison's values after one that opens it
("without an order"). Raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldwright.training.reading.comparators import Found
from worldwright.training.reading.words import CLOSED, Token

__all__ = ["presence_at"]

_OPENING: dict[tuple[str, ...], str] = {
    ("without", "a"): "none",
    ("without", "an"): "none",
    ("without", "any"): "none",
    ("with", "no"): "none",
    ("has", "no"): "none",
    ("have", "no"): "none",
    ("names", "no"): "none",
    ("names", "a"): "some",
    ("names", "an"): "some",
}
_CLOSING: dict[tuple[str, ...], str] = {
    ("is", "empty"): "none",
    ("isn't", "empty"): "some",
    ("is", "missing"): "none",
    ("is", "unknown"): "none",
    ("is", "known"): "some",
    ("isn't", "known"): "none",
    ("is", "set"): "some",
    ("isn't", "set"): "none",
}


def presence_at(line: Sequence[Token], at: int) -> Found | None:
    """A test of presence that begins here."""
    pair = tuple(token.text for token in line[at : at + 2] if token.kind == "word")
    if pair in _CLOSING:
        return Found(_CLOSING[pair], (), at, at + 2)
    if pair not in _OPENING:
        return None
    words = []
    for token in line[at + 2 : at + 6]:
        if token.kind != "word" or token.text in CLOSED:
            break
        words.append(token.text)
    follows = line[at + 2 + len(words)] if at + 2 + len(words) < len(line) else None
    if not words or (follows is not None and follows.text in ("(", "over", "under", "above", "below", "more", "fewer", "less")):
        return None
    return Found(_OPENING[pair], tuple(words), at, at + 2 + len(words))
