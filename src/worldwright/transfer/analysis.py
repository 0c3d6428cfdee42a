"""The registered questions answered: each arm's figures, each comparison's verdict, and whether the instrument keeps the known order.

Takes a Plan and its Results; gives a TransferReport. Compares only what the plan registered. An arm that missed the budget, or lacks
seeds, is flagged, and a comparison with it is undecided, whatever its figures are. The unit of every mean is a seed (a whole training
with its evaluation); domains of held-out families are a second level, where a unit is a domain's mean over all seeds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence

import msgspec
import numpy as np

from worldwright.transfer.material import side_of
from worldwright.transfer.measure import area, at, ended, gain, measured, missed, paid_at
from worldwright.transfer.records import ArmRun, Comparison, Plan, Results
from worldwright.transfer.statistics import UNDECIDED, Estimate, Paired, Verdict, holm, mean_of, paired, verdict_of

__all__ = ["LABELLED_BY", "SELECTION", "ArmFigures", "Judged", "OrderCheck", "TransferReport", "analysed", "scope"]

LABELLED_BY = "the held-out tasks' own verifiers"
SELECTION = "arms, seeds, comparisons and statistics were registered before the first run; no seed chose what is reported"
SEEDS, DOMAINS = "seeds", "domains of held-out families"
_STEPS = 24
"""Steps of the curves that are drawn."""


class ArmFigures(msgspec.Struct, frozen=True):
    """One arm over its seeds. `paid` and `right` are of its training attempts at the end; `per_calls` is the gain in success over an
    untrained policy per 1,000 calls, `per_cpu` per CPU second. `flags` say why it is not compared.
    """

    arm: str
    role: str
    seeds: int
    end: Estimate
    area: Estimate
    families: dict[str, Estimate]
    costs: list[float]
    curve: list[Estimate]
    cost: dict[str, float]
    paid: Estimate | None
    right: Estimate | None
    per_calls: Estimate | None
    per_cpu: Estimate | None
    flags: list[str]
    paid_curve: list[Estimate] = []
    right_curve: list[Estimate] = []


class Judged(msgspec.Struct, frozen=True):
    """A comparison with its verdict; `difference` is over seeds, `domains` over the held-out families' domains, `p` is corrected."""

    comparison: Comparison
    verdict: Verdict
    why: str
    difference: Paired | None
    domains: Estimate | None
    p: float | None


class OrderCheck(msgspec.Struct, frozen=True):
    """Whether arms came out in the order that is known: `pass`, `fail` or `undecided`, by the differences between neighbours."""

    verdict: str
    arms: tuple[str, ...]
    steps: list[Paired]


class TransferReport(msgspec.Struct, frozen=True):
    """What the experiment says."""

    plan: str
    arms: list[ArmFigures]
    judged: list[Judged]
    order: OrderCheck
    missing: int
    labelled_by: str = LABELLED_BY
    selection: str = SELECTION


def analysed(plan: Plan, results: Results) -> TransferReport:
    """The report on these results. Raises ValueError if an arm has no run at all."""
    runs = {arm.name: {run.seed: run for run in results.runs if run.arm == arm.name} for arm in plan.arms}
    figures = [_figures(plan, arm.name, runs) for arm in plan.arms]
    flags = {one.arm: one.flags for one in figures}
    differences = [_difference(plan, one, runs) for one in plan.comparisons]
    known = [difference.p for difference in differences if difference is not None]
    corrected = iter(holm(known) if plan.statistics.correction == "holm" else known)
    judged = [
        _judged(plan, one, difference, None if difference is None else next(corrected), flags, runs)
        for one, difference in zip(plan.comparisons, differences, strict=True)
    ]
    return TransferReport(plan.digest, figures, judged, _order(plan, flags, runs), len(plan.schedule()) - len(results.runs))


def scope(plan: Plan, over: str) -> tuple[str, ...]:
    """The held-out families that a comparison is over: all, or those that are unseen by their domain or by their pattern alone."""
    if over == "all":
        return plan.held_out_families
    return tuple(family for family in plan.held_out_families if side_of(family, plan.held_out) == over)


Runs = dict[str, dict[int, ArmRun]]


def _figures(plan: Plan, name: str, runs: Runs) -> ArmFigures:
    of, confidence = list(runs[name].values()), plan.statistics.confidence
    families, budget = plan.held_out_families, plan.budget

    def over(measure: Callable[[ArmRun], float | None]) -> Estimate | None:
        values = [value for value in map(measure, of) if value is not None]
        return mean_of(values, SEEDS, confidence) if values else None

    if not of:
        raise ValueError(f"arm '{name}' has no run")
    costs = [budget.amount * n / _STEPS for n in range(_STEPS + 1)]
    units = sorted({unit for run in of for unit in run.points[-1].cost})
    untrained = _untrained(plan, runs)
    return ArmFigures(
        arm=name,
        role=plan.arm(name).role,
        seeds=len(of),
        end=mean_of([ended(run, families, plan.statistics.last) for run in of], SEEDS, confidence),
        area=mean_of([area(run, families, budget) for run in of], SEEDS, confidence),
        families={one: mean_of([ended(run, (one,), plan.statistics.last) for run in of], SEEDS, confidence) for one in families},
        costs=costs,
        curve=_curve([at(run, families, costs, budget) for run in of], confidence),
        cost={unit: float(np.mean([run.points[-1].cost.get(unit, 0.0) for run in of])) for unit in units},
        paid=over(lambda run: run.points[-1].paid),
        right=over(lambda run: run.points[-1].right),
        per_calls=over(lambda run: _scaled(gain(run, untrained(run), plan, "calls"), 1000)),
        per_cpu=over(lambda run: gain(run, untrained(run), plan, "cpu_seconds")),
        flags=_flags(plan, name, of),
        paid_curve=_curve([line for run in of if (line := paid_at(run, "paid", costs, budget)) is not None], confidence),
        right_curve=_curve([line for run in of if (line := paid_at(run, "right", costs, budget)) is not None], confidence),
    )


def _curve(lines: Sequence[Sequence[float]], confidence: float) -> list[Estimate]:
    """The mean of several runs' lines at each cost; nothing if there is no line."""
    return [mean_of(column, SEEDS, confidence) for column in zip(*lines, strict=True)]


def _untrained(plan: Plan, runs: Runs) -> Callable[[ArmRun], float]:
    """Success without training at a run's seed: of an arm that trains on nothing, else the run's own before it trained."""
    none = next((arm.name for arm in plan.arms if arm.kind == "none"), "")

    def of(run: ArmRun) -> float:
        idle = runs.get(none, {}).get(run.seed)
        first = msgspec.structs.replace(run, points=run.points[:1])
        return ended(first if idle is None else idle, plan.held_out_families)

    return of


def _scaled(value: float | None, by: float) -> float | None:
    return None if value is None else value * by


def _flags(plan: Plan, name: str, of: Sequence[ArmRun]) -> list[str]:
    out = []
    off = {run.seed: missed(run, plan) for run in of if abs(missed(run, plan)) > plan.statistics.tolerance}
    if off:
        worst = max(off.values(), key=abs)
        out.append(
            f"{len(off)} of {len(of)} runs of {name} missed the budget by over {plan.statistics.tolerance:.0%}"
            f" (at worst they spent {1 + worst:.0%} of it)"
        )
    if len(of) < plan.seeds:
        out.append(f"{name} has {len(of)} of the {plan.seeds} registered seeds")
    return out


def _pairs(runs: Runs, first: str, second: str) -> list[tuple[ArmRun, ArmRun]]:
    return [(runs[first][seed], runs[second][seed]) for seed in sorted(runs[first].keys() & runs[second].keys())]


def _difference(plan: Plan, one: Comparison, runs: Runs) -> Paired | None:
    """The paired difference over seeds; None if there is no pair, or no family in its scope."""
    families, pairs = scope(plan, one.over), _pairs(runs, one.better, one.than)
    return _paired(plan, pairs, lambda run: measured(run, one.measure, families, plan)) if families and pairs else None


def _paired(plan: Plan, pairs: Sequence[tuple[ArmRun, ArmRun]], measure: Callable[[ArmRun], float]) -> Paired:
    said = plan.statistics
    return paired(
        [measure(first) for first, _ in pairs],
        [measure(second) for _, second in pairs],
        SEEDS,
        confidence=said.confidence,
        power=said.power,
        resamples=said.resamples,
        seed=said.seed,
    )


def _by_domain(plan: Plan, one: Comparison, families: Collection[str], runs: Runs) -> Estimate:
    """The difference over the domains of held-out families: each domain's mean over seeds is one unit."""
    pairs = _pairs(runs, one.better, one.than)
    domains: dict[str, list[str]] = {}
    for family in families:
        domains.setdefault(family.partition("/")[0], []).append(family)
    values = [
        float(np.mean([measured(a, one.measure, inside, plan) - measured(b, one.measure, inside, plan) for a, b in pairs]))
        for inside in domains.values()
    ]
    return mean_of(values, DOMAINS, plan.statistics.confidence)


def _judged(plan: Plan, one: Comparison, difference: Paired | None, p: float | None, flags: dict[str, list[str]], runs: Runs) -> Judged:
    if difference is None or p is None:
        return Judged(one, UNDECIDED, "no pair of runs, or no held-out family in its scope", None, None, None)
    why = "; ".join([*flags[one.better], *flags[one.than]])
    verdict = UNDECIDED if why else verdict_of(difference, p, one.smallest, plan.statistics.confidence)
    return Judged(one, verdict, why, difference, _by_domain(plan, one, scope(plan, one.over), runs), p)


def _order(plan: Plan, flags: dict[str, list[str]], runs: Runs) -> OrderCheck:
    """Pass if each arm is above the one before, its interval too; fail if one's interval is wholly below."""
    arms, steps = plan.order.arms, list[Paired]()
    for lower, higher in itertools.pairwise(arms):
        pairs = _pairs(runs, higher, lower)
        if pairs:
            steps.append(_paired(plan, pairs, lambda run: measured(run, plan.order.measure, plan.held_out_families, plan)))
    whole = len(steps) == len(arms) - 1 and not any(flags[name] for name in arms)
    if any(step.estimate.high is not None and step.estimate.high < 0 for step in steps):
        return OrderCheck("fail", arms, steps)
    above = all(step.estimate.low is not None and step.estimate.low > 0 for step in steps)
    return OrderCheck("pass" if whole and above else "undecided", arms, steps)
