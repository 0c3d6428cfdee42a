"""Judged runs of each pattern's tasks, written from brief, tools and handbook by somebody who saw neither verifier nor reference."""

from pathlib import Path
from typing import Any

import pytest
import yaml

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
    return yaml.safe_load((CASES / f"{pattern}.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("pattern", WORLDS)
def test_every_judged_run_gets_its_verdict(build, pattern):
    _, pack = build(WORLDS[pattern], pattern)
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
def test_every_task_has_runs_of_both_verdicts(build, pattern):
    _, pack = build(WORLDS[pattern], pattern)
    verdicts = {(case["task"], case["verdict"]) for case in judged(pattern)}
    for entry in pack.tasks():
        if "-then-" not in entry.name:
            assert {(entry.name, "pass"), (entry.name, "fail")} <= verdicts
