"""What a clause gives in money: a share of a field, a fixed sum, a rate for each unit, with a cap and the page's rounding.

Takes the text of a clause and of its page and a row; gives whole cents, or None where the page speaks of no money or a field
can't be found. Raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from worldwright.training.reading.comparators import figure_at, share_at
from worldwright.training.reading.fields import find
from worldwright.training.reading.words import COPULAS, MARKERS, Token, number, stem, tokens

__all__ = ["cents_of"]

_OF = re.compile(r"Shares are of (?:the |its |their )?([^,.;]+)", re.IGNORECASE)
_MONEY = re.compile(r"\b(share|cents?|amount|paid|sum)\b", re.IGNORECASE)
_ENDS = COPULAS | MARKERS | {"if", "and", "or", "but", "goes", "will", "becomes"}


def cents_of(text: str, page: str, row: Mapping[str, Any], about: str) -> int | None:
    """The whole cents that the clause gives for the row; 0 where it names neither a share nor a sum and the page speaks of money."""
    line = tokens(text)
    shares = _shares(line)
    fixed = _sums(line)
    if len(shares) + len(fixed) > 1:
        return None
    if not shares and not fixed:
        return 0 if _MONEY.search(page) and re.search(r"no share|nothing|\b0\b", page + text) else None
    if shares:
        percent, words, near = shares[0]
        base = _money(row, near, words, about, page)
        exact = None if base is None else Fraction(base) * Fraction(str(percent)) / 100
    else:
        exact = _rated(fixed[0], line, row, about)
    if exact is None:
        return None
    cap = _cap(line)
    return _rounded(exact if cap is None else min(exact, Fraction(cap)), page)


def _shares(line: Sequence[Token]) -> list[tuple[float, list[str], list[Token]]]:
    """The shares of a clause: the per cent, the words of what they are of, and those words as tokens."""
    out, at = [], 0
    while at < len(line):
        found = figure_at(line, at)
        if found is not None:
            at = max(found.end, at + 1)
            continue
        share = share_at(line, at)
        if share is None:
            at += 1
            continue
        near: list[Token] = []
        for token in line[share[1] :]:
            if token.kind == "mark" or token.text in _ENDS:
                break
            near.append(token)
        out.append((share[0], [stem(token.text) for token in near if token.kind == "word"], near))
        at = share[1]
    return out


def _sums(line: Sequence[Token]) -> list[tuple[float, int]]:
    """Fixed sums in cents that are no limit: the figure and the first token after it."""
    limits = [found for at in range(len(line)) if (found := figure_at(line, at)) is not None]
    out = []
    for at in range(len(line) - 1):
        inside = any(found.start <= at < found.end for found in limits)
        if line[at].kind == "number" and line[at + 1].text in ("cents", "cent") and not inside:
            value = number(line[at])
            if value is not None:
                out.append((value, at + 2))
    return out


def _rated(fixed: tuple[float, int], line: Sequence[Token], row: Mapping[str, Any], about: str) -> Fraction | None:
    """A fixed sum, times the field that a "for each" or a "per" after it names."""
    value, at = fixed
    words = [token.text for token in line[at : at + 8] if token.kind == "word"]
    if words[:1] == ["per"] or words[:2] in (["for", "each"], ["for", "every"]):
        skip = 1 if words[0] == "per" else 2
        near = [token for token in line[at + skip : at + skip + 6] if token.text not in _ENDS]
        for size in range(len(near), 0, -1):
            key = find(row, near[:size], [stem(token.text) for token in near[:size]], about, _counts)
            if key is not None:
                return None if row.get(key) is None else Fraction(str(row[key])) * Fraction(str(value))
        return None
    return Fraction(str(value))


def _money(row: Mapping[str, Any], near: Sequence[Token], words: Sequence[str], about: str, page: str) -> int | None:
    """The base of a share, by the clause's words or else by the page's."""
    money = {key: value for key, value in row.items() if key.endswith("_cents") or key.rsplit(".", 1)[-1] in ("amount", "total")}
    money |= {key: value for key, value in row.items() if key.endswith("_id") or ("." in key and key not in money and value is None)}
    rest = [token for said in _OF.findall(page) for token in tokens(said)]
    for tried in (near, rest):
        stems = [stem(token.text) for token in tried if token.kind == "word"] if tried is not near else list(words)
        key = find(money, tried, stems, about, _counts) if stems else None
        if key is not None and key in row:
            return row[key] if isinstance(row[key], int) else None
    return None


def _cap(line: Sequence[Token]) -> float | None:
    """The most that is given ("but at most 500 cents")."""
    for at in range(1, len(line)):
        found = figure_at(line, at)
        if found is not None and found.op == "le" and line[at - 1].text in (",", "but") and _is_cents(line, found.end):
            return float(found.values[0])
    return None


def _is_cents(line: Sequence[Token], at: int) -> bool:
    return at < len(line) and line[at].text in ("cents", "cent")


def _rounded(exact: Fraction, page: str) -> int:
    if re.search(r"rounded (?:once )?down|cut (?:off )?to the cent", page, re.IGNORECASE):
        return exact.numerator // exact.denominator
    if re.search(r"rounded (?:once )?up", page, re.IGNORECASE):
        return -(-exact.numerator // exact.denominator)
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def _counts(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
