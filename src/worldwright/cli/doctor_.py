"""`worldwright doctor`: whether this machine has what is needed, each red line with its fix."""

from __future__ import annotations

import functools
import importlib.metadata
import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from typing import Annotated

import apsw
import typer

from worldwright import __version__
from worldwright.cli.output import BAD, GOOD, emit, show_table
from worldwright.errors import WorldwrightError
from worldwright.model.config import read_configuration
from worldwright.sandbox import call_function
from worldwright.sandbox.confine import LAYERS, layers_here
from worldwright.world.records import RecordsWorld

__all__ = ["doctor"]

_WORLD = {
    "world.yaml": b"kind: records\ntitle: t\nclock: 2026-01-01T09:00:00\ntools:\n  time_now: {doc: The time., "
    b"row: SELECT CURRENT_TIMESTAMP AS at}\n",
    "schema.sql": b"CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP);",
    "scenario.py": b"def scenario(seed):\n    return {'t': [{'id': 1, 'at': 'x'}]}\n",
}


_FIXES = {
    "user": "Allow user namespaces: as root, sysctl kernel.unprivileged_userns_clone=1 (Debian), user.max_user_namespaces=10000, "
    "kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu); in a container, --security-opt seccomp=unconfined.",
    "proc": "In a container, run it with --security-opt systempaths=unconfined.",
    "tmp": "Keep the interpreter out of /tmp.",
    "hidden": "Keep the interpreter in a folder of its own, not in the home folder itself.",
    "rlimits": "Ask who runs this machine why limits can't be lowered.",
    "landlock": "Use Linux 5.13 or newer, with landlock among the security modules it starts with (lsm=landlock,...).",
    "seccomp": "Use a kernel with seccomp filters, on x86_64 or aarch64.",
}
_NEEDED = ({"read_only", "landlock"}, {"net", "seccomp"}, {"rlimits"})
"""Of each of these sets one layer must be there, or foreign code isn't confined at all."""


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False) -> int:
    """Check this machine: Python, SQLite, the sandbox, a world's clock, how foreign code can be confined."""
    lines = [_line(name, check, fix) for name, check, fix in _CHECKS]
    lines.append(
        _line("confinement", _confinement, "Put up the layers below that are missing: foreign code could write, or use the network.")
    )
    good = all(ok for _, ok, _, _ in lines)
    lines += [(f"layer {name}", False, why, _FIXES.get(name, _FIXES["user"])) for name, why in _missing().items()]
    if as_json:
        emit([{"check": name, "ok": ok, "found": found, "fix": fix} for name, ok, found, fix in lines])
    else:
        show_table(
            "", ("check", "", "found", "fix"), [(name, "ok" if ok else "FAIL", found, "" if ok else fix) for name, ok, found, fix in lines]
        )
    return GOOD if good else BAD


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


def _confinement() -> tuple[bool, str]:
    missing = _missing()
    there = [name for name in LAYERS if name not in missing]
    return all(kinds - missing.keys() for kinds in _NEEDED), f"{len(there)} of {len(LAYERS)} layers: {', '.join(there)}"


@functools.cache
def _missing() -> dict[str, str]:
    try:
        return {name: why for name, why in layers_here().items() if why}
    except (OSError, subprocess.TimeoutExpired) as fault:
        return dict.fromkeys(LAYERS, str(fault))


def _extras() -> tuple[bool, str]:
    parts = {
        "model": "pydantic-ai-slim", "local-model": "xllamacpp", "mcp": "mcp", "harness": "claude-agent-sdk",
        "zstd": "backports.zstd", "ray": "ray", "trl": "trl",
    }  # fmt: skip
    there = [name for name, package in parts.items() if any(importlib.metadata.distributions(name=package))]
    there += ["zstd"] if "zstd" not in there and sys.version_info >= (3, 14) else []
    return True, f"installed: {', '.join(there) or 'none'} (of {', '.join(parts)}; pip install 'worldwright[NAME]' adds one)"


def _models() -> tuple[bool, str]:
    found = read_configuration().models
    if not found:
        return True, "none is set up; nothing is sent anywhere"
    keys = {one.key_name for one in found.values() if one.key_name and (one.key or one.base_url is None)}
    missing = sorted(name for name in keys if not os.environ.get(name))
    unset = f"; not set: {', '.join(missing)}" if missing else ""
    return not missing, f"{', '.join(found)}, set up in worldwright.toml{unset}"


def _cores() -> tuple[bool, str]:
    return True, f"{os.cpu_count()} cores"


_CHECKS: tuple[tuple[str, Callable[[], tuple[bool, str]], str], ...] = (
    ("Python", _python, "Install Python 3.11 or newer."),
    ("packages", _package, "Run `make demo`, or install with `pip install .`, to get what is missing."),
    ("SQLite", _sqlite, "Install apsw from PyPI: its wheels have sessions and FTS5."),
    ("sandbox", _sandbox, "Install pydantic-monty 1.4 or newer for this platform; its worker must be allowed to start."),
    ("world", _world, "apsw's VFS doesn't set the clock here: install apsw from PyPI."),
    ("extras", _extras, ""),
    ("models", _models, "Mend worldwright.toml, or set the environment variables that it names for keys: docs/models.md."),
    ("cores", _cores, ""),
)
