"""Reads an export with verifiers, in its own environment: `python verifiers_side.py DIR RUN.jsonl`. Prints what it found as JSON."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from verifiers.v1.configs.agent import WireAgentConfig
from verifiers.v1.episode import WireEpisode
from verifiers.v1.state import State
from verifiers.v1.task import WireTaskData
from verifiers.v1.trace import Trace
from verifiers.v1.utils.trace_store import read_episodes

WireTrace = Trace[WireTaskData, State, WireAgentConfig]


def main(folder: Path, run: Path) -> dict[str, Any]:
    """Every attempt is an episode of one trace; what has no verdict lies apart and is not ok."""
    wanted = {f"{one['pack'][:12]}-{one['id']}": one for one in map(json.loads, run.read_text(encoding="utf-8").splitlines())}
    found: dict[str, int] = {}
    seen: set[str] = set()
    for side in sorted(path.parent for path in folder.glob("*/traces.jsonl")):
        for episode in read_episodes(side, WireTrace):
            _same(episode, wanted[episode.id], side.name)
            # what it would write itself is read back the same
            again = WireEpisode.model_validate(json.loads(episode.model_dump_json(exclude_none=True)))
            assert again.model_dump() == episode.model_dump()
            seen.add(episode.id)
            found[side.name] = found.get(side.name, 0) + 1
    assert seen == wanted.keys()
    return {"verifiers": version("verifiers"), "episodes": found}


def _same(episode: Any, one: dict[str, Any], side: str) -> None:
    trace, (read,) = one["trace"], episode.traces
    assert side == ("masked" if one["reward"] is None else one["label"]["split"])
    assert episode.ok == read.ok == (one["reward"] is not None)
    (reward,) = read.rewards.values()
    assert reward is None if one["reward"] is None else (reward.value == read.reward == one["reward"])
    assert bool(episode.last_error) == bool(read.last_error) == (one["reward"] is None)
    assert read.agent.trainable == (side not in ("masked", "held_out"))
    assert read.num_branches == 1
    assert [(message.role, message.content or "") for message in read.messages] == [
        (message["role"], message["content"]) for message in trace["messages"]
    ]
    made = [(call.id, call.name, call.arguments) for message in read.assistant_messages for call in message.tool_calls or ()]
    calls = [call for message in trace["messages"] for call in message.get("tool_calls", ())]
    assert made == [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls]
    assert [(tool.name, tool.description, tool.parameters) for tool in read.branches[0].tools] == [
        tuple(tool["function"][key] for key in ("name", "description", "parameters")) for tool in trace["tools"]
    ]
    assert episode.task.data.system_prompt == trace["messages"][0]["content"]
    assert trace["messages"][1]["content"] in episode.task.data.prompt_text
    told = read.info["worldwright"]
    assert (told["family"], told["split"], told["changes"]) == (one["label"]["family"], one["label"]["split"], one["changes"])
    names = {str(n): message["name"] for n, message in enumerate(trace["messages"]) if message.get("name")}
    assert read.info["speakers"] == names
    assert read.stop_condition == trace["stop"]


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]))))
