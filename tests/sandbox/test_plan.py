"""A plan asks for tools one call at a time, and is told values or errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from worldwright.errors import SandboxError
from worldwright.sandbox import Limits, Plan, PlanCall, PlanDone, PlanRun

TOOLS = frozenset({"look", "put"})


def drive(
    source: str, reply: Callable[[PlanCall], Any] = lambda call: None, limits: Limits | None = None, **params: Any
) -> tuple[Any, list[PlanCall]]:
    """What the plan gives, and its calls; a reply that is an exception becomes the tool's error."""
    run = PlanRun(Plan("p.py", source), params, TOOLS, seed=1, clock="2026-03-30T09:00:00", limits=limits)
    calls: list[PlanCall] = []
    try:
        state = run.start()
        while isinstance(state, PlanCall):
            calls.append(state)
            given = reply(state)
            state = run.advance(error=str(given)) if isinstance(given, Exception) else run.advance(given)
        assert isinstance(state, PlanDone)
        return state.value, calls
    finally:
        run.close()
        run.close()


def test_calls_come_one_by_one_with_their_arguments():
    source = "def solve(day):\n    a = look(1, 'x', deep=True)\n    b = [put(n=n) for n in a]\n    return {'day': day, 'b': b}"
    value, calls = drive(source, lambda call: [1, 2] if call.tool == "look" else call.args["n"] * 10, day="Monday")
    assert value == {"day": "Monday", "b": [10, 20]}
    assert calls == [PlanCall("look", (1, "x"), {"deep": True}), PlanCall("put", (), {"n": 1}), PlanCall("put", (), {"n": 2})]


def test_an_error_is_a_value_error_with_its_text():
    source = "def solve():\n    try:\n        look()\n    except ValueError as fault:\n        return {'said': str(fault)}"
    assert drive(source, lambda call: Exception("There is no such day: 'x'."))[0] == {"said": "There is no such day: 'x'."}
    with pytest.raises(SandboxError) as caught:
        drive("def solve():\n    x = 1\n    look()", lambda call: Exception("No."))
    assert (caught.value.kind, caught.value.line, str(caught.value)) == ("raised", 3, "ValueError: No.")


def test_a_tool_called_while_the_module_loads():
    with pytest.raises(SandboxError, match="call tools inside solve") as caught:
        drive("x = 1\ny = look()\ndef solve():\n    return {}")
    assert (caught.value.kind, caught.value.line) == ("raised", 2)


def test_a_name_that_is_no_tool_is_asked_for_all_the_same():
    asked: list[PlanCall] = []
    with pytest.raises(SandboxError, match="There is no tool"):
        drive("def solve():\n    return fly(to='x')", lambda call: asked.append(call) or Exception("There is no tool 'fly'."))
    assert asked == [PlanCall("fly", (), {"to": "x"})]


def test_a_tool_that_the_plan_defines_itself_is_the_plans():
    assert drive("def look():\n    return 5\ndef solve():\n    return {'n': look()}") == ({"n": 5}, [])


@pytest.mark.parametrize("most", [1, 7])
def test_the_limit_of_calls_counts_every_call(most):
    made: list[PlanCall] = []
    with pytest.raises(SandboxError) as caught:
        drive(
            "def solve():\n    while True:\n        try:\n            look()\n        except:\n            pass",
            lambda call: made.append(call),
            Limits(calls=most),
        )
    assert caught.value.kind == "limit"
    assert len(made) == most


def test_time_is_limited_between_calls_too():
    source = "def solve():\n    look()\n    while True:\n        pass"
    with pytest.raises(SandboxError) as caught:
        drive(source, limits=Limits(seconds=5, turn_seconds=0.2))
    assert caught.value.kind == "limit"


@pytest.mark.parametrize(
    "source, kind, line",
    [
        ("def solve():\n    yield 1", "syntax", 2),
        ("def solve(:", "syntax", 1),
        ("def other():\n    return {}", "raised", 1),
        ("def solve(day):\n    return {}", "raised", 1),
        ("def solve():\n    return {}['x']", "raised", 2),
        ("def solve():\n    return solve()", "limit", 2),
    ],
)
def test_faults_name_kind_and_line(source, kind, line):
    with pytest.raises(SandboxError) as caught:
        drive(source)
    assert (caught.value.kind, caught.value.line) == (kind, line)


@pytest.mark.parametrize("text, value", [("1", 1), ("None", None), ("{'a': (1, 2)}", {"a": (1, 2)}), ("'x'", "x")])
def test_any_value_may_end_a_plan(text, value):
    assert drive(f"def solve():\n    return {text}") == (value, [])


def test_values_survive_the_way_in_and_out():
    given = {"a": [1, 1.5, None, True, "é\n", {"b": []}], "big": 2**60, "empty": {}}
    value, calls = drive("def solve(x):\n    return {'x': x, 'y': look(x=x)}", lambda call: given, x=given)
    assert value == {"x": given, "y": given}
    assert calls[0].args == {"x": given}


def test_closing_before_the_end_gives_the_worker_back():
    for _ in range(80):  # more than there are workers
        run = PlanRun(Plan("p.py", "def solve():\n    look()"), {}, TOOLS, seed=1, clock="2026-03-30T09:00:00")
        assert run.start() == PlanCall("look", (), {})
        run.close()


@pytest.mark.parametrize(
    "positional, args, names, expected",
    [
        ((), {"a": 1}, ("a", "b"), {"a": 1}),
        ((1,), {"b": 2}, ("a", "b"), {"a": 1, "b": 2}),
        ((1, 2), {}, ("a", "b"), {"a": 1, "b": 2}),
        ((), {"c": 1}, ("a",), {"c": 1}),
        ((1, 2), {}, ("a",), "look: got 2 positional arguments, it has 1: a."),
        ((1,), {}, (), "look: got 1 positional arguments, it has 0: none."),
        ((1,), {"a": 2}, ("a", "b"), "look: the argument 'a' is given twice."),
        ((1,), {"x": 2}, None, {"x": 2}),
    ],
)
def test_arguments_by_name(positional, args, names, expected):
    assert PlanCall("look", positional, args).named(names) == expected
