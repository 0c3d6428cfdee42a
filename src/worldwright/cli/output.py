"""How commands speak: results on stdout, everything else on stderr, JSON where asked for.

Exit codes: 0 good, 1 the thing examined is bad, 2 input not recognised or wrong usage, 3 our own failure.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from worldwright.errors import UsageError

__all__ = ["BAD", "GOOD", "OURS", "UNHEARD", "USAGE", "emit", "note", "say", "show_table", "unless_there"]

GOOD, BAD, USAGE, OURS, UNHEARD = 0, 1, 2, 3, 141
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def unless_there(path: Path, force: bool) -> None:
    """Refuse to replace a file unasked. Raises UsageError."""
    if path.is_dir():
        raise UsageError(f"{path}: a folder (expected a file's name)")
    if path.exists() and not force:
        raise UsageError(f"{path}: there already (say --force to replace it, or give another name)")


def say(text: str = "") -> None:
    """A line of the result; what a pack or an agent wrote can't steer the terminal."""
    sys.stdout.write(text.translate(_CONTROL) + "\n")


def note(text: str) -> None:
    """A line about progress."""
    sys.stderr.write(text.translate(_CONTROL) + "\n")
    sys.stderr.flush()


def emit(value: Any) -> None:
    """The result as JSON."""
    import msgspec  # like rich below, not needed to say --help

    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    sys.stdout.flush()


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> None:
    """A table of the result; as wide as it needs where the output isn't a terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 160, highlight=False, soft_wrap=False)
    table = Table(title=title or None, title_justify="left", show_edge=False, pad_edge=False)
    for n, column in enumerate(columns):
        table.add_column(column, justify="right" if n in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(str(cell).translate(_CONTROL)) for cell in row))
    console.print(table)
