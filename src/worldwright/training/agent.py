"""The probe policy as a solver: the same moves as in practice, made in a real attempt.

Takes a policy, or the path of a checkpoint; gives a Solver that rollouts, audits and transfer can use like any other. Its choices
are drawn from the attempt's seed, so the same attempt comes out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from worldwright.solver.protocol import Action, Answer, Call, Observation
from worldwright.task import Prompt
from worldwright.training.doing import Doing, carried_out
from worldwright.training.features import matrix
from worldwright.training.memory import Goal, Memory, goal_of, start_of
from worldwright.training.moves import moves
from worldwright.training.policy import Policy, choose, read_checkpoint
from worldwright.training.practice import MOST_MOVES
from worldwright.world.protocol import CallResult

__all__ = ["ProbeSolver", "probe"]


class ProbeSolver:
    """See the module."""

    def __init__(self, policy: Policy, name: str = "probe") -> None:
        self.policy, self.name = policy, name

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> ProbeAgent:
        """An agent for one attempt."""
        return ProbeAgent(self.policy, prompt, seed, shown)


def probe(path: str) -> ProbeSolver:
    """The solver of a checkpoint; `fresh` is the untrained policy. Raises UsageError."""
    if path == "fresh":
        return ProbeSolver(Policy.fresh(0), "probe:fresh")
    return ProbeSolver(read_checkpoint(Path(path))[0], f"probe:{Path(path).stem}")


class ProbeAgent:
    """Chooses a move, makes its calls one by one, and chooses again."""

    def __init__(self, policy: Policy, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> None:
        self._policy, self._prompt, self._shown = policy, prompt, shown
        self._chance = np.random.default_rng([seed & 0xFFFFFFFF, 41])
        self._goal: Goal | None = None
        self._memory: Memory | None = None
        self._doing: Doing | None = None
        self._made = 0

    def act(self, observation: Observation) -> Action:
        """The next call of the move under way, or the answer."""
        if self._goal is None:
            self._goal = goal_of(self._prompt, self._shown, observation.now)
            self._memory = start_of(self._goal)
        call = self._further(observation.result) if self._doing is not None else None
        while call is None:
            assert self._memory is not None
            goal = self._goal.at(self._memory)
            there = moves(goal, self._memory)
            done = len(self._memory.answers) == len(self._prompt.answer) > 0
            if done or not there or self._made >= MOST_MOVES * self._goal.parts:
                return self._answer(done)
            choice = choose(self._policy.chances(matrix(goal, self._memory, there)), float(self._chance.random()))
            self._made += 1
            if there[choice].kind == "finish":
                return Answer(None)
            self._doing = carried_out(goal, self._memory, there[choice])
            call = self._further(None)
        return call

    def _further(self, result: CallResult | None) -> Call | None:
        """The move's next call; None if it is done, and what is known then is kept."""
        assert self._doing is not None
        try:
            return next(self._doing) if result is None else self._doing.send(result)
        except StopIteration as ended:
            self._memory, self._doing = ended.value, None
            return None

    def _answer(self, done: bool) -> Answer:
        assert self._memory is not None
        return Answer({name: value for name, _, value in self._memory.answers} if done else None)

    def close(self) -> None:
        """Nothing is held."""
