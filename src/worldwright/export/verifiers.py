"""Saved runs of `verifiers` (its v1 records): one episode a line of a `traces.jsonl`, read by its own `read_episodes`.

Takes trajectories; gives `<split>/traces.jsonl`, and `masked/traces.jsonl` for what has no verdict: `ok` is false there and the
reward null. The messages are a chain of nodes, those of the agent marked as sampled. Everything else stands in a trace's `info`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from worldwright import __version__
from worldwright.export.about import about, is_spoken_by_name, masked_why, messages, name_of, opening, side
from worldwright.export.account import Rule
from worldwright.pack.labels import HELD_OUT
from worldwright.rollout import Trajectory

__all__ = ["LOADED", "RULES", "lines"]

LOADED = "verifiers.v1.utils.trace_store.read_episodes(DIR / SPLIT, Trace[WireTaskData, State, WireAgentConfig])"
RULES = (
    Rule(
        "attempts without a verdict",
        "set aside",
        "masked/traces.jsonl: ok false, reward null (but Trace.reward reads 0.0 there: go by ok)",
        lambda one: one.is_masked,
    ),
    Rule("family, split, digests, verdict, changes, answer", "set aside", "the trace's info"),
    Rule("who speaks", "set aside", "info.speakers, by the number of the message; a user's message has no name", is_spoken_by_name),
    Rule("times of messages and stages", "filled in", "0: trajectories hold the world's time, which is in info, and no other"),
    Rule("the agent's config", "filled in", "model is the solver's name, runtime is subprocess; the rest are defaults"),
    Rule("tokens, masks of tokens, log-probabilities", "left out", "trajectories hold text; a node says whether the agent wrote it"),
    Rule("is_truncated", "changed", "false also where our limits ended it: see stop_condition", lambda one: "limit" in one.trace.stop),
)
_NAME = "verdict"


def lines(trajectories: Sequence[Trajectory]) -> Mapping[str, list[bytes]]:
    """The lines of each file."""
    out: dict[str, list[bytes]] = {}
    for one in trajectories:
        out.setdefault(f"{side(one)}/traces.jsonl", []).append(msgspec.json.encode(_episode(one)))
    return out


def _episode(one: Trajectory) -> dict[str, Any]:
    task = _task(one)
    world = one.trace.instance.partition("/")[0]
    errors = [{"type": str(one.trace.stop), "message": masked_why(one)}] if one.is_masked else []
    return {
        "id": name_of(one),
        "env": {"id": f"worldwright/{world}"},
        "task": task,
        "group": {"id": f"{one.pack[:12]}/{one.trace.instance}/{one.trace.solver}"},
        "ok": not one.is_masked,
        "errors": errors,
        "traces": [_trace(one, task, errors)],
    }


def _task(one: Trajectory) -> dict[str, Any]:
    """The task as what the agent was told before its first act."""
    told = messages(one)[: opening(one)]
    system = next((message["content"] for message in told if message["role"] == "system"), None)
    prompt = [{"role": "user", "content": message["content"]} for message in told if message["role"] == "user"]
    data = {"id": one.trace.instance, "name": one.trace.instance, "prompt": prompt or None, "system_prompt": system}
    return {"type": "Task", "data": data, "key": one.trace.instance}


def _trace(one: Trajectory, task: dict[str, Any], errors: list[dict[str, Any]]) -> dict[str, Any]:
    tools = [{"type": "function", **tool["function"]} for tool in one.trace.tools]
    speakers = {str(n): message.name for n, message in enumerate(one.trace.messages) if message.name}
    return {
        "version": 1,
        "id": name_of(one),
        "verifiers": {"version": f"none: exported by worldwright {__version__}"},
        "task": task,
        "agent": {
            "config": {"model": one.trace.solver, "runtime": {"type": "subprocess"}},
            "name": one.trace.solver,
            "trainable": not one.is_masked and one.label.split != HELD_OUT,
        },
        "tools": tools,
        "nodes": list(_nodes(one, tools)),
        "rewards": {_NAME: None if one.reward is None else {"score": float(one.reward), "weight": 1.0}},
        "info": {"worldwright": about(one), "speakers": speakers},
        "is_completed": not one.is_masked,
        "ok": not one.is_masked,
        "stop_condition": str(one.trace.stop),
        "errors": errors,
        "timing": {"start": 0.0},
    }


def _nodes(one: Trajectory, tools: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    called: dict[str, str] = {}
    for n, message in enumerate(one.trace.messages):
        told: dict[str, Any] = {"role": message.role, "content": message.content}
        if message.tool_calls:
            told["tool_calls"] = [{"id": call.id, **msgspec.to_builtins(call.function)} for call in message.tool_calls]
            called |= {call.id: call.function.name for call in message.tool_calls}
        if message.tool_call_id is not None:
            told |= {"tool_call_id": message.tool_call_id, "name": called.get(message.tool_call_id)}
        root = {"tools": tools} if n == 0 else {"parent": n - 1}
        yield {**root, "message": told, "sampled": message.role == "assistant", "timestamp": 0.0}
