"""Runs a command under a time limit and takes its whole process tree down, at its end as well as at its limit.

Takes a command; gives an `Ended`: what it wrote, how it ended, and what it cost. A process of this file's own (the keeper)
stands between: on Linux it adopts every process whose parent has ended, also one with a session of its own, and ends when none
is left. It does the same when its parent ends, so that a stopped run leaves nothing behind. Elsewhere only the command's own
process group is ended. Doesn't promise anything where the keeper itself is killed with SIGKILL. Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

_PDEATHSIG, _SUBREAPER = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER
PATIENCE = 10.0
"""Seconds in which what was killed has to be gone."""


class Ended(NamedTuple):
    """How a command ended. `code` is None where it ran into its limit.

    `seconds` is the command's own time by the clock; `cpu_seconds` is of its whole tree; `left`: how many processes were still
    there when the command had ended, or when its time was over, and were ended.
    """

    out: bytes
    err: bytes
    code: int | None
    seconds: float
    cpu_seconds: float
    left: int


def run_whole(command: Sequence[str], limit: float, *, environ: Mapping[str, str], folder: str) -> Ended:
    """Run it in this folder for at most `limit` seconds. Raises RuntimeError where the keeper gives no account."""
    with tempfile.TemporaryDirectory(prefix="side-by-side-kept-") as scratch:
        account = Path(scratch) / "account.json"
        keeper = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(account), str(limit), *command]
        done = subprocess.run(keeper, stdin=subprocess.DEVNULL, capture_output=True, env=environ, cwd=folder, start_new_session=True)
        if not account.is_file():
            raise RuntimeError(f"the keeper of {command[0]} ended without an account ({done.returncode}): {done.stderr[-300:]!r}")
        return Ended(done.stdout, done.stderr, **json.loads(account.read_text(encoding="utf-8")))


def main(parent: int, account: Path, limit: float, command: Sequence[str]) -> None:
    """The keeper. Writes the account when nothing of the command is left; SystemExit where it was stopped."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGALRM, _over)
    if sys.platform == "linux":
        control = ctypes.CDLL(None).prctl
        control(_SUBREAPER, 1, 0, 0, 0)
        control(_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != parent:
            raise SystemExit(143)
    began, code, left = time.monotonic(), None, 0
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        with contextlib.suppress(TimeoutError):
            signal.setitimer(signal.ITIMER_REAL, limit)
            code = process.wait()
            signal.setitimer(signal.ITIMER_REAL, 0)
        seconds = time.monotonic() - began
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        left = take_down(process)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = {"code": code, "seconds": round(seconds, 2), "cpu_seconds": round(used.ru_utime + used.ru_stime, 2), "left": left}
    account.write_text(json.dumps(told), encoding="utf-8")


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


def _over(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def take_down(process: subprocess.Popen[bytes]) -> int:
    """End all that is below this process: how many there were. Raises TimeoutError where some are still there after `PATIENCE`."""
    if sys.platform != "linux":
        is_running = process.poll() is None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return int(is_running)
    killed: set[int] = set()
    until = time.monotonic() + PATIENCE
    while True:
        for one in below(os.getpid()):
            killed.add(one)
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:  # nothing is left: who has adopted all orphans and has no child has no descendant
            return len(killed)
        if time.monotonic() > until:
            raise TimeoutError(f"still there after {PATIENCE:g} s: {sorted(killed)}")
        time.sleep(0.005)


def below(top: int) -> list[int]:
    """The living descendants of a process, on Linux; zombies aren't living, and what is below them is."""
    children: dict[int, list[int]] = {}
    living: set[int] = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError, ValueError):
                state, parent = (folder / "stat").read_bytes().rpartition(b")")[2].split()[:2]
                children.setdefault(int(parent), []).append(int(folder.name))
                if state not in (b"Z", b"X"):
                    living.add(int(folder.name))
    found = [top]
    for one in found:
        found += children.get(one, [])
    return [one for one in found[1:] if one in living]


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:])
