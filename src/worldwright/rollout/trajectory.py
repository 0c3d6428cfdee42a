"""One graded attempt as it is stored: the trace, what changed, and the verdict with its rows.

One JSON object a line, plain or in compressed frames. A stored trajectory needs no world to be read; `id` is the trace's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from worldwright.errors import UsageError
from worldwright.pack.labels import Label
from worldwright.rollout.codec import SUFFIXES, codec_of, frames_in, index_of
from worldwright.rollout.stored import Remains, StoredChange
from worldwright.solver import Spent, Trace
from worldwright.verifier import Status, Verdict

__all__ = ["VERSION", "Trajectory", "each_trajectory", "read_trajectories", "write_trajectories"]

VERSION = 1


class Trajectory(msgspec.Struct, frozen=True):
    """A trace with its verdict. `reward` is 1, 0, or null where there is no verdict: such a run is never trained on.

    `label` is the task's family and side, as its pack says; `answer_schema` the form of the answer that the brief asks for,
    as JSON Schema, where it asks for one; `spent` what the attempt used of language models, if its solver uses one. `index`
    tells the attempts at one instance apart; `left` is what another verifier needs beside the changes to judge the attempt
    again (null where there was nothing to grade, and in runs of before this was stored).
    """

    version: int
    id: str
    pack: str
    task: str
    world: str
    trace: Trace
    changes: tuple[StoredChange, ...]
    verdict: Verdict
    reward: int | None
    label: Label = Label()
    answer_schema: dict[str, Any] | None = None
    spent: Spent | None = None
    index: int = 0
    left: Remains | None = None

    @property
    def is_masked(self) -> bool:
        """Whether the run has no verdict."""
        return self.verdict.status in (Status.ERROR, Status.UNKNOWN)


def write_trajectories(path: Path, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
    """Write each to a JSONL file as it comes, and hand it on; what the file held before is gone."""
    encoder = msgspec.json.Encoder()
    path.parent.mkdir(parents=True, exist_ok=True)
    index_of(path).unlink(missing_ok=True)  # it would be of what the file held before
    with path.open("wb") as file:
        for one in trajectories:
            file.write(encoder.encode(one) + b"\n")
            file.flush()
            yield one


def read_trajectories(path: Path, note: Callable[[str], object] = lambda _: None) -> list[Trajectory]:
    """All trajectories of a run, as `each_trajectory` gives them."""
    return list(each_trajectory(path, note))


def each_trajectory(path: Path, note: Callable[[str], object] = lambda _: None) -> Iterator[Trajectory]:
    """The trajectories of a run, one after another. Raises UsageError naming the line that isn't one.

    An end that was cut off or is damaged (the last line of a plain run, or all from a damaged frame on) is left out, and said
    to `note`.
    """
    decoder = msgspec.json.Decoder(Trajectory)
    n = 0
    try:
        for n, line in enumerate(_lines(path, note), start=1):
            one = decoder.decode(line)
            if one.version != VERSION:
                raise UsageError(f"{path}:{n}: a trajectory of version {one.version} (expected {VERSION})")
            yield one
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected a JSONL file of trajectories)") from fault
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{path}:{n}: not a trajectory: {fault}") from fault


def _lines(path: Path, note: Callable[[str], object]) -> Iterator[bytes]:
    if path.name.endswith(SUFFIXES[1:]):
        for at, size, data in frames_in(path, codec_of(path)):
            if data is None:
                note(f"{path}: the last {size:,} bytes, from byte {at:,} on, are cut off or damaged: left out")
            else:
                yield from data.splitlines()
        return
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n") and not _is_json(line):
                note(f"{path}: the last line ({len(line):,} bytes) is cut off: left out")
            else:
                yield line.removesuffix(b"\n")


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except msgspec.MsgspecError:
        return False
    return True
