"""Pass rates by task and solver, with what one unit is.

One unit is one attempt at one instance; the label is the task's own verifier; attempts without a verdict are counted
apart and in no rate. Intervals are exact (Clopper-Pearson 1934), two-sided 95 %.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from worldwright.rollout.trajectory import Trajectory
from worldwright.verifier import Status

__all__ = ["UNIT", "Line", "interval", "tabulate"]

UNIT = "one unit: one attempt at one seed; labelled by the task's own verifier; seeds fixed before the run; 95 % exact interval"


class Line(msgspec.Struct, frozen=True):
    """One solver on one task: `passed` of `n` with a verdict, `masked` without one."""

    task: str
    solver: str
    passed: int
    n: int
    masked: int
    calls: float
    low: float
    high: float


def interval(passed: int, n: int) -> tuple[float, float]:
    """Two-sided 95 % Clopper-Pearson interval of a rate; (0, 1) for n = 0."""
    from scipy.special import betaincinv  # half of a command's start, so not before a rate is wanted

    if n == 0:
        return 0.0, 1.0
    low = 0.0 if passed == 0 else float(betaincinv(passed, n - passed + 1, 0.025))
    high = 1.0 if passed == n else float(betaincinv(passed + 1, n - passed, 0.975))
    return low, high


def tabulate(trajectories: Iterable[Trajectory]) -> list[Line]:
    """A line for each task and solver, in the order they first came."""
    groups: dict[tuple[str, str], list[Trajectory]] = {}
    for one in trajectories:
        groups.setdefault((one.trace.instance.split("@")[0], one.trace.solver), []).append(one)
    out = []
    for (task, solver), all_of in groups.items():
        judged = [one for one in all_of if not one.is_masked]
        passed = sum(one.verdict.status == Status.PASS for one in judged)
        calls = sum(one.trace.counts.calls for one in all_of) / len(all_of)
        out.append(Line(task, solver, passed, len(judged), len(all_of) - len(judged), calls, *interval(passed, len(judged))))
    return out
