"""Foreign code, loaded once and used in forks: what a fork does with a request.

Takes what to load (a module's function, or one of a shim file, with its arguments); gives in frames what the request asks for:
cases, facts, or the attempts of a session, each as soon as it is there. Promises that a play whose environment raises is an
attempt like any other. Where the module starts threads or processes at import, which don't survive a fork, `load` says that
it must be loaded in each fork anew.

A fork shares what the import drew at random: Python's own generator is seeded afresh unless the import seeded it, NumPy's
global one too; generators that a module made for itself at import go on from the same state in every fork.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
import os
import random
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any

from .clock import Clock
from .episodes import Playing, told
from .facts import facts
from .places import Places
from .values import decode, encode
from .watch import Watch

__all__ = ["Worker"]

_write = os.write
_dumps = json.dumps
_SHIM = "worldwright_shim"


class Worker:
    """What is loaded, and what can be asked of it."""

    def __init__(self, load: dict[str, Any], clock: Clock, places: Places) -> None:
        self._load, self._clock, self._places = load, clock, places
        self._environ = dict(os.environ)
        self._make: Callable[[], Any] | None = None
        self._seeded = self._seeds_numpy = False
        self._random: Any = None
        self.file = ""

    # ---- loading

    def load(self) -> tuple[str, bool]:
        """Import the module: "" or what is wrong with it, and whether forks can use what is imported."""
        sys.path[:0] = [path for path in self._load.get("paths", ()) if path not in sys.path]
        seed, setstate = random.seed, random.setstate
        random.seed, random.setstate = self._noticed(seed), self._noticed(setstate)
        try:
            self._make = self._find()
        except BaseException as fault:  # noqa: BLE001 - foreign code, whose failure is data; sys.exit is one
            return f"can't be loaded: {told(fault)}", True
        finally:
            random.seed, random.setstate = seed, setstate
            for stream in (sys.stdout, sys.stderr):
                _flush(stream)
        self._random = random.getstate()
        return "", not _has_company()

    def _noticed(self, seed: Callable[..., None]) -> Callable[..., None]:
        def noticed(*args: Any, **named: Any) -> None:
            self._seeded = True
            seed(*args, **named)

        return noticed

    def _find(self) -> Callable[[], Any]:
        load = self._load
        if "file" in load:
            spec = importlib.util.spec_from_file_location(_SHIM, load["file"])
            if spec is None or spec.loader is None:
                raise ImportError(f"{load['file']} is no Python file")
            module = importlib.util.module_from_spec(spec)
            sys.modules[_SHIM] = module
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(load["module"])
        self.file = getattr(module, "__file__", None) or ""
        self._seeds_numpy = "numpy.random" in sys.modules and "random.seed(" in _source(self.file)
        target: Any = module
        for name in load["function"].split("."):
            target = getattr(target, name)
        return functools.partial(target, **decode(load.get("args", {})))

    # ---- requests

    def carry_out(self, request: dict[str, Any], reply: int, at: Callable[[int, str], None]) -> None:
        """Do what is asked, and write frames; the last one says that all was said."""
        for _ in range(2 if request.get("load") else 0):
            _keep_busy()
        self._reseed()
        watch = Watch(self._places)
        if request.get("watch") or request.get("failing"):
            watch.install(bool(request.get("watch")), request.get("failing", ()))
            self._clock.told = watch.clock
        say = functools.partial(_say, reply)
        at(0, "start")
        try:
            if self._make is None:
                fault, _ = self.load()
                if fault:
                    raise ImportError(fault)
            assert self._make is not None
            environment = self._make()
            _ANSWERS[request["ask"]](self, environment, request, say, at, watch)
        except BaseException as fault:  # noqa: BLE001 - foreign code, whose failure is data
            say({"fault": told(fault)})
        for stream in (sys.stdout, sys.stderr):
            _flush(stream)
        say({"done": True})

    def _cases(self, environment: Any, request: dict[str, Any], say: Any, at: Any, watch: Watch) -> None:
        say({"cases": encode([str(case) for case in environment.cases()])})

    def _facts(self, environment: Any, request: dict[str, Any], say: Any, at: Any, watch: Watch) -> None:
        say({"facts": facts(environment, decode(request["case"]), request["seed"], lambda where: at(0, where), watch, self._environ)})

    def _session(self, environment: Any, request: dict[str, Any], say: Any, at: Any, watch: Watch) -> None:
        plays = [Playing(n, {**play, "case": decode(play["case"])}, environment, at, watch) for n, play in enumerate(request["plays"])]
        for n in request["order"]:
            playing = plays[n]
            if playing.ended:
                continue
            playing.step()
            if playing.ended:
                say({"play": n, "attempt": playing.attempt})
                if request["plays"][n]["finish"]:
                    _close(playing, n, say)
        for n, playing in enumerate(plays):
            if not request["plays"][n]["finish"]:
                _close(playing, n, say)

    def _reseed(self) -> None:
        if self._make is None:
            return
        if self._seeded:
            random.setstate(self._random)  # which forking has seeded anew
        else:
            random.seed()
        numpy: Any = sys.modules.get("numpy.random")
        if numpy is not None and not self._seeds_numpy:
            numpy.seed()


_ANSWERS: dict[str, Callable[..., None]] = {"cases": Worker._cases, "facts": Worker._facts, "session": Worker._session}


def _close(playing: Playing, number: int, say: Callable[[Any], None]) -> None:
    note = playing.close()
    if note:
        say({"play": number, "note": encode(note)})


def _has_company() -> bool:
    """Whether the import left threads or processes."""
    if threading.active_count() > 1 or len(sys._current_frames()) > 1:
        return True
    try:
        while os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG) is not None:
            pass  # one that has ended is no company
    except ChildProcessError:
        return False
    return True


def _source(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            return source.read()
    except OSError:
        return ""


def _keep_busy() -> None:
    """A process that does nothing but work, until it is killed with all others."""
    if os.fork() == 0:
        while True:
            pass


def _say(reply: int, frame: Any) -> None:
    data = _dumps(frame).encode()
    rest = memoryview(struct.pack(">I", len(data)) + data)
    while rest:
        rest = rest[_write(reply, rest) :]


def _flush(stream: Any) -> None:
    try:
        stream.flush()
    except BaseException:  # noqa: BLE001 - foreign code may have put anything in its place
        return
