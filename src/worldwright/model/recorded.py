"""Recordings: what a model was asked and what it gave, by the content of the request, so that a run replays without a model.

Takes a Model and a file; gives a Model that writes each request with its completion, or with its fault, as a JSON line. The other
way round, takes such a file and gives a Model that answers from it alone. Promises: the same requests replay to the same
completions and faults in any order; a request that isn't there is named, with the nearest recorded one and where they first differ.
Several answers to one request are given in their order, the last again and again. A recording can be gone on with: what it has a
completion for is not asked again, what ended in a fault is. Not safe for two processes on one file.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from worldwright.errors import ModelError, UsageError
from worldwright.model.protocol import FAULTS, Completion, Model, Request, Settings

__all__ = ["Recorded", "RecordedModel", "RecordingModel", "read_recording"]

VERSION = 1
_SHOWN = 80


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault as it is recorded."""

    kind: str
    text: str
    faults: tuple[str, ...] = ()
    tokens: tuple[int, int] = (0, 0)
    cents: float = 0.0


class Recorded(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line: `key` is the request's digest; exactly one of `completion` and `fault` is there."""

    version: int
    key: str
    request: Request
    completion: Completion | None = None
    fault: Fault | None = None


class RecordingModel:
    """Passes requests on and keeps what came of them; a file that is there is gone on with. Raises UsageError if it is none."""

    def __init__(self, inner: Model, path: Path) -> None:
        self.inner, self.name, self.path = inner, inner.name, path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._before = RecordedModel(_kept(path), str(path))

    def complete(self, request: Request) -> Completion:
        """The completion that was kept before, or the model's own. Raises ModelError, which is recorded too."""
        if self._before.holds(request):
            return self._before.complete(request)
        try:
            got = self.inner.complete(request)
        except ModelError as fault:
            what = Fault(fault.kind, str(fault), fault.faults, fault.tokens, fault.cents)
            self._add(Recorded(VERSION, request.digest, request, fault=what))
            raise
        self._add(Recorded(VERSION, request.digest, request, completion=got))
        return got

    def close(self) -> None:
        """Close the model."""
        self.inner.close()

    def _add(self, one: Recorded) -> None:
        with self._lock, self.path.open("ab") as file:
            file.write(msgspec.json.encode(one) + b"\n")


class RecordedModel:
    """Answers from a recording."""

    def __init__(self, lines: Iterable[Recorded], where: str) -> None:
        self.where = where
        self._found: dict[str, list[Recorded]] = defaultdict(list)
        self._given: dict[str, int] = defaultdict(int)
        self._lock = threading.Lock()
        for line in lines:
            self._found[line.key].append(line)
        requests = [line.request for ones in self._found.values() for line in ones]
        names = {one.model for one in requests}
        self.name = names.pop() if len(names) == 1 else "recorded"
        """The recorded model's own name, so that a replay is the same to the byte."""
        self.settings = msgspec.structs.replace(requests[0].settings, seed=None) if requests else Settings()
        """The settings it was asked with."""
        self.is_over = False
        """Whether a budget was used up where the replay is now."""

    def holds(self, request: Request) -> bool:
        """Whether there is an answer to the request that wasn't given yet."""
        with self._lock:
            return len(self._found.get(request.digest, ())) > self._given[request.digest]

    def complete(self, request: Request) -> Completion:
        """The recorded completion. Raises ModelError: the recorded fault, or that there is no such request."""
        key = request.digest
        with self._lock:
            ones = self._found.get(key)
            if not ones:
                raise ModelError(self._missing(request, key), kind="not-recorded")
            one = ones[min(self._given[key], len(ones) - 1)]
            self._given[key] += 1
        if one.fault is not None:
            fault = one.fault
            self.is_over = self.is_over or fault.kind == "budget"
            raise ModelError(fault.text, kind=fault.kind, faults=fault.faults, tokens=fault.tokens, cents=fault.cents)
        assert one.completion is not None
        return one.completion

    def close(self) -> None:
        """Nothing is held."""

    def _missing(self, request: Request, key: str) -> str:
        text = (
            f"{self.where} holds no request {key[:12]}, asked as {request.role} of {request.model} after {len(request.messages)} messages"
        )
        if not self._found:
            return f"{text}; it holds none at all"
        nearest = max((ones[0] for ones in self._found.values()), key=lambda one: _alike(request, one.request))
        return f"{text}; the nearest recorded one, {nearest.key[:12]}, differs at {_difference(plain(nearest.request), plain(request))}"


def plain(request: Request) -> Any:
    """The request as plain JSON data."""
    return msgspec.json.decode(request.encode())


def _kept(path: Path) -> list[Recorded]:
    """The completions of a recording that is gone on with; faults, and a line that was cut short, are taken out of the file."""
    if not path.exists():
        path.touch()
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1].splitlines()
    lines = [_line(line, f"{path}:{n}") for n, line in enumerate(whole, start=1)]
    kept = [line for line in lines if line.completion is not None]
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in kept)
    if text != data:
        part = path.with_name(f".{path.name}.part")
        part.write_bytes(text)
        part.replace(path)
    return kept


def read_recording(path: Path) -> RecordedModel:
    """A recording's model. Raises UsageError naming the line that is none, or whose request was changed."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected a recording, JSONL)") from fault
    return RecordedModel([_line(line, f"{path}:{n}") for n, line in enumerate(lines, start=1)], str(path))


def _line(line: bytes, where: str) -> Recorded:
    try:
        one = msgspec.json.decode(line, type=Recorded)
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{where}: not a line of a recording: {fault}") from fault
    if one.version != VERSION:
        raise UsageError(f"{where}: a recording of version {one.version} (expected {VERSION})")
    if one.request.digest != one.key:
        raise UsageError(f"{where}: the request isn't the one that its key {one.key[:12]} names: the line was changed")
    if (one.completion is None) == (one.fault is None) or (one.fault is not None and one.fault.kind not in FAULTS):
        raise UsageError(f"{where}: expected a completion or a known fault, and not both")
    if any(number < 0 for number in _used(one)):
        raise UsageError(f"{where}: tokens or cents below 0: the line was changed")
    return one


def _used(one: Recorded) -> tuple[float, ...]:
    """Tokens and cents of a line."""
    if one.completion is not None:
        return one.completion.tokens_in, one.completion.tokens_out, one.completion.cents
    return () if one.fault is None else (*one.fault.tokens, one.fault.cents)


def _alike(left: Request, right: Request) -> tuple[int, int, int, int]:
    """How far two requests agree: what is outside the messages, messages from the front, their number, and the next one's text."""
    frame = sum(getattr(left, name) == getattr(right, name) for name in ("role", "model", "system", "tools", "settings", "output"))
    pairs = list(zip(left.messages, right.messages, strict=False))
    same = next((n for n, (mine, other) in enumerate(pairs) if mine != other), len(pairs))
    begins = _shared(pairs[same][0].text, pairs[same][1].text) if same < len(pairs) else 0
    return frame, same, -abs(len(left.messages) - len(right.messages)), begins


def _difference(was: Any, now: Any, path: str = "") -> str:
    """The first place where two pieces of data differ, and how."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted(was.keys() | now.keys()):
            if was.get(key) != now.get(key):
                return _difference(was.get(key), now.get(key), f"{path}.{key}" if path else key)
    if isinstance(was, list) and isinstance(now, list):
        for n, (mine, other) in enumerate(zip(was, now, strict=False)):
            if mine != other:
                return _difference(mine, other, f"{path}[{n}]")
        return f"{path}: {len(was)} recorded, {len(now)} asked"
    if isinstance(was, str) and isinstance(now, str):
        n = _shared(was, now)
        return f"{path}, character {n}: recorded {was[n : n + _SHOWN]!r}, asked {now[n : n + _SHOWN]!r}"
    return f"{path}: recorded {str(was)[:_SHOWN]}, asked {str(now)[:_SHOWN]}"


def _shared(left: str, right: str) -> int:
    """With how many characters both begin."""
    return next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
