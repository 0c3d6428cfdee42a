"""Ends: what an attempt has changed, as it compares with the ends that are known to be right.

Takes the changes of attempts; gives `same`, `near` or `other`. What doesn't matter is left out: columns that the subject
declares free, tables that mere reading changes (journals), columns that change from run to run. `near` is an end that
differs only where known right ends differ among themselves (on this instance or on another of its case), or in generated
keys: nobody can say by the state alone. `hidden`: all that a right end changes is left out, so that nothing can be told.
`logged`: the same but for a journal that every write adds to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec

from worldwright.audit.answers import canonical
from worldwright.audit.subject import Attempt, Change

__all__ = ["End", "Ends", "Loose", "Noise", "Relation", "differing", "end_of", "loose_of", "noise_of"]

Relation = Literal["same", "near", "other", "hidden", "logged"]

_Rows = dict[tuple[str, str, str], dict[str, Any]]


class Noise(msgspec.Struct, frozen=True):
    """What is left out of a comparison: whole tables, and (table, column) pairs."""

    tables: frozenset[str] = frozenset()
    columns: frozenset[tuple[str, str]] = frozenset()


class Loose(msgspec.Struct, frozen=True):
    """What right ends leave open: values of columns, which rows of a (table, operation), how many rows of one.

    `targets` are tables of which right ends of one instance change or delete other rows than their fellows.
    """

    columns: frozenset[tuple[str, str]] = frozenset()
    rows: frozenset[tuple[str, str]] = frozenset()
    counts: frozenset[tuple[str, str]] = frozenset()
    targets: frozenset[str] = frozenset()

    def __or__(self, other: Loose) -> Loose:
        return Loose(self.columns | other.columns, self.rows | other.rows, self.counts | other.counts, self.targets | other.targets)


class End(msgspec.Struct, frozen=True):
    """An end that is known to be right: its solution's name, its changes and files (None where there are none), its answer."""

    name: str
    changes: tuple[Change, ...] | None
    files: Mapping[str, str] | None
    answer: Any


def end_of(name: str, attempt: Attempt, answer: Any) -> End:
    """The end that an accepted attempt left."""
    return End(name, attempt.changes, attempt.files, answer)


def noise_of(reads: Iterable[Attempt], again: Iterable[tuple[Attempt, Attempt]], free: Iterable[tuple[str, str]]) -> Noise:
    """What doesn't matter: what `reads` (attempts that only read) changed, and where pairs of the same run differ."""
    tables = {change.table for attempt in reads for change in attempt.changes or ()}
    columns = set(free)
    for one, other in again:
        columns |= differing(one.changes or (), other.changes or ())
    return Noise(frozenset(tables), frozenset(columns))


def differing(one: Sequence[Change], other: Sequence[Change]) -> set[tuple[str, str]]:
    """(table, column) in which two sets of changes differ, where the same rows are touched in both."""
    mine, theirs = _rows(one, Noise()), _rows(other, Noise())
    return {
        (key[0], column)
        for key in mine.keys() & theirs.keys()
        for column in mine[key].keys() | theirs[key].keys()
        if mine[key].get(column, ...) != theirs[key].get(column, ...)
    }


def loose_of(ends: Sequence[End], noise: Noise) -> Loose:
    """Where the right ends of one instance differ among themselves."""
    known = [end.changes for end in ends if end.changes is not None]
    out = Loose()
    for n, one in enumerate(known):
        for other in known[n + 1 :]:
            out |= _apart(one, other, noise)
    return out


def _apart(one: Sequence[Change], other: Sequence[Change], noise: Noise) -> Loose:
    columns, rows, counts = set(differing(one, other)), set(), set()
    mine, theirs = _sets(one, noise), _sets(other, noise)
    for key in mine.keys() | theirs.keys():
        left, right = mine.get(key, {}), theirs.get(key, {})
        if len(left) != len(right):
            counts.add(key)
        elif left.keys() != right.keys():
            rows.add(key)
        else:
            continue
        names = {name for row in (*left.values(), *right.values()) for name in row}
        columns |= {(key[0], name) for name in names if _values(left, name) != _values(right, name)}
    touched, others = _touched(one, noise), _touched(other, noise)
    targets = {table for table in touched.keys() | others.keys() if touched.get(table) != others.get(table)}
    return Loose(frozenset(columns), frozenset(rows), frozenset(counts), frozenset(targets))


class Ends:
    """The known right ends of one instance, ready to compare others with. `loose`: where right ends of like instances differ."""

    def __init__(self, ends: Sequence[End], noise: Noise, loose: Loose | None = None) -> None:
        self._noise = noise
        self._known = [end.changes for end in ends if end.changes is not None]
        self._rows = [_rows(one, noise) for one in self._known]
        self._all = list(ends)
        self._more = loose or Loose()

    @cached_property
    def _loose(self) -> Loose:
        return loose_of(self._all, self._noise) | self._more

    @cached_property
    def _least(self) -> dict[tuple[str, str], int]:
        """How many rows there must be where the number is open: one, if every known end has one."""
        if not self._known or not self._loose.counts:
            return {}
        sets = [_sets(one, self._noise) for one in self._known]
        return {key: min(1, *(len(one.get(key, {})) for one in sets)) for key in self._loose.counts}

    @cached_property
    def _blurred(self) -> list[list[str]]:
        return [self._blur(one) for one in self._known]

    def _blur(self, changes: Sequence[Change]) -> list[str]:
        return _blurred(changes, Noise(self._noise.tables, self._noise.columns | self._loose.columns), self._loose)

    def relation(self, changes: Sequence[Change]) -> Relation:
        """How an attempt's changes stand to the known right ends."""
        if any(changed and not one for one, changed in zip(self._rows, self._known, strict=True)):
            return "hidden"
        mine = _rows(changes, self._noise)
        if any(mine == one for one in self._rows):
            return "same"
        if self._least:
            own = _sets(changes, self._noise)
            if any(len(own.get(key, {})) < n for key, n in self._least.items()):
                return "other"
        return "other" if self._elsewhere(changes) else "near" if self._blur(changes) in self._blurred else "other"

    def _elsewhere(self, changes: Sequence[Change]) -> bool:
        """Whether other rows are changed or deleted than in every known end, in a table where all of these agree on which.

        One solution may change a row that another deletes and makes anew, so that the number of rows changed is open; which row
        it is done to is not.
        """
        open_tables = {table for table, op in self._loose.counts if op != "insert"} - self._loose.targets
        if not open_tables:
            return False
        mine, known = _touched(changes, self._noise), _touched(self._known[0], self._noise)
        return any(mine.get(table) != known.get(table) for table in open_tables)


def _touched(changes: Iterable[Change], noise: Noise) -> dict[str, frozenset[str]]:
    """The keys of the rows of each table that were there before and are changed or deleted."""
    out: dict[str, set[str]] = {}
    for table, op, key in _rows(changes, noise):
        if op != "insert":
            out.setdefault(table, set()).add(key)
    return {table: frozenset(keys) for table, keys in out.items()}


def _sets(changes: Iterable[Change], noise: Noise) -> dict[tuple[str, str], dict[str, dict[str, Any]]]:
    """Rows by table and operation, then by key; generated keys are but numbers."""
    out: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for (table, op, key), row in _rows(changes, noise).items():
        part = out.setdefault((table, op), {})
        part[f"#{len(part)}" if op == "insert" and _is_generated(key) else key] = row
    return out


def _values(rows: Mapping[str, dict[str, Any]], name: str) -> list[str]:
    return sorted(repr(row.get(name)) for row in rows.values())


def _rows(changes: Iterable[Change], noise: Noise) -> _Rows:
    out: _Rows = {}
    for n, change in enumerate(changes):
        if change.table in noise.tables:
            continue
        kept = {column: canonical(value) for column, value in change.new.items() if (change.table, column) not in noise.columns}
        if change.op == "update" and not kept:
            continue
        key = (change.table, change.op, change.key)
        out[key if key not in out else (*key[:2], f"{change.key}#{n}")] = {} if change.op == "delete" else kept
    return out


def _blurred(changes: Iterable[Change], noise: Noise, loose: Loose) -> list[str]:
    """Rows without generated keys and what is loose, in any order."""
    out = []
    for (table, op, key), row in _rows(changes, noise).items():
        if (table, op) in loose.counts:
            continue
        made = (op == "insert" and _is_generated(key)) or (table, op) in loose.rows
        kept = {name: value for name, value in row.items() if not (made and str(value) == str(canonical(key)))}
        out.append(repr((table, op, "" if made else key, sorted(kept.items(), key=repr))))
    return sorted(out)


def _is_generated(key: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z]{0,6}[-_#]?\d+(?:\.0)?|[0-9a-f-]{12,}", key))
