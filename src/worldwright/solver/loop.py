"""The one agent loop: observe, act, stop.

Takes a task, an instance, a solver and its seed; gives an Attempt: the evidence, still open for grading, and the trace.
It never grades. Promises what `open_attempt` does: the first stop reason that applies ends the attempt; what the agent
does wrong is evidence, while a failure of the world or of what the solver stands on leaves no evidence at all, so it can
never become a verdict; the same inputs give the same trace, byte for byte, as far as the solver does. Does not promise an
end if an agent's `act` never returns: a solver that waits has to bound its own waiting.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import NoReturn

from worldwright.errors import UsageError
from worldwright.solver.open_attempt import LIMITS, UNGRADED, OpenAttempt, Stopped, blaming, reached
from worldwright.solver.protocol import Agent, Solver, Spent
from worldwright.solver.trace import Trace
from worldwright.task import Instance, Task
from worldwright.world.protocol import StopReason
from worldwright.world.records import RecordsEpisode, RecordsEvidence

__all__ = ["LIMITS", "UNGRADED", "Attempt", "attempt", "reached"]


class Attempt:
    """What one attempt left. `evidence` is None if there is nothing to grade; it lives until `close`.

    `spent` is what it used of language models, if the solver uses one.
    """

    def __init__(self, trace: Trace, evidence: RecordsEvidence | None, episode: RecordsEpisode | None, spent: Spent | None = None) -> None:
        self.trace, self.evidence, self._episode, self.spent = trace, evidence, episode, spent

    def close(self) -> None:
        """Give the episode's state back; safe to call twice."""
        if self._episode is not None:
            self._episode.close()

    def __enter__(self) -> Attempt:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def attempt(task: Task, instance: Instance, solver: Solver, *, seed: int, wording: int = 0, help: str = "") -> Attempt:
    """Let the solver attempt the instance; `seed` is the solver's own, `wording` picks the instruction or a paraphrase.

    `help` is more that the agent is told, after the instruction.

    Raises UsageError if the instance is another task's. Close the Attempt, or use it in a `with`.
    """
    if (instance.world, instance.task) != (task.world.name, task.name):
        raise UsageError(f"{instance.name} is no instance of {task.world.name}/{task.name}: take one from task.instance(seed)")
    with ExitStack() as open_things:
        run = OpenAttempt(task, instance, wording, help)
        open_things.callback(run.close)
        spent: list[Spent] = []
        run.within(lambda: _attempt(run, solver, seed, spent))
        run.finish()
        trace = run.trace(solver.name, seed)
        open_things.pop_all()
    return Attempt(trace, run.evidence, run.episode, *spent)


def _attempt(run: OpenAttempt, solver: Solver, seed: int, spent: list[Spent]) -> None:
    """Until the agent has ended and is closed; what it has used of language models goes into `spent`."""
    run.open()
    assert run.prompt is not None
    with blaming(StopReason.SOLVER_ERROR):
        agent = solver.start(run.prompt, seed, dict(run.instance.shown))
    try:
        _drive(run, agent)
    except Stopped as stopped:
        run.end(stopped)
    finally:
        spent += [agent.spent] if hasattr(agent, "spent") else []
        with blaming(StopReason.SOLVER_ERROR):
            agent.close()


def _drive(run: OpenAttempt, agent: Agent) -> NoReturn:
    while True:
        observation = run.observe()
        with blaming(StopReason.SOLVER_ERROR):
            action = agent.act(observation)
        run.act(action)
