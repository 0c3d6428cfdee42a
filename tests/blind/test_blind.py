"""Plans and judged runs written by people who saw brief, handbook and tools alone: no verifier, no reference, no state.

`plan-*.py` do the job; `cases.yaml` holds runs that are right in unusual ways or plausibly wrong; `ends.md` lists what may
differ between right ends and what was unclear. A wrong run whose `condition` says that it is wrong on some instances
alone must fail on at least one of the seeds; all others must get their verdict on every seed. docs/lab-log.md has the
outcome of the first comparison, on more seeds.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from worldwright.files import decode_yaml
from worldwright.pack import Pack, PackTask, read_pack
from worldwright.pack.lint.run import judge
from worldwright.sandbox import Plan

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
SEEDS = (3, 8)
MORE = range(12)


class BlindCase(msgspec.Struct, frozen=True):
    name: str
    verdict: Literal["pass", "fail"]
    plan: str
    condition: str = ""


@cache
def pack(name: str) -> Pack:
    return read_pack(EXAMPLES / name)


def entry(folder: Path) -> PackTask:
    return next(task for task in pack(folder.parent.name).tasks() if task.name == folder.name)


def verdict(folder: Path, plan: str, seed: int) -> str:
    task = entry(folder)
    return str(judge(task, task.task.instance(seed), Plan("blind.py", plan))[0].status)


FOLDERS = sorted(path for path in HERE.glob("*/*") if path.is_dir() and path.name != "__pycache__")
PLANS = [(folder, file) for folder in FOLDERS for file in sorted(folder.glob("plan-*.py"))]
CASES = [
    (folder, case)
    for folder in FOLDERS
    if (folder / "cases.yaml").exists()
    for case in decode_yaml((folder / "cases.yaml").read_text(), list[BlindCase], str(folder / "cases.yaml"))
]


@pytest.mark.parametrize(("folder", "file"), PLANS, ids=lambda value: f"{value.parent.name}-{value.name}")
def test_blind_plan_passes(folder: Path, file: Path) -> None:
    assert [verdict(folder, file.read_text(), seed) for seed in SEEDS] == ["pass"] * len(SEEDS)


@pytest.mark.parametrize(("folder", "case"), CASES, ids=lambda value: value.name[:60])
def test_blind_case_gets_its_verdict(folder: Path, case: BlindCase) -> None:
    if case.condition:
        assert any(verdict(folder, case.plan, seed) == case.verdict for seed in MORE)
    else:
        assert [verdict(folder, case.plan, seed) for seed in SEEDS] == [case.verdict] * len(SEEDS)


def test_every_stress_task_has_two_blind_plans_and_a_list_of_right_ends() -> None:
    for name in ("travel-claims", "field-service", "energy-billing", "water-lab", "venue-booking"):
        for task in pack(name).tasks():
            folder = HERE / name / task.name
            assert len(list(folder.glob("plan-*.py"))) >= 2, folder
            assert "RIGHT" in (folder / "ends.md").read_text()
