"""A process that works chunks off for another: `python -m worldwright.rollout.worker`, driven over its standard input and output.

Takes messages, each with its length in front: first the schedule and the packs, then one request a message; gives a piece, or
the error that came up, for each. Ends when its input does, so it never outlives whoever started it. What code in it prints
goes to standard error. Keeps nothing on disk.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import msgspec

from worldwright.errors import WorldwrightError
from worldwright.pack.read import Pack
from worldwright.rollout.codec import codec_of
from worldwright.rollout.schedule import Schedule
from worldwright.rollout.workplace import Piece, Workplace

__all__ = ["Failed", "Order", "Request", "Shipped", "opened", "receive", "send", "shipped"]

_LENGTH = struct.Struct("<Q")


class Shipped(msgspec.Struct, frozen=True):
    """A pack as it travels: the name that errors give it, and its files."""

    where: str
    files: Mapping[str, bytes]


class Order(msgspec.Struct, frozen=True):
    """What is to be worked on; `name` is the run's, which decides its form."""

    schedule: Schedule
    packs: tuple[Shipped, ...]
    name: str


class Request(msgspec.Struct, frozen=True):
    """A chunk to work off, `lost` attempts apart; or, with `alone`, one attempt to make and drop."""

    chunk: int = -1
    lost: tuple[int, ...] = ()
    alone: int = -1


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The request could not be met: the error, pickled, and as text."""

    error: bytes
    text: str

    def exception(self) -> Exception:
        """The error itself, or one that says the same."""
        if self.error:
            return pickle.loads(self.error)  # type: ignore[no-any-return]  # from our own process
        return WorldwrightError(self.text)


class Done(msgspec.Struct, frozen=True, tag=True):
    """The piece that was asked for."""

    piece: Piece | None = None


def shipped(packs: tuple[Pack, ...]) -> tuple[Shipped, ...]:
    """Packs as they travel."""
    return tuple(Shipped(pack.where, pack.files) for pack in packs)


def opened(order: Order) -> Workplace:
    """The workplace that an order asks for; what it is made of is left out of garbage collection."""
    packs = [Pack(one.files, one.where) for one in order.packs]
    workplace = Workplace(order.schedule, packs, codec_of(Path(order.name)))
    gc.collect()
    gc.freeze()
    return workplace


def send(file: IO[bytes], data: bytes) -> None:
    """Write one message."""
    file.write(_LENGTH.pack(len(data)) + data)
    file.flush()


def receive(file: IO[bytes]) -> bytes | None:
    """Read one message; None at the end, also within a message."""
    head = file.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(head)
    data = file.read(size)
    return data if len(data) == size else None


def answer(workplace: Workplace, request: Request) -> Done | Failed:
    """Do what is asked; an error is an answer too."""
    try:
        if request.alone >= 0:
            workplace.one(request.alone)
            return Done()
        return Done(workplace.piece(request.chunk, request.lost))
    except Exception as fault:  # noqa: BLE001 - it is raised again in the process that asked
        return failed(fault)


def failed(fault: Exception) -> Failed:
    """The error as it travels; one that can't be made again from its parts only as text."""
    text = f"{type(fault).__name__}: {fault}"
    try:
        data = pickle.dumps(fault)
        pickle.loads(data)
    except Exception:  # noqa: BLE001 - what an error holds may be anything
        return Failed(b"", text)
    return Failed(data, text)


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one ends it
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    first = receive(source)
    if first is None:
        return
    encoder = msgspec.msgpack.Encoder()
    try:
        workplace = opened(msgspec.msgpack.decode(first, type=Order))
    except Exception as fault:  # noqa: BLE001 - as above
        send(out, encoder.encode(failed(fault)))
        return
    while (data := receive(source)) is not None:
        send(out, encoder.encode(answer(workplace, msgspec.msgpack.decode(data, type=Request))))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(0)  # nobody listens any more
