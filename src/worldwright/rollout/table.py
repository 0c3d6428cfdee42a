"""Pass rates by task and solver, with what one unit is.

One unit is one attempt at one instance; the label is the task's own verifier; attempts without a verdict are counted
apart and in no rate. Intervals are exact (Clopper-Pearson 1934), two-sided 95 %.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from worldwright.rollout.trajectory import Trajectory
from worldwright.verifier import Status

__all__ = ["INTERVAL", "UNIT", "Line", "interval", "tabulate"]

UNIT = "one unit: one attempt at one seed; labelled by the task's own verifier; seeds fixed before the run"
INTERVAL = "95 %: exact interval over distinct seeds"


class Line(msgspec.Struct, frozen=True):
    """One solver on one task: `passed` of `n` attempts with a verdict, at `seeds` distinct seeds; `masked` without one."""

    task: str
    solver: str
    passed: int
    n: int
    masked: int
    calls: float
    low: float
    high: float
    seeds: int = 0


def interval(passed: float, n: int) -> tuple[float, float]:
    """Two-sided 95 % Clopper-Pearson interval of a rate; (0, 1) for n = 0. `passed` may be a mean over attempts at each of n seeds."""
    from scipy.special import betaincinv  # half of a command's start, so not before a rate is wanted

    if n == 0:
        return 0.0, 1.0
    low = 0.0 if passed == 0 else float(betaincinv(passed, n - passed + 1, 0.025))
    high = 1.0 if passed == n else float(betaincinv(passed + 1, n - passed, 0.975))
    return low, high


def tabulate(trajectories: Iterable[Trajectory]) -> list[Line]:
    """A line for each pack, task and solver, in the order they first came; the same attempt given twice counts once."""
    groups: dict[tuple[str, str, str], dict[tuple[str, int], Trajectory]] = {}
    for one in trajectories:
        group = groups.setdefault((one.pack, one.trace.instance.split("@")[0], one.trace.solver), {})
        group[one.id, one.trace.seed] = one
    packs: dict[str, set[str]] = {}
    for pack, task, _ in groups:
        packs.setdefault(task, set()).add(pack)
    out = []
    for (pack, task, solver), ones in groups.items():
        judged = [one for one in ones.values() if not one.is_masked]
        passed = sum(one.verdict.status == Status.PASS for one in judged)
        calls = sum(one.trace.counts.calls for one in ones.values()) / len(ones)
        seeds = len({one.trace.instance for one in judged})
        low, high = interval(passed * seeds / len(judged), seeds) if judged else interval(0, 0)
        name = task if len(packs[task]) == 1 else f"{task} [{pack[:8]}]"
        out.append(Line(name, solver, passed, len(judged), len(ones) - len(judged), calls, low, high, seeds))
    return out
