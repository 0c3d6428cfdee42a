"""Whether hidden columns are hidden, and whether tools work at all.

The two-run test: change only the hidden cells of a start state, strongly and both ways, make the same calls on both
states, and compare outputs, order and errors. Read sets from the authorizer say where a leak could be; the runs decide.
Doesn't prove: it finds no leak that needs an argument which isn't among those drawn.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator
from typing import Any

from worldwright.errors import PackError, WorldwrightError
from worldwright.pack.lint.draw import Values, rows_of
from worldwright.pack.lint.findings import Finding, finding
from worldwright.pack.read import PackWorld
from worldwright.world.records import RecordsEpisode, RecordsWorld
from worldwright.world.records.image import Image, build_image

__all__ = ["STATES", "lint_dead_tools", "lint_leaks"]

STATES = 30
"""How many start states the two-run test tries."""
_CALLS = 6
_TRIES = 60


def lint_dead_tools(entry: PackWorld, seeds: list[int], alive: set[str]) -> Iterator[Finding]:
    """Tools that never succeeded: not in a plan's run (`alive`), nor with arguments taken from the state, on walks through it."""
    world = entry.world
    for seed in seeds:
        if alive >= set(world.own):
            return
        rng = random.Random(f"{seed}:dead")
        values = Values(world.image(seed))
        with world.start(seed) as episode:
            for _ in range(_TRIES):
                for name in [name for name in world.own if name not in alive] or list(world.own)[:1]:
                    if episode.call(name, values.draw(world.own[name].doc, rng)).ok:
                        alive.add(name)
                other = rng.choice(list(world.own))
                episode.call(other, values.draw(world.own[other].doc, rng))
    for name in world.own:
        if name not in alive:
            message = f"'{name}' never succeeded in {_TRIES * len(seeds)} calls nor in a plan"
            yield finding("dead-tool", message, file=f"{entry.where}/world.yaml", field=f"tools.{name}")


def lint_leaks(entry: PackWorld, seeds: list[int]) -> Iterator[Finding]:
    """The two-run test for every hidden column."""
    world = entry.world
    reported: set[tuple[str, str]] = set()
    for column in world.spec.hidden:
        table, _, name = column.partition(".")
        found = world.schema.tables.get(table)
        if found is None or found.column(name) is None:
            continue
        named = set(world.spec.revealers(column))
        if named & {"read_handbook", "search_handbook"}:
            named |= {"read_handbook", "search_handbook", "list_handbook"}
        suspects = [tool for tool in world.own if tool not in named and _may_read(world, tool, table, name)]
        for seed in seeds:
            for tool, shown in _differences(world, seed, table, name, [tool for tool in suspects if (tool, column) not in reported]):
                reported.add((tool, column))
                yield finding(
                    "hidden-leak", f"'{tool}' gives away {column}: {shown}", file=f"{entry.where}/world.yaml", field=f"tools.{tool}"
                )


def _may_read(world: RecordsWorld, tool: str, table: str, column: str) -> bool:
    """By read set, with the gaps in mind: a tool that writes a table with triggers is tried as well."""
    statements = world.own[tool].statements()
    if any((table, column) == (t, c) for statement in statements for _, t, c in statement.reads):
        return True
    return bool(world.schema.triggers) and any(statement.writes for statement in statements)


def _differences(world: RecordsWorld, seed: int, table: str, column: str, tools: list[str]) -> Iterator[tuple[str, str]]:
    if not tools:
        return
    image = world.image(seed)
    values = Values(image)
    for way in ("up", "down", "turn"):
        other = _perturbed(world, image, table, column, way)
        if other is None:
            continue
        rng = random.Random(f"{seed}:{table}.{column}:{way}")
        with _on(world, seed, image) as one, _on(world, seed, other) as two:
            marks = one.mark(), two.mark()
            for tool in list(tools):
                for _ in range(_CALLS):
                    args = values.draw(world.own[tool].doc, rng)
                    first, second = one.call(tool, args), two.call(tool, args)
                    one.back(marks[0])
                    two.back(marks[1])
                    if first != second:
                        tools.remove(tool)
                        yield tool, f"{tool}({args}) on seed {seed}"
                        break


def _on(world: RecordsWorld, seed: int, image: Image) -> RecordsEpisode:
    return RecordsEpisode(world, image, seed, {}, (), None)


def _perturbed(world: RecordsWorld, image: Image, table: str, column: str, way: str) -> Image | None:
    """The start state with only this column changed, or None if the schema doesn't let it be."""
    tables = {name: [dict(row) for row in rows] for name, rows in rows_of(image).items()}
    rows = tables[table]
    distinct = sorted({row[column] for row in rows if row[column] is not None}, key=repr)
    for row in rows:
        row[column] = _changed(row[column], distinct, way)
    try:
        return build_image(world.schema, tables, world.spec.start(), "perturbed")
    except (PackError, WorldwrightError):
        return None


def _changed(value: Any, distinct: list[Any], way: str) -> Any:
    if value is None:
        return None
    if way == "turn":
        return distinct[(distinct.index(value) + 1) % len(distinct)] if len(distinct) > 1 else value
    sign = 1 if way == "up" else -1
    if isinstance(value, (int, float)):
        return value + sign * (1000 if abs(value) < 1000 else abs(value))
    if isinstance(value, str):
        try:
            moved = datetime.datetime.fromisoformat(value) + datetime.timedelta(days=400 * sign)
            return moved.isoformat()[: len(value)]
        except ValueError:
            return value + "~" if sign > 0 else "~" + value
    return value
