"""`worldwright diff A B`: what differs between two packs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import GOOD, emit, say
from worldwright.pack import read_pack
from worldwright.pack.diff import difference

__all__ = ["diff"]


def diff(
    one: Annotated[Path, typer.Argument(help="A pack.")],
    two: Annotated[Path, typer.Argument(help="Another one, or another version of it.")],
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Say which worlds, tables, tools, clauses, parameters and tasks differ. Exit code 0 in any case."""
    found = difference(read_pack(one), read_pack(two))
    if as_json:
        emit(found)
        return GOOD
    if not found.changes:
        say("the same worlds and tasks" + ("" if found.one == found.two else " (files beside them differ)"))
    for change in found.changes:
        say(f"{change.how:8} {change.where}: {change.what} {change.name}{f' ({change.detail})' if change.detail else ''}")
    return GOOD
