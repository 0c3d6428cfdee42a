"""Carrying out a plan: registered first, then every run once, kept as it ends.

Takes the path of a plan and a folder; leaves there `plan.yaml` (the plan's own bytes), `registered.json` (its digest, those of its
packs, which tasks each arm trains on, what the guard found), `runs.jsonl` (an ArmRun a line, in the order in which they ended) and
`checkpoints/`; gives Results, whose order and figures don't depend on the number of processes. Raises UsageError for a plan or pack
that isn't the registered one, a folder that somebody else writes to, and a run that can't be. A last line that was cut off is
dropped, and its run is made again; whatever ended before is kept.
"""

from __future__ import annotations

import concurrent.futures
import fcntl
import importlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from worldwright import __version__
from worldwright.errors import UsageError, WorldwrightError
from worldwright.sandbox.parent import end_with_parent
from worldwright.transfer.guard import Guard, guarded
from worldwright.transfer.material import Material, material_of, name_of
from worldwright.transfer.plan import read_plan
from worldwright.transfer.records import Arm, ArmRun, Plan, Results, checked

__all__ = [
    "CHECKPOINTS",
    "CONDUCT",
    "PLAN",
    "REGISTERED",
    "RUNS",
    "Registration",
    "Tell",
    "carried_out",
    "read_runs",
    "register",
    "registered_in",
]

PLAN, REGISTERED, RUNS, CHECKPOINTS = "plan.yaml", "registered.json", "runs.jsonl", "checkpoints"
CONDUCT = "worldwright.transfer.arms:conduct"
"""What makes a run, as MODULE:FUNCTION: it takes a Plan, an Arm and a seed, and gives an ArmRun."""
Tell = Callable[[str], object]
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""A process a run is enough, and sums are added in one order, however many cores there are."""


class Registration(msgspec.Struct, frozen=True):
    """What was settled before anything ran. `packs` are digests by the plan's names, `trained` digests by arm and `world/task`."""

    plan: Plan
    packs: dict[str, str]
    trained: dict[str, dict[str, str]]
    held_out: dict[str, tuple[str, ...]]
    guard: Guard
    version: str = __version__


def register(path: Path, out: Path | None, *, force: bool = False) -> Registration:
    """Read the plan, hold the border, and write both down in `out` (None: nowhere). Raises UsageError and PackError."""
    plan = read_plan(path)
    if out is not None:
        plan = msgspec.structs.replace(plan, checkpoints=str((out / CHECKPOINTS).resolve()))
        if not force:
            _same_plan(plan, path, out)
    material = material_of(plan)
    made = Registration(
        plan=material.plan,
        packs={name: pack.digest for name, pack in material.packs.items()},
        trained={arm.name: _trained(material, arm) for arm in plan.arms},
        held_out={family: tuple(map(name_of, entries)) for family, entries in material.held_out.items()},
        guard=guarded(material),
    )
    if out is not None:
        _write(made, path, out, force)
    return made


def registered_in(out: Path) -> Registration | None:
    """What was registered in a folder; None if nothing was. Raises UsageError."""
    try:
        return msgspec.json.decode((out / REGISTERED).read_bytes(), type=Registration)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as fault:
        raise UsageError(f"{out / REGISTERED}: {fault} (expected what `worldwright transfer` registers)") from fault


def carried_out(made: Registration, out: Path, workers: int, tell: Tell, conduct: str = CONDUCT) -> Results:
    """Make every run that isn't there yet, and give all. Raises UsageError, and what a run raises."""
    with _journal(out) as journal:
        kept = {(run.arm, run.seed): run for run in _whole(journal, made.plan, out, tell)}
        left = [job for job in made.plan.schedule() if (job[0].name, job[1]) not in kept]
        if kept:
            tell(f"{len(kept)} of {len(kept) + len(left)} runs are there already")
        for run in _made(made.plan, left, workers, conduct):
            journal.write(msgspec.json.encode(run) + b"\n")
            journal.flush()
            kept[run.arm, run.seed] = run
            tell(f"{run.arm}, seed {run.seed}: done ({len(kept)} of {len(made.plan.schedule())})")
    return Results(
        plan=made.plan.digest,
        runs=tuple(kept[arm.name, seed] for arm, seed in made.plan.schedule()),
        packs=made.packs,
        trained=made.trained,
        held_out=made.held_out,
        said=made.guard.said,
    )


def read_runs(out: Path, plan: Plan, tell: Tell) -> list[ArmRun]:
    """The runs that are stored in a folder. Raises UsageError."""
    try:
        with (out / RUNS).open("rb") as file:
            return [run for run, _ in _lines(file, plan, out, tell)]
    except FileNotFoundError:
        return []


def _same_plan(plan: Plan, path: Path, out: Path) -> None:
    before = registered_in(out)
    if before is not None and before.plan.digest != plan.digest:
        raise UsageError(
            f"{path}: not the plan that is registered in {out} (its digest is {plan.digest[:12]}, not {before.plan.digest[:12]}):"
            f" a plan isn't changed once it is registered (give another folder with --out, or --force to start anew)"
        )


def _write(made: Registration, path: Path, out: Path, force: bool) -> None:
    before = None if force else registered_in(out)
    if before is not None:
        for name, digest in made.packs.items():
            if before.packs.get(name) != digest:
                raise UsageError(
                    f"the pack '{name}' ({made.plan.pack_path(name)}) isn't the registered one (its digest is {digest[:12]}, not"
                    f" {before.packs.get(name, '')[:12]}): give the pack as it was, another folder with --out, or --force to start anew"
                )
        if before.version != made.version:
            raise UsageError(f"{out} was begun by worldwright {before.version}, this is {made.version} (give another folder with --out)")
    Path(made.plan.checkpoints).mkdir(parents=True, exist_ok=True)
    if before is None:
        with _journal(out) as journal:
            if journal.seek(0, os.SEEK_END) and not force:
                raise UsageError(f"{out / RUNS}: runs, but no {REGISTERED} that says of what (give another folder with --out, or --force)")
            journal.truncate(0)
        (out / PLAN).write_bytes(path.read_bytes())
        temporary = out / f"{REGISTERED}.new"
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
        temporary.replace(out / REGISTERED)


def _trained(material: Material, arm: Arm) -> dict[str, str]:
    return {name_of(entry): entry.digest for entry, _ in material.lessons(arm)}


@contextmanager
def _journal(out: Path) -> Iterator[BinaryIO]:
    """The file of runs, for this process alone."""
    with os.fdopen(os.open(out / RUNS, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            raise UsageError(f"{out}: another process is carrying this plan out (wait until it is done)") from fault
        yield file


def _whole(journal: BinaryIO, plan: Plan, out: Path, tell: Tell) -> list[ArmRun]:
    """The runs that are there; what was cut off behind them is dropped from the file."""
    found = list(_lines(journal, plan, out, tell))
    end = found[-1][1] if found else 0
    journal.truncate(end)
    journal.seek(end)
    return [run for run, _ in found]


def _lines(file: BinaryIO, plan: Plan, out: Path, tell: Tell) -> Iterator[tuple[ArmRun, int]]:
    """Each run with where its line ends; the last line may be cut off, any other is an error."""
    end, seen = 0, set[tuple[str, int]]()
    lines = file.readlines()
    for n, line in enumerate(lines, start=1):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("cut off")
            run = checked(msgspec.json.decode(line, type=ArmRun), plan)
        except (ValueError, msgspec.MsgspecError) as fault:
            if n < len(lines):
                raise UsageError(f"{out / RUNS}:{n}: not a run: {fault} (take the line away: its run is made again)") from fault
            tell(f"{out / RUNS}: the last line ({len(line):,} bytes) is cut off: its run is made again")
            return
        if (run.arm, run.seed) in seen:
            raise UsageError(f"{out / RUNS}:{n}: the run of arm '{run.arm}' with seed {run.seed} stands twice (take one line away)")
        seen.add((run.arm, run.seed))
        end += len(line)
        yield run, end


def _made(plan: Plan, jobs: Sequence[tuple[Arm, int]], workers: int, conduct: str) -> Iterator[ArmRun]:
    """The runs as they end, each made in a process of its own kind: nothing of the command's own state reaches them."""
    if not jobs:
        return
    context = multiprocessing.get_context("spawn")
    with (
        _settings(_ONE_THREAD),
        concurrent.futures.ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context, initializer=end_with_parent) as pool,
    ):
        waiting = [pool.submit(_conducted, conduct, plan, arm, seed) for arm, seed in jobs]
        failed: BaseException | None = None
        try:
            for done in concurrent.futures.as_completed(waiting):
                if done.cancelled():
                    continue
                fault = done.exception()
                if fault is None:
                    yield done.result()
                elif failed is None:  # what is under way may still end and be kept
                    failed = fault
                    _cancel(waiting)
        finally:
            _cancel(waiting)
    if isinstance(failed, BrokenProcessPool):
        raise WorldwrightError("a process that made runs died; what ended before is kept, and the same command goes on") from failed
    if failed is not None:
        raise failed


def _cancel(waiting: Sequence[concurrent.futures.Future[ArmRun]]) -> None:
    for one in waiting:
        one.cancel()


def _conducted(conduct: str, plan: Plan, arm: Arm, seed: int) -> ArmRun:
    """One run, in the process that makes it."""
    module, _, function = conduct.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as fault:
        raise UsageError(f"{conduct}: {fault} (expected MODULE:FUNCTION, a function of a plan, an arm and a seed)") from fault
    made = found(plan, arm, seed)
    if not isinstance(made, ArmRun) or (made.arm, made.seed) != (arm.name, seed):
        raise UsageError(f"{conduct} gave no run of arm '{arm.name}' with seed {seed}")
    return checked(made, plan)


@contextmanager
def _settings(values: Mapping[str, str]) -> Iterator[None]:
    """Variables that processes started inside find."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
