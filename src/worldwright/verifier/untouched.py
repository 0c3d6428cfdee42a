"""One task's untouched instances, for verifiers of it that are used side by side, such as mutants of one.

Takes an instance; gives what its world leaves if nobody acts, started once for all of them. Only for verifiers that
allow queries as many steps and compute the same parameters. Safe for threads: they take turns.
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
        self.rows: dict[tuple[int, str], list[Any]] = {}
        """Rows of queries by seed and text."""
        self._computed: dict[int, dict[str, str]] = {}
        self._open: tuple[int, RecordsEpisode, RecordsEvidence] | None = None
        self._lock = threading.RLock()

    def computed(self, seed: int, compute: Callable[[], dict[str, str]]) -> dict[str, str]:
        """What `compute` gives for this seed, asked for once."""
        with self._lock:
            if seed not in self._computed:
                self._computed[seed] = compute()
            return self._computed[seed]

    @contextmanager
    def evidence(self, task: Task, instance: Instance) -> Iterator[RecordsEvidence]:
        """What the untouched instance leaves."""
        with self._lock:
            try:
                if self._open is None or self._open[0] != instance.seed:
                    self._close()
                    episode = task.start(instance)
                    try:
                        self._open = instance.seed, episode, episode.finish(None, instance.until)
                    except BaseException:
                        episode.close()
                        raise
                yield self._open[2]
            except BaseException:
                self._close()
                raise
            if self._open is not None and (self._open[2].lost or self._open[1].connection.broken):
                self._close()

    def forget(self) -> None:
        """Give back what is open and drop what was found out."""
        with self._lock:
            self._close()
            self.rows.clear()
            self._computed.clear()

    def _close(self) -> None:
        kept, self._open = self._open, None
        if kept is not None:
            kept[1].close()
