"""`worldwright export RUN... --to FORMAT`: stored trajectories for a foreign framework, with a loss report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import GOOD, emit, note, say, show_table
from worldwright.export.write import FORMATS, LOSSES, Export, may_write
from worldwright.export.write import export as write_export
from worldwright.rollout import read_trajectories
from worldwright.rollout.codec import stem_of

__all__ = ["export"]


def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="JSONL files that `rollout` wrote.")],
    to: Annotated[str, typer.Option("--to", help=f"One of {', '.join(FORMATS)}.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The folder to write (default: RUN-FORMAT here).")] = None,
    answer_tool: Annotated[bool, typer.Option("--answer-tool", help="Write the answer as a call, as the chat solver does.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier export.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Write trajectories as chat messages with tools, reward and labels, and say what the format can't hold."""
    path = out or Path(f"{stem_of(runs[0])}-{to}")
    may_write(path, force)
    made = write_export([one for run in runs for one in read_trajectories(run, note)], to, path, answer_tool=answer_tool, force=force)
    if as_json:
        emit({"out": str(path), "export": made})
        return GOOD
    print_export(made, path)
    return GOOD


def print_export(made: Export, path: Path) -> None:
    """The files, the sides, and the losses."""
    show_table("", ("file", "trajectories"), list(made.files.items()), right=(1,))
    sides = ", ".join(f"{n} {side}" for side, n in made.sides.items())
    say(f"{made.trajectories} trajectories ({sides}){f'; {made.repeated} given twice' if made.repeated else ''}: {path}")
    if made.losses:
        say(f"what {made.format} can't hold (also in {path / LOSSES}):")
        show_table("", ("what", "how", "n", "where or why"), [(one.what, one.how, one.n, one.why) for one in made.losses], right=(2,))
    else:
        say("nothing is lost")
    if not made.trajectories:
        note("there was no trajectory to export")
    note(f"read it with {made.loaded_by}")
