"""A served attempt is the loop's attempt: the same acts leave the same trace, and an agent finds the same refusals and limits."""

from __future__ import annotations

import json

import msgspec
import pytest
from counter_files import counter_pack
from running import EXAMPLES

from worldwright.errors import UnusableSeed, UsageError
from worldwright.pack import read_pack
from worldwright.rollout import Job, collect
from worldwright.serve import ServedRollout
from worldwright.solver import SOLVERS, Answer, GiveUp
from worldwright.solver.plan import PlanSolver
from worldwright.verifier import Status
from worldwright.world.arguments import mcp_tool
from worldwright.world.protocol import StopReason


@pytest.fixture(scope="module")
def packing(tmp_path_factory):
    """A task with a clock, an event and a person who speaks up; 5 calls, 100 characters."""
    return read_pack(counter_pack(tmp_path_factory.mktemp("counter"))).worlds["counter"].tasks["packing"]


def is_usable(entry, seed):
    try:
        entry.task.instance(seed)
    except UnusableSeed:
        return False
    return True


def replayed(entry, trajectory, **more):
    """The acts of a stored attempt, made from outside."""
    trace = trajectory.trace
    rollout = ServedRollout(entry, trajectory.pack, int(trace.instance.split("@")[1]), solver=trace.solver, **more)
    for message in trace.messages:
        for call in message.tool_calls:
            rollout.call(call.function.name, json.loads(call.function.arguments))
    if trace.stop == StopReason.GAVE_UP:
        rollout.end(GiveUp(trace.detail))
    elif not rollout.has_ended:
        rollout.end(Answer(trace.answer))
    return rollout.settle()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("task", ["credit-late-deliveries", "decide-on-a-complaint", "plan-the-day"])
def test_the_same_acts_leave_the_same_trajectory(tool_hire_pack, task, seed):
    entry = tool_hire_pack.worlds["tool-hire"].tasks[task]
    solvers = [PlanSolver(entry.reference, name="reference"), SOLVERS["random"](), SOLVERS["noop"]()]
    for trajectory in collect([Job(entry, solver, seed) for solver in solvers], "p"):
        mine = replayed(entry, trajectory)
        assert msgspec.json.encode(mine) == msgspec.json.encode(trajectory)


@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_the_references_of_all_examples_are_paid_from_outside_too(example):
    pack = read_pack(EXAMPLES / example)
    for entry in pack.tasks():
        seed = next(seed for seed in range(50) if is_usable(entry, seed))
        (trajectory,) = collect([Job(entry, PlanSolver(entry.reference, name="reference"), seed)], pack.digest)
        assert trajectory.reward == 1
        assert msgspec.json.encode(replayed(entry, trajectory)) == msgspec.json.encode(trajectory)


def test_help_is_told_as_in_process(late):
    (trajectory,) = collect([Job(late, SOLVERS["noop"](), 0, rung=2)], "p")
    rollout = ServedRollout(late, "p", 0, solver="noop", help_level=2)
    assert [one.content for one in rollout.opening] == [one.content for one in trajectory.trace.messages[:2]]
    rollout.end(GiveUp(trajectory.trace.detail))
    assert rollout.settle().id == trajectory.id


def test_the_reference_is_paid(late, reference_trace, script):
    trace = reference_trace(late, 1)
    rollout = ServedRollout(late, "p", 1)
    replies = [rollout.call(tool, args) for tool, args in script(trace)]
    told = [message.content for message in trace.messages if message.role == "tool"]
    assert [reply.texts for reply in replies] == [(text,) for text in told]
    assert not rollout.call("submit_answer", trace.answer).is_error
    made = rollout.settle()
    assert (made.verdict.status, made.reward, made.trace.answer) == (Status.PASS, 1, trace.answer)


def test_the_tools_are_the_worlds_and_one_to_answer_with(late):
    rollout = ServedRollout(late, "p", 0)
    prompt = late.task.prompt(late.task.instance(0))
    assert rollout.tools[:-1] == [mcp_tool(tool) for tool in prompt.tools]
    assert rollout.tools[-1]["name"] == "submit_answer"
    assert rollout.tools[-1]["inputSchema"] == rollout.answer_schema
    assert not any(word in json.dumps(rollout.tools) for word in ("verdict", "reward", "reset"))
    assert rollout.told() == [prompt.system, prompt.instruction]
    rollout.close()
    silent = ServedRollout(late, "p", 0, answer_tool=None)
    assert silent.tools == rollout.tools[:-1]
    assert "There is no tool 'submit_answer'" in silent.call("submit_answer", {}).texts[0]
    silent.close()


def test_a_refusal_is_the_worlds(late):
    rollout = ServedRollout(late, "p", 0)
    with late.task.start(late.task.instance(0)) as episode:
        for tool, args in [
            ("issue_credit", {"rental_id": 10**7, "amount_cents": 1}),
            ("issue_credit", {}),
            ("nothing", {}),
            ("clock", [1]),
        ]:
            reply, result = rollout.call(tool, args), episode.call(tool, args)
            assert (reply.is_error, json.loads(reply.texts[0])) == (True, {"error": result.error})
    assert rollout.attempt.used.refused == 4
    rollout.close()


def test_the_limit_of_calls_ends_it(packing):
    rollout = ServedRollout(packing, "p", 0)
    assert not any(rollout.call("clock", {}).is_error for _ in range(5))
    assert json.loads(rollout.call("clock", {}).texts[0]) == {"error": "The limit of calls is reached; the episode has ended."}
    assert json.loads(rollout.call("clock", {}).texts[0]) == {"error": "The episode has ended."}
    assert json.loads(rollout.call("submit_answer", {"done": True}).texts[0]) == {"error": "The episode has ended."}
    made = rollout.settle()
    assert (made.trace.stop, made.trace.counts.calls, made.trace.answer) == (StopReason.CALL_LIMIT, 5, None)


def test_the_limit_of_characters_holds_for_the_answer(packing):
    rollout = ServedRollout(packing, "p", 0)
    reply = rollout.call("submit_answer", {"done": True, "note": "x" * 200})
    assert reply.is_error
    assert "limit of characters" in reply.texts[0]
    assert rollout.settle().trace.stop == StopReason.OUTPUT_LIMIT


def test_nothing_is_taken_after_the_answer(late):
    rollout = ServedRollout(late, "p", 0)
    assert rollout.call("submit_answer", {"credited": 1, "total_cents": 5}).texts == ("The answer is taken; the episode has ended.",)
    before = rollout.settle()
    for tool, args in [
        ("clock", {}),
        ("submit_answer", {"credited": 2, "total_cents": 5}),
        ("issue_credit", {"rental_id": 3, "amount_cents": 1}),
    ]:
        assert json.loads(rollout.call(tool, args).texts[0]) == {"error": "The episode has ended."}
    with pytest.raises(UsageError, match="has ended already"):
        rollout.end(Answer({}))
    with pytest.raises(UsageError, match="has ended already"):
        rollout.fail("too late")
    assert rollout.settle() is before


def test_what_people_say_comes_after_the_result(packing):
    rollout = ServedRollout(packing, "p", 0)
    assert rollout.told()[-1] == "buyer: Please pack my order 1."
    reply = rollout.call("wait", {"until": "2026-03-30T11:00:00"})
    assert reply.texts[1].startswith("buyer: The lorry is here.\n")
    assert json.loads(reply.texts[1].split("\n")[1]) == {"act": "inform", "fields": {"topic": "day"}}
    rollout.end(Answer())
    spoken = [(one.name, one.content) for one in rollout.settle().trace.messages if one.name]
    assert [name for name, _ in spoken] == ["buyer", "buyer"]


def test_a_world_that_cannot_start_leaves_no_verdict(tmp_path):
    broken = counter_pack(tmp_path, brief={"instruction: Pack order {{ order_id }}.": "instruction: Pack order {{ order_id + 'x' }}."})
    rollout = ServedRollout(read_pack(broken).worlds["counter"].tasks["packing"], "p", 0)
    assert rollout.attempt.stop == StopReason.WORLD_ERROR
    assert rollout.call("clock", {}).is_error
    made = rollout.settle()
    assert (made.verdict.status, made.reward) == (Status.ERROR, None)


def test_a_failure_outside_is_never_a_reward(late):
    rollout = ServedRollout(late, "p", 0)
    rollout.fail("the machine of the agent went away")
    made = rollout.settle()
    assert (made.trace.stop, made.trace.detail, made.reward) == (StopReason.SOLVER_ERROR, "the machine of the agent went away", None)


def test_where_nothing_is_asked_an_empty_answer_is_none(tool_hire_pack):
    entry = tool_hire_pack.worlds["tool-hire"].tasks["plan-the-day"]
    rollout = ServedRollout(entry, "p", 0)
    rollout.call("submit_answer", {})
    assert (rollout.attempt.answer, rollout.attempt.stop) == (None, StopReason.ANSWERED)
    rollout.close()


def test_a_tool_of_that_name_needs_another_name(late):
    with pytest.raises(UsageError, match="'clock' of its own"):
        ServedRollout(late, "p", 0, answer_tool="clock")
