"""What every world offers, whatever it is made of, and what an episode leaves for grading.

A world of your own needs `World` and `Episode`; `worldwright.world.conformance` checks it. What an agent does wrong
comes back as data (`CallResult` with `ok` false); an exception out of `call` means that the world itself failed.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from worldwright.world.spec import ArgSpec

__all__ = ["CallRecord", "CallResult", "Episode", "Evidence", "Message", "RowChange", "StopReason", "ToolDoc", "World"]


class StopReason(enum.StrEnum):
    """Why an episode ended. The first that applies, in this order."""

    WORLD_ERROR = "world-error"
    """The world failed by itself: no verdict."""
    SOLVER_ERROR = "solver-error"
    """The solver's infrastructure failed: no verdict."""
    STATE_LOST = "state-lost"
    """A call of the agent made SQLite drop the transaction: graded as a failure."""
    CALL_LIMIT = "call-limit"
    OUTPUT_LIMIT = "output-limit"
    PLAN_FAILED = "plan-failed"
    """The agent's own plan raised or hit a limit: graded as it stands."""
    ANSWERED = "answered"
    GAVE_UP = "gave-up"


class ToolDoc(msgspec.Struct, frozen=True):
    """What an agent is told of a tool."""

    name: str
    doc: str
    args: dict[str, ArgSpec]
    writes: bool = False


class CallResult(msgspec.Struct, frozen=True, gc=False):
    """What a call gave: a JSON-like value, or an error's text."""

    ok: bool
    value: Any = None
    error: str | None = None
    ended: StopReason | None = None


class CallRecord(msgspec.Struct, frozen=True, gc=False):
    """A call as it is kept: `args` and `result` are JSON text."""

    n: int
    at: str
    tool: str
    args: str
    ok: bool
    result: str | None
    error: str | None


class Message(msgspec.Struct, frozen=True):
    """Something said between the agent and a party; `call` is the number of the call it was said in (0: before the first)."""

    n: int
    at: str
    call: int
    sender: str
    recipient: str
    act: str
    fields: dict[str, Any]
    text: str


class RowChange(msgspec.Struct, frozen=True):
    """What became of one row between start and end.

    `key` holds the primary key's values; `old` and `new` the changed columns (all stored columns for an insert or
    delete). `by` is agent or world: who inserted or deleted the row, or agent if an update is the agent's in any column.
    `agent` are the columns that the agent wrote: of an update all those it ever wrote, of an insert those whose value
    is still the agent's. Where the agent undid what the world had done (deleted a row that an event had inserted, set a
    column back), that is a change too, though start and end are alike; `old` is then what the world had written.
    """

    table: str
    op: str
    key: tuple[Any, ...]
    old: dict[str, Any]
    new: dict[str, Any]
    by: str
    agent: frozenset[str]


@runtime_checkable
class Episode(Protocol):
    """One attempt. Not safe for use by two threads at once."""

    def call(self, tool: str, args: Mapping[str, Any]) -> CallResult: ...

    def now(self) -> str: ...

    def finish(self, answer: Mapping[str, Any] | None, until: str | None = None) -> Evidence: ...

    def fork(self) -> Episode: ...

    def close(self) -> None: ...


@runtime_checkable
class Evidence(Protocol):
    """All that an episode leaves for grading, to be read. Alive until the episode is closed."""

    @property
    def calls(self) -> Sequence[CallRecord]: ...

    @property
    def messages(self) -> Sequence[Message]: ...

    @property
    def answer(self) -> Mapping[str, Any] | None: ...

    @property
    def changes(self) -> Sequence[RowChange]: ...

    @property
    def lost(self) -> str | None: ...


@runtime_checkable
class World(Protocol):
    """An executable environment."""

    name: str
    digest: str

    def tools(self) -> Sequence[ToolDoc]: ...

    def start(
        self, seed: int, params: Mapping[str, Any] | None = None, parties: Sequence[str] = (), call_limit: int | None = None
    ) -> Episode: ...

    def state_digest(self, seed: int) -> str: ...
