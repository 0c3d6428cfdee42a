"""What passes between the package and a language model: one request, one completion, and one protocol.

Takes and gives plain frozen records that can be written as JSON. Promises: a request's `digest` depends on its content
alone, so that a recording can be found by it; what a model says is data, never an instruction to the package. Does not
promise that a model gives the same completion twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import msgspec

__all__ = ["FAULTS", "TRANSIENT", "Completion", "Message", "Model", "Request", "Settings", "Tool", "ToolUse"]

TRANSIENT: Mapping[str, str] = {
    "rate-limited": "the provider asks for fewer requests (429)",
    "server-error": "the provider failed (5xx)",
    "timeout": "no answer in time",
    "connection": "the endpoint can't be reached, or the connection broke",
    "cut-off": "the answer broke off before its end",
    "malformed": "the answer is not in the provider's form",
}
"""Faults after which asking again may help."""

FAULTS: Mapping[str, str] = {
    **TRANSIENT,
    "truncated": "the answer reached the limit of tokens before its end",
    "refused": "the provider's filter withheld the answer",
    "rejected": "the provider doesn't accept the request: key, model name, length or form",
    "budget": "a budget of tokens or money is used up",
    "not-recorded": "the recording holds no such request",
    "script-ended": "the script holds no further completion",
}
"""Why there is no completion. None of them is a failure of the agent."""

_ENCODER = msgspec.json.Encoder(order="deterministic")


class ToolUse(msgspec.Struct, frozen=True):
    """The model calls a tool; `args` is an object, or the text it wrote where that is none. `id` is the provider's."""

    id: str
    tool: str
    args: Any


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of a conversation.

    `role` is `user`, `assistant` or `tool`. A tool's message names the call it answers in `call`; `kept` is what the
    provider wants back unchanged with an assistant's message (signed thinking).
    """

    role: str
    text: str = ""
    calls: tuple[ToolUse, ...] = ()
    call: str = ""
    tool: str = ""
    kept: tuple[Any, ...] = ()


class Tool(msgspec.Struct, frozen=True):
    """A tool that the model may call; `schema` is the JSON schema of its arguments."""

    name: str
    doc: str
    schema: dict[str, Any]


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """How to sample. `max_tokens` bounds the answer; `seed` is a hint that some providers follow."""

    max_tokens: int = 1024
    temperature: float | None = None
    seed: int | None = None


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question to a model.

    `role` says what it is asked as (solver, judge, ...), `model` by which name it is known; `output` is a JSON schema that
    the whole answer has to fit, where one is wanted.
    """

    role: str
    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    settings: Settings = Settings()
    output: dict[str, Any] | None = None

    def encode(self) -> bytes:
        """Canonical JSON: keys sorted, defaults left out."""
        return _ENCODER.encode(self)

    @property
    def digest(self) -> str:
        """sha256 of the canonical JSON."""
        return hashlib.sha256(self.encode()).hexdigest()


class Completion(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model said.

    `stop` is `stop`, `calls` or `length`; `tokens_in` and `tokens_out` are the provider's counts (estimates where
    `estimated`), `cents` the price; `id` is the provider's id of the answer. `faults` are those that asking again overcame; what
    the provider counted for them is in the counts.
    """

    text: str = ""
    calls: tuple[ToolUse, ...] = ()
    stop: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0
    cents: float = 0.0
    estimated: bool = False
    id: str = ""
    kept: tuple[Any, ...] = ()
    faults: tuple[str, ...] = ()

    def said(self) -> Message:
        """The assistant's message that goes into the conversation."""
        return Message("assistant", self.text, self.calls, kept=self.kept)


@runtime_checkable
class Model(Protocol):
    """Whatever completes requests. Safe for threads."""

    name: str

    def complete(self, request: Request) -> Completion:
        """One completion. Raises ModelError."""

    def close(self) -> None:
        """Give back what the model holds; safe to call twice."""
