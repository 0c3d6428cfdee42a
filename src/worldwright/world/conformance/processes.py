"""Checks against other processes: another hash seed, time zone, locale and folder, and another wall clock.

Each takes a Subject and returns if all is well; it raises Broken with the first difference, or NotSupported where the
world can't be made in another process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

import msgspec

from worldwright.world.conformance.child import Answer, Question, seen
from worldwright.world.conformance.subject import Broken, NotSupported, Subject, portable
from worldwright.world.conformance.walk import insist, shortened, walk

__all__ = ["SHIFT", "check_processes", "check_wall_clock"]

SHIFT = 400 * 86_400 + 7 * 3_600 + 1_234
"""How many seconds the wall clock is moved."""
_PAUSE = 1.1
_PATIENCE = 600
_RUN = (
    "import json, sys; sys.path[:] = json.loads(sys.stdin.buffer.readline())\n"
    "from worldwright.world.conformance.child import answer; answer(sys.stdin.buffer.read())"
)
PLACES: Mapping[str, dict[str, str]] = {
    "hash seed 1, UTC+14, the C locale": {
        "PYTHONHASHSEED": "1",
        "TZ": "EAST-14",
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
    },
    "hash seed 4321, UTC-9:30, a Turkish locale": {"PYTHONHASHSEED": "4321", "TZ": "WEST9:30", "LC_ALL": "tr_TR.UTF-8"},
}
"""Environments of other processes, by what is said of them."""
_FIRST = next(iter(PLACES))


def check_processes(subject: Subject) -> None:
    """Processes with another hash seed, time zone, locale and working folder give the same digests, results and ends."""
    first, *others = (_ask(subject, place) for place in PLACES)
    here = seen(subject.world, subject.seeds, subject.steps, subject.known)
    for place, there in zip(list(PLACES)[1:], others, strict=True):
        _insist_same(subject, first, there, f"a process with {_FIRST} and one with {place}")
    _insist_same(subject, first, here, f"a process with {_FIRST} and this one")


def check_wall_clock(subject: Subject) -> None:
    """Nothing changes when the wall clock is 400 days ahead, nor after more than a second."""
    earlier = walk(subject.world, subject.seeds[0], 0, subject.steps, subject.known)
    since = time.monotonic()
    one, other = _ask(subject, _FIRST), _ask(subject, _FIRST, SHIFT)
    _insist_same(subject, one, other, "two processes, of which one has its wall clock moved 400 days ahead")
    time.sleep(max(0.0, _PAUSE - (time.monotonic() - since)))
    later = walk(subject.world, subject.seeds[0], 0, subject.steps, subject.known)
    insist(earlier, later, "the same walk more than a second later")


def _insist_same(subject: Subject, one: Answer, other: Answer, where: str) -> None:
    for name in ("name", "digest"):
        if getattr(one, name) != getattr(other, name):
            raise Broken(f"{where}: the world's {name} is {getattr(one, name)!r} and {getattr(other, name)!r}")
    for n, seed in enumerate(subject.seeds):
        if one.starts[n] != other.starts[n]:
            raise Broken(f"{where}: seed {seed} has different start states (by their digests)")
        insist(one.walks[n], other.walks[n], f"{where}: seed {seed}")


def _ask(subject: Subject, place: str, shift: int = 0) -> Answer:
    """What comes out in another process; asked once. Raises NotSupported if the world can't be made there, Broken if it fails."""
    key = f"{place} {shift}"
    if key not in subject.answers:
        question = Question(portable(subject.source), subject.seeds, subject.steps, subject.known, shift)
        subject.answers[key] = _answered(question, place)
    made: Answer = subject.answers[key]
    if made.unsupported:
        raise NotSupported(made.unsupported)
    return made


def _answered(question: Question, place: str) -> Answer:
    if not sys.executable:
        raise NotSupported("there is no Python to start another process with")
    paths = [os.path.abspath(path) for path in sys.path]
    said = msgspec.json.encode(paths) + b"\n" + msgspec.json.encode(question)
    env = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "LC_CTYPE", "TZ")} | PLACES[place]
    with tempfile.TemporaryDirectory(prefix="worldwright-conform-") as folder:
        command = [sys.executable, "-P", "-c", _RUN]
        try:
            run = subprocess.run(command, input=said, capture_output=True, cwd=folder, env=env, timeout=_PATIENCE, check=False)
        except subprocess.TimeoutExpired as fault:
            raise Broken(f"a process with {place} gave no answer within {_PATIENCE} seconds") from fault
    if run.returncode != 0:
        told = run.stderr.decode(errors="replace").strip().splitlines()
        raise Broken(f"a process with {place} fails: {shortened(told[-1] if told else f'exit code {run.returncode}', 300)}")
    return msgspec.json.decode(run.stdout, type=Answer)
