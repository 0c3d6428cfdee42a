"""A solver that does nothing: it gives up at once. What it passes, nothing has to be done for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldwright.solver.protocol import Action, GiveUp, Observation
from worldwright.task import Prompt

__all__ = ["NoopSolver"]


class NoopSolver:
    """Gives up at once."""

    name = "noop"

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> NoopSolver:
        """It keeps nothing, so it is its own agent."""
        return self

    def act(self, observation: Observation) -> Action:
        """Give up."""
        return GiveUp("does nothing")

    def close(self) -> None:
        """Nothing is held."""
