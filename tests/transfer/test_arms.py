"""One run of an arm: what is counted as spent, and that the same seed gives the same run."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from worldwright.forge.records import Funnel, Outcome
from worldwright.ledger import Cost
from worldwright.transfer.arms import _school, conduct
from worldwright.transfer.material import material_of
from worldwright.transfer.plan import read_plan
from worldwright.transfer.records import ArmRun, Plan

BUILT = 300
"""Calls that each task of the pack took to build."""


@pytest.fixture(scope="module")
def plan(trades, tmp_path_factory) -> Plan:
    """The plan over a pack with an account of what building it took; a control and a ceiling leave that apart."""
    from conftest import FAMILIES
    from conftest import PLAN as TEXT

    root = tmp_path_factory.mktemp("arms")
    pack = Path(shutil.copytree(trades, root / "pack"))
    outcomes = tuple(
        Outcome(*task.split("/"), family.rpartition("/")[2], task.partition("/")[2], family, "certified", cost=Cost(calls=BUILT))
        for task, family in FAMILIES.items()
    )
    funnel = Funnel("trades", 0, "default", (), outcomes, (), Cost())
    (pack / "forge.json").write_bytes(msgspec.json.encode(funnel))
    text = TEXT.replace("PACK", str(pack)).replace("role: ceiling\n", "role: ceiling\n    building: false\n")
    (root / "plan.yaml").write_text(text, encoding="utf-8")
    return material_of(read_plan(root / "plan.yaml")).plan


def run(plan: Plan, arm: str, seed: int = 0) -> ArmRun:
    made = conduct(plan, plan.arm(arm), seed)
    return msgspec.structs.replace(
        made, points=tuple(msgspec.structs.replace(one, cost={**one.cost, "cpu_seconds": 0.0}) for one in made.points)
    )


def test_building_is_spent_before_the_first_lesson(plan):
    made = run(plan, "weak")
    tasks = len([1 for entry, _ in material_of(plan).lessons(plan.arm("weak"))])
    assert tasks > 1
    assert [one.cost["build_calls"] for one in made.points] == [BUILT * tasks] * len(made.points)
    assert made.points[0].cost["calls"] == 0
    assert plan.budget.amount <= made.points[-1].cost["calls"] + BUILT * tasks <= plan.budget.amount * 1.1


def test_ceiling_may_leave_building_apart(plan):
    made = run(plan, "target")
    assert {one.cost["build_calls"] for one in made.points} == {0}
    assert made.points[-1].cost["calls"] >= plan.budget.amount


def test_untrained_policy_spends_nothing(plan):
    (point,) = run(plan, "none").points[:1]
    assert point.cost["calls"] == point.cost["build_calls"] == 0
    assert set(point.success) == set(plan.held_out_families)


def test_same_seed_gives_the_same_run(plan):
    assert run(plan, "target", 1) == run(plan, "target", 1) != run(plan, "target", 2)


def test_a_run_does_not_depend_on_what_its_process_ran_before(plan):
    _school.cache_clear()
    fresh = run(plan, "audited", 3)
    _school.cache_clear()
    for arm, seed in (("target", 0), ("weak", 5), ("audited", 4)):
        run(plan, arm, seed)
    assert run(plan, "audited", 3) == fresh
