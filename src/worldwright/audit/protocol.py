"""The protocol for plain Python environments: what an audit can drive.

Implement `Environment` and `Episode` in a module of your own (nothing of ours need be imported) and audit it as
`worldwright audit 'python:MODULE:FUNCTION'`, where FUNCTION takes nothing and returns an `Environment`. Everything under
`Optional...` may be absent or raise NotImplementedError: the probes that need it are then `unknown`, never a pass.

A tool that raises ValueError or TypeError has answered the agent. Any other exception, in a tool, in `start` or in
`finish`, is `error`: no verdict. `finish` is called at most once an episode. The same (case, seed) gives the same
prompt and state. The audit runs each episode in a process of its own and many in one, may start many at once and in any
order, and does not trust `state` or `reference` to be free of side effects: it checks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

__all__ = ["Calls", "Environment", "Episode", "OptionalEpisode"]

Calls = list[tuple[str, dict[str, Any]]]
"""Calls in order: a tool's name, and its arguments by name."""


class Environment(Protocol):
    """A set of tasks."""

    name: str

    def cases(self) -> list[str]:
        """The tasks it poses."""

    def start(self, case: str, seed: int) -> Episode:
        """A fresh episode."""


class Episode(Protocol):
    """One attempt: what every episode has."""

    prompt: str
    """All that the agent is told at the start."""

    tools: list[Callable[..., Any]]
    """Typed functions with docstrings; [] for question and answer."""

    def finish(self, answer: object) -> float | None:
        """The reward; None means that no verdict could be reached."""


class OptionalEpisode(Episode, Protocol):
    """What an episode may have beside that; each widens what an audit can try."""

    pass_mark: float
    """The least reward that counts as success; 1.0 where it is absent."""

    def reply(self, text: str) -> str | None:
        """A user's next turn, for conversations; None ends it."""

    def reference(self) -> tuple[Calls, object]:
        """Known good calls, in order, and the answer."""

    def alternatives(self) -> list[tuple[Calls, object]]:
        """Other right ways."""

    def state(self) -> dict[str, list[dict[str, Any]]]:
        """Tables of rows, for effects and collateral."""

    def folder(self) -> Path:
        """Where the agent may write files and run commands, if anywhere."""

    def close(self) -> None:
        """Give back what the episode holds."""
