"""`worldwright train PACK -o CHECKPOINT`: train the probe policy on a pack's tasks."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import GOOD, emit, note, say
from worldwright.errors import UsageError
from worldwright.pack.labels import HELD_OUT
from worldwright.pack.read import PackTask, read_pack
from worldwright.rollout.ladder import needed_tools
from worldwright.training.course import Course, Lesson, Step, Trainee
from worldwright.training.policy import FORMAT, Checkpoint, Policy, write_checkpoint
from worldwright.training.practice import practised
from worldwright.transfer.words import INSTRUMENT

__all__ = ["train"]


def train(
    pack: Annotated[Path, typer.Argument(help="A pack: its folder or zip.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The checkpoint to write (.npz).")],
    tasks: Annotated[list[str] | None, typer.Option(help="Only tasks that fit: world/task, with *; can be given again.")] = None,
    seed: Annotated[int, typer.Option(help="The training's own seed.", min=0)] = 0,
    updates: Annotated[int, typer.Option(help="Steps along the gradient.", min=1)] = 60,
    instances: Annotated[int, typer.Option(help="Instances of a task that are practised.", min=1)] = 3,
    help_level: Annotated[int, typer.Option(help="0: all tools; 2: those that references need.", min=0, max=2)] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Train the probe policy, a small network in numpy, on tasks that no split holds out. No model, no GPU.

    What is held out is left out where --tasks doesn't name it, and refused where only that is named.
    """
    if help_level == 1:
        raise UsageError("--help-level 1: there is no such tier (expected 0, all tools, or 2, those that references need)")
    if out.exists() and not force:
        raise UsageError(f"{out} is there already (expected another --out, or --force)")
    made = read_pack(pack)
    chosen = [one for one in made.tasks() if any(fnmatchcase(_name(one), glob) for glob in tasks or ["*"])]
    open_ones = [one for one in chosen if one.label.split != HELD_OUT]
    if not chosen:
        raise UsageError(f"{pack}: no task fits {', '.join(tasks or [])} (it has: {', '.join(map(_name, made.tasks()))})")
    out.parent.mkdir(parents=True, exist_ok=True)
    needed = {one: needed_tools(one) if help_level else frozenset[str]() for one in open_ones or chosen}
    lessons = [Lesson(one, practised(one.task, instances, needed=tools)) for one, tools in needed.items()]
    policy = Policy.fresh(seed)
    trainee, steps = Trainee(policy, lessons, seed, Course()), list[Step]()
    for n in range(updates):
        steps.append(trainee.update(n / updates))
        if n % 10 == 9 or n == updates - 1:
            last = steps[-10:]
            note(f"   {n + 1} of {updates}: {sum(one.right for one in last) / len(last):.2f} of the last attempts passed")
    seen = {_name(one.entry): one.entry.digest for one in lessons}
    spent = {"calls": float(trainee.calls), "attempts": float(trainee.attempts), "gradient_steps": float(trainee.updates)}
    families = tuple(sorted({one.entry.label.family for one in lessons}))
    write_checkpoint(out, policy, Checkpoint(FORMAT, seed, made.digest, seen, families, spent, out.stem))
    if as_json:
        emit({"out": str(out), "steps": steps, "spent": spent, "tasks": sorted(seen)})
        return GOOD
    left = len(chosen) - len(open_ones) if open_ones else 0
    say(f"trained on {len(seen)} tasks, {trainee.attempts:,} attempts, {trainee.calls:,} calls; {left} held-out tasks left out")
    say(INSTRUMENT)
    say(f"written: {out}; try it: worldwright rollout {pack} -s probe:{out}")
    return GOOD


def _name(entry: PackTask) -> str:
    return f"{entry.world.name}/{entry.name}"
