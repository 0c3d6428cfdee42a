"""What a solver is: something that starts an agent, which is shown an observation and acts, again and again.

Takes nothing; gives the records that pass between the loop and an agent, and the two protocols. A solver of your own
needs `name`, `start` and an agent with `act` and `close`; `loop.attempt` does the rest. An agent may raise SolverError
(or anything else) when what it stands on fails: the attempt then has no verdict, it is never a failure.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from worldwright.task import Prompt
from worldwright.world.protocol import CallResult, Message

__all__ = ["Action", "Agent", "Answer", "Call", "GiveUp", "Observation", "Returned", "Solver", "Spent", "chance"]


class Call(msgspec.Struct, frozen=True):
    """The agent calls a tool.

    `args` is what the agent sent, an object or not: the world judges it. `id` is the solver's own name for the call and
    comes back with the result; `text` is what the agent wrote beside it, for the trace alone.
    """

    tool: str
    args: Any = {}
    id: str = ""
    text: str = ""


class Answer(msgspec.Struct, frozen=True):
    """The agent is done. None is no answer, which is right where none is asked and state alone counts."""

    value: Mapping[str, Any] | None = None
    text: str = ""


class GiveUp(msgspec.Struct, frozen=True):
    """The agent stops without being done; graded as it stands."""

    reason: str = ""
    text: str = ""


Action = Call | Sequence[Call] | Answer | GiveUp
"""One act; several calls at once are made in their order."""


class Returned(msgspec.Struct, frozen=True):
    """A call and what it gave."""

    call: Call
    result: CallResult


class Observation(msgspec.Struct, frozen=True):
    """What the agent sees before it acts.

    `returned` are the calls of its last act, in order; `turns` what people have said by themselves since then. The first
    observation has no calls, and its `turns` are the prompt's `opening`. `now` is the world's time, `calls_left` how many
    calls the task's limit still allows.
    """

    returned: tuple[Returned, ...] = ()
    turns: tuple[Message, ...] = ()
    now: str = ""
    calls_left: int = 0

    @property
    def result(self) -> CallResult | None:
        """What the last call gave, if there was one."""
        return self.returned[-1].result if self.returned else None


class Spent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an attempt used of language models.

    `requests` that gave a completion, tokens in and out, `cents`; `faults` counts what went wrong at the provider by kind, also
    where asking again overcame it, and `fault` is the kind that ended the attempt, if one did.
    """

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cents: float = 0.0
    estimated: bool = False
    faults: dict[str, int] = {}
    fault: str = ""


@runtime_checkable
class Agent(Protocol):
    """A solver at work on one attempt; used by one thread at a time.

    An agent that uses a language model also has `spent`, a Spent, which is read when the attempt has ended.
    """

    def act(self, observation: Observation) -> Action:
        """The next act. Raises SolverError when it can't tell for reasons that are not the agent's."""

    def close(self) -> None:
        """Give back what the agent holds; called once, however the attempt ends."""


@runtime_checkable
class Solver(Protocol):
    """Whatever attempts a task. Safe for threads: `start` gives each attempt an agent of its own."""

    name: str

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> Agent:
        """An agent for one attempt; `shown` are the parameters that the instruction tells, typed."""


def chance(seed: int, name: str) -> random.Random:
    """A solver's only source of randomness: the same in every process."""
    return random.Random(f"{seed}:{name}")
