"""A plan is run once and kept as a log, and the log gives the same state again without the sandbox."""

from __future__ import annotations

import pytest

from worldwright.reference import Replay, Step, again, replay
from worldwright.sandbox import Plan
from worldwright.task import Task


def digest_after(task: Task, seed: int, steps: tuple[Step, ...]) -> str:
    with again(task, task.instance(seed), steps) as episode:
        return episode.state_digest()


@pytest.fixture(scope="module")
def settle(loan_desk_pack):
    """The task, and a function that replays a plan's text on a seed and closes the episode."""
    entry = loan_desk_pack.tasks()[0]

    def run(source: str, seed: int = 0) -> Replay:
        log, episode = replay(entry.task, entry.task.instance(seed), Plan("p.py", source))
        episode.close()
        return log

    return entry, run


def test_the_references_of_an_example(tool_hire_tasks, tool_hire_plans):
    for name, task in tool_hire_tasks.items():
        for seed in range(3):
            log, episode = replay(task, task.instance(seed), Plan("reference.py", tool_hire_plans[name]))
            with episode:
                assert (log.fault, log.kind, log.line) == ("", "", 0)
                assert log.plan == "reference.py"
                assert isinstance(log.answer, dict)
                assert [(step.tool, step.ok) for step in log.steps] == [(call.tool, call.ok) for call in episode.calls]
                after = episode.state_digest()
            assert digest_after(task, seed, log.steps) == after
            assert digest_after(task, seed, ()) == task.world.state_digest(seed)


def test_a_prefix_of_a_log_is_a_state_of_its_own(settle):
    entry, _ = settle
    seed = next(seed for seed in range(20) if entry.task.instance(seed).stratum == "waived")
    log, episode = replay(entry.task, entry.task.instance(seed), entry.reference)
    episode.close()
    states = [digest_after(entry.task, seed, log.steps[:n]) for n in range(len(log.steps) + 1)]
    assert log.steps[-1].tool == "waive_fine"
    assert len(set(states)) == 2  # looking changes nothing, waiving does
    assert states[-1] != states[-2]


def test_the_log_ends_where_the_plan_does(settle):
    _, run = settle
    log = run("def solve(member, fine_id):\n    find_members(text=member)\n    x = 1 // 0\n    find_members(text='a')\n")
    assert [step.tool for step in log.steps] == ["find_members"]
    assert (log.answer, log.kind, log.line) == (None, "raised", 3)
    assert "ZeroDivisionError" in log.fault


@pytest.mark.parametrize(
    "source, kind, line, fault",
    [
        ("def solve(member, fine_id):\n    yield 1\n", "syntax", 2, "yield"),
        ("def solve(:\n", "syntax", 1, "parameter"),
        ("import uuid\n", "raised", 1, "No module named"),
        ("def solve(member):\n    return {}\n", "raised", 1, "unexpected keyword"),
        ("def solve(member, fine_id):\n    ask_scanner(loan_id=-1)\n", "raised", 2, "The scanner has no record of loan -1."),
        ("def solve(member, fine_id):\n    return [1]\n", "", 0, "solve() gave list, not a dict"),
        ("def solve(member, fine_id):\n    pass\n", "", 0, "solve() gave NoneType, not a dict"),
        ("answer = {}\n", "raised", 1, "defines no solve()"),
        ("def solve(member, fine_id):\n    while True:\n        find_members(text='a')\n", "", 0, "the episode ended: call-limit"),
    ],
)
def test_why_a_plan_stopped(settle, source, kind, line, fault):
    _, run = settle
    log = run(source)
    assert (log.kind, log.line, log.answer) == (kind, line, None)
    assert fault in log.fault
    assert log.fault


def test_calls_are_logged_as_the_plan_made_them(settle):
    _, run = settle
    source = """
def solve(member, fine_id):
    find_members("a")
    for wrong in (lambda: find_members("a", "b"), lambda: find_members("a", text="b"), lambda: find_members(), lambda: fly(to="x"), lambda: find_members(name="x")):
        try:
            wrong()
        except ValueError as fault:
            said.append(str(fault))
    return {"said": said}
said = []
"""
    log = run(source)
    assert log.steps == (
        Step("find_members", {"text": "a"}, True),
        Step("find_members", {}, False),
        Step("fly", {"to": "x"}, False),
        Step("find_members", {"name": "x"}, False),
    )
    assert log.answer is not None
    said = log.answer["said"]
    assert said[0] == "find_members: got 2 positional arguments, it has 1: text."
    assert said[1] == "find_members: the argument 'text' is given twice."
    assert said[3].startswith("There is no tool 'fly'.")


def test_a_plan_sees_the_worlds_clock_and_its_own_seed(settle):
    _, run = settle
    source = "import datetime, random\ndef solve(member, fine_id):\n    return {'now': datetime.datetime.now().isoformat(), 'drawn': random.random()}\n"
    first, again_, other = run(source, 1), run(source, 1), run(source, 2)
    assert first == again_
    assert first.answer is not None
    assert other.answer is not None
    assert first.answer["now"] == "2026-05-04T09:00:00"
    assert first.answer["drawn"] != other.answer["drawn"]
