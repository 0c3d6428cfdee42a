"""A queue of files: requests in the form of OpenAI's chat completions, answered by whoever writes a file.

Takes a folder; keeps there `N.request.json` for each request, and reads `N.response.json` once somebody has written it. Promises:
a request file appears whole; an answer is used only when it is a whole JSON object in a plain file that has stood still between two
looks; one that can't be used is reported in `N.problem.txt` with what was expected, and its request goes on waiting; after a restart the
queue is as it was left: an answer that nobody has received waits for the same request to come again. Safe for threads; one process a
folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from worldwright.errors import UsageError

__all__ = ["EXPECTED", "Queue"]

EXPECTED = """\
Write one JSON object, best to another name and then renamed to this one:
  {"text": "what the model says"}
  {"calls": [{"tool": "NAME", "args": {...}}, ...], "text": "optional"}
or a whole chat completion in OpenAI's form ({"choices": [{"message": {...}}]})."""

_LARGEST = 32 * 2**20
_REQUEST = re.compile(r"(\d+)\.request\.json\Z")
_ANY = re.compile(r"(\d+)\.(?:request|response)\.json\Z")


class Queue:
    """The files of one folder. `look` is the time between two looks, in seconds."""

    def __init__(
        self,
        folder: Path,
        look: float = 0.1,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.folder, self._look, self._clock, self._sleep = folder, look, clock, sleep
        self._lock = threading.Lock()
        self._taken: set[int] = set()
        self._closed = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise UsageError(f"{folder}: {fault.strerror} (expected a folder for the queue)") from fault

    def waiting(self) -> list[int]:
        """The numbers of requests without an answer that was received, in order."""
        return [n for n in self._numbers() if not self._path(n, "received").exists()]

    def ask(
        self,
        body: dict[str, Any],
        seconds: float,
        deliver: Callable[[dict[str, Any]], object],
        is_there: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Queue a request, wait for its answer, and deliver it as a chat completion.

        False if there is none in time, the queue is closed, or nobody is there any more. An answer for which `deliver` gives
        False counts as not received: it waits for the same request to come again.
        """
        n = self._place(body)
        try:
            got = self._answer(n, body, self._clock() + seconds, is_there)
            if got is None:
                return False
            if deliver(got) is not False:
                self._write(self._path(n, "received"), "")
            return True
        finally:
            with self._lock:
                self._taken.discard(n)

    def close(self) -> None:
        """Stop waiting; the files stay."""
        self._closed = True

    # ---- inside

    def _path(self, n: int, kind: str) -> Path:
        return self.folder / f"{n}.{kind}.{'txt' if kind in ('problem', 'received') else 'json'}"

    def _numbers(self, form: re.Pattern[str] = _REQUEST) -> list[int]:
        return sorted(int(found[1]) for path in self.folder.iterdir() if (found := form.match(path.name)))

    def _place(self, body: dict[str, Any]) -> int:
        """The number of the request: that of the same one left over from before, or a new one, whose file is written."""
        digest = hashlib.sha256(msgspec.json.encode(body, order="deterministic")).hexdigest()
        with self._lock:
            for n in self.waiting():
                if n not in self._taken and self._digest(n) == digest:
                    self._taken.add(n)
                    return n
            n = max([0, *self._numbers(_ANY)]) + 1
            self._taken.add(n)
            self._write(self._path(n, "request"), json.dumps({"digest": digest, "request": body}, ensure_ascii=False, indent=1))
            return n

    def _digest(self, n: int) -> str:
        try:
            return str(json.loads(_contents(self._path(n, "request"), None))["digest"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return ""

    def _answer(self, n: int, body: dict[str, Any], until: float, is_there: Callable[[], bool]) -> dict[str, Any] | None:
        path, seen, refused = self._path(n, "response"), None, None
        while not self._closed and is_there():
            state = _state(path)
            if state is not None and state == seen and state != refused:
                got = self._read(path, n, body)
                if got is not None and _state(path) == state:  # it didn't change while it was read
                    return got
                refused = state
            seen = state
            if self._clock() >= until:
                return None
            self._sleep(self._look)
        return None

    def _read(self, path: Path, n: int, body: dict[str, Any]) -> dict[str, Any] | None:
        """The answer; None if it can't be used, which is then said in a file beside it."""
        problem = self._path(n, "problem")
        try:
            got = _completion(_contents(path, _LARGEST), n, body)
        except (OSError, ValueError) as fault:
            self._write(problem, f"{path.name} can't be used: {fault}\n\n{EXPECTED}\n")
            return None
        problem.unlink(missing_ok=True)
        return got

    def _write(self, path: Path, text: str) -> None:
        part = path.with_name(f".{path.name}.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _contents(path: Path, most: int | None) -> bytes:
    """What a plain file holds, `most` bytes at most; a pipe or a device would be read for ever. Raises ValueError, OSError."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is no plain file")
        if most is not None and found.st_size > most:
            raise ValueError(f"it has {found.st_size:,} bytes (expected at most {most:,})")
        return file.read(found.st_size)


def _completion(data: bytes, n: int, body: dict[str, Any]) -> dict[str, Any]:
    """A written answer as a chat completion. Raises ValueError saying what is wrong."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as fault:
        raise ValueError(f"it is not JSON: {fault}") from None
    if not isinstance(value, dict):
        raise ValueError(f"it is {type(value).__name__}, not an object")
    message = _message(value, n)
    choice = {"index": 0, "message": message, "finish_reason": _stop(value, message)}
    frame = {"id": f"queue-{n}", "object": "chat.completion", "created": 0, "model": str(body.get("model", "queue"))}
    return {**frame, "choices": [choice], "usage": _usage(value)}


def _stop(value: dict[str, Any], message: dict[str, Any]) -> str:
    """Why the answer ends; that a model's answer was cut or withheld stays said."""
    given = value["choices"][0].get("finish_reason") if "choices" in value else None
    if given in ("length", "content_filter"):
        return str(given)
    return "tool_calls" if message.get("tool_calls") else "stop"


def _usage(value: dict[str, Any]) -> dict[str, Any]:
    """The tokens that a whole completion counts; zeros where it doesn't."""
    none = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    given = value.get("usage") or {}
    if not isinstance(given, dict) or not all(type(given.get(name, 0)) is int and given.get(name, 0) >= 0 for name in none):
        raise ValueError("usage is not an object with prompt_tokens, completion_tokens and total_tokens, whole numbers from 0 up")
    return none | given


def _message(value: dict[str, Any], n: int) -> dict[str, Any]:
    if "choices" in value:
        try:
            message = value["choices"][0]["message"]
        except (LookupError, TypeError):
            raise ValueError("choices[0].message is missing") from None
        if not isinstance(message, dict):
            raise ValueError("choices[0].message is not an object")
        text, calls = message.get("content"), message.get("tool_calls") or []
        if not isinstance(calls, list):
            raise ValueError("choices[0].message.tool_calls is not a list")
        made = [_whole_call(call, f"choices[0].message.tool_calls[{k}]") for k, call in enumerate(calls)]
    else:
        unknown = sorted(value.keys() - {"text", "calls"})
        if unknown or not value:
            raise ValueError(f"unknown: {', '.join(unknown)}" if unknown else "it is empty")
        text = value.get("text")
        if not isinstance(value.get("calls", []), list):
            raise ValueError("calls is not a list")
        made = [_short_call(call, n, k) for k, call in enumerate(value.get("calls", []))]
    if text is not None and not isinstance(text, str):
        raise ValueError("the text is not text")
    return {"role": "assistant", "content": text} | ({"tool_calls": made} if made else {})


def _whole_call(call: Any, where: str) -> dict[str, Any]:
    function = call.get("function") if isinstance(call, dict) else None
    if not (isinstance(function, dict) and isinstance(function.get("name"), str) and isinstance(function.get("arguments"), str)):
        raise ValueError(f"{where}.function needs a name and arguments, both texts")
    kept = {"name": function["name"], "arguments": function["arguments"]}
    return {"id": str(call.get("id") or "call"), "type": "function", "function": kept}


def _short_call(call: Any, n: int, k: int) -> dict[str, Any]:
    if not (isinstance(call, dict) and isinstance(call.get("tool"), str) and isinstance(call.get("args", {}), dict)):
        raise ValueError(f"calls[{k}] needs a tool (text) and args (an object)")
    return {"id": f"call_{n}_{k}", "type": "function", "function": {"name": call["tool"], "arguments": json.dumps(call.get("args", {}))}}
