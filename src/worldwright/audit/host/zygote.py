"""Requests, each in a fork: started, timed, counted, and swept away.

Takes requests from the host and a worker that is loaded; gives a reply for each, with what the fork said and how it ended.
Promises that a fork ends in its time, says no more than MOST_SAID and has no more processes than allowed; and that
afterwards nothing of it runs (with a pid namespace: nothing at all but this process) and scratch is as before.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import resource
import select
import signal
import struct
import time
from collections.abc import Callable, Mapping
from typing import Any

from .scratch import Scratch
from .worker import Worker

__all__ = ["MOST_SAID", "Zygote"]

MOST_SAID = 16 << 20
"""The most bytes that a fork may say."""
_TAIL = 4096
_HIGH = 240
_CHUNK = 1 << 16
_monotonic = time.monotonic  # whatever becomes of it later
_LOOK = 0.02  # seconds between counts of processes
_DUMPABLE, _SUBREAPER = 4, 36
_WHERE = ("start", "act", "state", "finish", "close", "done")
_FORMAT = "=IB"


class Zygote:
    """The process that all requests fork from."""

    def __init__(self, wire: Any, worker: Worker, scratch: Scratch, layers: Mapping[str, str], limits: Mapping[str, int]) -> None:
        self._wire, self._worker, self._scratch = wire, worker, scratch
        self._apart = not layers["pid"] and os.getpid() == 1
        self._sees_others = self._apart and bool(layers["proc"])  # then its numbers of processes are not ours
        self._most = limits["processes"]
        self._came_to = mmap.mmap(-1, mmap.PAGESIZE)
        _control(_DUMPABLE, 0)  # so that no fork can write into this process's memory
        _control(_SUBREAPER, 1)

    def serve(self) -> None:
        """Carry requests out until the host hangs up, or this process is spent."""
        while True:
            request = self._wire.read()
            if request is None:
                return
            reply, said = self._carry_out(request)
            reply["spent"] = self._scratch.restore()
            try:
                self._wire.write(reply, said)
            except OSError:
                return
            if reply["spent"]:
                return

    def _carry_out(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        self._came_to[: struct.calcsize(_FORMAT)] = struct.pack(_FORMAT, 0, 0)
        said, say = os.pipe()
        printed, output = os.pipe()
        child = os.fork()
        if child == 0:
            self._be_worker(request, say, output)
        os.close(say)
        os.close(output)
        fork = _Fork(child, said, printed, _monotonic() + request["seconds"])
        try:
            ended = fork.follow(lambda: self._too_many(child))
            status = fork.end()
            self._sweep(child)
            fork.drain()
        finally:
            os.close(said)
            os.close(printed)
        play, where = struct.unpack(_FORMAT, self._came_to[: struct.calcsize(_FORMAT)])
        reply = {"ended": ended or _how(status), "play": play, "where": _WHERE[min(where, len(_WHERE) - 1)]}
        return {**reply, "printed": fork.printed.decode("utf-8", "replace"), "size": len(fork.said)}, bytes(fork.said)

    # ---- in the fork

    def _be_worker(self, request: dict[str, Any], say: int, output: int) -> None:
        code = 70
        try:
            os.setsid()
            self._wire.close()
            os.dup2(output, 1)
            os.dup2(output, 2)
            seconds = int(request["seconds"]) + 2
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            signal.signal(signal.SIGINT, signal.default_int_handler)
            _control(_DUMPABLE, 1)
            self._worker.carry_out(request, _out_of_the_way(say), self._note)
            self._note(0, "done")
            code = 0
        finally:
            os._exit(code)

    def _note(self, play: int, where: str) -> None:
        self._came_to[: struct.calcsize(_FORMAT)] = struct.pack(_FORMAT, play, _WHERE.index(where))

    # ---- around it

    def _too_many(self, child: int) -> str:
        """Processes are counted here too, because root isn't bound by the limit on them."""
        if self._sees_others:
            return ""
        there = [name for name in _listed("/proc") if name.isdigit()]
        count = len(there) - 1 if self._apart else sum(_numbers_of(name)[2:3] == [child] for name in there)
        return f"more than {self._most} processes" if count > self._most else ""

    def _sweep(self, child: int) -> None:
        """End whatever the fork has left, and reap it."""
        if self._apart:
            _quietly(os.kill, -1, signal.SIGKILL)
            while _quietly(os.waitpid, -1, 0):
                pass
            return
        _quietly(os.killpg, child, signal.SIGKILL)
        for _ in range(1000):
            orphans = _children()
            for orphan in orphans:
                _quietly(os.kill, orphan, signal.SIGKILL)
                _quietly(os.waitpid, orphan, 0)
            if not orphans:
                return


class _Fork:
    """A fork as it is followed."""

    def __init__(self, child: int, said: int, printed: int, deadline: float) -> None:
        self._child, self._said, self._printed, self._deadline = child, said, printed, deadline
        self.said, self.printed = bytearray(), b""
        self._status: int | None = None
        self._poll = select.poll()
        for pipe in (said, printed):
            os.set_blocking(pipe, False)
            self._poll.register(pipe, select.POLLIN)
        self._handle = _handle_of(child)
        if self._handle >= 0:
            self._poll.register(self._handle, select.POLLIN)

    def follow(self, too_many: Callable[[], str]) -> str:
        """Read what it says until it ends; "" or why it has to be ended."""
        look = _monotonic() + _LOOK
        while True:
            events = self._poll.poll(int(_LOOK * 1000))
            self._read(events)
            if self._has_ended(events):
                return ""
            if len(self.said) > MOST_SAID:
                return f"more than {MOST_SAID >> 20} MB to say"
            now = _monotonic()
            if now > self._deadline:
                return "no end in time"
            if now > look:
                look = now + _LOOK
                why = too_many()
                if why:
                    return why

    def _read(self, events: list[tuple[int, int]]) -> None:
        for pipe, _ in events:
            if pipe == self._handle:
                continue
            part = _read(pipe)
            if not part:
                self._poll.unregister(pipe)
            elif pipe == self._said:
                self.said += part
            else:
                self.printed = (self.printed + part)[-_TAIL:]

    def _has_ended(self, events: list[tuple[int, int]]) -> bool:
        if self._handle >= 0 and not any(pipe == self._handle for pipe, _ in events):
            return False
        child, status = os.waitpid(self._child, os.WNOHANG)
        if child:
            self._status = status
        return bool(child)

    def end(self) -> int:
        """Its exit status; kills it first if it is still there."""
        if self._status is None:
            os.kill(self._child, signal.SIGKILL)
            self._status = os.waitpid(self._child, 0)[1]
        if self._handle >= 0:
            os.close(self._handle)
        return self._status

    def drain(self) -> None:
        """What is left in its pipes, once nobody writes there any more."""
        while (part := _read(self._said)) and len(self.said) <= MOST_SAID:
            self.said += part
        while part := _read(self._printed):
            self.printed = (self.printed + part)[-_TAIL:]


def _out_of_the_way(pipe: int) -> int:
    """The same pipe under a high number, where code that closes or writes to all the low ones doesn't meet it."""
    try:
        return fcntl.fcntl(pipe, fcntl.F_DUPFD_CLOEXEC, max(_HIGH, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 16))
    except (OSError, ValueError):
        return pipe


def _read(pipe: int) -> bytes:
    try:
        return os.read(pipe, _CHUNK)
    except BlockingIOError:
        return b""


def _handle_of(child: int) -> int:
    try:
        return os.pidfd_open(child)
    except (AttributeError, OSError):
        return -1  # before Linux 5.3 its end is looked for, not waited for


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"ended by signal {number} ({signal.Signals(number).name})" if number in set(signal.Signals) else f"ended by signal {number}"
    code = os.WEXITSTATUS(status)
    return f"exit status {code}"


def _quietly(step: Callable[..., Any], *args: Any) -> bool:
    """Whether there was anything to do it to."""
    try:
        step(*args)
    except (ProcessLookupError, ChildProcessError):
        return False
    return True


def _children() -> list[int]:
    """This process's children, its adopted ones too, where /proc tells."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", "rb") as file:
            return [int(name) for name in file.read().split()]
    except OSError:
        return [int(name) for name in _listed("/proc") if name.isdigit() and _numbers_of(name)[:1] == [os.getpid()]]


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _numbers_of(name: str) -> list[int]:
    """A process's parent, group and session; [] for one that is gone."""
    try:
        with open(f"/proc/{name}/stat", "rb") as file:
            return [int(number) for number in file.read().rpartition(b")")[2].split()[1:4]]
    except (OSError, ValueError):
        return []


def _control(option: int, value: int) -> None:
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), *(ctypes.c_ulong(0),) * 3)
    except (ImportError, OSError, AttributeError):
        return  # not on this system: the layers say what is missing
