"""Comparisons in words: "at most 3", "3 or more", "isn't over 3", "between 3 and 5", "'a', 'b' or 'c'".

Takes tokens and a place in them; gives what is compared how, and where it ends, or None where nothing of that kind begins
there. Raises nothing. Promises to read only comparisons with a figure or a quoted value in them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from worldwright.training.reading.words import CLOSED, Token, number

__all__ = ["FLIPPED", "Found", "figure_at", "is_negated", "list_at", "share_at"]

FLIPPED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq", "in": "out", "out": "in", "between": "outside"}
"""Each comparison and its contrary."""

_GREATER = "greater higher larger older longer bigger heavier"
_SMALLER = "lower smaller shorter younger lighter cheaper earlier"
_PHRASES: dict[tuple[str, ...], str] = {
    ("at", "most"): "le",
    ("at", "the", "most"): "le",
    ("at", "least"): "ge",
    ("at", "the", "least"): "ge",
    ("more", "than"): "gt",
    ("later", "than"): "gt",
    ("less", "than"): "lt",
    ("fewer", "than"): "lt",
    ("up", "to"): "le",
    ("as", "much", "as"): "ge",
    ("a", "maximum", "of"): "le",
    ("a", "minimum", "of"): "ge",
    ("over",): "gt",
    ("above",): "gt",
    ("beyond",): "gt",
    ("exceeds",): "gt",
    ("exceed",): "gt",
    ("exceeding",): "gt",
    ("under",): "lt",
    ("below",): "lt",
    ("within",): "le",
    ("exactly",): "eq",
    **{(word, "than"): "gt" for word in _GREATER.split()},
    **{(word, "than"): "lt" for word in _SMALLER.split()},
}
_LONGEST = max(len(words) for words in _PHRASES)
_AFTER = {"more": "ge", "over": "ge", "above": "ge", "longer": "ge", "fewer": "le", "less": "le", "under": "le", "below": "le"}
_DENIALS = frozenset(
    ["isn't", "aren't", "wasn't", "weren't", "not", "never", "neither", "doesn't", "didn't", "don't", "hasn't", "hadn't", "no"]
)


class Found(msgspec.Struct, frozen=True):
    """A comparison: `op` (in, out, lt, le, gt, ge, eq, ne, between, outside), the values, and the first token after it;
    `percent` where a % follows the figure."""

    op: str
    values: tuple[str | float, ...]
    start: int
    end: int
    percent: bool = False


def _word(line: Sequence[Token], at: int) -> str:
    return line[at].text if 0 <= at < len(line) and line[at].kind == "word" else ""


def _figure(line: Sequence[Token], at: int) -> float | None:
    return number(line[at]) if 0 <= at < len(line) else None


def _phrase(line: Sequence[Token], at: int) -> tuple[str, int] | None:
    """The comparison word or words that begin here, and how many there are."""
    for size in range(_LONGEST, 0, -1):
        words = tuple(_word(line, at + n) for n in range(size))
        if words in _PHRASES:
            return _PHRASES[words], size
    return None


def is_negated(line: Sequence[Token], start: int, at: int) -> bool:
    """Whether one of the five words before `at` (not before `start`) denies what follows."""
    near = [token.text for token in line[max(start, at - 5) : at] if token.kind == "word"]
    if any(word in _DENIALS - {"no"} for word in near):
        return True
    if near[-1:] == ["but"]:
        return True
    pairs = set(itertools.pairwise(near))
    return bool(pairs & {("other", "than"), ("anything", "but"), ("none", "of")})


def list_at(line: Sequence[Token], at: int) -> Found | None:
    """Quoted values that begin here, joined by commas, or, and, nor."""
    if at >= len(line) or line[at].kind != "quoted":
        return None
    values, end = [line[at].text], at + 1
    while True:
        joint = end
        while joint < len(line) and line[joint].text in (",", "or", "and", "nor") and line[joint].kind in ("mark", "word"):
            joint += 1
        if joint == end or joint >= len(line) or line[joint].kind != "quoted":
            return Found("in", tuple(values), at, end)
        values.append(line[joint].text)
        end = joint + 1


def figure_at(line: Sequence[Token], at: int) -> Found | None:
    """A comparison with a figure that begins here."""
    if _word(line, at) == "between":
        return _between(line, at)
    phrase = _phrase(line, at)
    if phrase is None:
        return _trailing(line, at)
    op, size = phrase
    place = at + size
    inner = _phrase(line, place)
    if inner is not None:  # "within at most 3", "over at least 3"
        op, place = inner[0], place + inner[1]
    value = _figure(line, place)
    if value is None:
        return None
    start = at
    if _word(line, at - 1) in _DENIALS:
        op, start = FLIPPED[op], at - 1
    return _closed(line, op, (value,), start, place + 1)


def _between(line: Sequence[Token], at: int) -> Found | None:
    low = _figure(line, at + 1)
    place = at + 2
    while place < len(line) and place < at + 4 and _word(line, place) != "and":
        place += 1
    high = _figure(line, place + 1)
    if low is None or high is None or _word(line, place) != "and":
        return None
    return _closed(line, "outside" if _word(line, at - 1) in _DENIALS else "between", (low, high), at, place + 2)


def _trailing(line: Sequence[Token], at: int) -> Found | None:
    """ "3 or more", and a bare "is 3" or "are 3"."""
    value = _figure(line, at)
    if value is None or line[at].kind != "number":
        return None
    place = at + 1 + (at + 1 < len(line) and line[at + 1].text == "%")
    if _word(line, place) in ("or", "and") and _word(line, place + 1) in _AFTER:
        op = _AFTER[_word(line, place + 1)]
        return Found(op, (value,), at, place + 2, place > at + 1)
    before = _word(line, at - 1)
    if place > at + 1:
        return None
    if before in ("isn't", "aren't", "not"):
        return Found("ne", (value,), at, place)
    if before in ("is", "are", "was", "equals"):
        return _several(line, at, value)
    counted = place < len(line) and line[place].kind == "word" and line[place].text not in CLOSED
    return _several(line, at, value) if before in ("with", "has", "have", "having", "needs", "names") and counted else None


def _several(line: Sequence[Token], at: int, value: float) -> Found:
    """One figure of several that will do: "is 1", "is 1, 2 or 3"."""
    values, end = [value], at + 1
    while end + 1 < len(line) and line[end].text in (",", "or") and line[end + 1].kind == "number" and not _share(line, end + 1):
        figure = number(line[end + 1])
        if figure is None:
            break
        values.append(figure)
        end += 2
    return Found("eq", tuple(values), at, end)


def _share(line: Sequence[Token], at: int) -> bool:
    return at + 1 < len(line) and line[at + 1].text in ("%", "percent", "per")


def _closed(line: Sequence[Token], op: str, values: tuple[float, ...], start: int, end: int) -> Found:
    percent = end < len(line) and (line[end].text == "%" or line[end].text in ("percent", "per"))
    return Found(op, values, start, end + (percent and line[end].text == "%"), percent)


def share_at(line: Sequence[Token], at: int) -> tuple[float, int] | None:
    """A share, "40 % of", that begins here: the figure and the first token after the "of"."""
    value = _figure(line, at) if at < len(line) and line[at].kind == "number" else None
    if value is None:
        return None
    place = at + 1
    if place < len(line) and (line[place].text in ("%", "percent")):
        place += 1
    elif _word(line, place) == "per" and _word(line, place + 1) == "cent":
        place += 2
    else:
        return None
    return (value, place + 1) if _word(line, place) == "of" else None
