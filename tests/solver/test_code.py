"""The code solver with scripted models: plans found in text, run in the loop, errors fed back for a number of rounds."""

from __future__ import annotations

import pytest

from worldwright.errors import ModelError
from worldwright.model import Completion, ScriptedModel
from worldwright.sandbox import Limits
from worldwright.solver import attempt
from worldwright.solver.code import ROUNDS, CodeSolver, module_in
from worldwright.world.protocol import StopReason

GOOD = "def solve(order_id):\n    set_status(order_id=order_id, status='packed')\n    return {'done': True}\n"


def block(source):
    return Completion(f"Here:\n```python\n{source}\n```\n", tokens_in=10, tokens_out=5)


def run(task, *script, **named):
    model = ScriptedModel(script)
    return model, attempt(task, task.instance(0), CodeSolver(model, **named), seed=0)


def test_plan_is_run_in_the_loop(packing):
    model, done = run(packing, block(GOOD))
    with done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, {"done": True})
        assert [call.tool for call in done.evidence.calls] == ["set_status"]
        assert "```python" in done.trace.messages[3].content
    asked = model.asked[0]
    assert "solve(order_id)" in asked.system
    assert "def set_status(order_id, status, note)" in asked.system
    assert "done (boolean)" in asked.system
    assert "Please pack my order" in asked.messages[0].text
    assert asked.tools == ()


@pytest.mark.parametrize(
    "bad, words",
    [
        ("def solve(order_id):\n    return 1 // 0", "line 2: ZeroDivisionError"),
        ("def solve(order_id):\n    return (", "The module failed at line"),
        ("def solve(order_id):\n    set_status(order_id=77, status='open')", "line 2: ValueError: There is no order 77."),
        ("def solve(order_id):\n    clock()\n    return [1]", "solve() returned list"),
        ("def solve(order_id):\n    yield 1", "The module failed"),
    ],
    ids=["raises", "syntax", "refused", "no dict", "unsupported"],
)
def test_failure_is_fed_back_and_the_next_plan_goes_on(packing, bad, words):
    model, done = run(packing, block(bad), block(GOOD))
    with done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, {"done": True})
    assert words in model.asked[1].messages[-1].text
    assert done.spent.requests == 2


def test_what_a_failed_plan_changed_stays_and_is_told(packing):
    bad = "def solve(order_id):\n    set_status(order_id=3, status='packed', note='mine')\n    wait(until='2026-03-30T10:30:00')\n    return 1 // 0"
    model, done = run(packing, block(bad), block(GOOD))
    with done:
        assert {change.key for change in done.evidence.changes if change.by == "agent"} >= {(3,)}
        assert len(done.evidence.calls) == 3
    told = model.asked[1].messages[-1].text
    assert "It had made 2 calls; what they changed stays changed." in told
    assert "buyer (inform): The lorry is here." in told


def test_last_failure_ends_the_attempt_and_is_graded(packing):
    model, done = run(packing, *[block("def solve(order_id):\n    clock()\n    return 1 // 0")] * 9)
    with done:
        assert (done.trace.stop, done.evidence is not None) == (StopReason.PLAN_FAILED, True)
        assert "ZeroDivisionError" in done.trace.detail
    assert len(model.asked) == ROUNDS


def test_rounds_can_be_chosen(packing):
    model, done = run(packing, block("def solve(order_id):\n    return 1 // 0"), block(GOOD), rounds=1)
    with done:
        assert done.trace.stop is StopReason.PLAN_FAILED
    assert len(model.asked) == 1


def test_text_without_a_module_takes_a_round(packing):
    model, done = run(packing, Completion("I can't."), Completion("```python\nx = 1\n```"), block(GOOD))
    with done:
        assert done.trace.stop is StopReason.ANSWERED
    assert "There was no Python module" in model.asked[1].messages[-1].text
    _, done = run(packing, *[Completion("I can't.")] * 9)
    with done:
        assert (done.trace.stop, "no module" in done.trace.detail) == (StopReason.PLAN_FAILED, True)


def test_plan_that_runs_for_ever_is_fed_back(packing):
    model, done = run(
        packing, block("def solve(order_id):\n    while True:\n        pass"), block(GOOD), limits=Limits(seconds=0.3, turn_seconds=0.3)
    )
    with done:
        assert done.trace.stop is StopReason.ANSWERED
    assert "time limit" in model.asked[1].messages[-1].text


def test_fault_of_the_provider_between_rounds_leaves_no_verdict(packing):
    _, done = run(packing, block("def solve(order_id):\n    clock()\n    return 1 // 0"), ModelError("down", kind="server-error"))
    with done:
        assert (done.trace.stop, done.evidence, done.spent.fault) == (StopReason.SOLVER_ERROR, None, "server-error")


@pytest.mark.parametrize(
    "text, found",
    [
        (GOOD, GOOD),
        (f"```\n{GOOD}```", GOOD),
        (f"```py\nx = 1\n```\n```Python\n{GOOD}```", GOOD),
        (f"```python\n{GOOD}```\nor\n```python\nprint(1)\n```", GOOD),
        (f"```python\n{GOOD}", GOOD),
        ("nothing", None),
        ("```python\nclass A:\n    def solve(self): pass\n```", None),
    ],
)
def test_module_is_found_in_text(text, found):
    assert module_in(text) == found
