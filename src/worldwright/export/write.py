"""Writing an export: trajectories in a foreign format, and `losses.json`, the account of what the format can't hold.

Takes trajectories and a format's name; gives an Export and writes its folder, whole or not at all. The same trajectories give the
same bytes. Raises UsageError for an unknown format, for trajectories that contradict themselves or each other (reward, verdict and
stop reason, an id that is another trace's, two verdicts, a family on two sides), and where something else lies at the path.
"""

from __future__ import annotations

import importlib
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from worldwright import __version__
from worldwright.errors import UsageError
from worldwright.export.about import MASKED, side
from worldwright.export.account import Loss, counted
from worldwright.export.answering import ANSWERING, FORM, answering
from worldwright.pack.labels import UNLABELLED
from worldwright.pack.write import write_zip
from worldwright.rollout import Trajectory
from worldwright.solver.open_attempt import UNGRADED

__all__ = ["FORMATS", "LOSSES", "Export", "export", "may_write"]

FORMATS: Mapping[str, str] = {
    "trl": "data sets for TRL's trainers: supervised (passed attempts) and unpaired preference",
    "verifiers": "saved runs of verifiers: episodes with their traces",
    "inspect": "logs of Inspect: samples with messages and scores",
    "jsonl": "chat messages with everything else, one trajectory a line",
}
"""Each is a module of that name in this folder."""
LOSSES = "losses.json"


class Export(msgspec.Struct, frozen=True):
    """What was written. `sides`: trajectories by split, and those without a verdict under `masked`; `files`: lines or samples in each."""

    format: str
    version: str
    loaded_by: str
    trajectories: int
    repeated: int
    sides: dict[str, int]
    files: dict[str, int]
    losses: tuple[Loss, ...]


def may_write(out: Path, force: bool = False) -> None:
    """Raises UsageError unless there is nothing at the path, or, with `force`, an earlier export."""
    if out.is_file() or (out.is_dir() and any(out.iterdir()) and not (out / LOSSES).is_file()):
        raise UsageError(f"{out}: there already, and no export (expected a new folder, or one that `export` wrote)")
    if (out / LOSSES).is_file() and not force:
        raise UsageError(f"{out}: there is an export already (--force replaces it)")


def export(trajectories: Sequence[Trajectory], name: str, out: Path, *, answer_tool: bool = False, force: bool = False) -> Export:
    """Write the trajectories in a format to a folder; one that is given twice counts once.

    With `answer_tool` the answer is written as a call, as the `chat` solver lets a model give it.
    """
    if name not in FORMATS:
        raise UsageError(f"there is no format '{name}' (there are: {', '.join(FORMATS)})")
    may_write(out, force)
    for one in trajectories:
        _checked(one)
    ones = _once_each(trajectories)
    _one_side_each(ones)
    repeated = len(trajectories) - len(ones)
    ones = [answering(one) for one in ones] if answer_tool else ones
    form = importlib.import_module(f"worldwright.export.{name}")
    out.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        part = scratch / "whole"
        part.mkdir()
        files = _archives(form.archives(ones), part) if hasattr(form, "archives") else _texts(form.lines(ones), part)
        sides = dict(Counter(map(side, ones)))
        rules = (*form.RULES, ANSWERING) if answer_tool else (*form.RULES, FORM) if form.RULES else ()
        made = Export(name, __version__, form.LOADED, len(ones), repeated, sides, files, counted(rules, ones))
        (part / LOSSES).write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
        if out.exists():
            shutil.rmtree(out)
        part.rename(out)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return made


def _once_each(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    known: dict[tuple[str, str], Trajectory] = {}
    for one in trajectories:
        other = known.setdefault((one.pack, one.id), one)
        if msgspec.structs.replace(other, spent=one.spent) != one:  # what it cost may differ: the same attempt, made twice
            raise UsageError(f"trajectory {one.id[:12]} ({one.trace.instance}) stands twice, with different verdicts or labels")
    return list(known.values())


def _checked(one: Trajectory) -> None:
    """What a hand has changed must not become training data of another kind."""
    where = f"trajectory {one.id[:12]} ({one.trace.instance})"
    if one.reward != one.verdict.reward:
        raise UsageError(f"{where}: reward {one.reward} with the verdict {one.verdict.status}")
    if one.trace.stop in UNGRADED and not one.is_masked:
        raise UsageError(f"{where}: the verdict {one.verdict.status} of an attempt that {one.trace.stop} ended, which can have none")
    if one.trace.id != one.id:
        raise UsageError(f"{where}: its trace isn't the one that its id names: the line was changed (make the run again)")
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", one.label.split) or one.label.split == MASKED:
        raise UsageError(f"{where}: '{one.label.split}' is no split's name (a-z, 0-9 and _)")
    if not re.fullmatch(r"[^/@]+/[^/@]+@\d+", one.trace.instance):
        raise UsageError(f"trajectory {one.id[:12]}: '{one.trace.instance}' is no instance (expected world/task@seed)")


def _one_side_each(ones: Sequence[Trajectory]) -> None:
    """A family that one pack trains on and another holds out must not come together."""
    known: dict[str, Trajectory] = {}
    for one in ones:
        other = known.setdefault(one.label.family, one) if one.label.split != UNLABELLED else one
        if other.label.split != one.label.split:
            sides = f"{other.label.split} in pack {other.pack[:12]} and {one.label.split} in pack {one.pack[:12]}"
            raise UsageError(f"the family '{one.label.family}' is {sides} (export them apart, or rename one)")


def _texts(texts: Mapping[str, list[bytes]], root: Path) -> dict[str, int]:
    for path, lines in texts.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"".join(line + b"\n" for line in lines))
    return {path: len(lines) for path, lines in texts.items() if path.endswith(".jsonl")}


def _archives(archives: Mapping[str, dict[str, Any]], root: Path) -> dict[str, int]:
    for path, members in archives.items():
        write_zip(members, root / path)
    return {path: sum(name.startswith("samples/") for name in members) for path, members in archives.items()}
