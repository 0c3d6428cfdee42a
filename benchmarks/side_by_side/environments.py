"""An environment of its own for each tool, with pinned versions from PyPI, and the rivals' source distributions.

Takes a folder to build in; gives the interpreter of each tool and where the unpacked sources are. What is there already and
was made with the same pins is kept. Reaches PyPI through pip.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
PINS: Mapping[str, str] = {"falsepass": "falsepass==0.11.0", "envdoctor": "rl-envdoctor==0.1.0", "bohrin": "bohrin==0.4.2"}
TOOLS = ("ours", *PINS)
VERIFIERS = "verifiers"
"""One environment more, for falsepass's demo, which is made with this package: with both tools that load such environments."""
WITH: Mapping[str, tuple[str, ...]] = {
    "ours": (),
    **{tool: (pin,) for tool, pin in PINS.items()},
    VERIFIERS: (PINS["falsepass"], PINS["envdoctor"], "verifiers==0.3.1", "datasets"),
}
SOURCES = ("falsepass", "bohrin")
"""Whose toys lie in the source distribution only."""


class Places(msgspec.Struct, frozen=True):
    """Where things are. `pythons` by environment; `sources` by tool, unpacked; `lacking`: what couldn't be installed, and why."""

    build: Path
    pythons: dict[str, Path]
    sources: dict[str, Path]
    lacking: dict[str, str]

    def packages(self, tool: str) -> Path:
        """The folder of a tool's installed packages."""
        return next((self.pythons[tool].parent.parent / "lib").glob("python*/site-packages"))


def prepare(build: Path) -> Places:
    """Make what is missing. Raises RuntimeError where pip fails."""
    build.mkdir(parents=True, exist_ok=True)
    pythons = {tool: _environment(build / "environments" / tool, WITH[tool]) for tool in TOOLS}
    sources = {tool: _source(build / "sources", tool, pythons[tool]) for tool in SOURCES}
    lacking: dict[str, str] = {}
    try:
        pythons[VERIFIERS] = _environment(build / "environments" / VERIFIERS, WITH[VERIFIERS])
    except RuntimeError as fault:
        lacking[VERIFIERS] = str(fault)
    return Places(build, pythons, sources, lacking)


def _environment(folder: Path, wanted: tuple[str, ...]) -> Path:
    """Our package goes into every environment: the rivals' adapters run packs on its engine."""
    python, stamp = folder / "bin" / "python", folder / "made-with"
    made = "\n".join([*wanted, f"-e {ROOT}", ""])
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == made and _has_ours(python):
        return python
    print(f"setting up {folder}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    _pip(python, "install", *wanted, "-e", str(ROOT))
    stamp.write_text(made, encoding="utf-8")
    return python


def _has_ours(python: Path) -> bool:
    """Whether it imports this folder's package: a row would otherwise carry the digest of code that it wasn't measured with."""
    told = subprocess.run([str(python), "-c", "import worldwright; print(worldwright.__file__)"], capture_output=True, text=True)
    return Path(told.stdout.strip()).is_relative_to(ROOT / "src")


def _source(folder: Path, tool: str, python: Path) -> Path:
    name = PINS[tool].replace("==", "-")
    if not (folder / name).is_dir():
        _pip(python, "download", "--no-deps", "--no-binary", ":all:", "--dest", str(folder), PINS[tool])
        with tarfile.open(folder / f"{name}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    return folder / name


def _pip(python: Path, *arguments: str) -> None:
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    done = subprocess.run([str(python), "-m", "pip", *arguments[:1], *quiet, *arguments[1:]], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"pip {' '.join(arguments)}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
