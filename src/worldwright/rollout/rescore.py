"""New verdicts on stored trajectories, without running anything again.

Takes a trajectory and the task as it is now, with the verifier to judge by; gives the trajectory with its new verdict. The end
state is made from the start state, which depends on world and seed alone, and the stored changes. Raises UsageError where that
can't be: another world, another brief, or a run stored before all that is needed was kept. An attempt that left nothing to
grade has no verdict by any verifier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from worldwright.errors import UnusableSeed, UsageError
from worldwright.pack.read import PackTask
from worldwright.rollout.stored import kept
from worldwright.rollout.trajectory import Trajectory
from worldwright.solver.loop import UNGRADED
from worldwright.solver.trace import brief_digest
from worldwright.verifier import Verdict, Verifier
from worldwright.world.records.connection import SqlFault
from worldwright.world.records.restore import restore

__all__ = ["Flips", "flips", "rescored", "verdict_again"]


class Flips(msgspec.Struct, frozen=True):
    """One task and solver: how many verdicts stayed, and the changed ones by `old -> new`, each with the first few attempts' ids."""

    task: str
    solver: str
    n: int
    same: int
    changed: dict[str, int]
    examples: dict[str, tuple[str, ...]]


def rescored(one: Trajectory, entry: PackTask, pack: str, verifier: Verifier | None = None) -> Trajectory:
    """The trajectory with the verdict of the task's verifier, or of `verifier`; `pack` is the digest of the task's pack.

    Judged by its task's verifier it is that pack's from then on; judged by another it keeps its pack and task.
    """
    verdict = verdict_again(one, entry, verifier or entry.verifier)
    one = msgspec.structs.replace(one, verdict=verdict, reward=verdict.reward)
    return one if verifier is not None else msgspec.structs.replace(one, pack=pack, task=entry.digest, label=entry.label)


def verdict_again(one: Trajectory, entry: PackTask, verifier: Verifier) -> Verdict:
    """The verifier's verdict on a stored attempt. Raises UsageError."""
    where = f"trajectory {one.id[:12]} ({one.trace.instance})"
    if one.world != entry.world.world.digest:
        raise UsageError(
            f"{where}: the state is gone: it ran in the world {one.world[:12]}, and {entry.world.where} is {entry.world.world.digest[:12]} "
            "(expected the world as it was; run again with `worldwright rollout`)"
        )
    brief = brief_digest(entry.task.brief)
    if one.trace.brief != brief:
        raise UsageError(
            f"{where}: another task was asked: its brief was {one.trace.brief[:12]}, and that of {entry.where} is {brief[:12]} "
            "(expected the brief as it was; run again with `worldwright rollout`)"
        )
    try:
        instance = entry.task.instance(int(one.trace.instance.rpartition("@")[2]))
    except UnusableSeed as fault:
        raise UsageError(f"{where}: {fault}") from fault
    if one.trace.stop in UNGRADED:
        return verifier.grade(instance, None)
    if one.left is None:
        raise UsageError(f"{where}: it was stored before all that another verdict needs was kept (run again with `worldwright rollout`)")
    with entry.task.start(instance) as episode:
        try:
            evidence = restore(episode, kept(one.changes, one.left, one.trace), one.trace.answer)
        except (ValueError, KeyError, TypeError, IndexError, SqlFault, msgspec.MsgspecError) as fault:
            raise UsageError(f"{where}: what is stored doesn't fit its world: {fault} (run again with `worldwright rollout`)") from fault
        return verifier.grade(instance, evidence)


def flips(pairs: Iterable[tuple[Trajectory, Trajectory]], most: int = 5) -> list[Flips]:
    """The flip table of (before, after) pairs, by task and solver in the order they first came."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    examples: dict[tuple[str, str], dict[str, list[str]]] = {}
    for before, after in pairs:
        key = (before.trace.instance.split("@")[0], before.trace.solver)
        old, new = before.verdict.status, after.verdict.status
        move = "" if old == new else f"{old} -> {new}"
        counts.setdefault(key, Counter())[move] += 1
        shown = examples.setdefault(key, {}).setdefault(move, [])
        if move and len(shown) < most:
            shown.append(before.id)
    return [_flips(*key, counts[key], examples[key]) for key in counts]


def _flips(task: str, solver: str, counts: Counter[str], examples: Mapping[str, list[str]]) -> Flips:
    changed = {move: number for move, number in sorted(counts.items()) if move}
    return Flips(task, solver, counts.total(), counts[""], changed, {move: tuple(examples[move]) for move in changed})
