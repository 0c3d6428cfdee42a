"""The coherent part: which connected tables of a database make one trade, within a bound.

Takes tables with their worth and the joins between them; gives the chosen tables and a reason for each other one. Worth is usable structure
(lifecycles, references, dates, money, listed values, rows), never a name. Grown from several starts; a reference that always has a value
takes its target along, so that the part stands on its own. Doesn't promise the best part, only the best of those that were grown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from worldwright.domain.mine.sqlite.joins import Join
from worldwright.domain.mine.sqlite.kinds import Typed
from worldwright.domain.mine.sqlite.layout import Table
from worldwright.domain.mine.sqlite.profile import Profile

__all__ = ["MOST_TABLES", "Part", "choose", "worth"]

MOST_TABLES = 14
"""Tables in a part, unless it is said otherwise."""
_STARTS = 12
_JOIN = 1.5
_WEIGHTS = {"money": 1.0, "date": 0.7, "datetime": 0.7, "integer": 0.3, "number": 0.3, "boolean": 0.4, "text": 0.2}


class Part(msgspec.Struct, frozen=True):
    """The chosen tables, in the file's order, and why each other table is left out."""

    tables: tuple[str, ...]
    dropped: dict[str, str]


def worth(table: Table, kinds: Mapping[str, Typed], profiles: Mapping[str, Profile], has_lifecycle: bool) -> float:
    """How much usable structure a table has."""
    types: Counter[str] = Counter(one.type for one in kinds.values())
    columns = sum(weight * min(types[name], 4) for name, weight in _WEIGHTS.items())
    lists = sum(bool(one.values) for one in kinds.values())
    rows = math.log10(1 + (table.rows or 0))
    return 4.0 * has_lifecycle + columns + 0.7 * min(lists, 4) + rows - (2.0 if not table.rows else 0.0)


def choose(
    tables: Sequence[Table], values: Mapping[str, float], joins: Sequence[Join], profiles: Mapping[str, Mapping[str, Profile]], most: int
) -> Part:
    """The connected tables that are worth most, at most `most` of them."""
    names = [one.name for one in tables]
    near = _neighbours(names, joins)
    must = _required(joins, profiles)
    starts = sorted(names, key=lambda one: (-values[one] - _JOIN * len(near[one]), names.index(one)))
    grown = [_grow(start, values, near, must, most) for start in _spread(starts, near)]
    if not grown:
        return Part((), {})
    best = max(grown, key=lambda one: (_total(one, values, joins), -min(map(names.index, one))))
    return Part(tuple(one for one in names if one in best), _reasons(names, best, near, most))


def _neighbours(names: Iterable[str], joins: Sequence[Join]) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {one: set() for one in names}
    for one in joins:
        if one.table != one.to:
            near[one.table].add(one.to)
            near[one.to].add(one.table)
    return near


def _required(joins: Sequence[Join], profiles: Mapping[str, Mapping[str, Profile]]) -> dict[str, set[str]]:
    """What a table can't stand without: the targets of references that always have a value."""
    out: dict[str, set[str]] = {}
    for one in joins:
        if one.table != one.to and all(not profiles[one.table][name].nulls for name in one.columns):
            out.setdefault(one.table, set()).add(one.to)
    return out


def _spread(starts: Sequence[str], near: Mapping[str, set[str]]) -> list[str]:
    """The best start of each component, and the best of all."""
    parts = {one: n for n, part in enumerate(_components(near)) for one in part}
    firsts = list({parts[one]: one for one in reversed(starts)}.values())
    return list(dict.fromkeys([*starts[:_STARTS], *firsts]))


def _components(near: Mapping[str, set[str]]) -> list[set[str]]:
    out: list[set[str]] = []
    seen: set[str] = set()
    for name in near:
        if name in seen:
            continue
        part, waiting = {name}, [name]
        while waiting:
            fresh = near[waiting.pop()] - part
            part |= fresh
            waiting += sorted(fresh)
        seen |= part
        out.append(part)
    return out


def _grow(start: str, values: Mapping[str, float], near: Mapping[str, set[str]], must: Mapping[str, set[str]], most: int) -> set[str]:
    part = _with_required({start}, must)
    if len(part) > most:
        part = {start}
    while len(part) < most:
        options = []
        for name in {other for one in part for other in near[one]} - part:
            added = _with_required({name}, must) - part
            if len(part) + len(added) <= most:
                gain = sum(values[one] + _JOIN * len(near[one] & (part | added)) for one in sorted(added)) / len(added)
                options.append((gain, name, added))
        if not options:
            break
        part |= max(options, key=lambda one: (one[0], one[1]))[2]
    return part


def _with_required(part: set[str], must: Mapping[str, set[str]]) -> set[str]:
    out, waiting = set(part), list(part)
    while waiting:
        fresh = must.get(waiting.pop(), set()) - out
        out |= fresh
        waiting += fresh
    return out


def _total(part: set[str], values: Mapping[str, float], joins: Sequence[Join]) -> float:
    return sum(values[one] for one in sorted(part)) + _JOIN * sum(one.table in part and one.to in part for one in joins)


def _reasons(names: Sequence[str], part: set[str], near: Mapping[str, set[str]], most: int) -> dict[str, str]:
    own = {name: component for component in _components(near) for name in component}
    inside = own[next(iter(part))]
    out = {}
    for name in names:
        if name in part:
            continue
        if name in inside:
            out[name] = f"connected, but outside the bound of {most} tables: others are worth more"
        elif len(own[name]) == 1:
            out[name] = "not joined to the chosen part: no reference leads to it or from it"
        else:
            out[name] = f"not joined to the chosen part: it belongs to another group of {len(own[name])} tables"
    return out
