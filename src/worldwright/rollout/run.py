"""A run on disk: frames of trajectories, only ever added to, and an index beside them.

Takes pieces in order; gives a file of frames and `<run>.index`: a first line that says what the run is of, then a line a frame
(where it is, its checksum, its attempts). Promises: whatever moment the writer dies at, all frames before the last are whole;
going on from there gives the same bytes as never having died, because what is cut off or damaged is dropped at a frame's
border. An attempt is found by id or number without reading the others. Raises UsageError for a run that is of something else,
or that another process is writing.
"""

from __future__ import annotations

import fcntl
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from worldwright.errors import UsageError
from worldwright.rollout.codec import Codec, codec_of, index_of
from worldwright.rollout.ending import End
from worldwright.rollout.schedule import Schedule
from worldwright.rollout.trajectory import Trajectory
from worldwright.rollout.workplace import Piece

__all__ = ["Frame", "Head", "RunWriter", "find", "frames", "head_of"]

VERSION = 1
_ENCODER = msgspec.json.Encoder(order="deterministic")


class Head(msgspec.Struct, frozen=True):
    """The first line of an index: which form the frames have, and the schedule that the run is of."""

    form: str
    schedule: Schedule
    version: int = VERSION


class Frame(msgspec.Struct, frozen=True):
    """A line of an index: the frame of a chunk lies at `at` and is `size` bytes long."""

    chunk: int
    at: int
    size: int
    crc: int
    ends: tuple[End, ...]
    unusable: int = 0


_FRAME = msgspec.json.Decoder(Frame)


class RunWriter:
    """Adds pieces to a run, one process at a time. `chunk` is the next that is wanted; use it in a `with`."""

    def __init__(self, path: Path, schedule: Schedule, *, resume: bool = False) -> None:
        self.path, self.codec = path, codec_of(path)
        self.head = Head(self.codec.name, schedule)
        self.chunk = 0
        """The next chunk to be added."""
        self.dropped = 0
        """Bytes at the end that were no whole frame, dropped to go on from there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if resume and path.exists() and not index_of(path).exists():
            raise UsageError(f"{index_of(path)}: not there, so it isn't known which attempts were made (--force starts the run anew)")
        self._index = _opened(index_of(path))
        try:
            fcntl.flock(self._index, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            self._index.close()
            raise UsageError(f"{path}: another process is writing this run (wait until it is done)") from fault
        self._data = _opened(path)
        try:
            if not resume:
                self._index.truncate(0)
            self._begin()
        except BaseException:
            self.close()
            raise

    def add(self, piece: Piece) -> None:
        """Store the next chunk: the frame first, then its line in the index."""
        assert piece.chunk == self.chunk, f"chunk {piece.chunk} came instead of {self.chunk}"
        frame = Frame(piece.chunk, self._at, len(piece.frame), piece.crc, piece.ends, piece.unusable)
        self._data.write(piece.frame)
        self._data.flush()
        self._index.write(msgspec.json.encode(frame) + b"\n")
        self._index.flush()
        self._at += len(piece.frame)
        self.chunk += 1

    def frames(self) -> Iterator[Frame]:
        """All frames stored so far."""
        return frames(self.path)

    def close(self) -> None:
        """Close both files; safe to call twice."""
        self._data.close()
        self._index.close()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self) -> None:
        """Take up what is whole, and drop the rest."""
        line = _ENCODER.encode(self.head) + b"\n"
        first = self._index.readline()
        self._at, place = 0, len(line)
        if first and first.endswith(b"\n"):
            if first != line:
                raise UsageError(f"{self.path}: {_other(first, self.head)} (give the same command as at first, or --force to start anew)")
            for raw in self._index:
                frame = _frame(raw, self.chunk, self._at)
                if frame is None or not self._is_whole(frame):
                    break
                self._at += frame.size
                self.chunk += 1
                place += len(raw)
        else:
            self._index.seek(0)
            self._index.write(line)
            self._index.flush()
        self.dropped = os.fstat(self._data.fileno()).st_size - self._at
        for file, end in ((self._data, self._at), (self._index, place)):
            file.truncate(end)
            file.seek(end)

    def _is_whole(self, frame: Frame) -> bool:
        self._data.seek(frame.at)
        data = self._data.read(frame.size)
        return len(data) == frame.size and zlib.crc32(data) == frame.crc


def _opened(path: Path) -> BinaryIO:
    """The file to read and write, made if it isn't there, with what is in it."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")


def head_of(path: Path) -> Head | None:
    """What a run is of; None if it has no index. Raises UsageError for an index that isn't one."""
    try:
        with index_of(path).open("rb") as file:
            return msgspec.json.decode(file.readline(), type=Head)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{index_of(path)}:1: not the index of a run: {fault}") from fault


def frames(path: Path) -> Iterator[Frame]:
    """The lines of a run's index, up to the first that isn't whole. Raises OSError if there is no index."""
    chunk = at = 0
    with index_of(path).open("rb") as file:
        file.readline()
        for raw in file:
            frame = _frame(raw, chunk, at)
            if frame is None:
                return
            yield frame
            chunk, at = chunk + 1, at + frame.size


def find(path: Path, wanted: str | int) -> Trajectory | None:
    """The attempt with this id (or how it begins) or number, by the index; None if it isn't there. Raises UsageError."""
    codec = codec_of(path)
    for frame in frames(path):
        for place, end in enumerate(frame.ends):
            if end.number == wanted or (isinstance(wanted, str) and end.id.startswith(wanted)):
                return _read(path, codec, frame, place, end)
    return None


def _read(path: Path, codec: Codec, frame: Frame, place: int, end: End) -> Trajectory:
    with path.open("rb") as file:
        file.seek(frame.at)
        data = file.read(frame.size)
    if zlib.crc32(data) != frame.crc:
        raise UsageError(f"{path}: damaged from byte {frame.at} on, or changed since its index was written (--resume makes it whole)")
    one = msgspec.json.decode(codec.unpack(data).splitlines()[place], type=Trajectory)
    if one.id != end.id:
        raise UsageError(f"{index_of(path)}: it says {end.id[:12]} where the run has {one.id[:12]} (take the index away to read the run)")
    return one


def _frame(raw: bytes, chunk: int, at: int) -> Frame | None:
    """A line of the index, if it is whole and goes on from the one before."""
    if not raw.endswith(b"\n"):
        return None
    try:
        frame = _FRAME.decode(raw)
    except msgspec.MsgspecError:
        return None
    return frame if (frame.chunk, frame.at) == (chunk, at) else None


def _other(first: bytes, head: Head) -> str:
    """What an index's first line says differently."""
    try:
        there = msgspec.json.decode(first, type=Head)
    except msgspec.MsgspecError as fault:
        return f"its index is none: {fault}"
    if there.form != head.form:
        return f"its frames are {there.form}, not {head.form}"
    named: dict[str, tuple[Any, Any]] = {
        name: (getattr(there.schedule, name), getattr(head.schedule, name)) for name in ("packs", "chunk", "model", "batches")
    }
    different = next((name for name, (one, other) in named.items() if one != other), "version")
    if different == "packs":
        return f"it is of the packs {[one[:12] for one in named['packs'][0]]}, not {[one[:12] for one in named['packs'][1]]}"
    if different == "batches":
        return _batches(*named["batches"])
    return f"it was begun with another {different}"


def _batches(there: Any, here: Any) -> str:
    if len(there) != len(here):
        return f"it has {len(there)} batches of attempts (a solver on a task each), not {len(here)}"
    one, other = next((one, other) for one, other in zip(there, here, strict=True) if one != other)
    field = next(name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name))
    return f"it has {field} {getattr(one, field)} for {one.solver} on {one.task}, not {getattr(other, field)}"
