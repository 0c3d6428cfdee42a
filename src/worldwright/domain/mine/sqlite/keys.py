"""The key of each table: the declared one, or the columns that tell its rows apart and look as if they were meant to.

Takes tables with profiles and kinds; gives keys with the evidence for those that nothing declares. The confidence of an inferred
key is n / (n + 3) over n rows, times how well the name fits: 0.95 for `id` or the table's own name, 0.85 for its beginning, 0.7 for
another name of a key, 0.5 for the first column, 0.4 for any other, 0.6 for two columns together.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Mapping, Sequence

import msgspec

from worldwright.domain.mine.sqlite.kinds import Typed
from worldwright.domain.mine.sqlite.layout import Table
from worldwright.domain.mine.sqlite.names_fit import core, is_id
from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.mine.sqlite.profile import Profile
from worldwright.domain.mine.sqlite.vocabulary import stems
from worldwright.domain.model import Evidence

__all__ = ["Key", "find_key"]

_MOST_PAIRS = 20
_PAIR = 0.6


class Key(msgspec.Struct, frozen=True):
    """The columns of a table's key, () if nothing tells its rows apart, with a confidence and why."""

    columns: tuple[str, ...]
    confidence: float
    why: Evidence


def find_key(file: Opened, table: Table, profiles: Mapping[str, Profile], kinds: Mapping[str, Typed]) -> Key:
    """The key of a table."""
    rows = table.rows or 0
    if table.key:
        return Key(table.key, 1.0, Evidence(table.name, f"key declared: {', '.join(table.key)}", rows))
    declared = [one for one in table.unique if all(table.column(name).notnull or not profiles[name].nulls for name in one)]
    if declared:
        best = min(declared, key=len)
        return Key(best, 1.0, Evidence(table.name, f"no primary key; an index holds {', '.join(best)} unique", rows))
    found = _single(file, table, profiles, kinds) or _pair(file, table, profiles, kinds)
    if found is None:
        return Key((), 0.0, Evidence(table.name, "no key declared, and no column or pair of columns tells the rows apart", rows))
    columns, sure = found
    return Key(columns, sure, Evidence(table.name, f"no key declared; {', '.join(columns)} tells all rows apart", rows))


def _single(
    file: Opened, table: Table, profiles: Mapping[str, Profile], kinds: Mapping[str, Typed]
) -> tuple[tuple[str, ...], float] | None:
    found = []
    for n, column in enumerate(table.columns):
        profile = profiles[column.name]
        if kinds[column.name].type not in ("integer", "text") or column.generated or profile.nulls:
            continue
        if table.rows == 0 and not (is_id(column.name) and _name_fits(table.name, column.name) > 0.9):
            continue
        if table.rows and not (profile.is_unique and (profile.whole or _tells_apart(file, table, (column.name,)))):
            continue
        found.append((_name_fits(table.name, column.name) or (0.4 if n else 0.5), -n, column.name))
    if not found:
        return None
    fits, _, name = max(found)
    return (name,), round(fits * _support(table), 2)


def _support(table: Table) -> float:
    rows = table.rows or 0
    return rows / (rows + 3) if rows else 0.5


def _name_fits(table: str, column: str) -> float:
    if not is_id(column):
        return 0.0
    own = "".join(core(column))
    known = stems(table)
    if own in ("", "".join(known), *known[-1:]):
        return 0.95
    return 0.85 if len(own) >= 3 and any(word.startswith(own) for word in known) else 0.7


def _pair(file: Opened, table: Table, profiles: Mapping[str, Profile], kinds: Mapping[str, Typed]) -> tuple[tuple[str, ...], float] | None:
    if not table.rows:
        return None
    usable = [
        one.name
        for one in table.columns
        if not profiles[one.name].nulls and not one.generated and kinds[one.name].type in ("integer", "text", "date", "datetime")
    ]
    usable.sort(key=lambda name: not is_id(name))
    for pair in itertools.islice(itertools.combinations(usable, 2), _MOST_PAIRS):
        if len(profiles[pair[0]].counts) * len(profiles[pair[1]].counts) >= profiles[pair[0]].n and _tells_apart(file, table, pair):
            return pair, round(_PAIR * _support(table), 2)
    return None


def _tells_apart(file: Opened, table: Table, columns: Sequence[str]) -> bool:
    """Whether no two rows have the same values there; False if that takes too many steps."""
    shown = ", ".join(map(quoted, columns))
    try:
        return bool(file.one(f"SELECT count(*) FROM (SELECT DISTINCT {shown} FROM main.{quoted(table.name)})") == table.rows)
    except sqlite3.OperationalError:
        return False
