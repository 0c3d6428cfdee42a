"""The side-by-side run takes a tool's whole process tree down: at its end, at its limit, and when the run itself is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "side_by_side" / "processes.py"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="orphans can be adopted on Linux only")

SPINS = "import os; open({note!r}, 'a').write(str(os.getpid()) + '\\n')\nwhile True: pass"
STARTS = """
import subprocess, sys, time
subprocess.Popen([sys.executable, '-c', {spins!r}], start_new_session=True, env={{}})
if {again}:
    subprocess.Popen([sys.executable, '-c', {between!r}], start_new_session=True, env={{}}).wait()
while not open({note!r}, 'a+').tell() or len(open({note!r}).read().split()) < {many}: time.sleep(0.01)
print('said', flush=True)
{after}
"""


@pytest.fixture(scope="module")
def processes(side_by_side: Callable[[str], ModuleType]) -> ModuleType:
    return side_by_side("processes")


def command(note: Path, after: str = "", *, again: bool = False) -> list[str]:
    """A program that starts one that spins in a session of its own, or two: the second one by a parent that ends at once."""
    spins = SPINS.format(note=str(note))
    between = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {spins!r}], start_new_session=True)"
    told = STARTS.format(spins=spins, between=between, note=str(note), many=2 if again else 1, again=again, after=after)
    return [sys.executable, "-c", told]


def noted(note: Path, many: int) -> list[int]:
    """The processes that have said that they spin."""
    while not note.exists() or len(note.read_text().split()) < many:
        time.sleep(0.01)
    return [int(one) for one in note.read_text().split()]


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


def test_what_a_command_leaves_is_ended_with_it(processes: ModuleType, tmp_path: Path) -> None:
    note = tmp_path / "note"
    ended = processes.run_whole(command(note, again=True), 60, environ=dict(os.environ), folder=str(tmp_path))
    assert (ended.out, ended.code, ended.left) == (b"said\n", 0, 2)
    assert not any(map(is_running, noted(note, 2)))


def test_at_the_limit_the_tree_is_ended_and_its_cost_is_told(processes: ModuleType, tmp_path: Path) -> None:
    note = tmp_path / "note"
    ended = processes.run_whole(command(note, "time.sleep(600)"), 2, environ=dict(os.environ), folder=str(tmp_path))
    assert (ended.code, ended.left) == (None, 2)
    assert ended.seconds >= 2
    assert ended.cpu_seconds > 0
    assert not any(map(is_running, noted(note, 1)))


def test_a_run_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    note = tmp_path / "note"
    told = (
        f"import os, sys; sys.path.insert(0, {str(FILE.parent)!r}); from processes import run_whole\n"
        f"run_whole({command(note, 'time.sleep(600)')!r}, 600, environ=dict(os.environ), folder={str(tmp_path)!r})"
    )
    run = subprocess.Popen([sys.executable, "-c", told])
    spinning = noted(note, 1)
    run.send_signal(signal.SIGKILL)
    run.wait()
    while any(map(is_running, spinning)):
        time.sleep(0.01)


def test_how_a_command_ended_is_told(processes: ModuleType, tmp_path: Path) -> None:
    told = "import sys; sys.stderr.write('no'); sys.exit(3)"
    ended = processes.run_whole([sys.executable, "-c", told], 60, environ=dict(os.environ), folder=str(tmp_path))
    assert (ended.out, ended.err, ended.code, ended.left) == (b"", b"no", 3, 0)
