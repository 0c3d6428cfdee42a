"""Where chunks of a schedule are worked off: one process's packs, its solvers, and attempts made into finished frames.

Takes a schedule with its packs; gives for each chunk a Piece: the frame of its lines, and an account of each attempt. What
is in a piece depends on schedule, packs and chunk alone, so it doesn't matter where it is made, nor how often. Raises
PackError for a pack that can't be used, UsageError for a solver that isn't there.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

import msgspec

from worldwright.errors import UsageError
from worldwright.pack.read import Pack, PackTask
from worldwright.rollout.codec import Codec
from worldwright.rollout.collect import Job, answer_schema, collect, solver_seed
from worldwright.rollout.ending import End, end_of
from worldwright.rollout.schedule import Batch, Schedule, Slot
from worldwright.rollout.trajectory import VERSION, Trajectory
from worldwright.solver import SOLVERS, Solver, Trace
from worldwright.solver.plan import PlanSolver
from worldwright.solver.trace import VERSION as TRACE_VERSION
from worldwright.solver.trace import Counts, brief_digest
from worldwright.verifier import Status, Verdict
from worldwright.world.protocol import StopReason

__all__ = ["DIED", "PYTHON", "Piece", "Resolve", "Workplace", "solver_named"]

PYTHON = "python:"
"""Before MODULE:FUNCTION, a function that makes a solver; what stands behind another colon is its argument."""
DIED = "the process that made the attempt died, each time it was tried"

Resolve = Callable[[PackTask, str], Solver]
"""Gives a task's solver by its name. Raises UsageError."""


class Piece(msgspec.Struct, frozen=True):
    """A chunk that is done: its frame, the frame's checksum, how its attempts ended, and on how many seeds the task can't be set."""

    chunk: int
    frame: bytes
    crc: int
    ends: tuple[End, ...]
    unusable: int = 0


class Workplace:
    """See the module. Used by one thread."""

    def __init__(self, schedule: Schedule, packs: Sequence[Pack], codec: Codec, resolve: Resolve | None = None) -> None:
        self.schedule, self.packs, self.codec = schedule, packs, codec
        self._resolve = resolve or solver_named
        self._found: dict[Batch, tuple[PackTask, Solver]] = {}
        self._encoder = msgspec.json.Encoder()

    def piece(self, chunk: int, lost: Collection[int] = ()) -> Piece:
        """Work a chunk off. The attempts with these numbers are not made: they are recorded as lost, without a verdict."""
        lines, ends, unusable = bytearray(), list[End](), 0
        for slot in self.schedule.slots(chunk):
            one = self._lost(slot) if slot.number in lost else self._made(slot)
            if one is None:
                unusable += 1
                continue
            ends.append(end_of(one, slot.number, slot.batch.pack))
            self._encoder.encode_into(one, lines, -1)
            lines += b"\n"
        frame = self.codec.pack(bytes(lines)) if lines else b""
        return Piece(chunk, frame, zlib.crc32(frame), tuple(ends), unusable)

    def one(self, number: int) -> None:
        """Make one attempt of the schedule and drop it: to find out whether that can be survived."""
        for slot in self.schedule.slots(number // self.schedule.chunk):
            if slot.number == number:
                self._made(slot)

    def _made(self, slot: Slot) -> Trajectory | None:
        """The attempt; None if its task can't be set on its seed."""
        entry, solver = self._at(slot.batch)
        job = Job(entry, solver, slot.seed, slot.index, slot.batch.wording, slot.batch.rung)
        return next(iter(collect([job], self.schedule.packs[slot.batch.pack])), None)

    def _at(self, batch: Batch) -> tuple[PackTask, Solver]:
        if batch not in self._found:
            entry = _entry(self.packs[batch.pack], batch.task)
            self._found[batch] = entry, self._resolve(entry, batch.solver)
        return self._found[batch]

    def _lost(self, slot: Slot) -> Trajectory:
        entry, solver = self._at(slot.batch)
        world, seed = entry.world.world, solver_seed(slot.batch.task, slot.seed, slot.index)
        trace = Trace(
            version=TRACE_VERSION,
            instance=f"{slot.batch.task}@{slot.seed}",
            world=world.digest,
            brief=brief_digest(entry.task.brief),
            solver=solver.name,
            seed=seed,
            wording=slot.batch.wording,
            stop=StopReason.WORLD_ERROR,
            detail=DIED,
            answer=None,
            counts=Counts(),
            started=world.spec.start(),
            ended=world.spec.start(),
            messages=(),
            tools=(),
        )
        verdict = Verdict(Status.ERROR, reason=DIED)
        pack, asked = self.schedule.packs[slot.batch.pack], answer_schema(entry)
        return Trajectory(
            VERSION, trace.id, pack, entry.digest, world.digest, trace, (), verdict, None, entry.label, asked, index=slot.index
        )


def solver_named(entry: PackTask, name: str) -> Solver:
    """A task's solver by its name: a plan of the task's, one that needs nothing else, or `python:MODULE:FUNCTION`."""
    plans = {"reference": entry.reference} | {plan.name.removesuffix(".py"): plan for plan in entry.alternatives}
    if name.startswith(PYTHON):
        return _foreign(name)
    if name in plans:
        plan = plans[name]
        if plan is None:
            raise UsageError(f"{entry.where}: it has no reference.py (choose another solver)")
        return PlanSolver(plan, name=name)
    if name not in SOLVERS:
        raise UsageError(
            f"{entry.where}: there is no solver '{name}' (there are: {', '.join([*plans, *SOLVERS])}, {PYTHON}MODULE:FUNCTION)"
        )
    return SOLVERS[name]()


@lru_cache(maxsize=64)
def _foreign(name: str) -> Solver:
    module, _, rest = name.removeprefix(PYTHON).partition(":")
    function, colon, argument = rest.partition(":")
    try:
        made = getattr(importlib.import_module(module), function)(*([argument] if colon else []))
    except (ImportError, AttributeError, ValueError, TypeError) as fault:
        raise UsageError(f"{name}: {fault} (expected {PYTHON}MODULE:FUNCTION, a function that makes a solver)") from fault
    if not isinstance(made, Solver):
        raise UsageError(f"{name}: it made a {type(made).__name__} (expected a solver: name, and start(prompt, seed, shown))")
    return made


def _entry(pack: Pack, task: str) -> PackTask:
    world, _, name = task.partition("/")
    found = pack.worlds[world].tasks.get(name) if world in pack.worlds else None
    if found is None:
        raise UsageError(
            f"{pack.meta.name} has no task '{task}' (it has: {', '.join(f'{one.world.name}/{one.name}' for one in pack.tasks())})"
        )
    return found
