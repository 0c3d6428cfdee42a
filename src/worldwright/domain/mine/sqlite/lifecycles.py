"""Lifecycles: in which order the states of a status column follow, as far as the data shows it.

Takes a status with the tables around it; gives a Lifecycle. Transitions are believed only where a table of changes shows them (and its
last change agrees with the state that the thing is in), or where dates of the same row do (and the last date agrees). Otherwise the
order is unknown, and nothing is guessed. What guards a transition is in `guards`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from worldwright.domain.mine.sqlite.guards import Around, guards_of, named
from worldwright.domain.mine.sqlite.joins import Join, canonical
from worldwright.domain.mine.sqlite.layout import Table
from worldwright.domain.mine.sqlite.opening import quoted
from worldwright.domain.mine.sqlite.profile import Profile
from worldwright.domain.mine.sqlite.states import Status
from worldwright.domain.mine.sqlite.vocabulary import lexicon, stems
from worldwright.domain.model import Evidence, Lifecycle, Transition

__all__ = ["find_lifecycle"]

_MOST_ROWS = 100_000
_FIRST_SHARE = 0.05
_AGREES, _AGREES_NAMED, _DATES_AGREE = 0.9, 0.5, 0.8
_COVERED = 0.8
_STEM = 4


class _Order(msgspec.Struct, frozen=True):
    """Transitions with their counts, first states with theirs, and where they were seen."""

    source: Literal["history", "dates"]
    steps: dict[tuple[str, str], int]
    firsts: dict[str, int]
    where: str
    says: str
    n: int


def find_lifecycle(around: Around, table: Table, status: Status) -> Lifecycle:
    """The lifecycle of a status column."""
    order = _history(around, table, status) or _dates(around, table, status)
    name = around.field_of(table.name, status.column)
    states = list(status.states)
    if order is None:
        note = Evidence(f"{table.name}.{status.column}", "order unknown: no table of changes and no dates show how the states follow")
        return Lifecycle(name, states, evidence=[*status.evidence, note])
    guards = guards_of(around, table, status, order.steps)
    steps = [
        Transition(one, two, n, guards.get((one, two), []))
        for (one, two), n in sorted(order.steps.items(), key=lambda item: (-item[1], item[0]))
    ]
    total = sum(order.firsts.values())
    start = [one for one, n in sorted(order.firsts.items(), key=lambda item: (-item[1], item[0])) if n >= _FIRST_SHARE * total]
    reached = {two for _, two in order.steps} | set(start)
    left = {one for one, _ in order.steps}
    return Lifecycle(
        field=name,
        states=states,
        order=order.source,
        start=start,
        ends=[one.name for one in states if one.name in reached and one.name not in left],
        unseen=[one.name for one in states if one.name not in reached],
        transitions=steps,
        evidence=[*status.evidence, Evidence(order.where, order.says, order.n)],
    )


# ---- a table of changes


def _history(around: Around, table: Table, status: Status) -> _Order | None:
    """The order that the best table of changes shows."""
    found = []
    for join in around.joins:
        if join.to == table.name and join.table != table.name and len(join.columns) == 1:
            there = around.layout.table(join.table)
            columns = [one.name for one in there.columns if _covers(around.profiles[there.name][one.name], status)]
            order = _pairs(around, there, columns, status) or _sequences(around, table, there, join, columns, status)
            if order is not None:
                found.append(order)
    return max(found, key=lambda one: one.n, default=None)


def _covers(profile: Profile, status: Status) -> bool:
    """Whether a column holds mostly states, and at least two."""
    known = {canonical(one) for one in status.values}
    hits = sum(n for value, n in profile.counts.items() if canonical(value) in known)
    return profile.filled > 0 and hits >= _COVERED * profile.filled and len(known & {canonical(one) for one in profile.counts}) > 1


def _pairs(around: Around, there: Table, columns: Sequence[str], status: Status) -> _Order | None:
    """Changes that are kept as the old state and the new one."""
    old = next((one for one in columns if lexicon().speaks("old", stems(one))), None)
    new = next((one for one in columns if lexicon().speaks("new", stems(one)) and one != old), None)
    new = new or next((one for one in columns if one != old), None)
    if old is None or new is None:
        return None
    rows = around.file.rows(f"SELECT {quoted(old)}, {quoted(new)}, count(*) FROM main.{quoted(there.name)} GROUP BY 1, 2")
    steps: Counter[tuple[str, str]] = Counter()
    firsts: Counter[str] = Counter()
    for before, after, n in rows:
        one, two = named(status, before), named(status, after)
        if one and two and one != two:
            steps[one, two] += n
        elif two and before in (None, ""):
            firsts[two] += n
    if not steps:
        return None
    if not firsts:
        reached = {two for _, two in steps}
        firsts.update({one: n for (one, _), n in steps.items() if one not in reached})
    n = sum(steps.values())
    return _Order("history", dict(steps), dict(firsts), there.name, f"changes from {old} to {new}", n)


def _sequences(around: Around, table: Table, there: Table, join: Join, columns: Sequence[str], status: Status) -> _Order | None:
    """Changes that are kept as states with dates: one after the other."""
    at = _clock(around, there)
    if at is None or not columns:
        return None
    column = columns[0]
    shown = ", ".join(map(quoted, (join.columns[0], column, at)))
    raw = around.file.rows(f"SELECT {shown} FROM main.{quoted(there.name)} LIMIT {_MOST_ROWS}")
    dated = around.kinds[there.name][at].dated
    iso: Mapping[Any, Any] = dated.iso if dated is not None else {}
    runs: dict[Any, list[tuple[Any, int, str]]] = {}
    for n, (key, value, when) in enumerate(raw):
        name = named(status, value)
        if key is not None and name is not None and when is not None:
            runs.setdefault(canonical(key), []).append((iso.get(when, when), n, name))
    ordered = {key: _run(run) for key, run in runs.items()}
    if not any(len(run) > 1 for run in ordered.values()):
        return None
    agrees = _agreement(around, table, join, status, ordered)
    bar = _AGREES_NAMED if lexicon().speaks("history", stems(there.name)) else _AGREES
    if agrees < bar:
        return None
    return _counted("history", ordered.values(), there.name, f"{column} by {at}; the last agrees with {agrees:.0%} of the things")


def _run(changes: Sequence[tuple[Any, int, str]]) -> list[str]:
    """The states of one thing in order, without repeats."""
    ordered = sorted(changes, key=lambda one: (str(type(one[0])), one[0], one[1]))
    return [name for name, _ in itertools.groupby(one[2] for one in ordered)]


def _clock(around: Around, there: Table) -> str | None:
    """The column that says when, or a number that grows."""
    kinds = around.kinds[there.name]
    for wanted in ("datetime", "date"):
        found = [one.name for one in there.columns if kinds[one.name].type == wanted]
        if found:
            return found[0]
    if len(there.key) == 1 and kinds[there.key[0]].type == "integer":
        return there.key[0]
    return None


def _agreement(around: Around, table: Table, join: Join, status: Status, ordered: Mapping[Any, Sequence[str]]) -> float:
    """The share of the things whose last change is the state they are in."""
    shown = ", ".join(map(quoted, (join.to_columns[0], status.column)))
    rows = around.file.rows(f"SELECT {shown} FROM main.{quoted(table.name)} LIMIT {_MOST_ROWS}")
    seen = [(ordered[canonical(key)][-1], named(status, value)) for key, value in rows if canonical(key) in ordered]
    return sum(one == two for one, two in seen) / len(seen) if seen else 0.0


def _counted(source: Literal["history", "dates"], runs: Any, where: str, says: str) -> _Order | None:
    steps: Counter[tuple[str, str]] = Counter()
    firsts: Counter[str] = Counter()
    for run in runs:
        if run:
            firsts[run[0]] += 1
        steps.update(itertools.pairwise(run))
    if not steps:
        return None
    return _Order(source, dict(steps), dict(firsts), where, says, sum(steps.values()))


# ---- dates of the same row


def _dates(around: Around, table: Table, status: Status) -> _Order | None:
    """The order that dates such as `shipped_at` show."""
    columns = _companions(around, table, status)
    if not columns:
        return None
    shown = ", ".join(map(quoted, (status.column, *columns.values())))
    rows = around.file.rows(f"SELECT {shown} FROM main.{quoted(table.name)} LIMIT {_MOST_ROWS}")
    runs: list[tuple[str, list[str]]] = []
    for state, *dates in rows:
        name = named(status, state)
        if name is not None:
            runs.append((name, list(_dated_run(around, table, columns, dates))))
    first = _undated(runs, set(columns))
    whole = [(state, [first, *run] if first is not None else run) for state, run in runs]
    agrees = sum(bool(run) and run[-1] == state for state, run in whole) / len(whole) if whole else 0.0
    if agrees < _DATES_AGREE:
        return None
    listed = ", ".join(columns.values())
    says = f"dates of the same row ({listed}); the last agrees with {agrees:.0%} of the rows"
    return _counted("dates", [run for _, run in whole], table.name, says)


def _dated_run(around: Around, table: Table, columns: Mapping[str, str], dates: Sequence[Any]) -> Iterator[str]:
    """The states whose dates a row has, in the order of the dates."""
    found = []
    for n, ((state, column), value) in enumerate(zip(columns.items(), dates, strict=True)):
        dated = around.kinds[table.name][column].dated
        iso = dated.iso.get(value) if dated is not None else None
        if iso is not None:
            found.append((iso, n, state))
    return (state for _, _, state in sorted(found))


def _undated(runs: Sequence[tuple[str, list[str]]], dated: set[str]) -> str | None:
    """The one state whose rows have none of the dates: where things begin."""
    found = {state for state, run in runs if state not in dated}
    begins = [state for state in found if all(not run for name, run in runs if name == state)]
    return begins[0] if len(begins) == 1 else None


def _companions(around: Around, table: Table, status: Status) -> dict[str, str]:
    """The date column of each state that has one of its name, in the order of the columns."""
    kinds = around.kinds[table.name]
    out: dict[str, str] = {}
    for column in table.columns:
        if kinds[column.name].type in ("date", "datetime"):
            state = next((one.name for one in status.states if one.name not in out and _speaks_of(column.name, one)), None)
            if state is not None:
                out[state] = column.name
    return out


def _speaks_of(column: str, state: Any) -> bool:
    """Whether a column's name has a word of a state's: `ship_date` and shipped."""
    own = [word for text in (state.name, state.about) for word in stems(text) if len(word) >= _STEM or word == state.name.casefold()]
    return any(_same_stem(one, two) for one in stems(column) for two in own)


def _same_stem(one: str, two: str) -> bool:
    if one == two:
        return True
    short = min(len(one), len(two))
    same = next((n for n in range(short) if one[n] != two[n]), short)
    return same >= _STEM and same >= short - 1
