"""Data sets that TRL trains on, read by `datasets.load_dataset(DIR, CONFIG)`.

Takes trajectories; gives two configurations with a file for each split, a card that declares their columns, and `masked.jsonl`,
which no configuration names. `sft` (language modelling: `messages`) holds passed attempts alone; `unpaired` (`prompt`, `completion`,
`label`) all that have a verdict. Arguments of calls are values, not text, as TRL's chat templates expect them; tools, messages and
metadata are declared as JSON, so that no key is filled with null for the sake of other rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import yaml

from worldwright.export.about import MASKED, about, arguments, is_spoken_by_name, messages, name_of, odd_arguments, opening, side
from worldwright.export.account import Rule
from worldwright.rollout import Trajectory

__all__ = ["LOADED", "RULES", "lines"]

LOADED = "datasets.load_dataset(DIR, 'sft') or (DIR, 'unpaired')"
RULES = (
    Rule("attempts that failed", "left out", "the configuration sft; unpaired has them, with label false", lambda one: one.reward == 0),
    Rule(
        "attempts in which the agent said nothing",
        "left out",
        "both configurations need an assistant's message",
        lambda one: not one.is_masked and not _is_said(one),
    ),
    Rule("attempts without a verdict", "set aside", "masked.jsonl; no configuration names it", lambda one: one.is_masked),
    Rule("the reward", "set aside", "the column `reward`; TRL's trainers of these types don't look at it", lambda one: not one.is_masked),
    Rule("family, split, digests, verdict, changes", "set aside", "columns that TRL drops before training"),
    Rule("who speaks", "set aside", "the key `name` of a message; chat templates don't show it", is_spoken_by_name),
    Rule(
        "who wrote what in a completion",
        "changed",
        "unpaired: results of tools stand in the completion, and count as the agent's; sft with assistant_only_loss tells them apart",
        lambda one: not one.is_masked and one.trace.counts.calls > 0,
    ),
    Rule("ids of calls", "set aside", "most chat templates don't show them and go by order", lambda one: one.trace.counts.calls > 0),
    Rule("arguments that are no object", "changed", "a template prints text as it is, without quotes", odd_arguments),
)
_COLUMNS = ("instance", "world", "task", "family", "domain", "pattern", "split", "solver")
_SHARED = [
    {"name": "id", "dtype": "string"},
    {"name": "tools", "list": "json"},
    {"name": "reward", "dtype": "int64"},
    {"name": "seed", "dtype": "int64"},
    *({"name": name, "dtype": "string"} for name in _COLUMNS),
    {"name": "metadata", "dtype": "json"},
]
_FEATURES: Mapping[str, list[dict[str, Any]]] = {
    "sft": [{"name": "messages", "list": "json"}, *_SHARED],
    "unpaired": [
        {"name": "prompt", "list": "json"},
        {"name": "completion", "list": "json"},
        {"name": "label", "dtype": "bool"},
        *_SHARED,
    ],
}


def lines(trajectories: Sequence[Trajectory]) -> Mapping[str, list[bytes]]:
    """The lines of each file, the card among them."""
    out: dict[str, list[bytes]] = {}
    for one in trajectories:
        if one.is_masked:
            out.setdefault(f"{MASKED}.jsonl", []).append(_row(one, {"messages": _chat(one)}))
        elif _is_said(one):
            chat, start = _chat(one), opening(one)
            if one.reward == 1:
                out.setdefault(f"sft/{side(one)}.jsonl", []).append(_row(one, {"messages": chat}))
            told = {"prompt": chat[:start], "completion": chat[start:], "label": one.reward == 1}
            out.setdefault(f"unpaired/{side(one)}.jsonl", []).append(_row(one, told))
    return out | {"README.md": [_card(list(out))]}


def _is_said(one: Trajectory) -> bool:
    return opening(one) < len(one.trace.messages)


def _chat(one: Trajectory) -> list[dict[str, Any]]:
    out = messages(one)
    for message in out:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = arguments(call["function"]["arguments"])
    return out


def _row(one: Trajectory, first: dict[str, Any]) -> bytes:
    told = about(one)
    columns = {name: told.pop(name) for name in (*_COLUMNS, "seed")}
    return msgspec.json.encode(first | {"id": name_of(one), "tools": one.trace.tools, "reward": one.reward} | columns | {"metadata": told})


def _card(paths: Sequence[str]) -> bytes:
    """The head of the card says which file is which split, and the types of the columns."""
    configs, features = [], []
    for config, columns in _FEATURES.items():
        files = [{"split": path.split("/")[1].removesuffix(".jsonl"), "path": path} for path in paths if path.startswith(f"{config}/")]
        if files:
            configs.append({"config_name": config, "data_files": files})
            features.append({"config_name": config, "features": columns})
    head = yaml.safe_dump({"configs": configs, "dataset_info": features}, sort_keys=False)
    return f"---\n{head}---\nTrajectories exported by Worldwright. `losses.json` says what is missing here.".encode()
