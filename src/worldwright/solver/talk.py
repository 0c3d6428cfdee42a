"""A conversation with a model during one attempt, and what it has used so far.

Takes a model, its settings and what one attempt may spend; gives completions and keeps the messages. Promises: what a tool, a person
or a handbook says goes into messages as data and is never rendered as a template nor put into the system prompt; an attempt's own budget
is kept before the request is sent. Raises ModelError, which ends the attempt without a verdict.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from worldwright import templates
from worldwright.errors import ModelError
from worldwright.model.budget import Use
from worldwright.model.protocol import Completion, Message, Model, Request, Settings, Tool
from worldwright.solver.protocol import Spent
from worldwright.solver.trace import json_text
from worldwright.world.protocol import Message as Turn

__all__ = ["Talk", "prompt_text", "turn_text"]

_SEEDS = 2**31


class Talk:
    """One conversation; used by one thread."""

    def __init__(
        self,
        model: Model,
        system: str,
        *,
        role: str = "solver",
        tools: tuple[Tool, ...] = (),
        settings: Settings | None = None,
        seed: int = 0,
        most: Use | None = None,
    ) -> None:
        self._model, self._system, self._role, self._tools, self._most = model, system, role, tools, most or Use()
        self._settings = msgspec.structs.replace(settings or Settings(), seed=seed % _SEEDS)
        self.messages: list[Message] = []
        self.spent = Spent()

    def tell(self, text: str) -> None:
        """Add a user's message, to the one before if that is a user's too."""
        if self.messages and self.messages[-1].role == "user":
            text = f"{self.messages.pop().text}\n\n{text}"
        self.messages.append(Message("user", text))

    def ask(self) -> Completion:
        """The model's next message, which joins the conversation. Raises ModelError."""
        self._check()
        request = Request(self._role, self._model.name, self._system, tuple(self.messages), self._tools, self._settings)
        try:
            got = self._model.complete(request)
        except ModelError as fault:
            self._add(0, fault.tokens, fault.cents, [*fault.faults, fault.kind], ended=fault.kind)
            raise
        self._add(1, (got.tokens_in, got.tokens_out), got.cents, list(got.faults), estimated=got.estimated)
        self.messages.append(got.said())
        return got

    def _check(self) -> None:
        """Raises ModelError once the attempt's own budget is used up."""
        spent, most = self.spent, self._most
        used = spent.tokens_in + spent.tokens_out
        if (most.tokens and used >= most.tokens) or (most.cents and spent.cents >= most.cents):
            text = f"the attempt has used {used:,} tokens and {spent.cents:.2f} cents, which is what one attempt may use"
            self._add(0, (0, 0), 0.0, ["budget"], ended="budget")
            raise ModelError(text, kind="budget")

    def _add(self, n: int, tokens: tuple[int, int], cents: float, faults: list[str], *, ended: str = "", estimated: bool = False) -> None:
        old = self.spent
        counted = Counter(old.faults) + Counter(faults)
        self.spent = Spent(
            old.requests + n,
            old.tokens_in + tokens[0],
            old.tokens_out + tokens[1],
            old.cents + cents,
            old.estimated or estimated,
            dict(sorted(counted.items())),
            ended,
        )


@cache
def _template(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8")


def prompt_text(name: str, **values: Any) -> str:
    """The prompt of this name with these values; what is in the values is not a template."""
    return templates.render(_template(name), values, file=f"solver/prompts/{name}.md").strip()


def turn_text(turn: Turn) -> str:
    """What a person said, for a model to read."""
    return prompt_text("turn", sender=turn.sender, act=turn.act, text=turn.text, told=json_text(turn.fields) if turn.fields else "")
