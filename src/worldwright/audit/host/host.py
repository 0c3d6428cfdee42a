"""The host: requests to foreign code, carried out by children that are kept warm, one kind for each surroundings.

Takes what to load, the interpreter, and limits; gives a reply for each request, in their order. Promises that a reply comes,
whatever the foreign code does, and that one request's end is never another's: a child that is lost is replaced, and what it
had not begun is asked again. Doesn't read what replies mean (see `replies`); isn't for several threads at once.

Reads PATH and HOME of its environment: foreign code gets the former, after the interpreter's own folder; its HOME is scratch.
"""

from __future__ import annotations

import os
import select
import sys
import weakref
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from worldwright.audit.host.process import Child, Reply
from worldwright.audit.subject import Setting

__all__ = ["Host", "Limits", "Request"]

_CHILD = Path(__file__).parent / "child.py"
_WARM = 3
"""How many kinds of surroundings keep their children."""
_WORTH_ONE_MORE = 32
"""How many requests make it worth the start of one more child."""
_PLACES = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Limits(msgspec.Struct, frozen=True):
    """What foreign code may use: seconds for a request and for the import, bytes of memory (each process) and on scratch, counts."""

    seconds: float = 20.0
    import_seconds: float = 60.0
    address_space: int = 8 << 30
    file_size: int = 256 << 20
    scratch: int = 512 << 20
    processes: int = 256
    open_files: int = 512


class Request(msgspec.Struct, frozen=True):
    """What is asked (`ask`: cases, facts, session, and what that needs), in which surroundings."""

    ask: Mapping[str, Any]
    setting: Setting = Setting()


class Host:
    """Children for one thing to load. `load` is {module, function, paths} or {file, function, args, paths, keep}."""

    def __init__(self, load: Mapping[str, Any], python: str | None = None, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.layers: dict[str, str] = {}
        self.file = ""
        self._load, self._python = dict(load), python or sys.executable
        self._late = False
        self._crews: OrderedDict[bytes, list[Child]] = OrderedDict()
        self._faults: dict[bytes, str] = {}
        weakref.finalize(self, _end_all, self._crews)

    def ask(self, requests: Sequence[Request], workers: int = 1) -> list[Reply]:
        """A reply for each request; at most `workers` children work at the same time."""
        kinds: dict[bytes, deque[int]] = {}
        for n, request in enumerate(requests):
            kinds.setdefault(_kind(request.setting), deque()).append(n)
        replies: dict[int, Reply] = {}
        for kind, queue in kinds.items():
            _Shift(self, kind, requests, queue, replies).work(workers)
        return [replies[n] for n in range(len(requests))]

    def close(self) -> None:
        """End all children."""
        _end_all(self._crews)

    def crew(self, kind: bytes, size: int, setting: Setting) -> list[Child]:
        """The children of a kind, at least `size` of them."""
        crew = self._crews.setdefault(kind, [])
        self._crews.move_to_end(kind)
        while len(self._crews) > _WARM:
            for child in self._crews.popitem(last=False)[1]:
                child.end()
        for child in [child for child in crew if not child.is_alive]:
            if not child.sent:
                self.dismiss(kind, child)
        crew += [self._started(setting) for _ in range(size - len(crew))]
        return crew

    def dismiss(self, kind: bytes, child: Child) -> None:
        """End a child that is lost, spent, or of the wrong kind."""
        child.end()
        self._crews[kind].remove(child)

    def greeted(self, kind: bytes, child: Child) -> bool:
        """Take note of what a child said when it was ready; whether it can be used."""
        hello = child.hello
        assert hello is not None
        self.layers = hello.layers or self.layers
        self.file = hello.file or self.file
        if hello.fault:
            self._faults[kind] = f"{hello.fault}{_tail(child.printed)}"
        elif hello.late and not self._late:
            self._late = True
            return False
        return not hello.fault

    def fault(self, kind: bytes) -> str:
        """Why nothing can be loaded in these surroundings; "" if it can, or wasn't tried."""
        return self._faults.get(kind, "")

    def never_ready(self, kind: bytes, child: Child) -> None:
        """A child was lost before it was ready: so would be the next one."""
        self._faults[kind] = f"can't be loaded: {child.lost}{_tail(child.printed)}"

    def seconds(self) -> float:
        """What a request may take."""
        return self.limits.seconds + (self.limits.import_seconds if self._late else 0)

    def _started(self, setting: Setting) -> Child:
        limits = msgspec.to_builtins(self.limits)
        start = {"load": self._load, "days": setting.days, "where": setting.where, "late": self._late, "limits": limits}
        return Child([self._python, str(_CHILD)], self._environ(setting), start, self.limits.import_seconds)

    def _environ(self, setting: Setting) -> dict[str, str]:
        plain = {"PATH": os.environ.get("PATH", _PLACES), "HOME": os.environ.get("HOME", "/"), "TZ": setting.zone, "LANG": setting.locale}
        return {**plain, "PYTHONHASHSEED": str(setting.hash_seed), **setting.environ}


class _Shift:
    """The requests of one kind, worked off."""

    def __init__(self, host: Host, kind: bytes, requests: Sequence[Request], queue: deque[int], replies: dict[int, Reply]) -> None:
        self._host, self._kind, self._requests, self._queue, self._replies = host, kind, requests, queue, replies
        self._setting = requests[queue[0]].setting
        self._under_way: dict[int, deque[int]] = {}
        self._met: set[int] = set()

    def work(self, workers: int) -> None:
        """Until every request has its reply."""
        try:
            self._work(workers)
        except BaseException:  # an interrupt, say: what is under way would be taken for the answer to something else
            for child in list(self._host.crew(self._kind, 0, self._setting)):
                if child.sent:
                    self._host.dismiss(self._kind, child)
            raise

    def _work(self, workers: int) -> None:
        while self._queue or any(self._under_way.values()):
            fault = self._host.fault(self._kind)
            if fault:
                self._give_up(fault)
                return
            crew = self._host.crew(self._kind, min(workers, 1 + len(self._queue) // _WORTH_ONE_MORE), self._setting)
            for child in crew:
                self._hand_out(child, len(crew))
            _wait(crew)
            for child in list(crew):
                self._collect(child)

    def _give_up(self, fault: str) -> None:
        for n in [*self._queue, *(n for queue in self._under_way.values() for n in queue)]:
            self._replies[n] = Reply(fault=fault)
        for child in list(self._host.crew(self._kind, 0, self._setting)):
            self._host.dismiss(self._kind, child)

    def _hand_out(self, child: Child, crew: int) -> None:
        own = self._under_way.setdefault(id(child), deque())
        share = -(-(len(self._queue) + len(own)) // crew)
        while self._queue and child.has_room and len(own) < max(1, share):
            n = self._queue.popleft()
            setting = self._requests[n].setting
            child.ask({**self._requests[n].ask, "seconds": self._host.seconds(), "failing": setting.failing, "load": setting.load})
            own.append(n)

    def _collect(self, child: Child) -> None:
        replies = child.hear()
        if child.hello is not None and id(child) not in self._met:
            self._met.add(id(child))
            if not self._host.greeted(self._kind, child):
                self._put_back(child)
                return
        own = self._under_way[id(child)]
        for reply in replies:
            self._replies[own.popleft()] = reply
            if reply.spent:
                self._put_back(child)
                return
        if child.lost:
            if child.hello is None:
                self._host.never_ready(self._kind, child)
            elif own:
                self._replies[own.popleft()] = Reply(fault=f"{child.lost}{_tail(child.printed)}")
            self._put_back(child)

    def _put_back(self, child: Child) -> None:
        """Dismiss a child; what it had not begun is asked again."""
        self._queue.extendleft(reversed(self._under_way.pop(id(child), ())))
        self._met.discard(id(child))
        self._host.dismiss(self._kind, child)


def _end_all(crews: OrderedDict[bytes, list[Child]]) -> None:
    while crews:
        for child in crews.popitem()[1]:
            child.end()


def _kind(setting: Setting) -> bytes:
    return msgspec.json.encode(
        (setting.zone, setting.locale, setting.hash_seed, setting.days, sorted(setting.environ.items()), setting.where)
    )


def _tail(printed: bytes) -> str:
    text = printed.decode(errors="replace").strip()
    return f"; it printed: {text[-500:]}" if text else ""


def _wait(crew: Sequence[Child]) -> None:
    waiting = select.poll()
    for child in crew:
        for number in child.files():
            waiting.register(number, select.POLLIN)
        if child.is_sending:
            waiting.register(child.files()[0], select.POLLIN | select.POLLOUT)
    waiting.poll(1000 * min((child.remaining() for child in crew), default=0.0) + 1)
