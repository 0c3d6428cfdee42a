"""A child process as the host sees it: started, sent requests, heard, given up on.

Takes a command, an environment and what the child starts with; gives replies, in the order of the requests. Promises never to
block: sending and hearing go on side by side, and everything has a deadline, kept with the monotonic clock. What the child
sends is foreign: a frame that is too large or isn't JSON ends it. Doesn't say what a reply means.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from worldwright.errors import UsageError

__all__ = ["WINDOW", "Child", "Hello", "Reply"]

WINDOW = 16
"""How many requests are sent ahead."""
_MOST_HEARD = 18 << 20
_TAIL = 4096
_GRACE = 20.0  # seconds beyond a child's own limits
_CHUNK = 1 << 18
_PARTS = 64  # read at most at once, so that nobody who goes on printing is listened to for ever


class Hello(msgspec.Struct):
    """What a child says when it is ready: its layers of confinement, why nothing can be loaded, whether it loads in each fork."""

    layers: dict[str, str] = {}
    fault: str = ""
    late: bool = False
    file: str = ""


class Reply(msgspec.Struct):
    """How a request ended, and the frames that were said; `play` and `where` say how far it came, `fault` why it never began."""

    ended: str = ""
    play: int = 0
    where: str = "start"
    printed: str = ""
    said: tuple[Any, ...] = ()
    fault: str = ""
    spent: str = ""
    size: Annotated[int, msgspec.Meta(ge=0, le=_MOST_HEARD)] = 0


class Child:
    """One process; `hello` is what it said when it was ready. Raises UsageError for a program that can't be started."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], start: Mapping[str, Any], patience: float) -> None:
        self.spot = tempfile.mkdtemp(prefix="worldwright-")
        self.hello: Hello | None = None
        self.printed = b""
        self.lost = ""
        self._waiting: deque[float] = deque()
        self._heard, self._outgoing = bytearray(), bytearray()
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = _started(command, environ, theirs.fileno())
        except OSError as fault:
            ours.close()
            os.rmdir(self.spot)
            raise UsageError(f"--python {command[0]}: can't be started ({fault}; expected a Python 3.9 or newer)") from fault
        ours.setblocking(False)
        self._socket = ours
        assert self._process.stdout is not None
        self._output = self._process.stdout
        os.set_blocking(self._output.fileno(), False)
        self._deadline = time.monotonic() + patience
        self._send({**start, "spot": self.spot})

    @property
    def sent(self) -> int:
        """How many requests have no reply yet."""
        return len(self._waiting)

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return not self.lost and self._process.poll() is None

    @property
    def has_room(self) -> bool:
        """Whether another request may be sent."""
        return not self.lost and len(self._waiting) < WINDOW

    def ask(self, request: Mapping[str, Any]) -> None:
        """Send a request; `seconds` in it is what it may take."""
        if not self._waiting and self.hello is not None:
            self._deadline = time.monotonic() + request["seconds"] + _GRACE
        self._waiting.append(request["seconds"])
        self._send(request)

    def files(self) -> list[int]:
        """The file descriptors to wait for."""
        return [] if self.lost else [self._socket.fileno(), *([] if self._output.closed else [self._output.fileno()])]

    @property
    def is_sending(self) -> bool:
        """Whether there is something left to send."""
        return bool(self._outgoing) and not self.lost

    def remaining(self) -> float:
        """Seconds until it is given up on."""
        return max(0.0, self._deadline - time.monotonic())

    def _send(self, frame: Mapping[str, Any]) -> None:
        data = json.dumps(frame).encode()
        self._outgoing += struct.pack(">I", len(data)) + data

    def hear(self) -> list[Reply]:
        """Send and read what can be without waiting; gives the replies that are complete."""
        if self.lost:
            return []
        self._read_output()
        try:
            self._push()
            ended = self._pull()
            replies = list(self._replies())
        except (OSError, ValueError, RecursionError, msgspec.ValidationError) as fault:
            self.lost = f"its process said what can't be understood ({type(fault).__name__})"
            return []
        if ended:
            self.lost = f"its process ended{self._how()}"
        elif (self._waiting or self.hello is None) and not self.remaining():
            self.lost = "its process gave no answer in time" if self.hello else "no end of the import in time"
        return replies

    def _push(self) -> None:
        while self._outgoing:
            try:
                del self._outgoing[: self._socket.send(self._outgoing[:_CHUNK])]
            except BlockingIOError:
                return
            except (BrokenPipeError, ConnectionResetError):
                self._outgoing.clear()  # hearing says that it has ended

    def _pull(self) -> bool:
        """Whether the other side has hung up."""
        while True:
            try:
                part = self._socket.recv(_CHUNK)
            except BlockingIOError:
                return False
            except ConnectionResetError:
                return True
            if not part:
                return True
            self._heard += part
            if len(self._heard) > 2 * _MOST_HEARD:
                raise ValueError("more than was asked for")

    def _replies(self) -> list[Reply]:
        found = []
        while (taken := self._frame(0)) is not None:
            frame, end = taken
            if self.hello is None:
                self.hello = msgspec.convert(frame, Hello)
                replied = None
            else:
                replied = msgspec.convert(frame, Reply)
                if len(self._heard) < end + replied.size:
                    break
                replied.said = tuple(self._frames(end, end + replied.size))
                end += replied.size
            del self._heard[:end]
            if replied is not None:
                if not self._waiting:
                    raise ValueError("a reply to nothing")
                self._waiting.popleft()
                found.append(replied)
            self._deadline = time.monotonic() + (self._waiting[0] if self._waiting else 0) + _GRACE
        return found

    def _frame(self, start: int) -> tuple[Any, int] | None:
        if len(self._heard) < start + 4:
            return None
        (size,) = struct.unpack_from(">I", self._heard, start)
        if size > _MOST_HEARD:
            raise ValueError("a frame that is too large")
        if len(self._heard) < start + 4 + size:
            return None
        return json.loads(self._heard[start + 4 : start + 4 + size]), start + 4 + size

    def _frames(self, start: int, end: int) -> list[Any]:
        """What the fork said; whatever comes after something that is no frame is left out."""
        found = []
        try:
            while start < end and (taken := self._frame(start)) is not None and taken[1] <= end:
                found.append(taken[0])
                start = taken[1]
        except (ValueError, RecursionError):
            return found
        return found

    def _read_output(self) -> None:
        for _ in range(_PARTS):
            if self._output.closed:
                return
            try:
                part = os.read(self._output.fileno(), _CHUNK)
            except BlockingIOError:
                return
            if not part:
                self._output.close()
            self.printed = (self.printed + part)[-_TAIL:]

    def _how(self) -> str:
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return ""
        self._read_output()
        return f" (exit code {code})" if code else ""

    def end(self) -> None:
        """End it, and all that runs in it."""
        self.lost = self.lost or "it was ended"
        self._process.kill()
        self._socket.close()
        self._process.wait()
        if not self._output.closed:
            self._output.close()
        shutil.rmtree(self.spot, ignore_errors=True)


def _started(command: Sequence[str], environ: Mapping[str, str], wire: int) -> subprocess.Popen[bytes]:
    both = subprocess.STDOUT
    return subprocess.Popen(command, stdin=wire, stdout=subprocess.PIPE, stderr=both, env=dict(environ), cwd="/", start_new_session=True)
