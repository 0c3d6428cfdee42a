"""A plan run once on an instance, kept as a call log, and episodes rebuilt from (a part of) that log.

A call costs ten times as much through the sandbox as from a log, so a plan is run once an instance and prefixes and
variants are built from the log. Gives the log even where the plan fails half-way: `fault` then says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from worldwright.errors import SandboxError
from worldwright.sandbox import Plan, PlanDone, PlanRun
from worldwright.task import Instance, Task
from worldwright.world.protocol import CallResult
from worldwright.world.records import RecordsEpisode

__all__ = ["Replay", "Step", "again", "replay"]


class Step(msgspec.Struct, frozen=True):
    """One call as the plan made it."""

    tool: str
    args: dict[str, Any]
    ok: bool


class Replay(msgspec.Struct, frozen=True):
    """A plan's run: its calls in order, its answer, and why it stopped early ("" if it didn't; `kind` as SandboxError's)."""

    plan: str
    steps: tuple[Step, ...]
    answer: dict[str, Any] | None
    fault: str = ""
    line: int = 0
    kind: str = ""


def replay(
    task: Task, instance: Instance, plan: Plan, each: Callable[[CallResult], object] = lambda _: None
) -> tuple[Replay, RecordsEpisode]:
    """Run a plan; gives its log and the episode as the plan left it (to be finished and closed by the caller).

    `each` gets what every call gave, in the order of the log's steps.
    """
    docs = {doc.name: doc for doc in task.world.tools(task.brief.parties)}
    steps: list[Step] = []
    run = PlanRun(plan, instance.shown, frozenset(docs), seed=instance.seed, clock=task.world.spec.start())
    episode = task.start(instance)
    try:
        state = run.start()
        while not isinstance(state, PlanDone):
            args = state.named(tuple(docs[state.tool].args) if state.tool in docs else None)
            if isinstance(args, str):
                state = run.advance(error=args)
                continue
            result = episode.call(state.tool, args)
            steps.append(Step(state.tool, args, result.ok))
            each(result)
            if result.ended is not None:
                run.close()
                return Replay(plan.name, tuple(steps), None, f"the episode ended: {result.ended}"), episode
            state = run.advance(result.value) if result.ok else run.advance(error=result.error)
        answer = state.value if isinstance(state.value, dict) else None
        fault = "" if answer is not None else f"solve() gave {type(state.value).__name__}, not a dict"
        return Replay(plan.name, tuple(steps), answer, fault), episode
    except SandboxError as fault:
        return Replay(plan.name, tuple(steps), None, str(fault), fault.line, fault.kind), episode
    except BaseException:
        episode.close()
        raise
    finally:
        run.close()


def again(task: Task, instance: Instance, steps: Sequence[Step]) -> RecordsEpisode:
    """A fresh episode after these calls, without the sandbox (to be finished and closed by the caller)."""
    episode = task.start(instance)
    for step in steps:
        episode.call(step.tool, step.args)
    return episode
