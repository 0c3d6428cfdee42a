"""Working a schedule off on the machines of a Ray cluster (extra `[ray]`): the same code and the same pieces as on this machine.

Takes a schedule with its packs; gives the pieces of all chunks from `start` on, in order. Promises what `engine` does: Ray does
a chunk again when its process or its machine dies, what is stored is stored by this process alone and in order, so nothing is
lost or doubled; an attempt that takes its process along every time is recorded without a verdict. Packs travel to the machines,
which need the same worldwright installed. Nothing is reported to Ray's makers unless RAY_USAGE_STATS_ENABLED says so.
Raises UsageError if Ray isn't installed or no cluster is found, and what a chunk raises at its place in the order.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Generator
from typing import Any

import msgspec

from worldwright import __version__
from worldwright.errors import UsageError, WorldwrightError
from worldwright.pack.read import Pack
from worldwright.rollout.engine import AHEAD
from worldwright.rollout.schedule import Schedule
from worldwright.rollout.worker import Done, Failed, Order, Request, answer, failed, opened, shipped
from worldwright.rollout.workplace import Piece, Workplace

__all__ = ["on_ray"]

_RETRIES = 3
_ENCODER = msgspec.msgpack.Encoder()
_ANSWER: msgspec.msgpack.Decoder[Done | Failed] = msgspec.msgpack.Decoder(Done | Failed)
_workplaces: dict[str, Workplace] = {}
"""In a worker of Ray: what was opened for the order that it last worked on."""


def on_ray(schedule: Schedule, packs: tuple[Pack, ...], name: str, start: int = 0, address: str = "") -> Generator[Piece, None, None]:
    """The pieces; `name` is the run's, `address` the cluster's (empty: the one of RAY_ADDRESS, or one of its own on this machine)."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as fault:
        raise UsageError("--engine ray needs Ray, which isn't installed (pip install 'worldwright[ray]')") from fault
    is_ours = not ray.is_initialized()
    if is_ours:
        try:
            ray.init(address=address or None, log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError, RuntimeError) as fault:
            raise UsageError(f"no Ray cluster at '{address}': {fault} (ray start --head makes one)") from fault
    try:
        yield from _Cluster(ray, schedule, Order(schedule, shipped(packs), name)).pieces(start)
    finally:
        if is_ours:
            ray.shutdown()


def _work(order: bytes, digest: str, version: str, request: bytes) -> bytes:
    """What runs on the machines: meet one request."""
    if version != __version__:
        return _ENCODER.encode(failed(UsageError(f"a machine of the cluster has worldwright {__version__}, not {version}")))
    try:
        if digest not in _workplaces:
            _workplaces.clear()
            _workplaces[digest] = opened(msgspec.msgpack.decode(order, type=Order))
    except Exception as fault:  # noqa: BLE001 - it is raised again in the process that asked
        return _ENCODER.encode(failed(fault))
    return _ENCODER.encode(answer(_workplaces[digest], msgspec.msgpack.decode(request, type=Request)))


class _Cluster:
    def __init__(self, ray: Any, schedule: Schedule, order: Order) -> None:
        self.ray, self.schedule = ray, schedule
        self._order = ray.put(_ENCODER.encode(order))
        self._digest = f"{schedule.digest} {order.name}"
        self._task = ray.remote(_work).options(num_cpus=1, max_retries=_RETRIES)

    def pieces(self, start: int) -> Generator[Piece, None, None]:
        """The pieces in order; no more than AHEAD chunks a core are begun before the first of them is taken."""
        window = AHEAD * max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        waiting: deque[tuple[int, Any]] = deque()
        chunk = start
        try:
            while waiting or chunk < self.schedule.chunks:
                while chunk < self.schedule.chunks and len(waiting) < window:
                    waiting.append((chunk, self._begin(Request(chunk))))
                    chunk += 1
                first, begun = waiting[0]
                piece = self._piece(first, begun)
                waiting.popleft()
                yield piece
        finally:
            for _, begun in waiting:
                with contextlib.suppress(self.ray.exceptions.RayError):
                    self.ray.cancel(begun, force=True)

    def _begin(self, request: Request) -> Any:
        return self._task.remote(self._order, self._digest, __version__, _ENCODER.encode(request))

    def _end(self, begun: Any) -> Piece | None:
        """What a request gave. Raises RayError if it couldn't be met anywhere, or what came up in it."""
        answered = _ANSWER.decode(self.ray.get(begun))
        if isinstance(answered, Failed):
            raise answered.exception()
        return answered.piece

    def _piece(self, chunk: int, begun: Any) -> Piece:
        """The chunk's piece; if its process died each time, without the attempts that it dies of."""
        died = self.ray.exceptions.RayError
        try:
            made = self._end(begun)
        except died:
            lost = tuple(slot.number for slot in self.schedule.slots(chunk) if self._is_deadly(slot.number))
            try:
                made = self._end(self._begin(Request(chunk, lost)))
            except died as fault:
                raise WorldwrightError(f"chunk {chunk}: it failed on the cluster each time it was tried: {fault}") from fault
        assert made is not None
        return made

    def _is_deadly(self, number: int) -> bool:
        try:
            self._end(self._begin(Request(alone=number)))
        except self.ray.exceptions.RayError:
            return True
        return False
