"""Whether hidden columns are hidden, and whether tools work at all.

The two-run test: change only the hidden cells of a start state, strongly and in several ways, make the same calls on both
states, and compare outputs, order and errors, first of single calls, then on walks. Read sets from the authorizer, with
copies followed, say where a leak could be; the runs decide. Doesn't prove: it finds no leak that needs an argument which
isn't among those drawn, and it doesn't talk to people.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Generator, Iterator
from typing import Any

from worldwright.errors import WorldwrightError
from worldwright.pack.lint.draw import Values, rows_of
from worldwright.pack.lint.findings import Finding, finding
from worldwright.pack.lint.static import carried
from worldwright.pack.read import PackWorld
from worldwright.world.records import RecordsEpisode, RecordsWorld
from worldwright.world.records.database import later, rank
from worldwright.world.records.image import Image, build_image

__all__ = ["STATES", "lint_dead_tools", "lint_leaks"]

STATES = 30
"""How many start states the two-run test tries."""
WAYS = ("up", "down", "turn", "least", "most", "none")
"""How a column is changed; each start state gets two of them."""
_CALLS = 6
_WALK = 16
_TRIES = 60
_BOOK = {"read_handbook", "search_handbook", "list_handbook"}


def lint_dead_tools(entry: PackWorld, seeds: list[int], alive: set[str]) -> Iterator[Finding]:
    """Tools that never succeeded: not in a plan's run (`alive`), nor with arguments taken from the state, on walks through it.

    A tool for which no valid arguments were found (a pattern that nothing in the state fits) is not reported.
    """
    world = entry.world
    tried: set[str] = set()
    for seed in seeds:
        if alive >= set(world.own):
            return
        rng = random.Random(f"{seed}:dead")
        values = Values(world.image(seed))
        with world.start(seed) as episode:
            for _ in range(_TRIES):
                for name in [name for name in world.own if name not in alive] or list(world.own)[:1]:
                    args = values.draw(world.own[name].doc, rng)
                    tried |= {name} if _is_valid(world, name, args) else set()
                    if episode.call(name, args).ok:
                        alive.add(name)
                other = rng.choice(list(world.own))
                episode.call(other, values.draw(world.own[other].doc, rng))
    for name in world.own:
        if name not in alive and name in tried:
            message = f"'{name}' never succeeded in {_TRIES * len(seeds)} calls nor in a plan"
            yield finding("dead-tool", message, file=f"{entry.where}/world.yaml", field=f"tools.{name}")


def _is_valid(world: RecordsWorld, tool: str, args: dict[str, Any]) -> bool:
    try:
        world.own[tool].validate(args)
    except ValueError:
        return False
    return True


def lint_leaks(entry: PackWorld, seeds: list[int]) -> Iterator[Finding]:
    """The two-run test for every hidden column."""
    world = entry.world
    reported: set[tuple[str, str]] = set()
    for column in world.spec.hidden:
        table, _, name = column.partition(".")
        found = world.schema.tables.get(table)
        if found is None or found.column(name) is None:
            continue
        changed = yield from _column_leaks(entry, seeds, table, (name,), reported)
        if changed == 0:
            others = (other.partition(".")[2] for other in world.spec.hidden if other.startswith(f"{table}.") and other != column)
            changed = yield from _column_leaks(entry, seeds, table, (name, *others), reported)
        if changed == 0:
            yield finding(
                "hidden-untested", f"no change of {column} fits the schema", file=f"{entry.where}/world.yaml", field=f"hidden.{column}"
            )


def _column_leaks(
    entry: PackWorld, seeds: list[int], table: str, names: tuple[str, ...], reported: set[tuple[str, str]]
) -> Generator[Finding, None, int]:
    """Findings for columns changed together; gives on how many states a change fitted (-1: nothing could leak them)."""
    world = entry.world
    columns = [f"{table}.{name}" for name in names]
    named = {tool for column in columns for tool in world.spec.revealers(column)}
    if named & _BOOK:
        named |= _BOOK
    suspects = {tool for tool in world.own if tool not in named and any(_may_read(world, tool, table, name) for name in names)}
    if not suspects:
        return -1
    fitted = 0
    for n, seed in enumerate(seeds):
        for way in (WAYS[n % len(WAYS)], WAYS[(n + 3) % len(WAYS)]):
            other = _perturbed(world, world.image(seed), table, names, way)
            if other is None:
                continue
            fitted += 1
            left = {tool for tool in suspects if (tool, columns[0]) not in reported}
            for tool, shown in _differences(world, seed, other, left, named, way):
                reported.add((tool, columns[0]))
                message = f"'{tool}' gives away {' or '.join(columns)}: {shown}"
                yield finding("hidden-leak", message, file=f"{entry.where}/world.yaml", field=f"tools.{tool}")
    return fitted


def _may_read(world: RecordsWorld, tool: str, table: str, column: str) -> bool:
    """By read set, copies followed, and with its gaps in mind: a tool that writes beside triggers is tried as well."""
    statements = world.own[tool].statements()
    if carried(world, (table, column)) & {(t, c) for statement in statements for _, t, c in statement.reads}:
        return True
    return bool(world.schema.triggers) and any(statement.writes for statement in statements)


def _differences(world: RecordsWorld, seed: int, other: Image, suspects: set[str], named: set[str], way: str) -> Iterator[tuple[str, str]]:
    """Suspects whose results differ between the two states: called first of all, then on a walk of tools that aren't named."""
    image = world.image(seed)
    values = Values(image)
    rng = random.Random(f"{seed}:{way}")
    with _on(world, seed, image) as one, _on(world, seed, other) as two:
        marks = one.mark(), two.mark()
        for tool in sorted(suspects):
            for _ in range(_CALLS):
                args = values.draw(world.own[tool].doc, rng)
                differ = one.call(tool, args) != two.call(tool, args)
                one.back(marks[0])
                two.back(marks[1])
                if differ:
                    suspects.discard(tool)
                    yield tool, f"{tool}({args}) on seed {seed}"
                    break
        yield from _walked(world, one, two, values, suspects, named, rng)


def _walked(
    world: RecordsWorld, one: RecordsEpisode, two: RecordsEpisode, values: Values, suspects: set[str], named: set[str], rng: random.Random
) -> Iterator[tuple[str, str]]:
    free = sorted(set(world.own) - named)
    for step in range(_WALK):
        tool = rng.choice(sorted(suspects)) if suspects and step % 2 else rng.choice(free)
        args = values.draw(world.own[tool].doc, rng)
        if one.call(tool, args) != two.call(tool, args):
            if tool in suspects:
                yield tool, f"{tool}({args}) on seed {one.seed}, after other calls"
            return
        if world.moves and step % 4 == 3:
            until = later(one.now(), rng.choice((600, 3_600, 14_400)))
            if one.call("wait", {"until": until}) != two.call("wait", {"until": until}):
                return


def _on(world: RecordsWorld, seed: int, image: Image) -> RecordsEpisode:
    return RecordsEpisode(world, image, seed, {}, (), None)


def _perturbed(world: RecordsWorld, image: Image, table: str, columns: tuple[str, ...], way: str) -> Image | None:
    """The start state with only these columns changed, or None if the first doesn't change or the schema doesn't let it be."""
    tables = {name: [dict(row) for row in rows] for name, rows in rows_of(image).items()}
    rows = tables[table]
    before = [[row[column] for column in columns] for row in rows]
    if len(columns) > 1:
        after = before[1:] + before[:1]
    else:
        distinct = sorted({row[0] for row in before if row[0] is not None}, key=rank)
        after = [[_changed(value, distinct, way)] for (value,) in before]
    if [values[0] for values in after] == [values[0] for values in before]:
        return None
    for row, values in zip(rows, after, strict=True):
        row.update(zip(columns, values, strict=True))
    try:
        return build_image(world.schema, tables, world.spec.start(), "perturbed")
    except WorldwrightError:
        return None


def _changed(value: Any, distinct: list[Any], way: str) -> Any:
    if way == "none":
        return None if value is not None else distinct[0] if distinct else None
    if value is None or not distinct:
        return value
    if way in ("least", "most"):
        return distinct[0 if way == "least" else -1]
    if way == "turn":
        return distinct[(distinct.index(value) + 1) % len(distinct)]
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
