"""A plan as a solver: steps it in the sandbox, and makes its calls in the loop.

Takes a Plan that somebody hands in; gives a solver whose acts are the plan's calls and whose answer is what `solve`
returns. A refused call is raised in the plan as ValueError. A plan that raises or hits a limit of the sandbox ends the
attempt as `plan-failed`; a worker of the sandbox that dies is `solver-error`. Its clock is the world's at the start, its
`random` starts from the solver's seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldwright.errors import SandboxError
from worldwright.sandbox import Limits, Plan, PlanCall, PlanDone, PlanRun
from worldwright.solver.protocol import Action, Answer, Call, Observation, chance
from worldwright.task import Prompt
from worldwright.world.protocol import CallResult

__all__ = ["PlanSolver"]


class PlanSolver:
    """Runs one plan."""

    def __init__(self, plan: Plan, name: str = "", limits: Limits | None = None) -> None:
        self.plan, self.limits = plan, limits
        self.name = name or f"plan:{plan.name}"

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """An agent whose plan has not started."""
        return _Agent(self, prompt, chance(seed, self.name).getrandbits(63), shown)


class _Agent:
    def __init__(self, solver: PlanSolver, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> None:
        self._solver, self._seed, self._shown = solver, seed, shown
        self._arguments = {tool.name: tuple(tool.args) for tool in prompt.tools}
        self._run: PlanRun | None = None

    def act(self, observation: Observation) -> Action:
        step = self._start(observation.now) if self._run is None else self._advance(self._run, observation.result)
        while isinstance(step, PlanCall):
            args = step.named(self._arguments.get(step.tool))
            if isinstance(args, dict):
                return Call(step.tool, args)
            step = self._going().advance(error=args)
        return Answer(self._answer(step))

    def close(self) -> None:
        if self._run is not None:
            self._run.close()

    def _start(self, now: str) -> PlanCall | PlanDone:
        plan, limits = self._solver.plan, self._solver.limits
        self._run = PlanRun(plan, self._shown, frozenset(self._arguments), seed=self._seed, clock=now, limits=limits)
        return self._run.start()

    def _advance(self, run: PlanRun, result: CallResult | None) -> PlanCall | PlanDone:
        if result is None or result.ok:
            return run.advance(None if result is None else result.value)
        return run.advance(error=result.error or "The call was refused.")

    def _going(self) -> PlanRun:
        assert self._run is not None
        return self._run

    def _answer(self, step: PlanDone) -> dict[str, Any] | None:
        if step.value is None or isinstance(step.value, dict):
            return step.value
        raise SandboxError(f"solve() returned {type(step.value).__name__}; expected a dict with the answer's fields", kind="value")
