"""Which changes meet which expectations.

Takes expectations with their rows, and the episode's row changes; gives the problems, and what is explained. Inserts
are matched one to one (maximum matching), updates and deletes by primary key against the state after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.verifier.compare import same_value
from worldwright.verifier.compiled import CompiledExpectation
from worldwright.verifier.reading import UnreadText
from worldwright.verifier.statements import mentioned, missing, strays
from worldwright.world.protocol import RowChange
from worldwright.world.records.schema import Table

__all__ = ["Explained", "Ledger", "Wanted", "match_deletes", "match_inserts", "match_updates"]

Row = Mapping[str, Any]
Key = tuple[str, tuple[Any, ...]]


class TextValues(msgspec.Struct, frozen=True):
    """A text check with its rows: `must` and `may` hold rows with a column `value`."""

    column: str
    type: str
    values: Sequence[Row]
    may: Sequence[Row]
    must: bool


class Wanted(msgspec.Struct, frozen=True):
    """An expectation with the rows it expects, and for updates and deletes the same rows as they were before."""

    expectation: CompiledExpectation
    rows: Sequence[Row]
    before: Mapping[tuple[Any, ...], Row]
    texts: Sequence[TextValues]


class Explained(msgspec.Struct):
    """What a set of expectations accounts for: whole rows, or columns of rows."""

    rows: set[Key]
    columns: dict[Key, set[str]]

    def add(self, other: Explained) -> None:
        """All that `other` accounts for, too."""
        self.rows |= other.rows
        for key, columns in other.columns.items():
            self.columns.setdefault(key, set()).update(columns)

    def mark(self) -> tuple[frozenset[Key], frozenset[tuple[Key, frozenset[str]]]]:
        """What tells it from others."""
        return frozenset(self.rows), frozenset((key, frozenset(columns)) for key, columns in self.columns.items())


class Ledger:
    """The episode's changes, by operation and key."""

    def __init__(self, changes: Sequence[RowChange], free: frozenset[tuple[str, str]]) -> None:
        self.changes, self.free = changes, free
        self.by_key: dict[Key, RowChange] = {(change.table, change.key): change for change in changes}

    def inserted(self, table: str) -> list[RowChange]:
        """Rows that are new, the agent's own first."""
        return sorted((one for one in self.changes if one.table == table and one.op == "insert"), key=lambda one: one.by != "agent")


def match_inserts(
    wanted: Sequence[Wanted], ledger: Ledger
) -> tuple[dict[int, list[dict[str, Any]]], dict[int, list[RowChange]], Explained]:
    """Match all insert expectations on one table. Gives problems and matched rows by expectation, and what is explained."""
    table = wanted[0].expectation.table
    candidates = ledger.inserted(table.name)
    left = [(n, row) for n, one in enumerate(wanted) for row in one.rows]
    edges = [[k for k, change in enumerate(candidates) if _insert_fits(wanted[n], row, change.new, ledger.free)] for n, row in left]
    pairs = _maximum(edges, len(candidates))
    problems: dict[int, list[dict[str, Any]]] = {n: [] for n in range(len(wanted))}
    matched: dict[int, list[RowChange]] = {n: [] for n in range(len(wanted))}
    done = Explained(set(), {})
    for i, (n, _) in enumerate(left):
        if i in pairs:
            change = candidates[pairs[i]]
            matched[n].append(change)
            done.rows.add((table.name, change.key))
    spare = [change for k, change in enumerate(candidates) if k not in set(pairs.values())]
    for i, (n, row) in enumerate(left):
        if i not in pairs:
            problems[n].append(_insert_problem(wanted[n], row, spare, ledger.free, done))
    return problems, matched, done


def _insert_fits(wanted: Wanted, row: Row, new: Row, free: frozenset[tuple[str, str]]) -> bool:
    pinned = next(_pinned_faults(wanted, row, new), None) is None
    return pinned and not _extra_faults(wanted, new, free) and not text_faults(wanted, new)


def _pinned_faults(wanted: Wanted, row: Row, new: Row) -> Iterator[dict[str, Any]]:
    spec, table = wanted.expectation.spec, wanted.expectation.table
    for name, value in row.items():
        column = table.column(name)
        family = column.family if column else "text"
        if not same_value(family, value, new.get(name), spec.tolerance.get(name, 0.0), name in spec.loose):
            yield {"column": name, "expected": value, "got": new.get(name)}


def _extra_faults(wanted: Wanted, new: Row, free: frozenset[tuple[str, str]]) -> list[dict[str, Any]]:
    """Columns that nothing grades must be left at their default."""
    one = wanted.expectation
    graded = {*one.pinned, *one.spec.open, *one.spec.must_state, *one.spec.must_not_state}
    out = []
    for column in one.table.columns:
        if column.name in graded or column.generated or (one.table.name, column.name) in free or is_row_number(one.table, column.name):
            continue
        known, default = _default(column.default)
        if known and not same_value(column.family, default, new.get(column.name)):
            out.append({"column": column.name, "expected": default, "got": new.get(column.name), "why": "not asked for"})
    return out


def is_row_number(table: Table, column: str) -> bool:
    """Whether the column is SQLite's own row number: given by the engine, nobody's choice."""
    found = table.column(column)
    return table.key == (column,) and found is not None and found.declared.upper() == "INTEGER"


def _default(text: str | None) -> tuple[bool, Any]:
    """(known, value) of a column's default; an expression's value isn't known."""
    if text is None or text.upper() == "NULL":
        return True, None
    if len(text) > 1 and text[0] == text[-1] == "'":
        return True, text[1:-1].replace("''", "'")
    try:
        return True, int(text)
    except ValueError:
        pass
    try:
        return True, float(text)
    except ValueError:
        return False, None


def text_faults(wanted: Wanted, new: Row) -> list[dict[str, Any]]:
    """What texts of this row fail to state, or state without leave. A text that can't be read is at fault in any case."""
    out: list[dict[str, Any]] = []
    for check in wanted.texts:
        try:
            out += [{"column": check.column, "why": why} for why in _text_faults(check, new)]
        except UnreadText as fault:
            out.append({"column": check.column, "why": str(fault)})
    return out


def _text_faults(check: TextValues, new: Row) -> list[str]:
    text, kind = new.get(check.column), check.type
    values = [row["value"] for row in check.values if _tied(row, new)]
    if not check.must:
        return [f"states the {kind} {value}, which it must not" for value in mentioned(text, kind, values)]
    out = [f"doesn't state the {kind} {value}" for value in missing(text, kind, values)]
    if isinstance(text, str):
        allowed = values + [row["value"] for row in check.may if _tied(row, new)]
        out += [f"states the {kind} {value}, which is not called for" for value in strays(text, kind, allowed)]
    return out


def _tied(row: Row, new: Row) -> bool:
    return all(new.get(name) == value for name, value in row.items() if name != "value")


def _insert_problem(
    wanted: Wanted, row: Row, spare: Sequence[RowChange], free: frozenset[tuple[str, str]], done: Explained
) -> dict[str, Any]:
    """Why an expected row has no match: the nearest inserted row, if one is near."""
    best: tuple[int, RowChange, list[dict[str, Any]]] | None = None
    for change in spare:
        if (change.table, change.key) in done.rows:
            continue
        faults = [*_pinned_faults(wanted, row, change.new), *_extra_faults(wanted, change.new, free)]
        if best is None or len(faults) < best[0]:
            faults += text_faults(wanted, change.new)
            if best is None or len(faults) < best[0]:
                best = (len(faults), change, faults)
    if best is None or best[0] > max(1, len(row) - 1) + len(wanted.texts) * 2:
        return {"problem": "missing", "expected": dict(row)}
    done.rows.add((best[1].table, best[1].key))
    return {
        "problem": "differs",
        "expected": dict(row),
        "key": list(best[1].key),
        "differences": {str(n): fault for n, fault in enumerate(best[2])},
    }


def match_updates(wanted: Wanted, ledger: Ledger) -> tuple[list[dict[str, Any]], list[tuple[Any, ...]], Explained]:
    """Compare each expected row with the state after. Gives problems, the keys that hold, and what is explained."""
    one = wanted.expectation
    problems: list[dict[str, Any]] = []
    keys: list[tuple[Any, ...]] = []
    done = Explained(set(), {})
    for row in wanted.rows:
        key = tuple(row[name] for name in one.table.key)
        change = ledger.by_key.get((one.table.name, key))
        before = wanted.before.get(key)
        if (change is not None and change.op == "delete") or (change is None and before is None):
            problems.append({"problem": "missing", "expected": dict(row)})
            continue
        after = {**(before or {}), **(change.new if change is not None else {})}
        faults = [*_pinned_faults(wanted, row, after), *text_faults(wanted, after)]
        if faults:
            problems.append({"problem": "differs", "key": list(key), "differences": {str(n): fault for n, fault in enumerate(faults)}})
        keys.append(key)
        done.columns.setdefault((one.table.name, key), set()).update(
            one.pinned, one.spec.open, one.spec.must_state, one.spec.must_not_state
        )
    return problems, keys, done


def match_deletes(wanted: Wanted, ledger: Ledger) -> tuple[list[dict[str, Any]], Explained]:
    """Each expected row must be gone."""
    one, problems, done = wanted.expectation, [], Explained(set(), {})
    for row in wanted.rows:
        key = tuple(row[name] for name in one.table.key)
        change = ledger.by_key.get((one.table.name, key))
        gone = change.op == "delete" if change is not None else wanted.before.get(key) is None
        if gone:
            done.rows.add((one.table.name, key))
        else:
            problems.append({"problem": "still there", "key": list(key)})
    return problems, done


def _maximum(edges: Sequence[Sequence[int]], right: int) -> dict[int, int]:
    """A maximum bipartite matching, left to right (Kuhn 1955, by augmenting paths; without recursion on the usual exact case)."""
    taken: dict[int, int] = {}
    pairs: dict[int, int] = {}
    for left, options in enumerate(edges):
        free = next((k for k in options if k not in taken), None)
        if free is not None:
            taken[free], pairs[left] = left, free
    for left in range(len(edges)):
        if left not in pairs:
            path = _augment(left, edges, taken)
            for one, k in path:
                taken[k], pairs[one] = one, k
    return pairs


def _augment(start: int, edges: Sequence[Sequence[int]], taken: Mapping[int, int]) -> list[tuple[int, int]]:
    """An augmenting path from an unmatched left node, as its new pairs; [] if there is none. Breadth first."""
    came: dict[int, tuple[int, int | None]] = {}
    queue: list[tuple[int, int | None]] = [(start, None)]
    while queue:
        left, via = queue.pop(0)
        for k in edges[left]:
            if k in came:
                continue
            came[k] = (left, via)
            if k not in taken:
                return _unwound(k, came)
            queue.append((taken[k], k))
    return []


def _unwound(last: int, came: Mapping[int, tuple[int, int | None]]) -> list[tuple[int, int]]:
    path: list[tuple[int, int]] = []
    k: int | None = last
    while k is not None:
        left, via = came[k]
        path.append((left, k))
        k = via
    return path
