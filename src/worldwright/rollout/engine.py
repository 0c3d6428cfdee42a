"""Working a schedule off, on the processes of this machine: pieces in order, whatever order they are finished in.

Takes a schedule with its packs and how many processes to use; gives the pieces of all chunks from `start` on, in order.
Promises: what comes out doesn't depend on the number of processes; no more than AHEAD chunks a process are begun before the
first of them is taken, so memory is bounded however long the schedule is and however slowly its pieces are stored. A process
that dies is started afresh and its chunk is done again; an attempt that takes its process along every time is recorded
without a verdict. Raises what a chunk raises, at its place in the order.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import msgspec

from worldwright.errors import WorldwrightError
from worldwright.pack.read import Pack
from worldwright.rollout.codec import codec_of
from worldwright.rollout.schedule import Schedule
from worldwright.rollout.worker import Done, Failed, Order, Request, receive, send, shipped
from worldwright.rollout.workplace import Piece, Resolve, Workplace

__all__ = ["AHEAD", "cores", "here", "on_processes"]

AHEAD = 4
"""How many chunks a process may be ahead of what is stored."""
_TRIES = 2
_PATIENCE = 10.0
"""Seconds that a process gets to end by itself."""
_ENCODER = msgspec.msgpack.Encoder()
_ANSWER: msgspec.msgpack.Decoder[Done | Failed] = msgspec.msgpack.Decoder(Done | Failed)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def here(
    schedule: Schedule,
    packs: tuple[Pack, ...],
    name: str,
    start: int = 0,
    resolve: Resolve | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Generator[Piece, None, None]:
    """The pieces, made in this process; `resolve` gives solvers that need a connection, `is_over` says that no more may be made."""
    workplace = Workplace(schedule, packs, codec_of(Path(name)), resolve)
    for chunk in range(start, schedule.chunks):
        if is_over():
            return
        yield workplace.piece(chunk)


def on_processes(schedule: Schedule, packs: tuple[Pack, ...], name: str, workers: int, start: int = 0) -> Generator[Piece, None, None]:
    """The pieces, made by so many processes; `name` is the run's."""
    order = _ENCODER.encode(Order(schedule, shipped(packs), name))
    desk = _Desk(start, schedule.chunks, workers * AHEAD)
    threads = [
        threading.Thread(target=_serve, args=(desk, schedule, order), daemon=True) for _ in range(min(workers, schedule.chunks - start))
    ]
    for thread in threads:
        thread.start()
    try:
        for chunk in range(start, schedule.chunks):
            made = desk.take(chunk)
            if isinstance(made, Exception):
                raise made
            yield made
    finally:
        desk.close()
        for thread in threads:
            thread.join()


class _Desk:
    """Where threads fetch chunks and leave pieces; nobody gets further ahead of the taker than `window` chunks."""

    def __init__(self, start: int, end: int, window: int) -> None:
        self._next, self._taken, self._end, self._window = start, start, end, window
        self._done: dict[int, Piece | Exception] = {}
        self._changed = threading.Condition()
        self.is_closed = False

    def fetch(self) -> int | None:
        """The next chunk to be made; None if there is none left. Waits while enough is under way."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or self._next >= self._end or self._next < self._taken + self._window)
            if self.is_closed or self._next >= self._end:
                return None
            self._next += 1
            return self._next - 1

    def leave(self, chunk: int, made: Piece | Exception) -> None:
        """A chunk is done."""
        with self._changed:
            self._done[chunk] = made
            self._changed.notify_all()

    def take(self, chunk: int) -> Piece | Exception:
        """The chunk's piece, or what it raised."""
        with self._changed:
            self._changed.wait_for(lambda: chunk in self._done)
            self._taken = chunk + 1
            self._changed.notify_all()
            return self._done.pop(chunk)

    def close(self) -> None:
        """Nothing more is wanted."""
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()


class _Died(Exception):
    """The process ended within a request."""


class _Process:
    """A worker, started when it is first asked, and afresh after it died."""

    def __init__(self, order: bytes) -> None:
        self._order = order
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: Request) -> Piece | None:
        """What it answers. Raises _Died, or what the worker raised."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError):  # that it is gone shows below, perhaps with the reason
            send(process.stdin, _ENCODER.encode(request))
        try:
            data = receive(process.stdout)
        except OSError:
            data = None
        if data is None:
            self.close()
            raise _Died
        answered = _ANSWER.decode(data)
        if isinstance(answered, Failed):
            raise answered.exception()
        return answered.piece

    def _start(self) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        environment = {**os.environ, "PYTHONPATH": paths}
        command = [sys.executable, "-m", "worldwright.rollout.worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it died already, which the first question shows
            send(self._process.stdin, self._order)
        return self._process

    def close(self) -> None:
        """End the process if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError):  # what was still to be written is nobody's any more
            process.stdin.close()
        process.stdout.close()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _serve(desk: _Desk, schedule: Schedule, order: bytes) -> None:
    """Make chunks until there are none left."""
    process = _Process(order)
    try:
        while (chunk := desk.fetch()) is not None:
            desk.leave(chunk, _piece(process, schedule, chunk))
    finally:
        process.close()


def _piece(process: _Process, schedule: Schedule, chunk: int) -> Piece | Exception:
    """The chunk's piece, whatever it takes: again if the process died, and then without the attempts that it dies of."""
    try:
        for _ in range(_TRIES):
            try:
                return _given(process.ask(Request(chunk)))
            except _Died:
                continue
        lost = tuple(slot.number for slot in schedule.slots(chunk) if _is_deadly(process, slot.number))
        return _given(process.ask(Request(chunk, lost)))
    except _Died:
        return WorldwrightError(
            f"chunk {chunk}: the processes that made it died, also without the attempts they died of (is there enough memory?)"
        )
    except Exception as fault:  # noqa: BLE001 - it is raised where the pieces are taken
        return fault


def _is_deadly(process: _Process, number: int) -> bool:
    """Whether the process dies of this attempt alone, each time."""
    for _ in range(_TRIES):
        try:
            process.ask(Request(alone=number))
        except _Died:
            continue
        return False
    return True


def _given(piece: Piece | None) -> Piece:
    assert piece is not None
    return piece
