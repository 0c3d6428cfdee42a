"""All rollouts of one process, each under an id that nobody can guess.

Takes tasks of a pack; gives rollouts by id, and their trajectories once they have ended. Lives in one event loop: calls
are carried out there, one at a time, while what takes long (a new start state, grading) runs in a thread. Promises: what
is done under one id is seen under no other; every attempt that is not dropped ends as one trajectory, in `out` too where
a file is given, and those that are open at the end have no verdict. Raises UsageError for what isn't there or comes too
early or too late, PackError and UnusableSeed as the pack does.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec

from worldwright.errors import UsageError
from worldwright.pack.read import PackTask
from worldwright.rollout import Trajectory
from worldwright.rollout.ladder import RUNGS
from worldwright.serve.rollout import ANSWER_TOOL, ServedRollout
from worldwright.solver.protocol import Action

__all__ = ["Line", "Rollouts", "Wanted"]

MOST = 4_096
"""Rollouts that one process keeps unless told otherwise."""
_STOPPED = "the server was stopped"
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rollout to start: `task` is `world/task`, `index` tells attempts at one instance apart.

    `answer_tool` is the name of the tool that answers, or null for none; `help_level` how much help is told (0 to 3).
    """

    task: str
    seed: int = 0
    index: int = 0
    wording: int = 0
    solver: str = "served"
    answer_tool: str | None = ANSWER_TOOL
    help_level: int = 0


class Line(msgspec.Struct, frozen=True):
    """A rollout in the list: `stop` is null while it runs; `calls` are those made so far."""

    id: str
    instance: str
    solver: str
    calls: int
    stop: str | None


class Rollouts:
    """See the module. `most` bounds how many there are at once, ended ones included until they are dropped."""

    def __init__(self, tasks: Mapping[str, PackTask], pack: str, *, out: Path | None = None, most: int = MOST) -> None:
        self._tasks, self._pack, self._most = dict(tasks), pack, most
        self._all: dict[str, ServedRollout] = {}
        self._settling: dict[str, asyncio.Task[Trajectory]] = {}
        self._starting = 0
        self._preparing, self._writing = threading.Lock(), threading.Lock()
        self._file = _emptied(out) if out is not None else None
        self._closed = False

    async def start(self, wanted: Wanted) -> tuple[str, ServedRollout]:
        """Start a rollout; gives its id."""
        entry = self._tasks.get(wanted.task)
        if entry is None:
            raise UsageError(f"there is no task '{wanted.task[:200]}' (there are: {', '.join(self._tasks)})")
        _check(wanted)
        self._check_open()
        if len(self._all) + self._starting >= self._most:
            raise UsageError(f"{self._most} rollouts are there already, which is the most: drop some, or serve with a higher --most")
        self._starting += 1
        try:
            rollout = await asyncio.to_thread(self._prepare, entry, wanted)
        finally:
            self._starting -= 1
        try:
            self._check_open()
        except UsageError:
            rollout.close()
            raise
        name = secrets.token_urlsafe(18)
        self._all[name] = rollout
        self.noticed(name)
        return name, rollout

    def find(self, name: str) -> ServedRollout | None:
        """The rollout of this id."""
        return self._all.get(name)

    def noticed(self, name: str) -> None:
        """To be said after whatever may have ended a rollout: one that has is graded, in a thread."""
        rollout = self._all.get(name)
        if rollout is not None and rollout.has_ended and name not in self._settling:
            self._settling[name] = asyncio.create_task(asyncio.to_thread(self._settle, rollout))
            self._settling[name].add_done_callback(_look_at)

    def end(self, name: str, how: Action | str) -> ServedRollout:
        """End a rollout with an Answer or a GiveUp, or with the words in which what its agent stands on has failed."""
        rollout = self._get(name)
        if isinstance(how, str):
            rollout.fail(how)
        else:
            rollout.end(how)
        self.noticed(name)
        return rollout

    async def trajectory(self, name: str) -> Trajectory:
        """The graded record of a rollout that has ended."""
        if not self._get(name).has_ended:
            raise UsageError(f"rollout {name} is still open: finish it first")
        return await asyncio.shield(self._settling[name])

    async def drop(self, name: str) -> None:
        """Forget a rollout; one that is still open leaves nothing behind."""
        rollout = self._get(name)
        del self._all[name]
        task = self._settling.pop(name, None)
        if task is not None:
            await asyncio.wait([task])
        rollout.close()

    def lines(self) -> Iterator[Line]:
        """All rollouts, in the order in which they were started."""
        for name, one in self._all.items():
            attempt = one.attempt
            yield Line(name, attempt.instance.name, one.solver, attempt.used.calls, attempt.stop)

    async def close(self) -> int:
        """End what is open, without a verdict, and wait until all is graded and written; gives how many were open."""
        self._closed = True
        still = [name for name, one in self._all.items() if not one.has_ended]
        for name in still:
            self.end(name, _STOPPED)
        if self._settling:
            await asyncio.wait(list(self._settling.values()))
        with self._writing:
            if self._file is not None:
                self._file.close()
        return len(still)

    # ---- inside

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"{_STOPPED}: start another one")

    def _get(self, name: str) -> ServedRollout:
        rollout = self._all.get(name)
        if rollout is None:
            raise UsageError("there is no rollout of this id (dropped, or never started here)")
        return rollout

    def _prepare(self, entry: PackTask, wanted: Wanted) -> ServedRollout:
        with self._preparing:  # a world is compiled once, a start state made once
            return ServedRollout(
                entry,
                self._pack,
                wanted.seed,
                index=wanted.index,
                wording=wanted.wording,
                solver=wanted.solver,
                answer_tool=wanted.answer_tool,
                help_level=wanted.help_level,
            )

    def _settle(self, rollout: ServedRollout) -> Trajectory:
        made = rollout.settle()
        with self._writing:
            if self._file is not None:
                self._file.write(msgspec.json.encode(made) + b"\n")
                self._file.flush()
        return made


def _emptied(path: Path) -> BinaryIO:
    """A file to add lines to; what it held before is gone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    return path.open("ab")


def _check(wanted: Wanted) -> None:
    """Raises UsageError for numbers that no command would take."""
    for name in ("seed", "index", "wording"):
        if not 0 <= getattr(wanted, name) < 1_000_000_000:
            raise UsageError(f"{name}: got {getattr(wanted, name)} (expected 0 to 999999999)")
    if not 0 <= wanted.help_level < len(RUNGS):
        raise UsageError(f"help_level: got {wanted.help_level} (expected 0 to {len(RUNGS) - 1})")
    has_tool_name = wanted.answer_tool is None or _TOOL_NAME.fullmatch(wanted.answer_tool)
    if not (0 < len(wanted.solver) <= 100 and wanted.solver.isprintable() and has_tool_name):
        raise UsageError("solver or answer_tool: expected a name of at most 100 characters, and one of at most 64 letters, digits, _ and -")


def _look_at(task: asyncio.Task[Trajectory]) -> None:
    """A fault is told to whoever asks for the trajectory; asyncio need not mention that nobody has."""
    if not task.cancelled():
        task.exception()
