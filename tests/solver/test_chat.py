"""The chat solver with scripted models: calls, answers, people, reminders, faults of the provider."""

from __future__ import annotations

import json

import pytest

from worldwright.errors import ModelError
from worldwright.model import Completion, ScriptedModel, Settings, ToolUse, Use
from worldwright.solver import attempt
from worldwright.solver.chat import REMINDERS, ChatSolver
from worldwright.task import Task
from worldwright.world.protocol import StopReason


def use(tool, args=None, id="", text=""):
    return Completion(text, (ToolUse(id or f"id-{tool}", tool, args if args is not None else {}),), "calls", 10, 5)


def run(task, *script, seed=0, help="", **named):
    model = ScriptedModel(script)
    return model, attempt(task, task.instance(0), ChatSolver(model, **named), seed=seed, help=help)


def test_model_is_told_task_tools_people_and_how_to_end(packing):
    model, done = run(packing, use("answer", {"done": True}))
    with done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, {"done": True})
    asked = model.asked[0]
    order = packing.instance(0).params["order_id"]
    assert "You work at: Counter." in asked.system
    assert f"Pack order {order}." in asked.messages[0].text
    assert f"buyer (inform): Please pack my order {order}." in asked.messages[0].text
    assert [tool.name for tool in asked.tools][-1] == "answer"
    assert asked.tools[-1].schema["properties"]["done"] == {"type": "boolean"}
    assert {"list_orders", "set_status", "say"} <= {tool.name for tool in asked.tools}
    assert (asked.role, asked.model, asked.settings.seed) == ("solver", "scripted", 0)


def test_parallel_calls_are_made_in_order_and_answered_by_their_ids(packing):
    both = Completion("", (ToolUse("a", "set_status", {"order_id": 1, "status": "packed"}), ToolUse("b", "list_orders", {})), "calls")
    model, done = run(packing, both, use("answer", {"done": True}))
    with done:
        assert [call.tool for call in done.evidence.calls] == ["set_status", "list_orders"]
    results = model.asked[1].messages[-2:]
    assert [(one.role, one.call, one.tool) for one in results] == [("tool", "a", "set_status"), ("tool", "b", "list_orders")]
    assert json.loads(results[0].text) == {"id": 1, "status": "packed"}
    assert json.loads(results[1].text)[0]["status"] == "packed"


def test_calls_before_the_answer_are_made_and_those_behind_it_are_not(packing):
    calls = (
        ToolUse("a", "clock", {}),
        ToolUse("b", "answer", {"done": True}),
        ToolUse("c", "set_status", {"order_id": 1, "status": "packed"}),
    )
    model, done = run(packing, Completion("So.", calls, "calls"))
    with done:
        assert [call.tool for call in done.evidence.calls] == ["clock"]
        assert done.evidence.answer == {"done": True}
    assert len(model.asked) == 1


def test_refusal_by_the_world_is_a_result_like_others(packing):
    model, done = run(packing, use("set_status", {"order_id": 77, "status": "packed"}), use("launch"), use("answer", {"done": False}))
    with done:
        assert done.trace.counts.refused == 2
    assert json.loads(model.asked[1].messages[-1].text) == {"error": "There is no order 77."}
    assert "There is no tool 'launch'" in model.asked[2].messages[-1].text


def test_what_people_say_by_themselves_is_heard(packing):
    model, done = run(
        packing,
        use("wait", {"until": "2026-03-30T10:30:00"}),
        use("say", {"to": "buyer", "act": "ask", "fields": {"topic": "day"}}),
        use("answer", {}),
    )
    with done:
        assert done.trace.stop is StopReason.ANSWERED
    assert model.asked[1].messages[-1].role == "user"
    assert "buyer (inform): The lorry is here." in model.asked[1].messages[-1].text
    assert '{"topic":"day"}' in model.asked[1].messages[-1].text.replace(" ", "")
    assert json.loads(model.asked[2].messages[-1].text)["text"] == "It is about day."


def test_text_without_a_call_is_reminded_then_counts_as_giving_up(packing):
    model, done = run(packing, *[Completion(f"I think {n}") for n in range(9)])
    with done:
        assert (done.trace.stop, done.evidence is not None) == (StopReason.GAVE_UP, True)
        assert done.trace.messages[-1].content == f"I think {REMINDERS}"
    assert len(model.asked) == REMINDERS + 1
    assert "call `answer`" in model.asked[1].messages[-1].text
    assert done.spent.fault == ""


def test_reminders_count_only_in_a_row(packing):
    script = [one for _ in range(3) for one in (Completion("hm"), Completion("hm"), use("clock"))]
    _, done = run(packing, *script, use("answer", {"done": True}))
    with done:
        assert done.trace.stop is StopReason.ANSWERED


def test_answer_that_is_no_object_counts_as_none(packing):
    _, done = run(packing, use("answer", '{"done": '))
    with done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, None)


def test_ids_that_a_server_leaves_out_or_repeats_are_replaced(packing):
    empty = Completion("", (ToolUse("", "clock", {}), ToolUse("", "clock", {})), "calls")
    model, done = run(packing, empty, use("clock", id="same"), use("clock", id="same"), use("answer", {}))
    with done:
        assert done.trace.stop is StopReason.ANSWERED
    ids = [call.id for one in model.asked[-1].messages if one.role == "assistant" for call in one.calls]
    assert len(ids) == len(set(ids)) == 4
    assert ids == [one.call for one in model.asked[-1].messages if one.role == "tool"]


def test_world_with_a_tool_called_answer_keeps_it(counter, brief_text):
    from worldwright.task import Prompt
    from worldwright.world.protocol import ToolDoc

    model = ScriptedModel([use("give_answer", {"done": True})])
    prompt = Prompt("s", "i", (), (ToolDoc("answer", "Answer the phone.", {}),), {})
    agent = ChatSolver(model).start(prompt, 0, {})
    from worldwright.solver import Answer, Observation

    assert agent.act(Observation()) == Answer(None)
    assert [tool.name for tool in model.asked[0].tools] == ["answer", "give_answer"]


@pytest.mark.parametrize("kind", ["timeout", "truncated", "refused", "budget"])
def test_fault_of_the_provider_leaves_no_evidence(packing, kind):
    fault = ModelError("it broke", kind=kind, faults=("timeout",), tokens=(3, 4), cents=0.5)
    _, done = run(packing, use("set_status", {"order_id": 1, "status": "packed"}), fault)
    with done:
        assert (done.trace.stop, done.evidence) == (StopReason.SOLVER_ERROR, None)
        assert "it broke" in done.trace.detail
    assert (done.spent.fault, done.spent.requests, done.spent.tokens_in, done.spent.tokens_out) == (kind, 1, 13, 9)
    assert sum(done.spent.faults.values()) == 2


def test_attempts_own_budget_ends_it_without_a_verdict(packing):
    model, done = run(packing, *[use("clock")] * 9, most=Use(tokens=40))
    with done:
        assert (done.trace.stop, done.spent.fault) == (StopReason.SOLVER_ERROR, "budget")
    assert len(model.asked) == 3  # 15 tokens each


def test_endless_calling_meets_the_brief_s_limit(packing):
    model, done = run(packing, *[use("clock")] * 99)
    with done:
        assert (done.trace.stop, done.trace.counts.calls) == (StopReason.CALL_LIMIT, 5)
    assert len(model.asked) == 6


def test_templates_in_what_people_and_tools_say_stay_text(counter, brief_text):
    text = brief_text.replace("Pack order {{ order_id }}.", "Pack order {{ order_id }} {{ '{{ system }}' }}.")
    model, done = run(
        Task("packing", counter, text),
        use("set_status", {"order_id": 3, "status": "open", "note": "{{ 7 * 7 }}"}),
        use("list_orders"),
        use("answer", {}),
    )
    with done:
        assert done.trace.stop is StopReason.ANSWERED
    assert "{{ system }}" in model.asked[0].messages[0].text
    assert "{{ 7 * 7 }}" in model.asked[2].messages[-1].text
    assert "49" not in model.asked[2].messages[-1].text


def test_help_stands_behind_the_instruction_and_in_the_trace(packing):
    model, done = run(packing, use("answer", {}), help="Orders are packed with set_status.")
    with done:
        assert done.trace.messages[1].content.endswith("\n\nOrders are packed with set_status.")
    assert "Orders are packed with set_status." in model.asked[0].messages[0].text


def test_seed_goes_to_the_model_and_settings_are_kept(packing):
    model, done = run(packing, use("answer", {}), seed=2**40 + 5, settings=Settings(77, 0.3))
    done.close()
    assert model.asked[0].settings == Settings(77, 0.3, 5)
