"""The records of the transfer experiment: what is planned, and what a run of an arm gave.

Takes nothing; gives frozen records. A Plan is a file (`transfer.plan` reads it) with the digest of its bytes; an ArmRun is one arm
trained with one seed, as points along what it cost. `checked` holds a run against its plan and raises UsageError, so that no figure
is made of a run that lacks a family, counts backwards or isn't a number. Promises nothing of how a run is made: `transfer.arms` does that.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from worldwright.errors import UsageError

__all__ = [
    "GOLD_AND_NOOP",
    "OWN",
    "WEAKENED",
    "Arm",
    "ArmRun",
    "Budget",
    "Comparison",
    "Evaluation",
    "GuardPolicy",
    "HeldOut",
    "Measure",
    "Order",
    "Plan",
    "Point",
    "Results",
    "Source",
    "StatisticsPolicy",
    "checked",
    "spent",
]

OWN, GOLD_AND_NOOP, WEAKENED = "own", "gold-and-noop", "weakened:"
"""Who pays in training: the task's own verifier; one that was only held against a gold and an idle attempt; one with a fault put in."""

Measure = Literal["end", "area"]
"""Success at the end of the run, or the area under success against cost, as a share of the budget."""


class Source(msgspec.Struct, frozen=True):
    """Tasks of a pack to train on: those that fit a glob of each list. `reward` is `own`, `gold-and-noop` or `weakened:FAULT`.

    A glob that begins with `!` takes away what fits it; a list of only such begins with everything.
    `pack` is a name of the plan's `packs` (empty: its first); `families` are `domain/pattern`, `templates` how a forged pack names
    the kind of question, `tasks` are `world/task`. `most` tasks are taken at most (0: all), in an order that the run's seed decides.
    """

    pack: str = ""
    families: tuple[str, ...] = ("*",)
    templates: tuple[str, ...] = ("*",)
    tasks: tuple[str, ...] = ("*",)
    reward: str = OWN
    most: int = 0


class Arm(msgspec.Struct, frozen=True):
    """One way to train. `none` trains nothing; `lessons` trains on its sources, with rewards dealt out at random if `shuffled`.

    A `control` says what the instrument shows where there is nothing to learn; a `ceiling` trains on the held-out families
    themselves (on other instances), so it is outside the guard and never the better side of a comparison. Both may leave building
    apart (`building: false`): they say what the instrument can tell, not what pays.
    """

    name: str
    kind: Literal["none", "lessons"]
    sources: tuple[Source, ...] = ()
    shuffled: bool = False
    role: Literal["arm", "control", "ceiling"] = "arm"
    building: bool = True
    note: str = ""

    @property
    def reward(self) -> str:
        """Who pays; all sources of an arm have the same."""
        return self.sources[0].reward if self.sources else OWN


class HeldOut(msgspec.Struct, frozen=True):
    """What no arm but a ceiling may train on: every family of these domains, of these patterns, and these families.

    `apart` says what a training task may not share with a family that is listed under `families`: its domain, its pattern, or both.
    """

    domains: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    apart: tuple[Literal["domain", "pattern"], ...] = ()


class Evaluation(msgspec.Struct, frozen=True):
    """How success is measured: so many instances of each held-out task, so many sampled attempts at each.

    `pack` is a name of the plan's `packs` (empty: its first), `tasks` globs of `world/task`, `points` how often along a run. On `rung` 2
    the agent has just the tools that references need, in lessons and examinations alike; on 0 it has all.
    """

    instances: int
    attempts: int
    pack: str = ""
    tasks: tuple[str, ...] = ("*",)
    points: int = 6
    rung: int = 0


class Budget(msgspec.Struct, frozen=True):
    """What each arm may spend, in one counted unit. `building`: what building its tasks took (`build_calls` ...) is spent too."""

    unit: str
    amount: float
    building: bool = True


class Comparison(msgspec.Struct, frozen=True):
    """Two arms that will be judged, `smallest` being the smallest difference in the measure that would matter.

    `over` says on which held-out families: all, those of unseen domains, or those of unseen patterns.
    """

    better: str
    than: str
    measure: Measure
    smallest: float
    over: Literal["all", "domains", "patterns"] = "all"
    why: str = ""


class Order(msgspec.Struct, frozen=True):
    """Arms that must come out in this order, the worst first, or the instrument doesn't measure."""

    arms: tuple[str, ...]
    measure: Measure = "end"
    why: str = ""


class StatisticsPolicy(msgspec.Struct, frozen=True):
    """How figures become words: confidence of all intervals, resamples of the bootstrap, power of the smallest detectable effect,
    how p-values of several comparisons are corrected, and by what share an arm may miss the budget. `last` points make up the end.
    """

    confidence: float = 0.95
    resamples: int = 9999
    power: float = 0.8
    correction: Literal["holm", "none"] = "holm"
    tolerance: float = 0.02
    last: int = 1
    seed: int = 0


class GuardPolicy(msgspec.Struct, frozen=True):
    """From what share of common structure on a training task is a near duplicate of a held-out one (1: only the very same is)."""

    most: float = 0.95


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as it is registered. `digest`, `folder` (from where its paths are meant) and `checkpoints` are not in its file.

    `held_out_families` are the families of the tasks that are evaluated, once the packs were read; `conduct` may write the
    checkpoint of each run into the folder `checkpoints` (empty: nowhere).
    """

    name: str
    question: str = ""
    kind: Literal["experiment", "demo"] = "experiment"
    packs: dict[str, str]
    held_out: HeldOut
    evaluation: Evaluation
    budget: Budget
    seeds: int
    first_seed: int = 0
    arms: tuple[Arm, ...]
    comparisons: tuple[Comparison, ...]
    order: Order
    statistics: StatisticsPolicy = StatisticsPolicy()
    guard: GuardPolicy = GuardPolicy()
    digest: str = ""
    folder: str = ""
    checkpoints: str = ""
    held_out_families: tuple[str, ...] = ()

    def pack_path(self, name: str) -> Path:
        """Where the pack of this name lies (empty: the first)."""
        return Path(self.folder, self.packs[name or next(iter(self.packs))])

    def arm(self, name: str) -> Arm:
        """The arm of this name."""
        return next(one for one in self.arms if one.name == name)

    def schedule(self) -> list[tuple[Arm, int]]:
        """Every run there has to be: seed by seed, so that what is finished is paired."""
        return [(arm, self.first_seed + n) for n in range(self.seeds) for arm in self.arms]


class Point(msgspec.Struct, frozen=True):
    """Where a run stood: what it had cost so far, and what it could do.

    `cost` by unit, cumulated (calls, attempts, gradient_steps, db_steps, build_calls, build_db_steps, cpu_seconds); `success` the mean
    success of sampled attempts by held-out family; of the training attempts since the point before, `paid` is the mean reward as
    paid and `right` the share that the tasks' own verifiers pass (None where there were none).
    """

    cost: dict[str, float]
    success: dict[str, float]
    paid: float | None = None
    right: float | None = None


class ArmRun(msgspec.Struct, frozen=True):
    """One arm with one seed; `checkpoint` is the digest of what it ended as (empty: none was kept)."""

    arm: str
    seed: int
    points: tuple[Point, ...]
    checkpoint: str = ""


class Results(msgspec.Struct, frozen=True):
    """All runs of a plan, by arm and seed in the plan's order; `plan` is the sha256 of the plan's bytes.

    `packs` are digests by the plan's names, `trained` the tasks of each arm with their digests, `held_out` the evaluated tasks by family.
    """

    plan: str
    runs: tuple[ArmRun, ...]
    packs: dict[str, str] = {}
    trained: dict[str, dict[str, str]] = {}
    held_out: dict[str, tuple[str, ...]] = {}
    said: tuple[str, ...] = ()


def spent(point: Point, budget: Budget) -> float:
    """What a point had cost in the budget's unit, building included where the budget says so."""
    built = point.cost.get(f"build_{budget.unit}", 0.0) if budget.building else 0.0
    return point.cost.get(budget.unit, 0.0) + built


def checked(run: ArmRun, plan: Plan) -> ArmRun:
    """The run. Raises UsageError where it isn't one of the plan's, or its figures can't be."""
    where = f"the run of arm '{run.arm}' with seed {run.seed}"
    if (run.arm, run.seed) not in {(arm.name, seed) for arm, seed in plan.schedule()}:
        raise UsageError(f"{where}: the plan has no such run (expected one of its arms, and seeds {plan.first_seed} and on)")
    if not run.points:
        raise UsageError(f"{where}: it has no point (expected at least one: how the policy did)")
    for n, point in enumerate(run.points):
        wrong = _wrong(point, plan, plan.arm(run.arm))
        if wrong:
            raise UsageError(f"{where}, point {n + 1} of {len(run.points)}: {wrong}")
    for unit in sorted({unit for point in run.points for unit in point.cost}):
        amounts = [point.cost.get(unit, 0.0) for point in run.points]
        if any(later < earlier for earlier, later in itertools.pairwise(amounts)):
            raise UsageError(f"{where}: its {unit} go down from one point to the next (expected cumulated amounts)")
    return run


def _wrong(point: Point, plan: Plan, arm: Arm) -> str:
    """What is wrong with a point; empty if nothing is."""
    expected, given = set(plan.held_out_families), set(point.success)
    if given != expected:
        return f"success is of {_listed(given)} (expected the held-out families: {_listed(expected)})"
    shares = [*point.success.values(), *(share for share in (point.paid, point.right) if share is not None)]
    if not all(0.0 <= share <= 1.0 for share in shares):
        return f"a success or reward is no share: {next(share for share in shares if not 0.0 <= share <= 1.0)} (expected 0 to 1)"
    if not all(math.isfinite(amount) and amount >= 0 for amount in point.cost.values()):
        return "a cost is negative or no number (expected amounts from 0)"
    if arm.kind == "lessons" and plan.budget.unit not in point.cost:
        return f"its cost doesn't count {plan.budget.unit} (expected it: the budget is in that unit)"
    return ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
