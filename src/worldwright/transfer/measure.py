"""What one run measured: success at its end, the area under success against cost, what it gained for what it spent.

Takes an ArmRun and the plan's budget; gives numbers of that one run. Success is the mean over held-out families, each counting the
same. Promises nothing between two points: success is taken to go straight from one to the next, and to stay before the first (while
tasks are built, nothing is trained) and after the last.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np

from worldwright.transfer.records import ArmRun, Budget, Measure, Plan, spent

__all__ = ["area", "at", "ended", "gain", "measured", "missed", "paid_at", "success"]


def success(point: dict[str, float], families: Collection[str]) -> float:
    """The mean over these families."""
    return float(np.mean([point[family] for family in families]))


def ended(run: ArmRun, families: Collection[str], last: int = 1) -> float:
    """Success at the end: the mean of the last points, never the first where there are others."""
    points = run.points[max(1, len(run.points) - last) :] or run.points
    return float(np.mean([success(point.success, families) for point in points]))


def at(run: ArmRun, families: Collection[str], costs: Sequence[float], budget: Budget) -> list[float]:
    """Success where the run had cost this much."""
    known = [spent(point, budget) for point in run.points]
    reached = [success(point.success, families) for point in run.points]
    return [float(value) for value in np.interp(np.asarray(costs), known, reached)]


def paid_at(run: ArmRun, what: Literal["paid", "right"], costs: Sequence[float], budget: Budget) -> list[float] | None:
    """The training reward (or what of it was right) where the run had cost this much; None if it was never told."""
    told = [(spent(point, budget), value) for point in run.points if (value := getattr(point, what)) is not None]
    if not told:
        return None
    return [float(value) for value in np.interp(np.asarray(costs), [cost for cost, _ in told], [value for _, value in told])]


def area(run: ArmRun, families: Collection[str], budget: Budget) -> float:
    """The area under success against cost from 0 to the budget, by trapezoids, divided by the budget: a mean success."""
    inside = [cost for point in run.points if 0 < (cost := spent(point, budget)) < budget.amount]
    costs = [0.0, *inside, budget.amount]
    return float(np.trapezoid(at(run, families, costs, budget), costs)) / budget.amount


def measured(run: ArmRun, measure: Measure, families: Collection[str], plan: Plan) -> float:
    """The run's measure of this name."""
    return area(run, families, plan.budget) if measure == "area" else ended(run, families, plan.statistics.last)


def missed(run: ArmRun, plan: Plan) -> float:
    """What share of the budget was spent too much (above 0) or too little (below); 0 for an arm that trains on nothing."""
    if plan.arm(run.arm).kind == "none":
        return 0.0
    return spent(run.points[-1], plan.budget) / plan.budget.amount - 1


def gain(run: ArmRun, untrained: float, plan: Plan, unit: str) -> float | None:
    """What success rose by for each unit spent (building included where it is counted); None where nothing was spent."""
    amount = run.points[-1].cost.get(unit, 0.0) + run.points[-1].cost.get(f"build_{unit}", 0.0)
    return (ended(run, plan.held_out_families, plan.statistics.last) - untrained) / amount if amount else None
