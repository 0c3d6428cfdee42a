"""`worldwright play PACK/world/task@seed`: a person attempts a task in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import BAD, GOOD, say
from worldwright.cli.verdicts import verdict_lines
from worldwright.errors import UsageError
from worldwright.pack.read import resolve
from worldwright.rollout import Job, collect, write_trajectories
from worldwright.solver import SOLVERS
from worldwright.verifier import Status
from worldwright.world.protocol import StopReason

__all__ = ["play"]


def play(
    target: Annotated[str, typer.Argument(help="PACK/world/task@seed (seed 0 if left out).")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the trajectory in this JSONL file.")] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show what broke the run also if you stop without an answer.")] = False,
) -> int:
    """Attempt a task yourself; once you have answered, the verdict with the rows that broke it. Exit code 1 if it isn't passed."""
    read = resolve(target)
    if read.task is None:
        names = ", ".join(f"{entry.world.name}/{entry.name}" for entry in read.pack.tasks())
        raise UsageError(f"{target}: name a task (there are: {names})")
    runs = collect([Job(read.task, SOLVERS["human"](), read.seed or 0)], read.pack.digest)
    done = list(write_trajectories(out, runs)) if out is not None else list(runs)
    if not done:
        raise UsageError(f"{target}: the seed is unusable for this task; take another one")
    verdict = done[0].verdict
    if done[0].trace.stop == StopReason.GAVE_UP and not reveal:
        say(f"verdict: {verdict.status} (reward {verdict.reward or 0}); you stopped without an answer ({done[0].trace.detail})")
        say("what a right run would have left isn't shown, so that you can try again (--reveal shows it)")
        return GOOD if verdict.status == Status.PASS else BAD
    for line in verdict_lines(verdict):
        say(line)
    return GOOD if verdict.status == Status.PASS else BAD
