"""What a run is looked at for: each kind of lead is found where it is, and nowhere else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from worldwright.audit.review import queue
from worldwright.rollout import write_trajectories
from worldwright.rollout.ending import End
from worldwright.rollout.exhibits import exhibits_of_run, subject_of_run
from worldwright.rollout.odd import KINDS, is_fixed, odd
from worldwright.verifier import Status

PASS, FAIL, ERROR = Status.PASS, Status.FAIL, Status.ERROR


def ends(*groups: list[Status], solver: str = "chat", task: str = "w/t", **more: Any) -> list[End]:
    """Groups of attempts, a seed each."""
    told = {"stop": "answered", "calls": 10, "refused": 0} | more
    return [
        End(n, f"{seed}-{index}", 0, f"{task}@{seed}", solver, index, status, **told)
        for seed, group in enumerate(groups)
        for index, status in enumerate(group)
        for n in [100 * seed + index]
    ]


def kinds(found: list[End]) -> dict[str, tuple[int, int]]:
    return {lead.kind: (lead.count, lead.of) for lead in odd(lambda: found, is_fixed)}


MIXED = [[PASS, FAIL], [FAIL, PASS], [PASS, FAIL], [FAIL, PASS], [PASS, FAIL]]


def test_what_is_as_it_should_be_is_left_alone():
    assert kinds(ends(*MIXED)) == {}
    assert kinds(ends(*[[PASS] * 4] * 4, solver="reference")) == {}
    assert kinds(ends(*[[FAIL] * 4] * 4, solver="random")) == {}
    assert kinds([]) == {}


@pytest.mark.parametrize(
    "more, why",
    [
        ({"calls": 0}, "without a call that was carried out"),
        ({"calls": 3, "refused": 3}, "without a call that was carried out"),
        ({"stop": "gave-up"}, "stopped without answering (gave-up)"),
        ({"calls": 10, "refused": 6}, "6 of its 10 calls were refused"),
        ({"findings": 1}, "stumbled"),
    ],
)
def test_an_odd_reward(more, why):
    (lead,) = odd(lambda: [*ends(*MIXED), *ends([PASS], **more)])
    assert (lead.kind, lead.task, lead.solver, lead.count, lead.ids) == ("odd-reward", "w/t", "chat", 1, ("0-0",))
    assert why in lead.why
    assert odd(lambda: [*ends(*MIXED), *ends([FAIL], **more)]) == []


def test_few_calls_are_odd_beside_many():
    many = ends(*MIXED, *MIXED)
    assert kinds([*many, *ends([PASS], calls=4)]) == {"odd-reward": (1, 21)}
    assert kinds([*many, *ends([PASS], calls=5)]) == {}
    assert kinds([*ends(*MIXED[:2]), *ends([PASS], calls=1)]) == {}  # too few to say
    assert kinds([*ends(*MIXED, *MIXED, solver="reference"), *ends([PASS], calls=1, solver="reference")]) == {}


def test_paid_by_chance():
    found = ends(*MIXED, solver="random")
    assert kinds(found) == {"paid-by-chance": (5, 10)}
    (lead,) = odd(lambda: found)
    assert len(lead.ids) == 3


def test_flat_groups():
    flat = [[PASS, PASS], [FAIL, FAIL], [PASS, PASS], [FAIL, PASS]]
    assert kinds(ends(*flat)) == {"flat-groups": (3, 4)}
    assert kinds(ends(*flat, [PASS, FAIL])) == {}
    assert kinds(ends(*flat[:3])) == {}
    assert kinds(ends([PASS, ERROR], [FAIL, ERROR], [PASS, ERROR], [PASS, ERROR])) == {}  # groups of one attempt with a verdict


def test_never_passed():
    assert kinds(ends(*[[FAIL, FAIL]] * 4)) == {"never-passed": (8, 8)}
    assert kinds(ends(*[[FAIL]] * 7)) == {}
    assert kinds([*ends(*[[FAIL, FAIL]] * 4), *ends([PASS], solver="reference")]) == {"flat-groups": (4, 4)}
    assert kinds([*ends(*[[FAIL, FAIL]] * 4), *ends([PASS], solver="random")]) == {"never-passed": (8, 8), "paid-by-chance": (1, 1)}
    assert kinds(ends(*[[ERROR] * 8] * 4)) == {}


def test_leads_come_to_review_as_they_are_stored(attempts, tmp_path):
    """An old run without an index: what a person sees is what is stored, and what was judged isn't asked again."""
    path = tmp_path / "run.jsonl"
    failing = [one for one in attempts if one.trace.solver == "shotgun"]
    trace = [msgspec.structs.replace(one.trace, solver="chat:x") for one in failing]
    renamed = [msgspec.structs.replace(one, trace=each, id=each.id) for one, each in zip(failing, trace, strict=True)] * 2
    list(write_trajectories(path, [*attempts, *renamed]))
    assert exhibits_of_run(path) == []  # the reference passed
    list(write_trajectories(path, renamed))
    exhibits = exhibits_of_run(path)
    assert [one.probe for one in exhibits] == ["rollout:never-passed"] * 3
    first = exhibits[0]
    assert first.means == KINDS["never-passed"]
    assert (first.case, first.got, first.reward) == ("loan-desk/settle-fine", "fail", 0.0)
    assert len(first.steps) == 20
    assert sum(not step.ok for step in first.steps) == failing[0].trace.counts.refused
    assert queue(subject_of_run(path), exhibits, []) == exhibits
    assert subject_of_run(path) == attempts[0].pack
