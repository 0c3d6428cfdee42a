"""A language model that calls tools: the world's, and one of ours that ends its work with the answer.

Takes a Model; gives a solver. Parallel calls are made in their order; what people say by themselves comes in as user's messages. Text
without a call is answered with a reminder, a stated number of times, then the agent counts as having given up. Whatever the provider
does wrong ends the attempt without a verdict; whatever the model does wrong is its own doing and is graded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldwright.model.budget import Use
from worldwright.model.protocol import Completion, Message, Model, Settings, Tool, ToolUse
from worldwright.solver.protocol import Action, Answer, Call, GiveUp, Observation, Returned, Spent
from worldwright.solver.talk import Talk, prompt_text, turn_text
from worldwright.solver.trace import json_text
from worldwright.task import Prompt
from worldwright.world.arguments import json_schema
from worldwright.world.protocol import ToolDoc

__all__ = ["REMINDERS", "ChatSolver"]

REMINDERS = 2
"""How often in a row text without a call is answered."""


class ChatSolver:
    """Lets a model attempt the task by calling tools. `most` is what one attempt may use; 0 is without limit."""

    def __init__(self, model: Model, *, settings: Settings | None = None, most: Use | None = None, name: str = "") -> None:
        self.model, self.settings, self.most = model, settings or Settings(), most
        self.name = name or f"chat:{model.name}"

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """An agent at the start of its conversation."""
        return _Agent(self, prompt, seed)


class _Agent:
    def __init__(self, solver: ChatSolver, prompt: Prompt, seed: int) -> None:
        names = {tool.name for tool in prompt.tools}
        self._finish = next(name for name in ("answer", "give_answer", "end_with_answer") if name not in names)
        self._asked = bool(prompt.answer)
        words: dict[str, Any] = {"asked": self._asked, "finish": self._finish}
        last = ToolDoc(self._finish, prompt_text("finish", **words), dict(prompt.answer))
        tools = tuple(Tool(tool.name, tool.doc.strip(), json_schema(tool)) for tool in (*prompt.tools, last))
        system = prompt_text("chat", system=prompt.system, **words)
        self._talk = Talk(solver.model, system, tools=tools, settings=solver.settings, seed=seed, most=solver.most)
        self._talk.tell(prompt.instruction)
        self._ids: set[str] = set()
        self._pending: Answer | None = None
        self._silent = 0

    @property
    def spent(self) -> Spent:
        """What the conversation has used."""
        return self._talk.spent

    def act(self, observation: Observation) -> Action:
        """Ask the model what to do next. Raises ModelError."""
        if self._pending is not None:
            return self._pending
        for one in observation.returned:
            self._talk.messages.append(_result(one))
        for turn in observation.turns:
            self._talk.tell(turn_text(turn))
        while True:
            got = self._told(self._talk.ask())
            if got.calls:
                self._silent = 0
                return self._calls(got)
            self._silent += 1
            if self._silent > REMINDERS:
                return GiveUp(f"wrote text without calling a tool {self._silent} times in a row", got.text)
            self._talk.tell(prompt_text("remind", finish=self._finish))

    def close(self) -> None:
        """The model is its owner's."""

    def _calls(self, got: Completion) -> Action:
        """The calls before the answer are made, then the answer is given; nothing comes after it."""
        calls: list[Call] = []
        for use in got.calls:
            if use.tool == self._finish:
                self._pending = Answer(use.args if self._asked else None, text="" if calls else got.text)
                break
            calls.append(Call(use.tool, use.args, use.id, "" if calls else got.text))
        if calls:
            return calls
        assert self._pending is not None
        return self._pending

    def _told(self, got: Completion) -> Completion:
        """The completion with ids that are its own, in the conversation too: some servers give none, or the same ones again."""
        uses = []
        for use in got.calls:
            name = use.id if use.id and use.id not in self._ids else f"call_{len(self._ids) + 1}"
            self._ids.add(name)
            uses.append(ToolUse(name, use.tool, use.args))
        if tuple(uses) == got.calls:
            return got
        said = got.said()
        self._talk.messages[-1] = Message(said.role, said.text, tuple(uses), kept=said.kept)
        return Completion(got.text, tuple(uses))


def _result(one: Returned) -> Message:
    """What a call gave, as data."""
    value = one.result.value if one.result.ok else {"error": one.result.error}
    return Message("tool", json_text(value), call=one.call.id, tool=one.call.tool)
