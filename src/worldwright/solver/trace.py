"""What an attempt leaves for reading and learning: a transcript in the chat shape, and why it stopped.

Takes what the loop saw, step by step; gives a frozen, versioned Trace whose `id` is the hash of its canonical JSON.
Promises: the same attempt gives the same bytes in every process; anything an agent sends can be recorded; each
tool's description stands once, under `tools`. Does not promise a verdict, nor that a trace alone can be graded.

Messages have the shape of OpenAI's chat completions: `system`, `user` (the instruction first; later ones carry the `name` of
the person who speaks), `assistant` with `tool_calls` numbered `call_1`, `call_2`, ..., and `tool` with the result as JSON text
(`{"error": text}` when the call was refused). `content` is always text.
"""

from __future__ import annotations

import datetime
import decimal
import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.solver.protocol import Call
from worldwright.task import Brief, Prompt
from worldwright.world.arguments import openai_tool
from worldwright.world.protocol import CallResult, Message, StopReason, ToolDoc

__all__ = [
    "VERSION",
    "ChatMessage",
    "Counts",
    "Function",
    "ToolCall",
    "Trace",
    "Transcript",
    "brief_digest",
    "decode_trace",
    "json_text",
    "plain",
    "tool_docs",
]

VERSION = 1
_DEPTH = 40
_INT = 2**63
_ENCODER = msgspec.json.Encoder(order="deterministic")
_TEXT = msgspec.json.Encoder()
_KEPT = 4096
_docs: dict[int, tuple[tuple[ToolDoc, ...], tuple[dict[str, Any], ...]]] = {}
_digests: dict[int, tuple[Brief, str]] = {}
"""What is the same in every attempt at a task, by the identity of what it is made from, which is kept alive here."""


class Function(msgspec.Struct, frozen=True):
    """Which tool is called; `arguments` is JSON text."""

    name: str
    arguments: str


class ToolCall(msgspec.Struct, frozen=True):
    """One call of an assistant's message."""

    id: str
    function: Function
    type: str = "function"


class ChatMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of the transcript."""

    role: str
    content: str
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class Counts(msgspec.Struct, frozen=True):
    """What the attempt used.

    `calls` of tools and how many of them were `refused`; `output`: characters of the answer and of what was said to people
    (what the brief limits); `read`: characters the agent was shown, tool descriptions left out.
    """

    calls: int = 0
    refused: int = 0
    output: int = 0
    read: int = 0


class Trace(msgspec.Struct, frozen=True):
    """One attempt. `world` and `brief` are digests; `seed` is the solver's (the instance's is in its name)."""

    version: int
    instance: str
    world: str
    brief: str
    solver: str
    seed: int
    wording: int
    stop: StopReason
    detail: str
    answer: dict[str, Any] | None
    counts: Counts
    started: str
    ended: str
    messages: tuple[ChatMessage, ...]
    tools: tuple[dict[str, Any], ...]

    def encode(self) -> bytes:
        """Canonical JSON."""
        return _TEXT.encode(self)

    @property
    def id(self) -> str:
        """The trace's identity: sha256 of its canonical JSON."""
        return hashlib.sha256(self.encode()).hexdigest()


def decode_trace(data: bytes) -> Trace:
    """A trace from its JSON. Raises msgspec.ValidationError for other data, and for another version of the record."""
    trace = msgspec.json.decode(data, type=Trace)
    if trace.version != VERSION:
        raise msgspec.ValidationError(f"the trace has version {trace.version}, this reads version {VERSION}")
    return trace


def brief_digest(brief: Brief) -> str:
    """The identity of what a task asks: sha256 of the brief as canonical JSON, so that comments don't count."""
    known = _digests.get(id(brief))
    if known is None:
        if len(_digests) >= _KEPT:
            _digests.clear()
        known = _digests[id(brief)] = (brief, hashlib.sha256(_ENCODER.encode(brief)).hexdigest())
    return known[1]


class Transcript:
    """Collects an attempt's messages while it runs."""

    def __init__(self) -> None:
        self.messages: list[ChatMessage] = []
        self.read = 0
        self._calls = 0

    def opening(self, prompt: Prompt) -> None:
        """What the agent is told before anybody speaks."""
        self._told(ChatMessage("system", prompt.system))
        self._told(ChatMessage("user", prompt.instruction))

    def turn(self, message: Message) -> None:
        """Somebody spoke up by themselves."""
        told = {"act": message.act, "fields": message.fields}
        self._told(ChatMessage("user", f"{message.text}\n{json_text(told)}" if message.fields else message.text, name=message.sender))

    def calls(self, calls: Sequence[Call]) -> list[str]:
        """The agent calls tools; gives the calls' ids."""
        made = []
        for call in calls:
            self._calls += 1
            made.append(ToolCall(f"call_{self._calls}", Function(_text(call.tool), json_text(plain(call.args)))))
        self.messages.append(ChatMessage("assistant", "\n".join(_text(call.text) for call in calls if call.text), tool_calls=tuple(made)))
        return [one.id for one in made]

    def result(self, call_id: str, result: CallResult) -> None:
        """What a call gave."""
        self._told(ChatMessage("tool", json_text(result.value if result.ok else {"error": result.error}), tool_call_id=call_id))

    def said(self, text: str) -> None:
        """The agent's last words."""
        self.messages.append(ChatMessage("assistant", _text(text)))

    def _told(self, message: ChatMessage) -> None:
        self.read += len(message.content)
        self.messages.append(message)


def tool_docs(prompt: Prompt) -> tuple[dict[str, Any], ...]:
    """The prompt's tools in the form of OpenAI's chat completions; made once for a task, whose prompts have the same tools."""
    known = _docs.get(id(prompt.tools))
    if known is None:
        if len(_docs) >= _KEPT:
            _docs.clear()
        known = _docs[id(prompt.tools)] = (prompt.tools, tuple(openai_tool(tool) for tool in prompt.tools))
    return known[1]


def json_text(value: Any) -> str:
    """JSON text, mappings in their own order."""
    return _TEXT.encode(value).decode()


def plain(value: Any, depth: int = 0) -> Any:
    """What JSON can carry of a value that an agent sent; never fails.

    Sets are sorted, dates become ISO text, NaN and the infinities null, a number beyond 64 bits and other things text that
    names them; broken Unicode is replaced.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_INT <= value < _INT else "a huge number"
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return _text(value)
    if depth >= _DEPTH:
        return "nested too deeply"
    if isinstance(value, Mapping):
        return {_text(key if isinstance(key, str) else repr(plain(key, depth + 1))): plain(one, depth + 1) for key, one in value.items()}
    return _plain_others(value, depth)


def _plain_others(value: Any, depth: int) -> Any:
    if isinstance(value, (list, tuple)):
        return [plain(one, depth + 1) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(one, depth + 1) for one in value), key=json_text)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value) if isinstance(value, decimal.Decimal) else f"something of the type {type(value).__name__}"


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else repr(plain(value))
    return text if text.isascii() else text.encode(errors="replace").decode()
