"""Plans as solvers: their calls, their errors, their ends."""

from __future__ import annotations

import json

import pytest

from worldwright.sandbox import Limits, Plan
from worldwright.solver import attempt
from worldwright.solver.plan import PlanSolver
from worldwright.world.protocol import StopReason


def run(task, source, seed=0, limits=None):
    return attempt(task, task.instance(0), PlanSolver(Plan("plan.py", source), limits=limits), seed=seed)


def test_plan_acts_and_answers(packing):
    source = """
def solve(order_id):
    row = set_status(order_id=order_id, status="packed")
    return {"done": row["status"] == "packed"}
"""
    with run(packing, source) as done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, {"done": True})
        assert done.trace.solver == "plan:plan.py"
        order = packing.instance(0).params["order_id"]
        assert [change.key for change in done.evidence.changes if change.by == "agent"] == [(order,)]


def test_positional_arguments_follow_the_tools_order(packing):
    with run(packing, "def solve(order_id):\n    set_status(order_id, 'packed', note='x')\n    return {}") as done:
        assert done.evidence.calls[0].ok
        args = {"order_id": packing.instance(0).params["order_id"], "status": "packed", "note": "x"}
        assert json.loads(done.evidence.calls[0].args) == args


@pytest.mark.parametrize(
    "call, words",
    [
        ("set_status(order_id=77, status='packed')", "There is no order 77."),
        ("set_status(1, 'packed', 'x', 'y')", "set_status: got 4 positional arguments, it has 3: order_id, status, note."),
        ("set_status(1, 'packed', order_id=2)", "set_status: the argument 'order_id' is given twice."),
        ("clock(1)", "clock: got 1 positional arguments, it has 0: none."),
        ("no_such_tool(1)", "There is no tool 'no_such_tool'."),
    ],
)
def test_refused_call_is_raised_as_value_error(packing, call, words):
    source = f"def solve(order_id):\n    try:\n        {call}\n    except ValueError as fault:\n        return {{'note': str(fault)[:60]}}"
    with run(packing, source) as done:
        assert done.trace.stop is StopReason.ANSWERED
        assert done.evidence.answer["note"] == words[:60] or done.evidence.answer["note"].startswith(words)


@pytest.mark.parametrize(
    "source, detail",
    [
        ("def solve(order_id):\n    clock()\n    return 1 // 0", "line 3: ZeroDivisionError"),
        ("def solve(order_id):\n    set_status(order_id=77, status='open')", "line 2: ValueError: There is no order 77."),
        ("def solve(:", "line 1"),
        ("def solve(order_id, more):\n    return {}", "TypeError"),
        ("def solve(order_id):\n    return [order_id]", "solve() returned list"),
        ("x = clock()\ndef solve(order_id):\n    return {}", "loading"),
    ],
    ids=["raises", "lets a refusal pass", "syntax", "signature", "no dict", "call while loading"],
)
def test_failing_plan(packing, source, detail):
    with run(packing, source) as done:
        assert done.trace.stop is StopReason.PLAN_FAILED
        assert detail in done.trace.detail
        assert done.evidence is not None
        assert done.evidence.answer is None


def test_plan_that_runs_for_ever_fails(packing):
    with run(packing, "def solve(order_id):\n    while True:\n        pass", limits=Limits(seconds=0.2, turn_seconds=0.2)) as done:
        assert done.trace.stop is StopReason.PLAN_FAILED
        assert "time limit" in done.trace.detail


def test_plan_that_calls_for_ever_meets_the_call_limit(packing):
    with run(packing, "def solve(order_id):\n    while True:\n        clock()") as done:
        assert (done.trace.stop, done.trace.counts.calls) == (StopReason.CALL_LIMIT, 5)


def test_wrong_positional_calls_for_ever_meet_the_sandbox_limit(packing):
    source = "def solve(order_id):\n    while True:\n        try:\n            clock(1)\n        except ValueError:\n            pass"
    with run(packing, source, limits=Limits(calls=50)) as done:
        assert (done.trace.stop, done.trace.counts.calls) == (StopReason.PLAN_FAILED, 0)


def test_plan_without_a_value_gives_no_answer(packing):
    with run(packing, "def solve(order_id):\n    clock()") as done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, None)


def test_plans_clock_is_the_worlds_and_its_chance_the_seeds(packing):
    source = "import datetime, random\ndef solve(order_id):\n    return {'note': str(datetime.datetime.now()) + ' ' + str(random.random())}"
    notes = []
    for seed in (1, 1, 2):
        with run(packing, source, seed) as done:
            notes.append(done.evidence.answer["note"])
    assert notes[0] == notes[1] != notes[2]
    assert notes[0].startswith("2026-03-30 09:00:00 ")


def test_plan_that_is_cut_off_gives_its_worker_back(packing):
    # More attempts than the pool has workers: each must come back though its plan never ended.
    for _ in range(70):
        with run(packing, "def solve(order_id):\n    while True:\n        clock()") as done:
            assert done.trace.stop is StopReason.CALL_LIMIT


@pytest.mark.parametrize("name", ["credit-late-deliveries", "decide-on-a-complaint", "plan-the-day"])
def test_reference_plans_do_their_tasks(tool_hire_tasks, tool_hire_plans, name):
    task = tool_hire_tasks[name]
    solver = PlanSolver(Plan("reference.py", tool_hire_plans[name]))
    wanted = {"credit-late-deliveries": "credits", "decide-on-a-complaint": "credits", "plan-the-day": "deliveries"}[name]
    written = 0
    for seed in range(8):
        instance = task.instance(seed)
        with attempt(task, instance, solver, seed=seed) as done:
            assert done.trace.stop is StopReason.ANSWERED
            assert done.trace.counts.refused == 0
            tables = [change.table for change in done.evidence.changes]
            assert set(tables) <= {wanted, "rentals"}
            written += tables.count(wanted)
            if name == "decide-on-a-complaint":
                assert tables.count("credits") == (instance.stratum == "granted")
    assert written >= 3
