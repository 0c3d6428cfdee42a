"""Keys and references: those that are declared, and those that names and values give away, each with a confidence.

Takes the layout with profiles and kinds; gives the key of each table and the Joins between tables. A declared reference has the confidence
1. An inferred one has C^4 * (1 - (1 - 0.85 N) * (1 - 0.75 U S)), where
C is the share of the different values that are found at the other end,
N how well the names fit (1: customer_id to customer; 0: not at all),
U how telling it is that values are found there: 1 for texts and scattered numbers, 0.3 for numbers that run from 1 to n,
S = d / (d + 3) for d different values: few values tell little.
Nothing below LEAST is kept, and a name that doesn't fit at all is believed only where U is 1 and there are FEW values or more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.domain.mine.sqlite.kinds import Typed
from worldwright.domain.mine.sqlite.layout import ForeignKey, Layout, Table
from worldwright.domain.mine.sqlite.names_fit import fit
from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.mine.sqlite.profile import Profile
from worldwright.domain.model import Evidence

__all__ = ["LEAST", "Join", "Keys", "canonical", "confidence", "find_joins"]

LEAST = 0.5
FEW = 5
_MOST_VALUES = 200_000
_PROBED = 12
_DENSE = 0.3

Keys = Mapping[str, tuple[str, ...]]
"""The key of each table, () if it has none."""
Profiles = Mapping[str, Mapping[str, Profile]]
Kinds = Mapping[str, Mapping[str, Typed]]


class Join(msgspec.Struct, frozen=True):
    """Columns that name rows of another table; `orphans` rows name one that isn't there, of `filled` that name any."""

    table: str
    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]
    declared: bool
    confidence: float
    is_single: bool
    filled: int
    orphans: int
    evidence: tuple[Evidence, ...]


def canonical(value: Any) -> Any:
    """A value in the form in which it is compared: 7, 7.0 and '7' are one."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 18 and (value[0] != "0" or value == "0"):
        return int(value)
    return value


def confidence(coverage: float, names: float, telling: float, values: int) -> float:
    """How far an inferred reference may be believed; the formula is at the top of this file."""
    support = values / (values + 3)
    return coverage**4 * (1 - (1 - 0.85 * names) * (1 - 0.75 * telling * support))


def find_joins(file: Opened, layout: Layout, tables: Sequence[Table], profiles: Profiles, kinds: Kinds, keys: Keys) -> list[Join]:
    """All references between these tables: the declared ones first."""
    names = {one.name for one in tables}
    out = [
        _declared(file, table, key, keys)
        for table in tables
        for key in table.foreign
        if key.table in names and _is_there(layout.table(key.table), key)
    ]
    known = {(one.table, one.columns) for one in out}
    search = _Search(file, tables, profiles, kinds, keys)
    inferred = [one for one in search.inferred() if (one.table, one.columns) not in known]
    return out + _one_way(inferred)


def _is_there(table: Table, key: ForeignKey) -> bool:
    return len(key.columns) == len(key.to_columns) and {one.name for one in table.columns} >= set(key.to_columns)


def _one_way(joins: Sequence[Join]) -> list[Join]:
    """Of two keys that each hold the other's values only the better direction is kept."""
    best: dict[frozenset[tuple[str, tuple[str, ...]]], Join] = {}
    for one in joins:
        ends = frozenset({(one.table, one.columns), (one.to, one.to_columns)})
        if ends not in best or one.confidence > best[ends].confidence:
            best[ends] = one
    return [one for one in joins if best[frozenset({(one.table, one.columns), (one.to, one.to_columns)})] is one]


def _declared(file: Opened, table: Table, key: ForeignKey, keys: Keys) -> Join:
    where = f"{table.name}({', '.join(key.columns)})"
    filled, orphans = _orphans(file, table.name, key.columns, key.table, key.to_columns)
    notes = [Evidence(where, f"declared to refer to {key.table}({', '.join(key.to_columns)})", filled)]
    if orphans:
        notes.append(Evidence(where, "rows that refer to a row that isn't there", orphans))
    single = _is_single(table, key.columns, keys[table.name])
    return Join(table.name, key.columns, key.table, key.to_columns, True, 1.0, single, filled, orphans, tuple(notes))


def _orphans(file: Opened, table: str, columns: Sequence[str], to: str, to_columns: Sequence[str]) -> tuple[int, int]:
    """How many rows refer to something, and to something that isn't there; (0, 0) if that takes too many steps."""
    here, there = (", ".join(map(quoted, one)) for one in (columns, to_columns))
    set_here, set_there = (" AND ".join(f"{quoted(name)} IS NOT NULL" for name in one) for one in (columns, to_columns))
    sql = (
        f"SELECT count(*), coalesce(sum(({here}) NOT IN (SELECT {there} FROM main.{quoted(to)} WHERE {set_there})), 0) "
        f"FROM main.{quoted(table)} WHERE {set_here}"
    )
    try:
        filled, orphans = file.rows(sql)[0]
    except sqlite3.OperationalError:
        return 0, 0
    return int(filled), int(orphans)


def _is_single(table: Table, columns: Sequence[str], key: Sequence[str]) -> bool:
    """Whether each row of the other table is named at most once, by a key or a unique index: chance alone is no rule."""
    return any(set(one) <= set(columns) for one in (key, *table.unique) if one)


class _Search:
    """Looks for references that nothing declares."""

    def __init__(self, file: Opened, tables: Sequence[Table], profiles: Profiles, kinds: Kinds, keys: Keys) -> None:
        self.file, self.tables, self.profiles, self.kinds, self.keys = file, tables, profiles, kinds, keys
        self.sets: dict[tuple[str, str], frozenset[Any]] = {}
        self.tells: dict[tuple[str, str], float] = {}

    def inferred(self) -> Iterator[Join]:
        targets = [(table, column) for table in self.tables for column in self.targets(table)]
        for table in self.tables:
            declared = {column for key in table.foreign for column in key.columns}
            for column in table.columns:
                if column.name in declared or self.kinds[table.name][column.name].type not in ("integer", "text"):
                    continue
                found = [one for to, key in targets if (one := self.join(table, column.name, to, key)) is not None]
                if found:
                    yield max(found, key=lambda one: (one.confidence, -len(one.to)))
            yield from self.composite(table)

    def targets(self, table: Table) -> list[str]:
        """The columns of a table that alone tell its rows apart."""
        single = [one[0] for one in (self.keys[table.name], *table.unique) if len(one) == 1]
        return [one for one in dict.fromkeys(single) if self.kinds[table.name][one].type in ("integer", "text")]

    def join(self, table: Table, column: str, to: Table, key: str) -> Join | None:
        if (table.name, column) == (to.name, key):
            return None
        names = fit(table.name, column, to.name, key)
        own = self.profiles[table.name][column]
        is_key = self.keys[table.name] == (column,)
        if is_key and (names < 0.8 or table.name == to.name):
            return None
        if names == 0 and (len(own.counts) < FEW or self.telling(to, key) < 1 or not self.may_hold(own, to, key)):
            return None
        held = self.values(to, key)
        values = [canonical(one) for one in own.counts]
        missing = [one for one in values if one not in held]
        coverage = 1 - len(missing) / len(values) if values else 1.0
        sure = confidence(coverage, names, self.telling(to, key), len(values))
        if sure < LEAST:
            return None
        return self.made(table, (column,), to, (key,), sure, (names, coverage, len(values)))

    def made(
        self, table: Table, columns: tuple[str, ...], to: Table, key: tuple[str, ...], sure: float, why: tuple[float, float, int]
    ) -> Join:
        names, coverage, n = why
        where = f"{table.name}({', '.join(columns)})"
        says = f"names fit {to.name}({', '.join(key)}) by {names:g}; {coverage:.1%} of its different values are there"
        filled, orphans = _orphans(self.file, table.name, columns, to.name, key)
        single = _is_single(table, columns, self.keys[table.name])
        return Join(table.name, columns, to.name, key, False, round(sure, 3), single, filled, orphans, (Evidence(where, says, n),))

    def may_hold(self, own: Profile, to: Table, key: str) -> bool:
        """A quick look: whether most of a few values are there at all."""
        few = [canonical(one) for one in list(own.counts)[:_PROBED]]
        return sum(one in self.values(to, key) for one in few) > 0.8 * len(few)

    def telling(self, to: Table, key: str) -> float:
        """1, or less for numbers without gaps, among which any small number is found."""
        at = (to.name, key)
        if at not in self.tells:
            values = self.values(to, key)
            numbers = [one for one in values if isinstance(one, int)]
            is_run = len(numbers) > 0.9 * len(values) and max(numbers) - min(numbers) < 3 * len(numbers)
            self.tells[at] = _DENSE if is_run else 1.0
        return self.tells[at]

    def values(self, table: Table, column: str) -> frozenset[Any]:
        at = (table.name, column)
        if at not in self.sets:
            found = self.profiles[table.name][column]
            values: Sequence[Any] = list(found.counts)
            if not found.whole:
                source = f"SELECT DISTINCT {quoted(column)} FROM main.{quoted(table.name)} LIMIT {_MOST_VALUES}"
                values = [row[0] for row in self.file.rows(source)]
            self.sets[at] = frozenset(canonical(one) for one in values if one is not None)
        return self.sets[at]

    def composite(self, table: Table) -> Iterator[Join]:
        """Several columns with the names of another table's key."""
        own = {one.name.casefold(): one.name for one in table.columns}
        for to in self.tables:
            key = self.keys[to.name]
            if to.name == table.name or len(key) < 2 or not all(one.casefold() in own for one in key):
                continue
            columns = tuple(own[one.casefold()] for one in key)
            mine = set(self.keys[table.name])
            if mine and mine < set(columns):  # each row of it is named there: the reference goes the other way
                continue
            if set(columns) == mine and table.rows is not None and to.rows is not None and table.rows > to.rows:
                continue
            filled, orphans = _orphans(self.file, table.name, columns, to.name, key)
            sure = confidence(1 - orphans / filled if filled else 1.0, 0.9, 1.0, filled)
            if sure >= LEAST:
                yield self.made(table, columns, to, key, sure, (0.9, 1 - orphans / filled if filled else 1.0, filled))
