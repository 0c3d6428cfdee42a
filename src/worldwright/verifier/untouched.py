"""One task's untouched instances, for verifiers of it that are used side by side, such as mutants of one.

Takes an instance; gives what its world leaves if nobody acts, started once for all of them, and forgotten when another
instance is asked for. Only for verifiers that allow queries as many steps and compute the same parameters. Safe for
threads: they take turns.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from worldwright.world.records import RecordsEpisode, RecordsEvidence

if TYPE_CHECKING:
    from worldwright.task import Instance, Task

__all__ = ["Untouched"]


class Untouched:
    """See the module. What it holds open is given back by `forget`."""

    def __init__(self) -> None:
        self._seed: int | None = None
        self._rows: dict[str, list[Any]] = {}
        self._computed: dict[str, str] | None = None
        self._open: tuple[RecordsEpisode, RecordsEvidence] | None = None
        self._lock = threading.RLock()

    def computed(self, seed: int, compute: Callable[[], dict[str, str]]) -> dict[str, str]:
        """What `compute` gives for this seed."""
        with self._lock:
            self._turn_to(seed)
            if self._computed is None:
                self._computed = compute()
            return self._computed

    def rows(self, seed: int, sql: str, ask: Callable[[], list[Any]]) -> list[Any]:
        """What `ask` gives for this seed and text."""
        with self._lock:
            self._turn_to(seed)
            if sql not in self._rows:
                self._rows[sql] = ask()
            return self._rows[sql]

    @contextmanager
    def evidence(self, task: Task, instance: Instance) -> Iterator[RecordsEvidence]:
        """What the untouched instance leaves."""
        with self._lock:
            self._turn_to(instance.seed)
            try:
                evidence = self._started(task, instance)
                yield evidence
            except BaseException:
                self._close()
                raise
            if evidence.lost or evidence.episode.connection.broken:
                self._close()

    def forget(self) -> None:
        """Give back what is open and drop what was found out."""
        with self._lock:
            self._close()
            self._seed = None

    def _turn_to(self, seed: int) -> None:
        if seed != self._seed:
            self._close()
            self._seed, self._computed = seed, None
            self._rows.clear()

    def _started(self, task: Task, instance: Instance) -> RecordsEvidence:
        if self._open is None:
            episode = task.start(instance)
            try:
                self._open = episode, episode.finish(None, instance.until)
            except BaseException:
                episode.close()
                raise
        return self._open[1]

    def _close(self) -> None:
        kept, self._open = self._open, None
        if kept is not None:
            kept[0].close()
