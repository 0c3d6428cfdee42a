"""Guards: what must hold after a step of a lifecycle, by what a CHECK demands, and by what the data shows.

Takes a status and its steps; gives guards by step. A guard by data is a column that has a value in every row after the step and in
at most a tenth of those before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.domain.mine.sqlite.checks import demand_of
from worldwright.domain.mine.sqlite.joins import Join, canonical
from worldwright.domain.mine.sqlite.kinds import Typed
from worldwright.domain.mine.sqlite.layout import Layout, Table
from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.mine.sqlite.profile import Profile
from worldwright.domain.mine.sqlite.states import Status
from worldwright.domain.model import Evidence, Guard

__all__ = ["Around", "guards_of", "named"]

_LEAST = 5
_BEFORE = 0.1


class Around(msgspec.Struct, frozen=True):
    """What a lifecycle is looked for in; `field_of` gives a field's name by its column."""

    file: Opened
    layout: Layout
    joins: Sequence[Join]
    profiles: Mapping[str, Mapping[str, Profile]]
    kinds: Mapping[str, Mapping[str, Typed]]
    field_of: Callable[[str, str], str]


def named(status: Status, value: Any) -> str | None:
    """The state that a stored value stands for."""
    known = {canonical(one): name for one, name in status.values.items()}
    return known.get(canonical(value))


def guards_of(around: Around, table: Table, status: Status, steps: Collection[tuple[str, str]]) -> dict[tuple[str, str], list[Guard]]:
    """For each step what a CHECK demands after it, and the columns that always have a value after it and hardly ever before."""
    out = _demanded(around, table, status, steps)
    for step, guards in _filled_by(around, table, status, steps).items():
        known = {name for one in out.get(step, ()) for name in one.fields}
        out.setdefault(step, []).extend(one for one in guards if not known.issuperset(one.fields))
    return out


def _demanded(around: Around, table: Table, status: Status, steps: Collection[tuple[str, str]]) -> dict[tuple[str, str], list[Guard]]:
    out: dict[tuple[str, str], list[Guard]] = {}
    columns = [one.name for one in table.columns if not around.profiles[table.name][one.name].fault]
    for check in table.checks:
        demand = demand_of(check, status.column, columns)
        names = {named(status, one) for one in demand.states} if demand is not None else set()
        for step in steps:
            if demand is not None and step[1] in names and step[0] not in names:
                fields = [around.field_of(table.name, one) for one in demand.columns]
                out.setdefault(step, []).append(Guard(demand.says, fields, [Evidence(table.name, f"CHECK ({check.text})")]))
    return out


def _filled_by(around: Around, table: Table, status: Status, steps: Collection[tuple[str, str]]) -> dict[tuple[str, str], list[Guard]]:
    columns = [one.name for one in table.columns if around.profiles[table.name][one.name].nulls and one.name != status.column]
    if not columns:
        return {}
    counted = ", ".join(f"count({quoted(one)})" for one in columns)
    rows = around.file.rows(f"SELECT {quoted(status.column)}, count(*), {counted} FROM main.{quoted(table.name)} GROUP BY 1")
    filled = {named(status, state): (n, dict(zip(columns, some, strict=True))) for state, n, *some in rows}
    out: dict[tuple[str, str], list[Guard]] = {}
    for one, two in steps:
        before, after = filled.get(one, (0, {})), filled.get(two, (0, {}))
        if min(before[0], after[0]) < _LEAST:
            continue
        for column in columns:
            if after[1][column] == after[0] and before[1][column] <= _BEFORE * before[0]:
                says = f"has a value in all {after[0]} rows that are {two}, and in {before[1][column]} of {before[0]} that are {one}"
                field = around.field_of(table.name, column)
                note = Evidence(f"{table.name}.{column}", says, after[0] + before[0])
                out.setdefault((one, two), []).append(Guard(f"{field} has a value", [field], [note]))
    return out
