"""Skipping discovery: how often a run passes that does all the work but takes hidden facts from another instance.

Takes a task and seeds; gives how many of the runs pass. The reference runs as it is, but each tool that reveals something hidden (the
handbook's figures, a source, a check) answers as it would in another seed's start state: a guess from the very distribution that the
facts are drawn from. What passes so often needs no looking. A call that the other state can't answer is answered by the right one, so
that the figure is on the high side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from scipy.stats import beta

from worldwright.errors import SandboxError, UnusableSeed
from worldwright.pack import PackTask
from worldwright.sandbox import Plan, PlanDone, PlanRun
from worldwright.task import Instance
from worldwright.verifier import Status
from worldwright.world.protocol import CallResult
from worldwright.world.records.episode import RecordsEpisode

__all__ = ["Guesses", "guessed"]

_ELSEWHERE = 1
"""How far away the other seed is: near, so that its start state is one that is made anyway."""


class Guesses(msgspec.Struct, frozen=True):
    """Runs with guessed facts on distinct instances, and how many passed; `luck` is what the brief allows."""

    passed: int
    n: int
    luck: float

    @property
    def least(self) -> float:
        """The rate is at least this (one-sided, 95 %, exact)."""
        return float(beta.ppf(0.05, self.passed, self.n - self.passed + 1)) if self.passed else 0.0

    @property
    def is_shortcut(self) -> bool:
        """Whether guessing surely passes more often than the brief's luck allows: such a task teaches not to look."""
        return self.least > self.luck


def guessed(entry: PackTask, seeds: Sequence[int]) -> Guesses | None:
    """What guessing comes to on these seeds; None where nothing is hidden, or there is no reference."""
    spec = entry.world.world.spec
    hidden = {tool for column in spec.hidden for tool in spec.revealers(column)}
    if entry.reference is None or not hidden:
        return None
    passed = n = 0
    for seed in seeds:
        try:
            instance = entry.task.instance(seed)
        except UnusableSeed:
            continue
        got = _passes(entry, entry.reference, instance, hidden)
        if got is not None:
            n, passed = n + 1, passed + got
    return Guesses(passed, n, entry.task.brief.luck) if n else None


def _passes(entry: PackTask, plan: Plan, instance: Instance, hidden: set[str]) -> bool | None:
    """Whether the run passes; None if it asked for nothing hidden."""
    task = entry.task
    docs = {doc.name: doc for doc in task.world.tools(task.brief.parties)}
    run = PlanRun(plan, instance.shown, frozenset(docs), seed=instance.seed, clock=task.world.spec.start())
    asked = False
    try:
        with task.start(instance) as episode, task.world.start(instance.seed + _ELSEWHERE) as other:
            state = run.start()
            while not isinstance(state, PlanDone):
                args = state.named(tuple(docs[state.tool].args) if state.tool in docs else None)
                if isinstance(args, str):
                    state = run.advance(error=args)
                    continue
                result = episode.call(state.tool, args)
                if result.ended is not None:
                    return False
                if state.tool in hidden and result.ok:
                    asked = True
                    result = _elsewhere(other, state.tool, args) or result
                state = run.advance(result.value) if result.ok else run.advance(error=result.error)
            answer = state.value if isinstance(state.value, dict) else None
            verdict = entry.verifier.grade(instance, episode.finish(answer, instance.until))
            return verdict.status == Status.PASS if asked else None
    except SandboxError:
        return False
    finally:
        run.close()


def _elsewhere(other: RecordsEpisode, tool: str, args: dict[str, Any]) -> CallResult | None:
    """What the tool says in the other state; None where it has no such row."""
    result = other.call(tool, args)
    return result if result.ok else None
