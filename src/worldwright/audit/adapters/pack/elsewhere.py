"""Sessions of a pack in another setting: a process of its own, with its time zone, locale, clock, folder and load.

Takes a pack and sessions of one setting; gives their attempts. The process gets a clean environment (PATH, the import path
of this one, and what the setting says), a fresh folder to work in, and the pack through a pipe; it costs half a second to
start, so sessions of one setting share it. A process that dies or hangs (120 s) makes every attempt an `error`.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import msgspec

from worldwright.audit.subject import Attempt, Session, Setting
from worldwright.errors import UsageError
from worldwright.pack import Pack

__all__ = ["run_elsewhere"]

_CHILD = Path(__file__).with_name("child.py")
_LONGEST = 120.0
_BUSY = 2


def run_elsewhere(pack: Pack, only: Sequence[str] | None, sessions: Sequence[Session]) -> list[list[Attempt]]:
    """The attempts of sessions that share a setting. Raises UsageError for a folder's name that leads elsewhere."""
    setting = sessions[0].setting
    plain = [msgspec.structs.replace(session, setting=Setting()) for session in sessions]
    request = pickle.dumps((dict(pack.files), pack.where, None if only is None else list(only), plain))
    with tempfile.TemporaryDirectory(prefix="worldwright-") as folder, _load(setting):
        where = _made(Path(folder), setting.where)
        command = [sys.executable, "-P", str(_CHILD), msgspec.json.encode([setting.days, list(setting.failing)]).decode()]
        try:
            done = subprocess.run(
                command, input=request, capture_output=True, cwd=where, env=_environ(setting, where), timeout=_LONGEST, check=False
            )
        except subprocess.TimeoutExpired:
            return _lost(sessions, f"the process took longer than {_LONGEST:.0f} s")
    if done.returncode:
        return _lost(sessions, f"the process ended with {done.returncode}: {done.stderr.decode(errors='replace')[-1_000:]}")
    attempts: list[list[Attempt]] = pickle.loads(done.stdout)
    return attempts


def _made(folder: Path, name: str) -> Path:
    inner = PurePosixPath(name)
    if ".." in inner.parts or inner.is_absolute():
        raise UsageError(f"got the folder '{name}'; expected a plain relative name")
    path = folder / inner
    path.mkdir(parents=True, exist_ok=True)
    return path


def _environ(setting: Setting, home: Path) -> dict[str, str]:
    """Reads PATH of this process's environment, and nothing else of it."""
    own = {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "HOME": str(home),
        "TZ": setting.zone,
        "LC_ALL": setting.locale,
        "LANG": setting.locale,
        "PYTHONHASHSEED": str(setting.hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return own | setting.environ


@contextmanager
def _load(setting: Setting) -> Iterator[None]:
    """Other processes keep the processor busy, if the setting says so."""
    busy = [subprocess.Popen([sys.executable, "-I", "-c", "while True: pass"]) for _ in range(_BUSY if setting.load else 0)]
    try:
        yield
    finally:
        for one in busy:
            one.kill()
            one.wait()


def _lost(sessions: Sequence[Session], fault: str) -> list[list[Attempt]]:
    return [[Attempt("error", fault=fault, where="start") for _ in session.plays] for session in sessions]
