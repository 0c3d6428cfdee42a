"""Plain JSONL: one trajectory a line, messages in the form of OpenAI's chat completions; it holds everything.

Takes trajectories; gives `<split>.jsonl` and `masked.jsonl`. A line has `id`, `messages`, `tools`, `reward` (null in the masked
file alone) and `metadata`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from worldwright.export.about import about, messages, name_of, side
from worldwright.export.account import Rule
from worldwright.rollout import Trajectory

__all__ = ["LOADED", "RULES", "lines"]

LOADED = "any reader of JSON lines"
RULES: tuple[Rule, ...] = ()


def lines(trajectories: Sequence[Trajectory]) -> Mapping[str, list[bytes]]:
    """The lines of each file."""
    out: dict[str, list[bytes]] = {}
    for one in trajectories:
        record = {
            "id": name_of(one),
            "messages": messages(one),
            "tools": one.trace.tools,
            "reward": one.reward,
            "metadata": about(one),
        }
        out.setdefault(f"{side(one)}.jsonl", []).append(msgspec.json.encode(record))
    return out
