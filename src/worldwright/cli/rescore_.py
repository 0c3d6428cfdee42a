"""`worldwright rescore RUN --verifier ...`: new verdicts on stored trajectories, and which of them flip."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import GOOD, emit, note, say, show_table, unless_there
from worldwright.errors import PackError, UsageError
from worldwright.pack.read import Pack, PackTask, read_pack
from worldwright.rollout.codec import stem_of
from worldwright.rollout.rescore import Flips, flips, rescored
from worldwright.rollout.trajectory import Trajectory, each_trajectory, write_trajectories
from worldwright.verifier import Verifier

__all__ = ["rescore"]


def rescore(
    run: Annotated[Path, typer.Argument(help="The stored run (.jsonl, .jsonl.gz or .jsonl.zst).")],
    verifier: Annotated[
        str, typer.Option(help="A pack, whose verifiers judge; or a verifier.yaml for the run's one task (give --pack too).")
    ],
    pack: Annotated[Path | None, typer.Option(help="The pack that the run was made in, where --verifier is a file.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The JSONL file to write (default: RUN-rescored.jsonl).")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Judge stored attempts by another verifier, without running them again: the end state is made from the stored changes."""
    path = out or run.with_name(f"{stem_of(run)}-rescored.jsonl")
    if path.resolve() == run.resolve():
        raise UsageError(f"{path}: the run itself (give another name with --out)")
    unless_there(path, force)
    judges = _Judges(verifier, pack)
    _check(run, judges)  # before anything is written
    table = flips(_pairs(run, judges, path))
    if not table:
        path.unlink(missing_ok=True)
        raise UsageError(f"{run} holds no trajectory")
    if as_json:
        emit({"out": str(path), "n": sum(line.n for line in table), "flips": table})
    else:
        _print(table, path)
    return GOOD


class _Judges:
    """The tasks as they are now, each with the verifier that judges; one verifier alone is for one task."""

    def __init__(self, verifier: str, pack: Path | None) -> None:
        file = Path(verifier)
        self.file = file if file.suffix in (".yaml", ".yml") else None
        if self.file is not None and pack is None:
            raise UsageError("a verifier in a file needs --pack: the pack that the run was made in")
        if self.file is None and pack is not None:
            raise UsageError("--pack goes with a verifier in a file (--verifier names a pack already)")
        self.pack: Pack = read_pack(pack if self.file is not None and pack is not None else file)
        self._tasks = {f"{one.world.name}/{one.name}": one for one in self.pack.tasks()}
        self._verifier: Verifier | None = None
        self._name = ""

    def judged(self, one: Trajectory) -> Trajectory:
        """The trajectory with its new verdict. Raises UsageError."""
        name = one.trace.instance.partition("@")[0]
        entry = self._tasks.get(name)
        if entry is None:
            known = ", ".join(self._tasks)
            raise UsageError(f"trajectory {one.id[:12]} is an attempt at {name}: {self.pack.meta.name} has no such task (it has: {known})")
        return rescored(one, entry, self.pack.digest, self._of(entry, name))

    def _of(self, entry: PackTask, name: str) -> Verifier | None:
        if self.file is None:
            return None
        if self._verifier is None:
            try:
                self._verifier, self._name = Verifier(entry.task, self.file.read_text(encoding="utf-8"), str(self.file.parent)), name
            except (OSError, UnicodeDecodeError) as fault:
                raise UsageError(f"{self.file}: {fault} (expected a verifier.yaml)") from fault
        if name != self._name:
            raise UsageError(
                f"the run is of several tasks ({self._name}, {name}): one verifier is for one of them (give a pack as --verifier)"
            )
        return self._verifier


def _check(run: Path, judges: _Judges) -> None:
    """Judge each task's first attempt, so that what can't be judged is known before a file is written."""
    seen: set[tuple[str, str, str]] = set()
    for one in each_trajectory(run):
        key = (one.trace.instance.partition("@")[0], one.world, one.trace.brief)
        if key not in seen:
            seen.add(key)
            judges.judged(one)


def _pairs(run: Path, judges: _Judges, path: Path) -> Iterator[tuple[Trajectory, Trajectory]]:
    """Each trajectory before and after; what is judged is written at once."""
    before: list[Trajectory] = []

    def judged() -> Iterator[Trajectory]:
        for one in each_trajectory(run, note):
            before.append(one)
            yield judges.judged(one)

    try:
        for after in write_trajectories(path, judged()):
            yield before.pop(), after
    except (UsageError, PackError):
        path.unlink(missing_ok=True)
        raise


def _print(table: list[Flips], path: Path) -> None:
    moves = sorted({move for line in table for move in line.changed})
    rows = [(line.task, line.solver, str(line.n), str(line.same), *(str(line.changed.get(move, "")) for move in moves)) for line in table]
    show_table("", ("task", "solver", "n", "same", *moves), rows, right=range(2, 4 + len(moves)))
    for line in table:
        for move, ids in line.examples.items():
            say(f"{line.task} by {line.solver}, {move}: {', '.join(one[:12] for one in ids)}")
    flipped = sum(sum(line.changed.values()) for line in table)
    say(f"{flipped} of {sum(line.n for line in table)} verdicts flipped; nothing was run again: {path}")
