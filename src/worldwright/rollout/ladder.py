"""The information ladder: how much an agent is told beyond the brief, in four rungs.

Takes a task with a reference and an instance; gives text. Rung 0 is the brief alone; 1 adds the handbook's pages that apply;
2 also names the tools that are needed; 3 also outlines the steps. All of it comes from the handbook and from which tools the
reference calls on several seeds, never from a verifier, from values, or from what the reference does on this one instance:
help is the same for every instance, so it doesn't tell the decision or the number of cases. Raises UsageError where a task
has no reference.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count, islice
from pathlib import Path
from typing import Any

import msgspec

from worldwright import templates
from worldwright.errors import UnusableSeed, UsageError
from worldwright.pack.read import PackTask
from worldwright.solver import attempt
from worldwright.solver.plan import PlanSolver
from worldwright.task import Instance

__all__ = ["RUNGS", "help_text", "needed_tools", "rungs_of"]

RUNGS = ("brief", "clause", "hint", "outline")
"""The rungs, each with what those before it tell."""

_SEEDS = 8
_TRIED = 64
_ALWAYS_THERE = ("clock",)


class _Way(msgspec.Struct, frozen=True):
    """How references go about a task: pages read, tools in the order of first use, and how they are used."""

    pages: tuple[str, ...]
    tools: tuple[str, ...]
    repeated: frozenset[str]
    always: frozenset[str]


def help_text(entry: PackTask, instance: Instance, rung: int) -> str:
    """What the agent is told beyond the instruction on this rung; "" on rung 0. Raises UsageError."""
    if not 0 <= rung < len(RUNGS):
        raise UsageError(f"there is no rung {rung} (there are: {', '.join(f'{n} {name}' for n, name in enumerate(RUNGS))})")
    if rung == 0:
        return ""
    way = _way(entry)
    parts = [_prompt("clause", pages=_pages(entry, instance, way.pages))] if way.pages else []
    if rung >= 2:
        parts.append(_prompt("hint", tools=", ".join(sorted(way.tools))))
    if rung >= 3:
        parts.append(_prompt("outline", steps="\n".join(_steps(entry, way))))
    return "\n\n".join(parts)


def needed_tools(entry: PackTask) -> frozenset[str]:
    """The tools that rung 2 names: those that references call on some seed. Raises UsageError where a task has no reference."""
    return frozenset(_way(entry).tools)


def rungs_of(entry: PackTask) -> list[int]:
    """The rungs that tell more than those before: the brief alone without a reference, no pages where none is read."""
    if entry.reference is None:
        return [0]
    return [rung for rung in range(len(RUNGS)) if rung != 1 or _way(entry).pages]


@lru_cache(maxsize=256)
def _way(entry: PackTask) -> _Way:
    """From runs of the reference on the first usable seeds."""
    if entry.reference is None:
        raise UsageError(f"{entry.where}: no reference.py, so there is no help beyond the brief (only rung 0)")
    solver = PlanSolver(entry.reference, name="reference")
    runs = [_calls(entry, instance, solver) for instance in islice(_instances(entry), _SEEDS)]
    runs = [run for run in runs if run]
    if not runs:
        raise UsageError(f"{entry.where}: its reference made no call on any of the first seeds, so there is no help beyond the brief")
    pages = dict.fromkeys(page for run in runs for tool, page in run if tool == "read_handbook" and page)
    places: dict[str, list[float]] = {}
    for run in runs:
        names = [tool for tool, _ in run if tool not in _ALWAYS_THERE]
        for place, tool in enumerate(dict.fromkeys(names)):
            places.setdefault(tool, []).append(place)
    order = sorted(places, key=lambda tool: (sum(places[tool]) / len(places[tool]), tool))
    repeated = frozenset(tool for tool in places if any(sum(name == tool for name, _ in run) > 1 for run in runs))
    return _Way(tuple(pages), tuple(order), repeated, frozenset(tool for tool in places if len(places[tool]) == len(runs)))


def _instances(entry: PackTask) -> Any:
    for seed in islice(count(), _TRIED):
        try:
            yield entry.task.instance(seed)
        except UnusableSeed:
            continue


def _calls(entry: PackTask, instance: Instance, solver: PlanSolver) -> Sequence[tuple[str, str]]:
    """The tools that the reference called, and the page where one was read."""
    with attempt(entry.task, instance, solver, seed=0) as made:
        calls = made.evidence.calls if made.evidence is not None else ()
        return [(call.tool, _page(call.args)) for call in calls if call.ok]


def _page(args: str) -> str:
    value = json.loads(args)
    return str(value.get("page", "")) if isinstance(value, dict) else ""


def _pages(entry: PackTask, instance: Instance, names: Sequence[str]) -> str:
    """The pages as an agent would read them at the start of this instance."""
    episode = entry.task.start(instance)
    try:
        found = [episode.call("read_handbook", {"page": name}) for name in names]
    finally:
        episode.close()
    return "\n\n".join(str(one.value["text"]).strip() for one in found if one.ok)


def _steps(entry: PackTask, way: _Way) -> list[str]:
    steps = []
    for n, tool in enumerate(way.tools, start=1):
        words = [tool]
        words += ["as often as needed"] if tool in way.repeated else []
        words += ["where it applies"] if tool not in way.always else []
        steps.append(f"{n}. {', '.join(words)}")
    fields = ", ".join(entry.task.brief.answer)
    return [*steps, f"{len(steps) + 1}. answer{f' with {fields}' if fields else ''}"]


@cache
def _template(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8")


def _prompt(name: str, **values: str) -> str:
    return templates.render(_template(name), values, file=f"rollout/prompts/{name}.md").strip()
