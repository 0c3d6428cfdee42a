"""Skipping discovery: how often a run passes that does all the work but takes hidden facts from another instance.

Takes a task and seeds; gives how many of the runs pass. The reference runs as it is, but each tool that reveals something hidden (the
handbook's figures, a source, a check), and each person who knows something hidden, answers as it or they would in another seed's start
state: a guess from the very distribution that the facts are drawn from. What passes so often needs no looking. What comes in later has
come in there already: the other state is a day ahead. A call that it can't answer, or that a person there declines, is answered by the
right one, so that the figure is on the high side.
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
from worldwright.world.records.database import later
from worldwright.world.records.episode import RecordsEpisode

__all__ = ["Guesses", "guessed"]

_AHEAD = 86_400
"""So many seconds the clock of the other state is ahead."""
_AGAIN = 12
"""So often a call is made in the other state where a tool fails for a moment."""
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
        with (
            task.start(instance) as episode,
            task.world.start(instance.seed + _ELSEWHERE, instance.params, task.brief.parties) as other,
        ):
            if task.world.moves:
                other.call("wait", {"until": later(other.now(), _AHEAD)})
            state = run.start()
            while not isinstance(state, PlanDone):
                args = state.named(tuple(docs[state.tool].args) if state.tool in docs else None)
                if isinstance(args, str):
                    state = run.advance(error=args)
                    continue
                result = episode.call(state.tool, args)
                if result.ended is not None:
                    return False
                if result.ok and _reveals(state.tool, args, hidden):
                    asked = True
                    result = _elsewhere(other, state.tool, args, result) or result
                state = run.advance(result.value) if result.ok else run.advance(error=result.error)
            answer = state.value if isinstance(state.value, dict) else None
            verdict = entry.verifier.grade(instance, episode.finish(answer, instance.until))
            return verdict.status == Status.PASS if asked else None
    except SandboxError:
        return False
    finally:
        run.close()


def _reveals(tool: str, args: dict[str, Any], hidden: set[str]) -> bool:
    """Whether a call may show something hidden: by its tool, or by whom it speaks to."""
    return tool in hidden or (tool == "say" and f"party:{args.get('to')}" in hidden)


def _elsewhere(other: RecordsEpisode, tool: str, args: dict[str, Any], here: CallResult) -> CallResult | None:
    """What the tool, or the person, says in the other state; None where it has no such row, or they don't say what they say here."""
    faults = {fault.error for fault in other.world.spec.faults.values()}
    result = other.call(tool, args)
    for _ in range(_AGAIN):
        if result.ok or result.error not in faults:
            break
        result = other.call(tool, args)
    if tool == "say" and result.ok and result.value["act"] != here.value["act"]:
        return None
    return result if result.ok else None
