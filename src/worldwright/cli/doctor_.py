"""`worldwright doctor`: whether this machine has what is needed, each red line with its fix."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sqlite3
import sys
from collections.abc import Callable
from typing import Annotated

import apsw
import typer

from worldwright import __version__
from worldwright.cli.output import BAD, GOOD, emit, show_table
from worldwright.errors import WorldwrightError
from worldwright.sandbox import call_function
from worldwright.world.records import RecordsWorld

__all__ = ["doctor"]

_WORLD = {
    "world.yaml": b"kind: records\ntitle: t\nclock: 2026-01-01T09:00:00\ntools:\n  time_now: {doc: The time., "
    b"row: SELECT CURRENT_TIMESTAMP AS at}\n",
    "schema.sql": b"CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP);",
    "scenario.py": b"def scenario(seed):\n    return {'t': [{'id': 1, 'at': 'x'}]}\n",
}


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False) -> int:
    """Check this machine: Python, SQLite, the sandbox, a world's clock."""
    lines = [_line(name, check, fix) for name, check, fix in _CHECKS]
    if as_json:
        emit([{"check": name, "ok": ok, "found": found, "fix": fix} for name, ok, found, fix in lines])
    else:
        show_table(
            "", ("check", "", "found", "fix"), [(name, "ok" if ok else "FAIL", found, "" if ok else fix) for name, ok, found, fix in lines]
        )
    return GOOD if all(ok for _, ok, _, _ in lines) else BAD


def _line(name: str, check: Callable[[], tuple[bool, str]], fix: str) -> tuple[str, bool, str, str]:
    try:
        ok, found = check()
    except (WorldwrightError, OSError, apsw.Error, importlib.metadata.PackageNotFoundError) as fault:
        ok, found = False, f"{type(fault).__name__}: {fault}"
    return name, ok, found, fix


def _python() -> tuple[bool, str]:
    return sys.version_info >= (3, 11), f"{platform.python_version()} ({platform.machine()}, {platform.system()})"


def _package() -> tuple[bool, str]:
    names = ("apsw", "msgspec", "pydantic-monty", "jinja2", "pyyaml", "typer", "rich", "scipy")
    return True, f"worldwright {__version__}; " + ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def _sqlite() -> tuple[bool, str]:
    ok = hasattr(apsw, "Session") and "ENABLE_FTS5" in apsw.compile_options
    return ok, f"apsw's own SQLite {apsw.sqlite_lib_version()} (Python's is {sqlite3.sqlite_version}, not used)"


def _sandbox() -> tuple[bool, str]:
    got = call_function(
        "import random\ndef f(x):\n    return [x * 2, random.random()]", "f", {"x": 21}, seed=1, clock="2026-01-01T00:00:00"
    )
    return got[0] == 42 and abs(got[1] - 0.13436424411240122) < 1e-15, "plans run in Monty, in a process of their own, seeded as CPython"


def _world() -> tuple[bool, str]:
    with RecordsWorld("doctor", _WORLD).start(0) as episode:
        got = episode.call("time_now", {})
    return bool(got.ok and got.value["at"] == "2026-01-01 09:00:00"), f"a world's clock says {got.value['at'] if got.ok else got.error}"


def _cores() -> tuple[bool, str]:
    return True, f"{os.cpu_count()} cores"


_CHECKS: tuple[tuple[str, Callable[[], tuple[bool, str]], str], ...] = (
    ("Python", _python, "Install Python 3.11 or newer."),
    ("packages", _package, "Run `make demo`, or install with `pip install .`, to get what is missing."),
    ("SQLite", _sqlite, "Install apsw from PyPI: its wheels have sessions and FTS5."),
    ("sandbox", _sandbox, "Install pydantic-monty 1.4 or newer for this platform; its worker must be allowed to start."),
    ("world", _world, "apsw's VFS doesn't set the clock here: install apsw from PyPI."),
    ("cores", _cores, ""),
)
