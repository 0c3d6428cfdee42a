"""Sessions of a pack in another setting: another process with its own time zone, locale, clock, folder and load.

Takes a pack and sessions of one setting; gives their attempts. A process is started for each hash seed when it is first
needed (half a second), reads the pack and forks for each request, so that a setting costs a few hundredths of a second and
nothing of one stays for the next. The fork gets a clean environment (PATH, a fresh HOME to work in, and what the setting
says). What is settled when Python starts stays as it was then: the import path, the encoding of file names.
A fork that dies or hangs (120 s) makes every attempt an `error`. Not safe for use by two threads at once.
"""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import IO, Any

import msgspec

from worldwright.audit.subject import Attempt, Session, Setting
from worldwright.errors import UsageError
from worldwright.pack import Pack

__all__ = ["Elsewhere"]

_CHILD = Path(__file__).with_name("child.py")
_LONGEST = 120
_PATIENCE = 30


class Elsewhere:
    """The processes of a pack's other settings. `only` names the cases that are audited (None: all)."""

    def __init__(self, pack: Pack, only: Sequence[str] | None) -> None:
        self._pack, self._only = pack, None if only is None else list(only)
        self._open: dict[int, _Process] = {}

    def run(self, sessions: Sequence[Session]) -> list[list[Attempt]]:
        """The attempts of sessions that share a setting. Raises UsageError for a folder's name that leads elsewhere."""
        setting = sessions[0].setting
        plain = [msgspec.structs.replace(session, setting=Setting()) for session in sessions]
        with tempfile.TemporaryDirectory(prefix="worldwright-") as folder:
            where = _made(Path(folder), setting.where)
            request = {
                "sessions": plain,
                "environ": _environ(setting, where),
                "where": str(where),
                "days": setting.days,
                "failing": list(setting.failing),
                "load": setting.load,
                "seconds": _LONGEST,
            }
            attempts, fault = self._process(setting.hash_seed).ask(request)
        if attempts is None:
            self._process(setting.hash_seed).close()
            del self._open[setting.hash_seed]
            return [[Attempt("error", fault=fault, where="start") for _ in session.plays] for session in sessions]
        return attempts

    def processes(self) -> list[int]:
        """The numbers of the processes that are there."""
        return [one.number for one in self._open.values()]

    def close(self) -> None:
        """End the processes; they are started anew when they are needed again."""
        for one in self._open.values():
            one.close()
        self._open.clear()

    def _process(self, hash_seed: int) -> _Process:
        if hash_seed not in self._open:
            self._open[hash_seed] = _Process(hash_seed, pickle.dumps((dict(self._pack.files), self._pack.where, self._only)))
        return self._open[hash_seed]


class _Process:
    """One process and the pipes to it; ended with this object at the latest."""

    def __init__(self, hash_seed: int, first: bytes) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - as long-lived as the process
        self._child = subprocess.Popen(
            [sys.executable, "-P", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=_plain_environ() | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONHASHSEED": str(hash_seed)},
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._to: IO[bytes] = self._child.stdin
        self._from: IO[bytes] = self._child.stdout
        self._end = weakref.finalize(self, _ended, self._child, self._to, self._from, self._said)
        self._first = first

    @property
    def number(self) -> int:
        """Its process number."""
        return self._child.pid

    def ask(self, request: dict[str, Any]) -> tuple[list[list[Attempt]] | None, str]:
        """The attempts, or None and why there are none."""
        try:
            self._to.write(self._first + pickle.dumps(request))
            self._to.flush()
            self._first = b""
            if not select.select([self._from], [], [], _LONGEST + _PATIENCE)[0]:
                return None, f"the process gave no answer in {_LONGEST + _PATIENCE} s"
            reply = pickle.load(self._from)
        except (OSError, EOFError, pickle.UnpicklingError):
            return None, f"the process ended: {self._last_words()}"
        if isinstance(reply, str):
            return None, f"{reply}: {self._last_words()}"
        return reply, ""

    def close(self) -> None:
        """End it; safe to call twice."""
        self._end()

    def _last_words(self) -> str:
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, size - 1_000))
        return self._said.read().decode(errors="replace").strip()


def _ended(child: subprocess.Popen[bytes], *files: IO[bytes]) -> None:
    child.kill()
    child.wait()
    for one in files:
        try:
            one.close()
        except OSError:
            continue


def _made(folder: Path, name: str) -> Path:
    inner = PurePosixPath(name)
    if ".." in inner.parts or inner.is_absolute():
        raise UsageError(f"got the folder '{name}'; expected a plain relative name")
    path = folder / inner
    path.mkdir(parents=True, exist_ok=True)
    return path


def _plain_environ() -> dict[str, str]:
    """Reads PATH of this process's environment, and nothing else of it."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


def _environ(setting: Setting, home: Path) -> dict[str, str]:
    own = {"HOME": str(home), "TZ": setting.zone, "LC_ALL": setting.locale, "LANG": setting.locale}
    return _plain_environ() | own | {"PYTHONHASHSEED": str(setting.hash_seed)} | setting.environ
