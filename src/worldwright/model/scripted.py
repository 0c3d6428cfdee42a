"""A model that follows a script: for tests, for demonstrations, and to try a pack without any model.

Takes completions in order, or a function from request to completion, or a file of completions; gives a Model that keeps
the requests it was asked. One script serves one conversation after the other: with a list, the order of asking decides.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from worldwright.errors import ModelError, UsageError
from worldwright.model.protocol import Completion, Request

__all__ = ["ScriptedModel", "read_script"]


class ScriptedModel:
    """Gives what the script says; an exception in it is raised."""

    def __init__(self, script: Iterable[Completion | Exception] | Callable[[Request], Completion], name: str = "scripted") -> None:
        self.name = name
        self.asked: list[Request] = []
        self._function = script if callable(script) else None
        self._left = iter(()) if callable(script) else iter(script)
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Completion:
        """The next completion. Raises ModelError if there is none left."""
        with self._lock:
            self.asked.append(request)
            if self._function is not None:
                return self._function(request)
            one = next(self._left, None)
        if one is None:
            raise ModelError(f"the script ended before request {len(self.asked)}", kind="script-ended")
        if isinstance(one, Exception):
            raise one
        return one

    def close(self) -> None:
        """Nothing is held."""


def read_script(path: Path) -> ScriptedModel:
    """A script from a JSONL file: a completion a line, e.g. `{"calls": [{"tool": "clock", "args": {}}]}`. Raises UsageError."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected a script: a JSON object with text or calls a line)") from fault
    script = []
    for n, line in enumerate(lines, start=1):
        try:
            script.append(_completion(msgspec.json.decode(line), n))
        except msgspec.MsgspecError as fault:
            expected = '{"text": "..."} or {"calls": [{"tool": "...", "args": {...}}]}'
            raise UsageError(f"{path}:{n}: not a completion: {fault} (expected {expected})") from fault
    return ScriptedModel(script, f"scripted:{path.stem}")


def _completion(value: Any, line: int) -> Completion:
    """A line's completion; calls without an id get one that no other line has."""
    if isinstance(value, dict) and isinstance(value.get("calls"), list):
        calls = [{"id": f"{line}-{n}"} | call if isinstance(call, dict) else call for n, call in enumerate(value["calls"], start=1)]
        value = value | {"calls": calls, "stop": value.get("stop", "calls")}
    return msgspec.convert(value, Completion)
