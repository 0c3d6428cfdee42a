"""Attempting tasks: for each task, solver and seed one graded trajectory.

Takes tasks and solvers; gives trajectories in the order asked for. An attempt's own randomness depends on (task, seed,
index) alone. A failure of the world or the solver's infrastructure is recorded as `error`, never as a reward.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from worldwright.errors import UnusableSeed
from worldwright.pack.read import PackTask
from worldwright.rollout.ladder import RUNGS, help_text
from worldwright.rollout.stored import remains, stored
from worldwright.rollout.trajectory import VERSION, Trajectory
from worldwright.solver import Solver, Trace, attempt
from worldwright.task import Instance
from worldwright.world.arguments import json_schema
from worldwright.world.protocol import ToolDoc
from worldwright.world.records import RecordsEvidence
from worldwright.world.records.restore import keep

__all__ = ["Job", "answer_schema", "collect", "graded", "solver_seed"]


class Job(msgspec.Struct, frozen=True):
    """One attempt to make; `index` tells several attempts at one instance apart, `rung` is how much help the agent gets."""

    entry: PackTask
    solver: Solver
    seed: int
    index: int = 0
    wording: int = 0
    rung: int = 0


def collect(jobs: Iterable[Job], pack: str) -> Iterator[Trajectory]:
    """Make the attempts; an unusable seed is left out. `pack` is the pack's digest."""
    for job in jobs:
        try:
            instance = job.entry.task.instance(job.seed)
        except UnusableSeed:
            continue
        seed = solver_seed(f"{job.entry.world.name}/{job.entry.name}", job.seed, job.index)
        help = help_text(job.entry, instance, job.rung)
        with attempt(job.entry.task, instance, job.solver, seed=seed, wording=job.wording, help=help) as made:
            trace = made.trace
            if job.rung:
                trace = msgspec.structs.replace(trace, solver=f"{trace.solver} +{RUNGS[job.rung]}")
            one = graded(job.entry, instance, pack, trace, made.evidence)
            yield msgspec.structs.replace(one, spent=made.spent, index=job.index)


def graded(entry: PackTask, instance: Instance, pack: str, trace: Trace, evidence: RecordsEvidence | None) -> Trajectory:
    """The trajectory of an attempt that has ended, with its verdict; `pack` is the pack's digest. The episode must still be open."""
    verdict = entry.verifier.grade(instance, evidence)
    left = keep(evidence) if evidence is not None else None
    return Trajectory(
        version=VERSION,
        id=trace.id,
        pack=pack,
        task=entry.digest,
        world=entry.world.world.digest,
        trace=trace,
        changes=stored(left.changes) if left is not None else (),
        verdict=verdict,
        reward=verdict.reward,
        label=entry.label,
        answer_schema=answer_schema(entry),
        left=remains(left, trace) if left is not None else None,
    )


def answer_schema(entry: PackTask) -> dict[str, Any] | None:
    """The form of the answer; None where none is asked."""
    answer = entry.task.brief.answer
    return json_schema(ToolDoc("answer", "", answer)) if answer else None


def solver_seed(task: str, seed: int, index: int) -> int:
    """The seed of an attempt's own randomness (below 2**63)."""
    return int.from_bytes(hashlib.sha256(f"{task}\0{seed}\0{index}".encode()).digest()[:8], "big") >> 1
