"""`worldwright domain lint FILE` and `worldwright domain merge BASE THEIRS MINE`: domain models, edited by hand and mined again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from worldwright.cli.output import BAD, GOOD, emit, note, say, unless_there
from worldwright.domain.lint import lint
from worldwright.domain.merge import Merged, merge
from worldwright.domain.model import DomainModel, read_model, read_text
from worldwright.errors import UsageError
from worldwright.files import decode_yaml, encode_yaml

__all__ = ["domain"]


def domain(
    what: Annotated[str, typer.Argument(help="lint or merge.")],
    files: Annotated[list[Path], typer.Argument(help="lint: models. merge: BASE (as mined), THEIRS (mined again), MINE (edited by hand).")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="merge: where to write the merged model.")] = None,
    take: Annotated[
        str, typer.Option(help="merge: the side that stands at a conflict, mine or theirs (default: nothing is written).")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Hold domain models to their rules, or merge three. Exit code 1 if an error or a conflict was found."""
    if what == "lint":
        return _lint(files, as_json)
    if what == "merge":
        if len(files) != 3:
            raise UsageError(f"merge takes three models, got {len(files)}: worldwright domain merge BASE THEIRS MINE -o FILE")
        if take not in ("", "mine", "theirs"):
            raise UsageError(f"--take: got '{take}' (expected mine or theirs)")
        if out is not None and out not in files:
            unless_there(out, force)
        return _merge(files, out, take, as_json)
    raise UsageError(f"got '{what}'; expected domain lint FILE... or domain merge BASE THEIRS MINE")


def _lint(files: list[Path], as_json: bool) -> int:
    found = []
    for path in files:
        text = read_text(path)
        found.append((path, lint(decode_yaml(text, DomainModel, str(path)), str(path), text)))
    bad = any(one.level == "error" for _, some in found for one in some)
    if as_json:
        emit([{"file": str(path), "clean": not any(one.level == "error" for one in some), "findings": some} for path, some in found])
        return BAD if bad else GOOD
    for path, some in found:
        for one in some:
            say(str(one))
        errors = sum(one.level == "error" for one in some)
        say(f"{path}: {errors} errors, {len(some) - errors} warnings")
    return BAD if bad else GOOD


def _merge(files: list[Path], out: Path | None, take: str, as_json: bool) -> int:
    side: Literal["mine", "theirs"] = "theirs" if take == "theirs" else "mine"
    base, theirs, mine = (read_model(path) for path in files)
    merged = merge(base, theirs, mine, side)
    text = encode_yaml(merged.model)
    errors = [one for one in lint(merged.model, str(out or "merged"), text) if one.level == "error"]
    settled = not merged.conflicts or bool(take)
    if out is not None and settled:
        out.write_text(text, encoding="utf-8")
    if as_json:
        emit({"conflicts": merged.conflicts, "errors": errors, "written": str(out) if out is not None and settled else None})
    else:
        _print(merged, text, out, take)
        for one in errors:
            note(str(one))
    return BAD if errors or not settled else GOOD


def _print(merged: Merged, text: str, out: Path | None, take: str) -> None:
    for one in merged.conflicts:
        say(f"conflict: {one}")
    if merged.conflicts and not take:
        say(f"{len(merged.conflicts)} conflicts, nothing written: edit MINE there, or say --take mine or --take theirs")
    elif out is not None:
        said = f", {len(merged.conflicts)} conflicts settled as {take}" if merged.conflicts else ""
        say(f"written: {out}{said}")
    else:
        say(text.rstrip("\n"))
