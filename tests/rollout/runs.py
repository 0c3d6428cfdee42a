"""Runs of the small pack, made in different ways; and solvers that do harm, for processes to find by name."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worldwright.pack import Pack
from worldwright.rollout.codec import index_of
from worldwright.rollout.engine import here, on_processes
from worldwright.rollout.run import RunWriter
from worldwright.rollout.schedule import Batch, Schedule
from worldwright.solver import Answer, Call

TASK = "loan-desk/settle-fine"


def schedule_of(pack: Pack, *solvers: str, seeds: int = 4, k: int = 3, chunk: int = 5) -> Schedule:
    """All solvers on the one task."""
    return Schedule((pack.digest,), tuple(Batch(0, TASK, solver, 0, seeds, k) for solver in solvers), chunk)


def write(path: Path, schedule: Schedule, pack: Pack, workers: int = 0, *, resume: bool = False, most: int | None = None) -> int:
    """Carry a schedule out, up to `most` pieces; gives how many were made."""
    made = 0
    with RunWriter(path, schedule, resume=resume) as run:
        pieces = (
            on_processes(schedule, (pack,), path.name, workers, run.chunk) if workers else here(schedule, (pack,), path.name, run.chunk)
        )
        for piece in pieces:
            run.add(piece)
            made += 1
            if made == most:
                pieces.close()
                break
    return made


def bytes_of(path: Path) -> tuple[bytes, bytes]:
    """A run and its index."""
    return path.read_bytes(), index_of(path).read_bytes()


class Harmful:
    """Does something on one seed of its own randomness in three, and answers otherwise."""

    name = "harmful"

    def start(self, prompt: Any, seed: int, shown: Mapping[str, Any]) -> Harmful:
        self.is_bad = seed % 3 == 0
        return self

    def act(self, observation: Any) -> Any:
        if self.is_bad:
            self.harm()
        return Answer({"decision": "upheld", "amount_cents": 0}) if observation.returned else Call("find_members", {"text": "a"})

    def harm(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is held."""


class Deadly(Harmful):
    """Takes its process along, as running out of memory does."""

    name = "deadly"

    def harm(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Unlucky(Harmful):
    """Takes its process along the first time only: a marker says that it has been there."""

    name = "unlucky"

    def harm(self) -> None:
        marker = Path(os.environ["UNLUCKY"])
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)


class Slow(Harmful):
    """Takes a moment, so that a process can be killed in the middle of it."""

    name = "slow"

    def start(self, prompt: Any, seed: int, shown: Mapping[str, Any]) -> Slow:
        self.is_bad = True
        return self

    def harm(self) -> None:
        threading.Event().wait(0.005)


class Noisy(Harmful):
    """Prints, which must not disturb the talk between processes."""

    name = "noisy"

    def harm(self) -> None:
        print("hello", time.__name__, flush=True)


def broken() -> Any:
    """No solver at all."""
    return object()
