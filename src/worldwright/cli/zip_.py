"""`worldwright zip PACK -o FILE`: a pack as one file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import GOOD, say, unless_there
from worldwright.pack import read_pack
from worldwright.pack.write import write_zip

__all__ = ["zip"]


def zip(
    pack: Annotated[Path, typer.Argument(help="A pack's folder or zip.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write it (default: NAME-VERSION.zip here).")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
) -> int:
    """Write a pack as one zip; the same files give the same bytes."""
    read = read_pack(pack)
    path = out or Path(re.sub(r"[^A-Za-z0-9._-]+", "-", f"{read.meta.name}-{read.meta.version}.zip"))
    unless_there(path, force)
    write_zip(read.files, path)
    say(f"{path}: {len(read.files)} files, digest {read.digest}")
    return GOOD
