"""How `rollout` has a schedule carried out: on which processes, from where on, and what is told of the run at the end."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import msgspec

from worldwright.cli.model_solvers import Opened
from worldwright.cli.output import note
from worldwright.errors import UsageError
from worldwright.pack.read import Pack, PackTask
from worldwright.rollout import Line
from worldwright.rollout.codec import index_of
from worldwright.rollout.engine import cores, here, on_processes
from worldwright.rollout.odd import Lead, is_fixed, odd
from worldwright.rollout.run import RunWriter, frames
from worldwright.rollout.schedule import Schedule
from worldwright.rollout.table import Tally
from worldwright.rollout.workplace import Piece, Resolve, solver_named
from worldwright.solver import Solver
from worldwright.solver.registry import HARNESS, MODEL_SOLVERS

__all__ = ["Account", "Means", "account", "carry_out", "remove"]

_ENOUGH = 64
"""A process more pays from so many attempts on."""


class Means(msgspec.Struct, frozen=True):
    """What a schedule is worked off with."""

    workers: int
    engine: str
    address: str


def carry_out(schedule: Schedule, packs: tuple[Pack, ...], path: Path, means: Means, resume: bool, models: Opened | None) -> None:
    """Make the attempts and store them, from where the run stands."""
    with RunWriter(path, schedule, resume=resume) as run:
        if resume and run.dropped:
            note(f"{path}: {run.dropped:,} bytes at the end were no whole frame: dropped")
        if run.chunk:
            note(f"{run.chunk * schedule.chunk:,} of {schedule.attempts:,} attempts are there already")
        try:
            with closing(_pieces(schedule, packs, path, means, run.chunk, models)) as pieces:
                for piece in pieces:
                    run.add(piece)
        except KeyboardInterrupt:
            note(f"interrupted: what was finished is kept in {path} (the same command with --resume goes on)")
            raise
        except BaseException:
            if run.chunk == 0:
                remove(path)
            raise


def remove(path: Path) -> None:
    """Take a run in which nothing is away, with its index."""
    for file in (path, index_of(path)):
        file.unlink(missing_ok=True)


def _pieces(
    schedule: Schedule, packs: tuple[Pack, ...], path: Path, means: Means, start: int, models: Opened | None
) -> Generator[Piece, None, None]:
    if means.engine == "ray":
        from worldwright.rollout.ray import on_ray

        return on_ray(schedule, packs, path.name, start=start, address=means.address)
    left = schedule.attempts - start * schedule.chunk
    workers = means.workers or max(1, min(cores(), left // _ENOUGH))
    if models is None and workers > 1:
        return on_processes(schedule, packs, path.name, workers, start)
    return here(schedule, packs, path.name, start, _resolver(models), lambda: models is not None and models.is_over)


def _resolver(models: Opened | None) -> Resolve:
    """Solvers by name, those of a connection too."""

    def resolved(entry: PackTask, name: str) -> Solver:
        return models.solver(name) if models is not None and name in (*MODEL_SOLVERS, HARNESS) else solver_named(entry, name)

    return resolved


class Account(msgspec.Struct, frozen=True):
    """What a run holds: its table, how many attempts, without a verdict, and on seeds that can't be used; and what is odd in it."""

    lines: list[Line]
    n: int
    masked: int
    unusable: int
    leads: list[Lead]


def account(schedule: Schedule, path: Path, k: int) -> Account:
    """The account of a run, from its index. Raises UsageError if nothing was attempted; no run is left then."""
    tally, unusable = Tally(schedule.packs, k), 0
    for frame in frames(path):
        unusable += frame.unusable
        for end in frame.ends:
            tally.add(end)
    if not tally.n:
        remove(path)
        raise UsageError("nothing was attempted: no solver of that name there, or every seed is unusable (worldwright lint says which)")
    lines = tally.lines()
    leads = odd(lambda: (end for frame in frames(path) for end in frame.ends), is_fixed)
    return Account(lines, tally.n, sum(line.masked for line in lines), unusable, leads)
