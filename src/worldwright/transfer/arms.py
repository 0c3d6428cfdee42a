"""Conducting one run of an experiment: an arm's lessons, trained on with one seed until its budget is spent, examined on the way.

Takes a plan, an arm and a seed; gives an ArmRun. Cost is counted, not timed: calls, attempts and gradient steps as an agent would
have made them, and what building the arm's tasks took, as the pack's forge account has it. What a task costs to build unaudited
(`gold-and-noop`) is the runs of its reference and of doing nothing alone. Lessons and examinations use different instances. The
same plan, arm and seed give the same run but for `cpu_seconds`.
"""

from __future__ import annotations

import copy
import hashlib
import math
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from worldwright.audit.mutate import mutants
from worldwright.forge.records import FORGED, Funnel
from worldwright.pack.labels import UNLABELLED, Label
from worldwright.pack.read import PackTask
from worldwright.rollout.ladder import needed_tools
from worldwright.solver import attempt
from worldwright.solver.noop import NoopSolver
from worldwright.solver.plan import PlanSolver
from worldwright.training.course import Course, Lesson, Trainee, success
from worldwright.training.policy import FORMAT, Checkpoint, Policy, write_checkpoint
from worldwright.training.practice import Practice, practised
from worldwright.training.rewards import Grader, Weakened
from worldwright.transfer.material import Material, material_of, name_of
from worldwright.transfer.records import GOLD_AND_NOOP, WEAKENED, Arm, ArmRun, Plan, Point, Source, spent

__all__ = ["INSTANCES", "conduct"]

INSTANCES = 3
"""Instances of a task that are practised on."""
_EXAMINED_FROM = 50_000
"""Examinations are on instances from this seed on; lessons on those from 1 on."""
_CHECKS = 2
"""Gold and no-op checks of an unaudited task: instances that its reference must pass and doing nothing must not."""


def conduct(plan: Plan, arm: Arm, seed: int) -> ArmRun:
    """See the module. Raises UsageError and PackError for what the plan asks for and can't be had."""
    started, school = time.process_time(), _school(plan.digest, _Held(plan))
    policy = Policy.fresh(seed)
    lessons, built = school.lessons(arm, seed)
    built = built if arm.building else dict.fromkeys(built, 0.0)
    points = [Point(_cost(built, 0, 0, 0, started), school.examined(policy, seed))]
    marks = iter(plan.budget.amount * n / plan.evaluation.points for n in range(1, plan.evaluation.points + 1))
    trainee = Trainee(policy, lessons, seed, Course(shuffled=arm.shuffled)) if lessons else None
    mark = next(marks, None)
    paid, right = list[float](), list[float]()
    cost = points[0].cost
    while trainee is not None and mark is not None:
        while spent(Point(cost, {}), plan.budget) < mark:
            used = spent(Point(cost, {}), plan.budget)
            step = trainee.update(used / plan.budget.amount, mark - used if plan.budget.unit == "calls" else math.inf)
            paid, right = [*paid, step.paid], [*right, step.right]
            cost = _cost(built, trainee.calls, trainee.attempts, trainee.updates, started)
        shares = (sum(paid) / len(paid), sum(right) / len(right)) if paid else (None, None)
        points.append(
            Point(_cost(built, trainee.calls, trainee.attempts, trainee.updates, started), school.examined(policy, seed), *shares)
        )
        paid, right, mark = [], [], next(marks, None)
    return ArmRun(arm.name, seed, tuple(points), _kept(plan, arm, seed, policy, lessons))


class _Held:
    """A plan, by its digest: what is read for one run of it serves the others in the process."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __hash__(self) -> int:
        return hash(self.plan.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.plan.digest == self.plan.digest


@lru_cache(maxsize=1)
def _school(_digest: str, held: _Held) -> _School:
    return _School(held.plan)


class _School:
    """The tasks of a plan, with instances to practise and to examine on."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.material, self._few = plan, material_of(plan), plan.evaluation.rung == 2
        self._practised: dict[tuple[str, str], list[Practice]] = {}
        self._examined: dict[str, list[tuple[PackTask, Practice]]] = {}
        self._graders: dict[tuple[str, str, str, int], tuple[Grader, int]] = {}

    def lessons(self, arm: Arm, seed: int) -> tuple[list[Lesson], dict[str, float]]:
        """The arm's lessons, and what building them took."""
        lessons, built = list[Lesson](), {"build_calls": 0.0, "build_db_steps": 0.0}
        for entry, source in self.material.lessons(arm, seed) if arm.kind == "lessons" else ():
            entry = _relabelled(entry) if arm.role == "ceiling" else entry
            grader, calls = self._grader(entry, source, seed)
            account = _account(self.material, source).get(name_of(entry), (0.0, 0.0))
            audited = source.reward != GOLD_AND_NOOP
            built["build_calls"] += account[0] if audited else calls
            built["build_db_steps"] += account[1] if audited else 0.0
            lessons.append(Lesson(entry, self._practices(entry, source.pack), grader))
        return lessons, built

    def examined(self, policy: Policy, seed: int) -> dict[str, float]:
        """Success on each held-out family: the mean over its tasks' instances of the share of attempts that pass."""
        if not self._examined:
            for family, entries in self.material.held_out.items():
                n = self.plan.evaluation.instances
                self._examined[family] = [(entry, one) for entry in entries for one in _instances(entry, n, _EXAMINED_FROM, self._few)]
        found = {family: success(policy, those, seed, self.plan.evaluation.attempts) for family, those in self._examined.items()}
        return {family: sum(shares) / len(shares) for family, shares in found.items()}

    def _practices(self, entry: PackTask, pack: str) -> list[Practice]:
        key = (pack, name_of(entry))
        if key not in self._practised:
            self._practised[key] = _instances(entry, INSTANCES, 1, self._few)
        return self._practised[key]

    def _grader(self, entry: PackTask, source: Source, seed: int) -> tuple[Grader, int]:
        """Who pays, and the calls that checking it by gold and no-op took."""
        if source.reward.startswith(WEAKENED):
            return Weakened(entry.verifier, source.reward.removeprefix(WEAKENED)), 0
        if source.reward != GOLD_AND_NOOP:
            return entry.verifier, 0
        key = (source.pack, name_of(entry), source.reward, seed)
        if key not in self._graders:
            self._graders[key] = _unaudited(entry, seed)
        return self._graders[key]


def _instances(entry: PackTask, n: int, first: int, few: bool) -> list[Practice]:
    return practised(entry.task, n, first, needed_tools(entry) if few and entry.reference is not None else frozenset())


def _unaudited(entry: PackTask, seed: int) -> tuple[Grader, int]:
    """A verifier with one fault that gold and no-op checks don't see: of all weaker mutants, in an order that the seed decides, the first
    that passes the reference and refuses doing nothing. Without such a mutant the task's own verifier."""
    able = [one for one in mutants(entry) if one.weakens and one.verifier is not None]
    digest = hashlib.sha256(f"{seed}:{name_of(entry)}".encode()).digest()
    start, calls = int.from_bytes(digest[:4], "big"), 0
    for n in range(len(able)):
        verifier = able[(start + n) % len(able)].verifier
        assert verifier is not None
        seen, made = _sees_nothing(entry, verifier)
        calls += made
        if seen:
            return verifier, calls
    return entry.verifier, calls


def _sees_nothing(entry: PackTask, verifier: Grader) -> tuple[bool, int]:
    """Whether gold passes and doing nothing fails, and the calls that took."""
    calls = 0
    if entry.reference is None:
        return True, 0
    for practice in _instances(entry, _CHECKS, 1, False):
        for solver, wanted in ((PlanSolver(entry.reference, name="reference"), 1), (NoopSolver(), 0)):
            with attempt(entry.task, practice.instance, solver, seed=0) as made:
                calls += made.trace.counts.calls
                if verifier.grade(practice.instance, made.evidence).reward != wanted:
                    return False, calls
    return True, calls


def _relabelled(entry: PackTask) -> PackTask:
    """For a ceiling, which trains on held-out families by intent: the same task without its label."""
    other = copy.copy(entry)
    other.label = Label(entry.label.family, UNLABELLED)
    return other


def _account(material: Material, source: Source) -> dict[str, tuple[float, float]]:
    """By task, the calls and database steps that building and auditing it took; empty for a pack that wasn't forged."""
    pack = material.packs[source.pack or next(iter(material.packs))]
    data = pack.files.get(FORGED)
    if data is None:
        return {}
    return {
        f"{one.world}/{one.task}": (float(one.cost.calls), float(one.cost.steps)) for one in msgspec.json.decode(data, type=Funnel).outcomes
    }


def _cost(built: dict[str, float], calls: int, attempts: int, steps: int, started: float) -> dict[str, float]:
    made = {"calls": float(calls), "attempts": float(attempts), "gradient_steps": float(steps)}
    return {**built, **made, "cpu_seconds": time.process_time() - started}


def _kept(plan: Plan, arm: Arm, seed: int, policy: Policy, lessons: Sequence[Lesson]) -> str:
    """The checkpoint's digest; it is written where the plan has a folder for it."""
    if not lessons or not plan.checkpoints:
        return ""
    seen = {name_of(one.entry): one.entry.digest for one in lessons}
    about = Checkpoint(
        FORMAT, seed, plan.digest, seen, tuple(sorted({one.entry.label.family for one in lessons})), name=f"{arm.name}-{seed}"
    )
    path = Path(plan.checkpoints) / f"{arm.name}-{seed}.npz"
    write_checkpoint(path, policy, about)
    return hashlib.sha256(path.read_bytes()).hexdigest()
