"""Judged runs of each pattern's tasks, written from brief, tools and handbook by somebody who saw neither verifier nor reference.

The runs name rows, so they hold for the instances that their author saw: each pattern's start states and `bind` queries are kept beside
the cases as they were then (`scenario.py`, `binds.yaml`); schema, tools, handbook, verifiers and references are those of today.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

from worldwright.pack import Pack
from worldwright.reference import replay
from worldwright.sandbox import Plan

CASES = Path(__file__).parent / "cases"
WORLDS = {
    "remedy": "insurance-claims",
    "reconcile": "accounts-payable",
    "triage": "hospital-scheduling",
    "approval": "it-service-desk",
    "schedule": "equipment-hire",
    "rootcause": "freight",
}
"""The trade in whose world a pattern's cases were judged."""


def judged(pattern: str) -> list[dict[str, Any]]:
    return yaml.safe_load((CASES / pattern / "cases.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def world(build):
    """The world that a pattern's runs were judged in."""

    def made(pattern):
        _, pack = build(WORLDS[pattern], pattern, plain=True)
        files = dict(pack.files)
        files["worlds/office/scenario.py"] = (CASES / pattern / "scenario.py").read_bytes()
        for task, bind in yaml.safe_load((CASES / pattern / "binds.yaml").read_text(encoding="utf-8")).items():
            path = f"worlds/office/tasks/{task}/brief.yaml"
            brief = yaml.safe_load(files[path])
            files[path] = yaml.safe_dump(brief | {"bind": bind}).encode()
        return Pack(files, "")

    return made


@pytest.mark.parametrize("pattern", WORLDS)
def test_every_judged_run_gets_its_verdict(world, pattern):
    pack = world(pattern)
    entries = {entry.name: entry for entry in pack.tasks()}
    wrong = []
    for case in judged(pattern):
        entry = entries[case["task"]]
        instance = entry.task.instance(case["seed"])
        log, episode = replay(entry.task, instance, Plan(case["name"], case["plan"]))
        with episode:
            got = entry.verifier.grade(instance, episode.finish(log.answer, instance.until))
        if got.status.value != case["verdict"]:
            wrong.append((case["task"], case["seed"], case["name"], got.status.value, log.fault))
    assert wrong == []


@pytest.mark.parametrize("pattern", WORLDS)
def test_every_task_has_runs_of_both_verdicts(world, pattern):
    pack = world(pattern)
    verdicts = {(case["task"], case["verdict"]) for case in judged(pattern)}
    for entry in pack.tasks():
        if "-then-" not in entry.name:
            assert {(entry.name, "pass"), (entry.name, "fail")} <= verdicts
