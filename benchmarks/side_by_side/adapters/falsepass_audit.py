"""falsepass's adapter for environments with episodes: what an audit folder's `adapter.py` imports. Written by us.

falsepass asks for a hand-written adapter where an environment belongs to none of the frameworks it loads. This one keeps all
that its AutoAdapter infers (format, control, wrong answers, another task's answer) and adds how an episode is played:

- a text is the final answer, after the reference's own calls: so every text probe lands on the answer, and has its best chance;
- a list of messages is a script with tool calls; a policy is asked turn by turn, and is shown the tools' schemas;
- the first message without tool calls ends the episode.

Mode `tools` is for environments that don't grade the answer: there the known solution is played as a script, and falsepass's
ready-made policies are added to its own probes of tools. What is played is kept in `info`, which falsepass compares.
"""

from __future__ import annotations

import inspect
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from episodes import MOST_ACTS, Run, load, playing, spell, tasks
from falsepass import Example, policies
from falsepass.auto import AutoAdapter, other_task_reference
from falsepass.model import Completion, Expect, Policy, Score
from falsepass.probes import check, t6_tool_policies

JSON_TYPES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
Message = dict[str, Any]


def schema_of(tool: Callable[..., Any]) -> Message:
    """A tool's schema, from its signature."""
    try:
        parameters = inspect.signature(tool, eval_str=True).parameters
    except NameError:
        parameters = inspect.signature(tool).parameters
    return {
        "name": tool.__name__,
        "description": inspect.getdoc(tool) or "",
        "parameters": {
            "type": "object",
            "properties": {name: {"type": JSON_TYPES.get(_plain(one.annotation), "string")} for name, one in parameters.items()},
            "required": [name for name, one in parameters.items() if one.default is one.empty],
        },
    }


def _plain(annotation: Any) -> Any:
    return getattr(annotation, "__origin__", annotation)


def answered(text: str) -> Message:
    """A turn that ends the episode."""
    return {"role": "assistant", "content": text}


def called(acts: list[tuple[str, dict[str, Any]]]) -> list[Message]:
    """Turns that make these calls."""
    return [{"role": "assistant", "content": "", "tool_calls": [{"name": name, "arguments": args}]} for name, args in acts]


class Scorer:
    """Plays a completion on a fresh episode."""

    concurrent_safe, weights = False, {}

    def __init__(self, environment: Any, multi_turn: bool) -> None:
        self.environment, self.multi_turn = environment, multi_turn

    async def score(self, example: Example, completion: Completion) -> Score:
        """The reward, with all that was said."""
        log: list[Message] = []
        script: list[Message] = []
        try:
            with playing(self.environment, *example.raw["task"]) as run:
                log.append({"role": "user", "content": run.prompt})
                final = self._played(run, completion, log, script)
                tools = list(run.tools)
                reward = run.finish(final)
        except Exception as fault:  # noqa: BLE001 - what an environment raises is an unscored completion with its reason
            return Score(None, {}, [f"{type(fault).__name__}: {fault}"[:500]])
        info = {"script": script, "transcript": log, "turns": len(script), "stop": "answered", "tools": tools}
        return Score(reward, {}, [] if reward is not None else ["no verdict"], info)

    def _played(self, run: Run, completion: Completion, log: list[Message], script: list[Message]) -> str | None:
        schemas = [schema_of(tool) for tool in run.tools.values()]
        for turn in _turns(run, completion, log, schemas):
            script.append(turn)
            log.append({"role": "assistant", "content": turn.get("content") or ""})
            if not turn.get("tool_calls"):
                content = turn.get("content")
                return content if content is None or isinstance(content, str) else str(content)
            for call in turn["tool_calls"]:
                log.append({"role": "tool", "content": run.call(*_named(call))})
        return ""

    async def close(self) -> None:
        """Nothing is held."""


def _turns(run: Run, completion: Completion, log: list[Message], schemas: list[Message]) -> Iterator[Message]:
    if isinstance(completion, Policy):
        for _ in range(MOST_ACTS):
            turn = completion.act(log, schemas) if completion.wants_tools else completion.act(log)  # type: ignore[misc]
            yield answered(turn) if isinstance(turn, str) else {"role": "assistant", **turn}
    elif isinstance(completion, str):
        yield from called(run.acts)
        yield answered(completion)
    else:
        yield from (turn for turn in completion if turn.get("role") == "assistant")


def _named(call: Message) -> tuple[str, dict[str, Any]]:
    call = call.get("function", call)
    args = call.get("arguments") or {}
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except ValueError:
            args = {}
    return str(call.get("name")), args if isinstance(args, dict) else {}


async def played_policies(adapter: Any, scorer: Any, example: Example) -> list[Any]:
    """The known solution, and the ready-made policies that do nothing."""
    with playing(scorer.environment, *example.raw["task"]) as run:
        solution = [*called(run.acts), answered(spell(run.answer))] if run.has_reference else []
    rows = [await check("X1", "policy", "solver", Expect.FULL, solution, adapter, scorer, example)] if solution else []
    idle = {
        "gives_up": policies.never_acts("I'm sorry, I can't help with that."),
        "never_acts": policies.never_acts(),
        "keeps_talking": policies.keeps_talking("I don't know."),
        "after_the_end": policies.after_the_end("I don't know."),
    }
    for name, policy in idle.items():
        rows.append(await check("X1", "policy", name, Expect.ZERO, policy, adapter, scorer, example, answer_free=True))
    return rows


async def tool_policies(adapter: Any, scorer: Any, example: Example) -> list[Any]:
    """falsepass's probes of tools, also where an answer is graded."""
    adapter.tool_mode = True
    try:
        return list(await t6_tool_policies(adapter, scorer, example))
    finally:
        adapter.tool_mode = False


class Adapter(AutoAdapter):
    """AutoAdapter over an environment with episodes."""

    def __init__(self, item: dict[str, Any], mode: str) -> None:
        super().__init__({"id": f"local/{item['id']}", "framework": "custom"})
        self._item, self._mode = item, mode

    def load(self, n: int, seed: int) -> tuple[Any, list[Example]]:
        """The tasks as examples."""
        environment = load(self._item)
        self.pool, has_tools = [], False
        for case, number in tasks(environment, max(n, self._item["n"])):
            with playing(environment, case, number) as run:
                has_tools = has_tools or bool(run.tools)
                answer = spell(run.answer) if run.has_reference else ""
                self.pool.append(Example(f"{case}@{number}", run.prompt, answer, {"task": (case, number)}))
        if self._mode == "tools":
            self.tool_mode, self.episode_probes = True, [played_policies]
        elif has_tools:
            self.per_example_probes = [other_task_reference, tool_policies, played_policies]
        self.multi_turn = has_tools
        self._classify_pool()
        drawn = random.Random(seed).sample(self.pool, min(n, len(self.pool)))
        self.hint, self.loader = (drawn[0].prompt, None), None
        return Scorer(environment, has_tools), drawn

    def with_reference(self, example: Example, reference: str) -> None:
        """The right answer is held by the environment: it can't be exchanged."""


def make() -> Adapter:
    """The adapter of the item that the environment variable ITEM names."""
    item = json.loads(Path(os.environ["ITEM"]).read_text(encoding="utf-8"))
    return Adapter(item, os.environ.get("MODE", "answer"))
