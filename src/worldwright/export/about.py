"""What every format says of a trajectory beside its messages, in plain JSON values.

Takes a Trajectory; gives `about`: names, labels, digests, verdict, changes and whatever else the record has, so that a field that
is added to the record reaches every format by itself. `side` says in which part of an export it belongs: `masked` if it has no
verdict, else its split. `reward` is there only where there is a verdict.
"""

from __future__ import annotations

from typing import Any

import msgspec

from worldwright.pack.labels import HELD_OUT, UNLABELLED
from worldwright.rollout import Trajectory

__all__ = ["MASKED", "about", "arguments", "is_spoken_by_name", "masked_why", "messages", "name_of", "odd_arguments", "opening", "side"]

MASKED = "masked"
"""The part of an export that holds what has no verdict."""
# What `about` says under other names, and what it leaves to the format.
_SAID = frozenset({"trace", "label", "reward", "version", "id", "pack", "world", "task"})
_SAID_OF_TRACE = frozenset({"version", "world", "brief", "messages", "tools", "instance", "seed"})


def side(one: Trajectory) -> str:
    """`masked`, or the split: `train`, `held_out`, `unlabelled`, or another of the pack's own."""
    return MASKED if one.is_masked else one.label.split


def name_of(one: Trajectory) -> str:
    """The identity of a trajectory among those of several packs: the same trace may stand under two."""
    return f"{one.pack[:12]}-{one.id}"


def about(one: Trajectory) -> dict[str, Any]:
    """Everything but messages and tools. `seed` is the instance's, `solver_seed` the solver's own."""
    record = msgspec.to_builtins(one)
    trace = record["trace"]
    world, _, rest = one.trace.instance.partition("/")
    task, _, seed = rest.rpartition("@")
    domain, _, pattern = one.label.family.partition("/")
    said = {
        "instance": one.trace.instance,
        "world": world,
        "task": task,
        "seed": int(seed),
        "family": one.label.family,
        "domain": domain or UNLABELLED,
        "pattern": pattern or UNLABELLED,
        "split": one.label.split,
        "held_out": one.label.split == HELD_OUT,
        "masked": one.is_masked,
        "solver_seed": one.trace.seed,
        "versions": {"trajectory": one.version, "trace": one.trace.version},
        "digests": {"trace": one.id, "pack": one.pack, "world": one.world, "task": one.task, "brief": one.trace.brief},
    }
    in_trace = {key: value for key, value in trace.items() if key not in _SAID_OF_TRACE}
    return said | in_trace | {key: value for key, value in record.items() if key not in _SAID}


def masked_why(one: Trajectory) -> str:
    """Why there is no verdict."""
    return f"no verdict ({one.verdict.status}): {one.verdict.reason or one.trace.detail or one.trace.stop}"


def messages(one: Trajectory) -> list[dict[str, Any]]:
    """The messages as they are stored: OpenAI's chat completions, arguments as JSON text."""
    return [dict(msgspec.to_builtins(message)) for message in one.trace.messages]


def opening(one: Trajectory) -> int:
    """How many messages came before the agent's first."""
    return next((n for n, message in enumerate(one.trace.messages) if message.role == "assistant"), len(one.trace.messages))


def arguments(text: str) -> Any:
    """The arguments of a call as values."""
    return msgspec.json.decode(text)


def odd_arguments(one: Trajectory) -> bool:
    """Whether the agent sent something that is no object as arguments."""
    return any(not call.function.arguments.startswith("{") for message in one.trace.messages for call in message.tool_calls)


def is_spoken_by_name(one: Trajectory) -> bool:
    """Whether somebody other than the one who instructs speaks."""
    return any(message.name for message in one.trace.messages)
