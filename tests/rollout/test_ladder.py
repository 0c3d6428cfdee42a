"""The information ladder: what each rung tells, that it is the same for all instances, and that nothing of a verifier is in it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from worldwright.errors import UsageError
from worldwright.pack import Pack, read_pack
from worldwright.rollout import Job, collect
from worldwright.rollout.ladder import RUNGS, help_text, rungs_of
from worldwright.solver import SOLVERS

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").iterdir())


@pytest.fixture(scope="module")
def complaint():
    pack = read_pack(Path(__file__).parents[2] / "examples" / "tool-hire")
    return pack.worlds["tool-hire"].tasks["decide-on-a-complaint"]


def test_rungs_tell_more_and_more(complaint):
    texts = [help_text(complaint, complaint.task.instance(1), rung) for rung in range(4)]
    assert texts[0] == ""
    assert "more than" in texts[1]
    assert "issue_credit" not in texts[1]
    assert "ask_carrier, find_customers, issue_credit, list_rentals, read_handbook" in texts[2]
    assert "5. issue_credit, where it applies\n6. answer with decision, days_late" in texts[3]
    for less, more in itertools.pairwise(texts):
        assert more.startswith(less)


def test_rung_that_tells_nothing_more_is_left_out(complaint):
    """Planning the day needs no page of the handbook."""
    assert rungs_of(complaint) == [0, 1, 2, 3]
    assert rungs_of(complaint.world.tasks["plan-the-day"]) == [0, 2, 3]


def test_help_does_not_tell_the_decision(complaint):
    """Instances that are granted and those that are declined get the same tools and steps."""
    instances = [complaint.task.instance(seed) for seed in range(10)]
    assert {one.stratum for one in instances} == {"granted", "declined"}
    steps = {help_text(complaint, one, 3).split("These tools")[1] for one in instances}
    assert len(steps) == 1


def test_page_is_that_of_the_instance(complaint):
    """The handbook's figures differ from start state to start state: what is told is what the agent would read."""
    for seed in range(4):
        instance = complaint.task.instance(seed)
        episode = complaint.task.start(instance)
        page = episode.call("read_handbook", {"page": "service-credits"}).value["text"]
        episode.close()
        assert page.strip() in help_text(complaint, instance, 1)


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda path: path.name)
def test_every_example_has_all_rungs_and_no_verifier_is_read_for_them(folder):
    """With verifiers that can't even be read, the help is the same to the letter."""
    pack = read_pack(folder)
    spoilt = Pack({path: b"\xff spoilt" if path.endswith("verifier.yaml") else data for path, data in pack.files.items()})
    for entry, blind in zip(pack.tasks(), spoilt.tasks(), strict=True):
        text = help_text(entry, entry.task.instance(0), 3)
        assert "This kind of work goes in these steps:\n1. " in text
        assert help_text(blind, blind.task.instance(0), 3) == text


def test_task_without_a_reference_has_the_brief_alone(complaint):
    name = "worlds/tool-hire/tasks/decide-on-a-complaint/reference.py"
    files = {path: data for path, data in read_pack(EXAMPLES[0].parent / "tool-hire").files.items() if path != name}
    entry = Pack(files).worlds["tool-hire"].tasks["decide-on-a-complaint"]
    assert help_text(entry, entry.task.instance(0), 0) == ""
    assert rungs_of(entry) == [0]
    with pytest.raises(UsageError, match=r"no reference\.py"):
        help_text(entry, entry.task.instance(0), 1)
    with pytest.raises(UsageError, match="no rung 4"):
        help_text(entry, entry.task.instance(0), 4)


def test_rung_stands_in_the_trajectory(complaint, loan_desk_pack):
    runs = [next(collect([Job(complaint, SOLVERS["noop"](), 0, rung=rung)], "x")) for rung in range(4)]
    assert [run.trace.solver for run in runs] == ["noop", *(f"noop +{name}" for name in RUNGS[1:])]
    assert len({run.id for run in runs}) == 4
    assert "The handbook says on this" in runs[1].trace.messages[1].content
