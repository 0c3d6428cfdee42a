"""What CHECK constraints say of single columns: listed values and ranges; anything else stays a rule in its own words.

Takes the text of a CHECK; gives Limits by column, and says whether that was all. Reads lists, comparisons with literals, BETWEEN, and
those joined by AND or (for equal columns) by OR. What isn't of this shape is never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from worldwright.domain.mine.sqlite.text import Check, Token, tokens
from worldwright.domain.model import Scalar

__all__ = ["Demand", "Limits", "demand_of", "limits_of"]

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "==": "=="}


class Limits(msgspec.Struct, frozen=True):
    """What may stand in a column. `least` and `most` are bounds; `above`, `below` say that the bound itself is out."""

    values: tuple[Scalar, ...] = ()
    least: Scalar | None = None
    most: Scalar | None = None
    above: bool = False
    below: bool = False


class Demand(msgspec.Struct, frozen=True):
    """What must hold in some states: `says` in SQL, over these columns."""

    states: tuple[Scalar, ...]
    says: str
    columns: tuple[str, ...]


def demand_of(check: Check, column: str, columns: Sequence[str]) -> Demand | None:
    """What a CHECK such as `status <> 'shipped' OR shipped_at IS NOT NULL` demands of the states of a column, or None."""
    by_name = {one.casefold(): one for one in columns}
    states: list[Scalar] = []
    rest: list[list[Token]] = []
    for part in _split(_stripped([one for one in tokens(check.text) if one.kind != "comment"]), "OR"):
        excluded = _excluded(_stripped(part), column, by_name)
        states += excluded
        if not excluded:
            rest.append(part)
    if not states or not rest:
        return None
    found = [_column(one, by_name) for part in rest for one in part]
    names = tuple(dict.fromkeys(one for one in found if one is not None and one != column))
    says = " OR ".join(check.text[part[0].at : part[-1].at + len(part[-1].text)] for part in rest)
    return Demand(tuple(states), says, names) if names else None


def _excluded(code: Sequence[Token], column: str, by_name: dict[str, str]) -> list[Scalar]:
    """The values that `column <> 'a'` or `column NOT IN ('a', 'b')` rules out."""
    if len(code) < 3 or _column(code[0], by_name) != column:
        return []
    if code[1].text in ("<>", "!="):
        value = _literal(code[2:])
        return [] if value is None else [value]
    if len(code) > 5 and code[1].says("NOT") and code[2].says("IN"):
        listed = _listed(column, code[4:-1])
        return list(listed[1].values) if listed else []
    return []


def limits_of(check: Check, columns: Sequence[str]) -> dict[str, Limits] | None:
    """The limits that a CHECK sets, by column, or None if it says something else or more."""
    by_name = {one.casefold(): one for one in columns}
    code = [one for one in tokens(check.text) if one.kind != "comment"]
    out: dict[str, Limits] = {}
    for part in _split(_stripped(code), "AND"):
        found = _part(_stripped(part), by_name)
        if found is None:
            return None
        name, limits = found
        out[name] = _both(out.get(name, Limits()), limits)
    return out or None


def _both(one: Limits, two: Limits) -> Limits:
    return Limits(
        one.values or two.values,
        two.least if one.least is None else one.least,
        two.most if one.most is None else one.most,
        one.above or two.above,
        one.below or two.below,
    )


def _stripped(code: Sequence[Token]) -> Sequence[Token]:
    """Without brackets that enclose all of it."""
    while len(code) > 2 and code[0].text == "(" and _closes(code, 0) == len(code) - 1:
        code = code[1:-1]
    return code


def _closes(code: Sequence[Token], opens: int) -> int:
    depth = 0
    for n in range(opens, len(code)):
        depth += (code[n].text == "(") - (code[n].text == ")")
        if depth == 0:
            return n
    return -1


def _split(code: Sequence[Token], word: str) -> Iterator[list[Token]]:
    """The parts between a word at the top level; the AND of a BETWEEN doesn't count."""
    part: list[Token] = []
    depth, between = 0, False
    for one in code:
        depth += (one.text == "(") - (one.text == ")")
        if depth == 0 and one.says("BETWEEN"):
            between = True
        if depth == 0 and one.says(word) and not (word == "AND" and between):
            yield part
            part = []
            continue
        if one.says("AND"):
            between = False
        part.append(one)
    yield part


def _part(code: Sequence[Token], by_name: dict[str, str]) -> tuple[str, Limits] | None:
    """One condition, or several on one column joined by OR, of which IS NULL says nothing."""
    either = [_stripped(one) for one in _split(code, "OR")]
    found = [_condition(one, by_name) for one in either if not _is_null_test(one)]
    if not found or any(one is None for one in found):
        return None
    known = [one for one in found if one is not None]
    names = {name for name, _ in known}
    if len(known) == 1 and len(names) == 1:
        return known[0]
    if len(names) == 1 and all(one.values for _, one in known):
        return known[0][0], Limits(values=tuple(value for _, one in known for value in one.values))
    return None


def _is_null_test(code: Sequence[Token]) -> bool:
    return len(code) >= 2 and code[-1].says("NULL", "ISNULL") and (code[-1].says("ISNULL") or code[-2].says("IS"))


def _condition(code: Sequence[Token], by_name: dict[str, str]) -> tuple[str, Limits] | None:
    if len(code) < 3:
        return None
    name = _column(code[0], by_name)
    if name is None:
        return _turned(code, by_name)
    if code[1].says("IN") and code[2].text == "(":
        return _listed(name, code[3:-1])
    if code[1].says("BETWEEN"):
        low, high = _split(code[2:], "AND") if any(one.says("AND") for one in code) else ([], [])
        least, most = _literal(low), _literal(high)
        return None if least is None or most is None else (name, Limits(least=least, most=most))
    return _compared(name, code[1].text, _literal(code[2:]))


def _turned(code: Sequence[Token], by_name: dict[str, str]) -> tuple[str, Limits] | None:
    """`0 <= x` as `x >= 0`."""
    name = _column(code[-1], by_name)
    if name is None or code[-2].text not in _TURNED:
        return None
    return _compared(name, _TURNED[code[-2].text], _literal(code[:-2]))


def _column(token: Token, by_name: dict[str, str]) -> str | None:
    return by_name.get(token.value.casefold()) if token.kind in ("word", "name") else None


def _listed(name: str, code: Sequence[Token]) -> tuple[str, Limits] | None:
    values = []
    part: list[Token] = []
    for one in [*code, Token("sign", ",", 0)]:
        if one.text != ",":
            part.append(one)
            continue
        if part and part[0].says("NULL"):
            part = []
            continue
        value = _literal(part)
        if value is None:
            return None
        values.append(value)
        part = []
    return (name, Limits(values=tuple(values))) if values else None


def _compared(name: str, sign: str, value: Scalar | None) -> tuple[str, Limits] | None:
    if value is None:
        return None
    if sign in ("=", "=="):
        return name, Limits(values=(value,))
    if sign in (">", ">="):
        return name, Limits(least=value, above=sign == ">")
    return (name, Limits(most=value, below=sign == "<")) if sign in ("<", "<=") else None


def _literal(code: Sequence[Token]) -> Scalar | None:
    """A number or text that stands alone, with a sign before it at most."""
    code = _stripped(code)
    negative = len(code) == 2 and code[0].text == "-"
    if len(code) != 1 + negative:
        return None
    token = code[-1]
    if token.kind == "number":
        number = float(token.text) if any(sign in token.text for sign in ".eE") else int(token.text)
        return -number if negative else number
    return token.value if token.kind == "string" else None
