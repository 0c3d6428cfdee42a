"""A pack's world as the conformance kit looks at it: with the people that one of its tasks brings along.

Takes a pack's path, a world's name and perhaps a task's; gives a World. Says nothing of its own that the world doesn't.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from worldwright.errors import UnusableSeed
from worldwright.pack import PackTask, PackWorld, read_pack
from worldwright.world.protocol import Episode, ToolDoc, World

__all__ = ["casts", "open_world", "told", "usable"]


class PackedWorld:
    """A world whose episodes start as those of a task do: with its people, who know its parameters."""

    def __init__(self, entry: PackWorld, task: PackTask) -> None:
        self._world, self._task = entry.world, task.task
        self.name, self.digest = self._world.name, self._world.digest

    def tools(self) -> Sequence[ToolDoc]:
        """The world's tools; `say` names the task's people alone."""
        return self._world.tools(self._task.brief.parties)

    def start(
        self, seed: int, params: Mapping[str, Any] | None = None, parties: Sequence[str] = (), call_limit: int | None = None
    ) -> Episode:
        """An episode of the task on this seed. Raises UnusableSeed."""
        given = self._task.instance(seed).params | dict(params or {})
        return self._world.start(seed, given, parties or self._task.brief.parties, call_limit)

    def state_digest(self, seed: int) -> str:
        """The digest of this seed's start state."""
        return self._world.state_digest(seed)


def open_world(path: str, world: str, task: str = "") -> World:
    """The world of this name in the pack at this path, with the people of a task if one is named."""
    entry = read_pack(path).worlds[world]
    return PackedWorld(entry, entry.tasks[task]) if task else entry.world


def casts(entry: PackWorld) -> dict[str, tuple[str, ...]]:
    """For each set of people that the world's tasks bring along, the first task that does; without people, "" alone."""
    found: dict[tuple[str, ...], str] = {}
    for name, task in entry.tasks.items():
        if task.task.brief.parties:
            found.setdefault(tuple(task.task.brief.parties), name)
    return {name: people for people, name in found.items()} or {"": ()}


def usable(entry: PackWorld, task: str, seeds: Iterable[int], number: int) -> list[int]:
    """The first so many of the seeds on which the task can be set; any seed will do without one."""
    return list(islice((seed for seed in seeds if not task or _is_usable(entry.tasks[task], seed)), number))


def _is_usable(task: PackTask, seed: int) -> bool:
    try:
        task.task.instance(seed)
    except UnusableSeed:
        return False
    return True


def told(entry: PackWorld, seeds: Iterable[int]) -> dict[str, list[Any]]:
    """What the world's tasks tell their agents on these seeds, by parameter: values that a walk may know."""
    found: dict[str, list[Any]] = {}
    for seed in seeds:
        for task in entry.tasks.values():
            for key, value in task.task.instance(seed).shown.items() if _is_usable(task, seed) else ():
                found.setdefault(key, []).append(value)
    return found
