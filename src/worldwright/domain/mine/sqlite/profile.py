"""What stands in the columns: counts, classes, ranges, spread, over all rows of a table or an even sample of them.

Takes an open database and its layout; gives a Profile a column. Tables of more than LOOKED_AT rows are looked at in rows spread evenly
over the table, and every number says over how many rows it is. Blobs are only measured, never read.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.domain.mine.sqlite.layout import Table
from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.model import Distribution, Scalar, Share

__all__ = ["LOOKED_AT", "Profile", "quantiles", "scalar", "spread", "table_profiles"]

LOOKED_AT = 10_000
"""Rows of a table that are looked at value by value."""
_LONGEST = 400
_FEW = 24
_SHOWN = 60
_POINTS = (0.05, 0.25, 0.5, 0.75, 0.95)


class Profile(msgspec.Struct, frozen=True):
    """What stands in a column: over `n` rows, `counts` of each value that isn't null, and the classes of storage.

    `whole` says whether these are all rows of the table; `fault` why the column can't be read.
    """

    n: int
    nulls: int
    counts: dict[Any, int]
    classes: dict[str, int]
    whole: bool
    fault: str = ""

    @property
    def filled(self) -> int:
        """How many values are there."""
        return self.n - self.nulls

    @property
    def is_unique(self) -> bool:
        """Whether no value stands twice, as far as was looked."""
        return self.filled > 0 and len(self.counts) == self.filled and "blob" not in self.classes

    def share(self, storage: str) -> float:
        """The share of the values that are stored in this class."""
        return self.classes.get(storage, 0) / self.filled if self.filled else 0.0


_EMPTY = Profile(0, 0, {}, {}, True)


def table_profiles(file: Opened, table: Table) -> dict[str, Profile]:
    """A profile of each column of the table, by name."""
    names = [one.name for one in table.columns]
    if not names or not table.rows:
        return dict.fromkeys(names, _EMPTY)
    faults: dict[str, str] = {}
    readable = _readable(file, table, faults)
    rows = _rows(file, table, readable)
    whole = len(rows) == table.rows
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in readable]
    found = {name: _profile(values, whole) for name, values in zip(readable, columns, strict=True)}
    if not whole:
        found = {name: _exact(file, table, name, one) for name, one in found.items()}
    return {name: found.get(name) or Profile(0, 0, {}, {}, False, faults[name]) for name in names}


def _exact(file: Opened, table: Table, name: str, profile: Profile) -> Profile:
    """A column of few values, counted over all rows, so that no value is missed; the same profile if that takes too many steps."""
    if len(profile.counts) > _FEW or "blob" in profile.classes:
        return profile
    try:
        rows = file.rows(f"SELECT {_shown(quoted(name))}, count(*) FROM main.{quoted(table.name)} GROUP BY 1 LIMIT {_LONGEST}")
    except sqlite3.OperationalError:
        return profile
    if len(rows) == _LONGEST or any(isinstance(value, bytes) for value, _ in rows):
        return profile
    counts = {value: n for value, n in rows if value is not None}
    classes: Counter[str] = Counter()
    for value, n in counts.items():
        classes[_CLASS[type(value)]] += n
    total = sum(n for _, n in rows)
    return Profile(total, total - sum(counts.values()), counts, dict(classes), True)


def _readable(file: Opened, table: Table, faults: dict[str, str]) -> list[str]:
    """The columns that can be read; a computed one may need a function that isn't here."""
    names = []
    for column in table.columns:
        if column.generated:
            try:
                file.rows(f"SELECT {quoted(column.name)} FROM main.{quoted(table.name)}")
            except sqlite3.OperationalError as fault:
                faults[column.name] = str(fault)
                continue
        names.append(column.name)
    return names


def _rows(file: Opened, table: Table, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """The rows to look at: all, or an even sample."""
    each = [_shown(quoted(name)) for name in names]
    source = f"main.{quoted(table.name)}"
    assert table.rows is not None
    if table.rows <= LOOKED_AT:
        return file.rows(f"SELECT {', '.join(each)} FROM {source} NOT INDEXED")
    every = -(-table.rows // LOOKED_AT)
    columns = ", ".join(f"{one} AS c{n}" for n, one in enumerate(each))
    picked = ", ".join(f"c{n}" for n in range(len(names)))
    return file.rows(f"SELECT {picked} FROM (SELECT {columns}, row_number() OVER () AS n FROM {source}) WHERE n % {every} = 0")


def _shown(name: str) -> str:
    return f"CASE typeof({name}) WHEN 'blob' THEN x'' WHEN 'text' THEN substr({name}, 1, {_LONGEST}) ELSE {name} END"


def _profile(values: Sequence[Any], whole: bool) -> Profile:
    counts = Counter(values)
    nulls = counts.pop(None, 0)
    classes: Counter[str] = Counter()
    for value in values:
        if value is not None:
            classes[_CLASS[type(value)]] += 1
    return Profile(len(values), nulls, dict(counts), dict(classes), whole)


_CLASS: Mapping[type, str] = {int: "integer", float: "real", str: "text", bytes: "blob"}


def quantiles(counts: Mapping[Any, int]) -> list[Any]:
    """The values at 5, 25, 50, 75 and 95 percent of values that can be sorted."""
    ordered = sorted(counts)
    total = sum(counts.values())
    if not total:
        return []
    out, seen, n = [], 0, 0
    for point in _POINTS:
        while seen + counts[ordered[n]] < point * total:
            seen += counts[ordered[n]]
            n += 1
        out.append(ordered[n])
    return out


def spread(profile: Profile, measured: Mapping[Any, int], with_shares: bool) -> Distribution | None:
    """The distribution of a column; `measured` are the values to take quantiles of, `with_shares` if few values make it up."""
    if not profile.n:
        return None
    shares: list[Share] = []
    if with_shares and len(profile.counts) <= min(_FEW, profile.filled / 2) and all(len(str(one)) <= _SHOWN for one in profile.counts):
        often = sorted(profile.counts.items(), key=lambda one: (-one[1], str(one[0])))
        shares = [Share(scalar(value), round(n / profile.filled, 4)) for value, n in often if not isinstance(value, bytes)]
    return Distribution(
        n=profile.n,
        nulls=round(profile.nulls / profile.n, 4),
        distinct=len(profile.counts) if "blob" not in profile.classes else 0,
        quantiles=[scalar(one) for one in quantiles(measured)],
        shares=shares,
    )


def scalar(value: Any) -> Scalar:
    """A value as a model holds it: a number that YAML can't write becomes text."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value if isinstance(value, str | int | float) else str(value)
