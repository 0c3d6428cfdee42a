"""The ledger: what every step cost, one JSON line a step, only ever added to.

Takes costs; gives totals by stage and by artefact. CPU time is that of this process and of its children;
elapsed time is read from `time.monotonic`, which no clock change moves; no line says when it was written. What a lone
process can't know (tokens, money, a person's minutes) is told to it, and 0 where nobody tells.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from worldwright.errors import UsageError

__all__ = ["Cost", "Entry", "Ledger", "by_stage", "charged", "read_ledger", "stepped", "total"]

VERSION = 1


class Cost(msgspec.Struct, frozen=True, omit_defaults=True):
    """What something cost.

    `cpu` and `wall` are seconds, `runs` attempts at a task, `calls` tool calls, `tokens` those of language models,
    `cents` money in cents, `minutes` of a person, `steps` steps of SQLite in worlds of this process, counted in thousands.
    """

    cpu: float = 0.0
    wall: float = 0.0
    runs: int = 0
    calls: int = 0
    tokens: int = 0
    cents: float = 0.0
    minutes: float = 0.0
    steps: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


class Entry(msgspec.Struct, frozen=True):
    """One step: the stage that took it, what it was about (a digest, a name), what was done, and the cost."""

    stage: str
    artefact: str
    step: str
    cost: Cost
    version: int = VERSION


class Ledger:
    """A JSONL file that entries are added to; a line is written in one go, and none is changed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, stage: str, artefact: str, step: str, cost: Cost) -> Entry:
        """Add an entry. Raises OSError."""
        entry = Entry(stage, artefact, step, _rounded(cost))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(entry) + b"\n")
        return entry

    def entries(self) -> list[Entry]:
        """What is there; nothing if there is no file yet. Raises UsageError at a line that is no entry."""
        return read_ledger(self.path) if self.path.exists() else []


class Meter:
    """What a step has cost so far beside time: add to these."""

    def __init__(self) -> None:
        self.runs = self.calls = self.tokens = 0
        self.cents = self.minutes = 0.0
        self.cost = Cost()
        """The whole, once the step has ended."""


_stepped = 0


def stepped(steps: int) -> None:
    """Count steps of a database's virtual machine, for whatever is being charged in this process."""
    global _stepped
    _stepped += steps


@contextmanager
def charged() -> Iterator[Meter]:
    """Measure a step; the meter's `cost` is there when it has ended, also by an exception."""
    meter = Meter()
    cpu, wall, steps = _cpu(), time.monotonic(), _stepped
    try:
        yield meter
    finally:
        spent, passed = _cpu() - cpu, time.monotonic() - wall
        meter.cost = Cost(spent, passed, meter.runs, meter.calls, meter.tokens, meter.cents, meter.minutes, _stepped - steps)


def read_ledger(path: Path) -> list[Entry]:
    """A ledger's entries. Raises UsageError, naming file and line."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected a ledger, JSONL)") from fault
    out = []
    for n, line in enumerate(lines, start=1):
        try:
            out.append(msgspec.json.decode(line, type=Entry))
        except msgspec.MsgspecError as fault:
            raise UsageError(f"{path}:{n}: not a ledger's entry: {fault}") from fault
    return out


def total(entries: Iterable[Entry]) -> Cost:
    """The sum of the entries' costs."""
    return sum((one.cost for one in entries), Cost())


def by_stage(entries: Iterable[Entry]) -> dict[str, Cost]:
    """The sums by stage, in the order in which stages first come."""
    out: dict[str, Cost] = {}
    for one in entries:
        out[one.stage] = out.get(one.stage, Cost()) + one.cost
    return out


def _cpu() -> float:
    """Seconds of CPU of this process and of its children: those that have ended, and (on Linux) those that are there."""
    ended = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    return ended + sum(map(_cpu_of, _children()))


def _children() -> list[str]:
    """The numbers of this process's children that haven't ended: the sandbox's worker lives as long as its process."""
    found: list[str] = []
    for thread in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found += thread.read_text().split()
    return found


def _cpu_of(process: str) -> float:
    """Seconds of CPU of another process and its own ended children; 0 if it has ended by now."""
    try:
        figures = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, figures[11:15])) / os.sysconf("SC_CLK_TCK")


def _rounded(cost: Cost) -> Cost:
    seconds = {"cpu": round(cost.cpu, 3), "wall": round(cost.wall, 3)}
    return msgspec.structs.replace(cost, **seconds, cents=round(cost.cents, 4), minutes=round(cost.minutes, 2))
