"""Logs of Inspect (`.eval`, log version 2), read by `inspect_ai.log.read_eval_log`: one for each pack and solver.

Takes trajectories; gives logs whose samples are attempts: the instance's name is the sample's id, the attempts at one instance are
its epochs. A verdict is the score `verdict` (1 or 0); an attempt without one has an error and no score, and is in no rate. Labels
and everything else stand in a sample's metadata, the tools once for each log.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright import __version__
from worldwright.export.about import about, arguments, is_spoken_by_name, masked_why, messages, name_of, odd_arguments, opening
from worldwright.export.account import Rule
from worldwright.rollout import Trajectory

__all__ = ["LOADED", "RULES", "archives"]

LOADED = "inspect_ai.log.read_eval_log(DIR / FILE)"
RULES = (
    Rule("tool schemas", "set aside", "the log's metadata, by the digest that a sample's metadata names; a sample has no place for them"),
    Rule("family, split, digests, verdict, changes, answer", "set aside", "the sample's metadata"),
    Rule("who speaks", "set aside", "the metadata of a user's message", is_spoken_by_name),
    Rule("that a call was refused", "set aside", "the text of its result; no error is set", lambda one: one.trace.counts.refused > 0),
    Rule("why the attempt stopped", "set aside", "the sample's metadata: a limit of Inspect's wants a number"),
    Rule("events", "left out", "a log of Inspect's own has one for each call of a model; trajectories don't hold them"),
    Rule("wall-clock times", "filled in", "`created` is 1970-01-01; the world's time is in the sample's metadata"),
    Rule("arguments that are no object", "changed", "no arguments, and the text as the call's parse error", odd_arguments),
)
_CREATED = "1970-01-01T00:00:00+00:00"
_SCORE = "verdict"


def archives(trajectories: Sequence[Trajectory]) -> Mapping[str, dict[str, bytes]]:
    """The members of each log, by the log's file name."""
    logs: dict[tuple[str, str], list[Trajectory]] = {}
    for one in trajectories:
        logs.setdefault((one.pack, one.trace.solver), []).append(one)
    return {f"{_plain(solver)}-{pack[:12]}-{_digest(solver)[:6]}.eval": _log(pack, solver, ones) for (pack, solver), ones in logs.items()}


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:60]


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()


def _log(pack: str, solver: str, ones: Sequence[Trajectory]) -> dict[str, bytes]:
    counts: dict[str, int] = {}
    tools: dict[str, Any] = {}
    samples = []
    for one in ones:
        epoch = counts[one.trace.instance] = counts.get(one.trace.instance, 0) + 1
        kind = _digest(one.trace.tools)[:16]
        tools[kind] = one.trace.tools
        samples.append(_sample(one, epoch, kind))
    header = _header(pack, solver, ones, counts, tools)
    start = {key: header[key] for key in ("version", "eval", "plan")}
    out = {"_journal/start.json": start, "header.json": header, "summaries.json": [_summary(sample) for sample in samples]}
    out |= {f"samples/{sample['id']}_epoch_{sample['epoch']}.json": sample for sample in samples}
    return {name: msgspec.json.encode(value) for name, value in out.items()}


def _header(pack: str, solver: str, ones: Sequence[Trajectory], counts: dict[str, int], tools: dict[str, Any]) -> dict[str, Any]:
    judged = [one.reward for one in ones if one.reward is not None]
    score: dict[str, Any] = {"name": _SCORE, "scorer": _SCORE, "scored_samples": len(judged), "unscored_samples": len(ones) - len(judged)}
    if judged:
        score["metrics"] = {"accuracy": {"name": "accuracy", "value": sum(judged) / len(judged)}}
    name = _digest([name_of(one) for one in ones])[:22]
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": name,
            "run_id": name,
            "created": _CREATED,
            "task": f"worldwright-{pack[:12]}",
            "task_id": f"{pack[:12]}-{_plain(solver)}",
            "solver": solver,
            "dataset": {"name": f"pack {pack}", "samples": len(counts), "sample_ids": list(counts)},
            "model": f"worldwright/{_plain(solver)}",
            "config": {"epochs": max(counts.values())},
            "packages": {"worldwright": __version__},
            "metadata": {"pack": pack, "tools": tools},
        },
        "plan": {"name": "plan", "steps": [{"solver": solver, "params": {}}]},
        "results": {"total_samples": len(ones), "completed_samples": len(judged), "scores": [score]},
        "stats": {"started_at": "", "completed_at": ""},
    }


def _sample(one: Trajectory, epoch: int, tools: str) -> dict[str, Any]:
    name = f"{one.pack[:6]}{one.id[:12]}"
    chat = list(map(_message, messages(one), [f"{name}-{n}" for n in range(len(one.trace.messages))]))
    _name_results(chat)
    out: dict[str, Any] = {
        "id": one.trace.instance,
        "epoch": epoch,
        "input": chat[: opening(one)] or "",
        "target": "",
        "messages": chat,
        "output": _output(one, chat),
        "metadata": about(one) | {"tools": tools},
        "uuid": name_of(one),
    }
    if one.reward is None:
        return out | {"error": {"message": masked_why(one), "traceback": "", "traceback_ansi": ""}}
    broken = ", ".join(check.name for check in one.verdict.failed())
    answer = msgspec.json.encode(one.trace.answer).decode() if one.trace.answer is not None else None
    why = f"broken: {broken}" if broken else one.verdict.reason or str(one.verdict.status)
    return out | {"scores": {_SCORE: {"value": one.reward, "answer": answer, "explanation": why}}}


def _message(message: dict[str, Any], name: str) -> dict[str, Any]:
    out: dict[str, Any] = {"id": name, "role": message["role"], "content": message["content"]}
    if message["role"] == "tool":
        return out | {"tool_call_id": message["tool_call_id"]}
    if message["role"] != "assistant":
        return out | {"source": "input"} | ({"metadata": {"name": message["name"]}} if message.get("name") else {})
    return out | {"source": "generate", "tool_calls": list(map(_call, message["tool_calls"])) if message.get("tool_calls") else None}


def _call(call: dict[str, Any]) -> dict[str, Any]:
    sent = arguments(call["function"]["arguments"])
    out = {"id": call["id"], "function": call["function"]["name"], "type": "function"}
    if isinstance(sent, dict):
        return out | {"arguments": sent}
    return out | {"arguments": {}, "parse_error": f"not an object: {call['function']['arguments']}"}


def _name_results(chat: Sequence[dict[str, Any]]) -> None:
    """Write the function's name beside each result."""
    called = {call["id"]: call["function"] for message in chat for call in message.get("tool_calls") or ()}
    for message in chat:
        if message["role"] == "tool" and message["tool_call_id"] in called:
            message["function"] = called[message["tool_call_id"]]


def _output(one: Trajectory, chat: Sequence[dict[str, Any]]) -> dict[str, Any]:
    last = chat[-1] if chat and chat[-1]["role"] == "assistant" else None
    choices = [{"message": last, "stop_reason": "tool_calls" if last["tool_calls"] else "stop"}] if last is not None else []
    return {"model": one.trace.solver, "choices": choices}


def _summary(sample: dict[str, Any]) -> dict[str, Any]:
    """What a list of samples shows: no long values of the metadata."""
    short = {key: value for key, value in sample["metadata"].items() if len(msgspec.json.encode(value)) < 1_000}
    kept = {key: sample[key] for key in ("id", "epoch", "input", "target", "scores", "uuid") if key in sample}
    error = {"error": sample["error"]["message"]} if "error" in sample else {}
    return kept | error | {"metadata": short, "completed": True, "message_count": len(sample["messages"])}
