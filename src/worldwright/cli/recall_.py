"""`worldwright recall TASK...`: which stored runs and checkpoints a task that was found bad is in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table
from worldwright.errors import UsageError
from worldwright.pack.read import resolve
from worldwright.transfer.recall import NAME, SAME, Recalled, Wanted, recalled

__all__ = ["recall"]


def recall(
    tasks: Annotated[list[str], typer.Argument(help="PACK/world/task; or world/task; or a task's digest (8 hex digits or more).")],
    runs: Annotated[list[Path], typer.Option("--runs", help="Folders or files with stored runs; may stand several times.")] = [],
    checkpoints: Annotated[list[Path], typer.Option("--checkpoints", help="Folders or files with checkpoints; several times too.")] = [],
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Name the runs that attempted a task and the checkpoints that trained on it, by digest where it is known.

    Searches folders with all that is below them; registered transfer runs are found in either. Exit code 1 if something couldn't be
    read, because then the answer isn't whole.
    """
    if not (runs or checkpoints):
        raise UsageError("where? (expected --runs or --checkpoints: a folder or a file, or several)")
    told = [recalled(_wanted(task), runs, checkpoints) for task in dict.fromkeys(tasks)]
    if as_json:
        emit(told)
    else:
        for one in told:
            _print(one)
        _searched(told[0], runs, checkpoints)
    return BAD if any(one.unread for one in told) else GOOD


def _wanted(text: str) -> Wanted:
    """What a word on the command line means. Raises UsageError."""
    if re.fullmatch(r"[0-9a-f]{8,64}", text):
        return Wanted(digest=text)
    if re.fullmatch(r"[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*", text) and not Path(text).exists():
        return Wanted(name=text)
    target = resolve(text)
    if target.task is None:
        raise UsageError(f"{text}: names no task (expected PACK/world/task, world/task, or a digest)")
    return Wanted(f"{target.world.name}/{target.task.name}", target.task.digest, target.pack.digest)


def _print(told: Recalled) -> None:
    wanted = told.wanted
    who = " ".join(part for part in (wanted.name, f"({wanted.digest[:12]})" if wanted.digest else "") if part)
    checkpoints = [one for one in told.found if one.kind != "rollout" and one.match in (SAME, NAME)]
    attempts = sum(one.n or 0 for one in told.found if one.kind == "rollout" and one.match in (SAME, NAME))
    say(f"{who}: {attempts} stored attempts; {len(checkpoints)} checkpoints or arms trained on it")
    if told.found:
        rows = [(one.kind, one.match, one.path, one.n if one.n is not None else "", one.digest[:12], one.what) for one in told.found]
        show_table("", ("in", "match", "path", "attempts", "digest", "which"), rows, right=(3,))
    for text in told.said:
        say(text)


def _searched(told: Recalled, runs: list[Path], checkpoints: list[Path]) -> None:
    counts = told.searched
    places = ", ".join(map(str, [*runs, *checkpoints]))
    kinds = f"{counts['rollout']} stored runs, {counts['checkpoint']} checkpoints, {counts['transfer']} registered experiments"
    say(f"searched {places}: {kinds}")
    if counts["other"]:
        say(f"{counts['other']} files of lines that are no attempts (ledgers, reviews, exports) were left aside")
    for path, why in told.unread.items():
        note(f"couldn't be read: {path}: {why}")
    say(f"{len(told.unread)} files couldn't be read, so this isn't the whole answer" if told.unread else "everything there could be read")
