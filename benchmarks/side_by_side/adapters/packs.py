"""A task of a Worldwright pack as a plain environment, for tools that load plain Python. Needs worldwright.

Takes a pack's folder and `world/task`; gives `cases`, `start` and episodes with typed tools, `reference`, `finish`. The
answer is the object that the task's brief asks for. Written by us; the same engine and the same verifier run underneath.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from worldwright.audit.adapters.targets import subject_of
from worldwright.audit.subject import Act, Facts, Play, Tool

_TYPES: dict[str, type] = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "dict": dict}


class PackEnvironment:
    """See the module."""

    def __init__(self, folder: str, task: str) -> None:
        self.subject: Any = subject_of(f"{folder}/{task}")
        self.name = self.subject.name

    def cases(self) -> list[str]:
        """The tasks."""
        return list(self.subject.cases())

    def usable(self, case: str, seed: int) -> bool:
        """Whether the task can be set on this seed."""
        return bool(self.subject.facts(case, seed).usable)

    def start(self, case: str, seed: int) -> PackEpisode:
        """A fresh episode."""
        return PackEpisode(self.subject, self.subject.facts(case, seed))


class PackEpisode:
    """One attempt."""

    pass_mark = 1.0

    def __init__(self, subject: Any, facts: Facts) -> None:
        self._facts, self._acts = facts, []
        self._playing = subject.begin(facts.case, facts.seed)
        self.prompt = facts.prompt
        self.tools = [self._tool(tool) for tool in facts.tools]

    def finish(self, answer: object) -> float | None:
        """The reward; None where no verdict was reached."""
        return self._playing.end(Play(self._facts.case, self._facts.seed, tuple(self._acts), answer)).reward

    def reference(self) -> tuple[list[tuple[str, dict[str, Any]]], object]:
        """The reference's calls and answer."""
        if self._facts.reference is None:
            raise NotImplementedError
        return [(act.tool, act.args) for act in self._facts.reference.acts], self._facts.reference.answer

    def close(self) -> None:
        """Give the episode back."""
        self._playing.close()

    def _tool(self, tool: Tool) -> Callable[..., Any]:
        def call(**args: Any) -> Any:
            act = Act(tool.name, args)
            self._acts.append(act)
            self._playing.act(act)
            result = self._playing.results[-1] if self._playing.results else None
            if result is not None and result.ok:
                return result.value
            raise ValueError("the episode has ended" if result is None else result.error or result.crash)

        call.__name__, call.__doc__ = tool.name, tool.doc
        call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [
                inspect.Parameter(
                    one.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    annotation=_TYPES.get(one.type, str),
                    default=inspect.Parameter.empty if one.required else one.default,
                )
                for one in tool.args
            ]
        )
        return call
