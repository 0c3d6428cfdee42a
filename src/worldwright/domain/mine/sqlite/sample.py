"""A sample of the real rows in which no reference leads nowhere.

Takes a model, the open file, a seed and a bound; gives rows by entity. A row comes with every row that it refers to, directly or
through others; rows that refer to one that isn't there are left out, and so is what refers to them. Things come with what belongs to
them: the sample grows from rows of the entity with the most structure, then evenly over the other entities. The same seed
gives the same rows.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.domain.mine.sqlite.joins import canonical
from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.model import DomainModel, Entity
from worldwright.errors import UsageError

__all__ = ["ROWS", "Sample", "draw"]

ROWS = 2_000
"""Rows in a sample, unless it is said otherwise."""
_MOST_INDEXED = 500_000
_BELONGING = 30
_FROM_CENTRE = 0.6
_TRIES = 200

Row = tuple[str, int]
"""An entity's name, and the place of a row in its table."""


class Sample(msgspec.Struct, frozen=True):
    """Rows by entity, each a mapping from column to value as it is stored; `dropped` says by entity and reason how many aren't in."""

    seed: int
    rows: dict[str, list[dict[str, Any]]]
    dropped: dict[str, dict[str, int]]


def draw(model: DomainModel, file: Opened, seed: int, rows: int = ROWS) -> Sample:
    """A sample of at most `rows` rows. Raises UsageError if the model names tables or columns that the file doesn't have."""
    _fits(model, file)
    graph = _Graph(model, file)
    chosen = graph.choose(random.Random(f"worldwright sample {seed}"), rows)
    taken: dict[str, list[int]] = {one.name: [] for one in model.entities}
    for name, place in sorted(chosen):
        taken[name].append(place)
    dropped = {one.name: graph.dropped(one.name, len(taken[one.name]), seed, rows) for one in model.entities}
    return Sample(seed, {one.name: _read(file, one, taken[one.name]) for one in model.entities}, dropped)


def _fits(model: DomainModel, file: Opened) -> None:
    for entity in model.entities:
        there = {row[0] for row in file.rows("SELECT name FROM pragma_table_xinfo(?)", entity.table)}
        if not there:
            raise UsageError(f"{file.path}: has no table '{entity.table}' for the entity {entity.name} (expected the file that was mined)")
        for field in entity.fields:
            if field.column not in there:
                raise UsageError(
                    f"{file.path}: the table '{entity.table}' has no column '{field.column}' (expected the file that was mined)"
                )


def _read(file: Opened, entity: Entity, places: Sequence[int]) -> list[dict[str, Any]]:
    """The rows at these places, in their order."""
    if not places:
        return []
    columns = [one.column for one in entity.fields]
    inner = ", ".join(f"{quoted(name)} AS c{n}" for n, name in enumerate(columns))
    outer = ", ".join(f"c{n}" for n in range(len(columns)))
    source = f"(SELECT {inner}, row_number() OVER () - 1 AS at FROM main.{quoted(entity.table)} NOT INDEXED)"
    found = file.rows(f"SELECT {outer} FROM {source} WHERE at IN (SELECT value FROM json_each(?)) ORDER BY at", json.dumps(list(places)))
    return [dict(zip(columns, row, strict=True)) for row in found]


class _Graph:
    """Which row refers to which, over all entities of a model."""

    def __init__(self, model: DomainModel, file: Opened) -> None:
        self.model = model
        self.sizes: dict[str, int] = {}
        self.beyond: dict[str, int] = {}
        self.up: dict[Row, list[Row]] = {}
        self.down: dict[Row, list[Row]] = {}
        self.lost: dict[Row, str] = {}
        self._link(file)
        self._lose()

    def _link(self, file: Opened) -> None:
        columns = {one.name: {field.name: field.column for field in one.fields} for one in self.model.entities}
        tables = {one.name: one.table for one in self.model.entities}
        for entity in self.model.entities:
            total = int(file.one(f"SELECT count(*) FROM main.{quoted(entity.table)}"))
            self.sizes[entity.name] = min(total, _MOST_INDEXED)
            self.beyond[entity.name] = total - self.sizes[entity.name]
        for one in self.model.relations:
            ends = [
                (tables[name], [columns[name][field] for field in fields])
                for name, fields in ((one.from_, one.fields), (one.to, one.to_fields))
            ]
            here, there = (_tuples(file, table, some) for table, some in ends)
            places: dict[tuple[Any, ...], int] = {}
            for place, key in enumerate(there):
                places.setdefault(key, place)
            self._join(one.from_, here, one.to, places)

    def _join(self, name: str, here: Iterable[tuple[Any, ...]], to: str, places: Mapping[tuple[Any, ...], int]) -> None:
        for place, key in enumerate(here):
            if None in key:
                continue
            row = (name, place)
            if key not in places:
                self.lost[row] = "it refers to a row that isn't there"
                continue
            target = (to, places[key])
            if target != row:
                self.up.setdefault(row, []).append(target)
                self.down.setdefault(target, []).append(row)

    def _lose(self) -> None:
        """Whatever refers to a row that is left out is left out too."""
        waiting = list(self.lost)
        while waiting:
            for row in self.down.get(waiting.pop(), ()):
                if row not in self.lost:
                    self.lost[row] = "it refers to a row that is left out"
                    waiting.append(row)

    def choose(self, chance: random.Random, most: int) -> set[Row]:
        everything = [(one.name, place) for one in self.model.entities for place in range(self.sizes[one.name])]
        usable = [row for row in everything if row not in self.lost]
        if len(usable) <= most:
            return set(usable)
        by_name: dict[str, list[Row]] = {}
        for row in usable:
            by_name.setdefault(row[0], []).append(row)
        for rows in by_name.values():
            chance.shuffle(rows)
        chosen: set[Row] = set()
        self._from_centre(by_name.get(self.centre(), []), chosen, int(_FROM_CENTRE * most))
        self._evenly(by_name, chosen, most)
        return chosen

    def centre(self) -> str:
        """The entity with the most structure."""
        touched = Counter(end for one in self.model.relations for end in (one.from_, one.to))

        def weight(one: Entity) -> float:
            return 4 * (one.lifecycle is not None) + 4 * (one.facet == "case") + touched[one.name] + math.log10(1 + self.sizes[one.name])

        return max(self.model.entities, key=weight).name

    def _from_centre(self, rows: Sequence[Row], chosen: set[Row], most: int) -> None:
        failed = 0
        for row in rows:
            group = self._closed([row]) | chosen
            for child in self.down.get(row, ())[:_BELONGING]:
                more = self._closed([child, *self.down.get(child, ())[:_BELONGING]])
                if len(group | more) <= most:
                    group |= more
            if len(group) <= most:
                chosen |= group
            failed = failed + 1 if len(group) > most else 0
            if failed > _TRIES or len(chosen) >= most:
                return

    def _evenly(self, by_name: Mapping[str, Sequence[Row]], chosen: set[Row], most: int) -> None:
        """One row of each entity in turn, with what belongs to it where that fits, until nothing fits any more."""
        waiting = {name: iter(rows) for name, rows in by_name.items()}
        failed: Counter[str] = Counter()
        while waiting and len(chosen) < most:
            for name in list(waiting):
                row = next((one for one in waiting[name] if one not in chosen), None)
                if row is None or failed[name] > _TRIES:
                    del waiting[name]
                    continue
                added = self._closed([row, *self.down.get(row, ())[:_BELONGING]]) - chosen
                if len(chosen) + len(added) > most:
                    added = self._closed([row]) - chosen
                if len(chosen) + len(added) <= most:
                    chosen |= added
                else:
                    failed[name] += 1

    def _closed(self, rows: Sequence[Row]) -> set[Row]:
        """These rows, as far as they can be used, with all that they refer to."""
        out: set[Row] = set()
        waiting = [row for row in rows if row not in self.lost]
        while waiting:
            row = waiting.pop()
            if row not in out:
                out.add(row)
                waiting += self.up.get(row, ())
        return out

    def dropped(self, name: str, kept: int, seed: int, most: int) -> dict[str, int]:
        """By reason, how many rows of an entity aren't in the sample."""
        out = Counter(reason for row, reason in self.lost.items() if row[0] == name)
        if self.beyond[name]:
            out[f"beyond the first {_MOST_INDEXED:,} rows of its table"] = self.beyond[name]
        rest = self.sizes[name] - kept - sum(row[0] == name for row in self.lost)
        if rest:
            out[f"not drawn by seed {seed} within {most:,} rows"] = rest
        return dict(out)


def _tuples(file: Opened, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    shown = ", ".join(map(quoted, columns))
    rows = file.rows(f"SELECT {shown} FROM main.{quoted(table)} NOT INDEXED LIMIT {_MOST_INDEXED}")
    return [tuple(canonical(one) for one in row) for row in rows]
