"""The solvers that understand nothing: noop, random, shotgun, replay, and the registry."""

from __future__ import annotations

import json

import pytest

from worldwright.sandbox import Plan
from worldwright.solver import SOLVERS, Agent, Answer, Observation, Solver, attempt
from worldwright.solver.plan import PlanSolver
from worldwright.solver.random_calls import RandomSolver
from worldwright.solver.replay import ReplaySolver, logged
from worldwright.solver.shotgun import ShotgunSolver
from worldwright.world.arguments import compile_arguments
from worldwright.world.protocol import StopReason

SEEDS = range(4)


@pytest.fixture(params=["packing", "credit-late-deliveries", "decide-on-a-complaint", "plan-the-day"])
def task(request, packing, tool_hire_tasks):
    return packing if request.param == "packing" else tool_hire_tasks[request.param]


def made_calls(trace):
    return [(call.function.name, json.loads(call.function.arguments)) for message in trace.messages for call in message.tool_calls]


def test_registry_makes_solvers_by_their_name(packing):
    assert list(SOLVERS) == ["human", "noop", "random", "shotgun"]
    for name, make in SOLVERS.items():
        solver = make()
        assert isinstance(solver, Solver)
        assert solver.name == name
        if name != "human":
            assert isinstance(solver.start(packing.prompt(packing.instance(0)), 0, {}), Agent)


@pytest.mark.parametrize("name", ["noop", "random", "shotgun"])
def test_baselines_end_by_themselves_and_repeat_themselves(task, name):
    for seed in SEEDS:
        ids = []
        for _ in range(2):
            with attempt(task, task.instance(seed), SOLVERS[name](), seed=seed) as done:
                assert done.trace.stop is (StopReason.GAVE_UP if name == "noop" else StopReason.ANSWERED)
                assert done.evidence is not None
                ids.append(done.trace.id)
        assert ids[0] == ids[1]


def test_noop_does_nothing(task):
    with attempt(task, task.instance(0), SOLVERS["noop"](), seed=0) as done:
        assert done.trace.counts.calls == 0
        assert [change for change in done.evidence.changes if change.by == "agent"] == []


@pytest.mark.parametrize("name", ["random", "shotgun"])
def test_calls_and_answers_are_valid(task, name):
    check = {tool.name: compile_arguments(tool.name, tool.args) for tool in task.prompt(task.instance(0)).tools}
    check_answer = compile_arguments("answer", task.brief.answer)
    for seed in SEEDS:
        with attempt(task, task.instance(seed), SOLVERS[name](), seed=seed) as done:
            for tool, args in made_calls(done.trace):
                assert set(check[tool](args)) >= set(args)
            assert set(check_answer(done.trace.answer)) >= set(done.trace.answer)


# random


def test_random_differs_from_seed_to_seed_and_uses_what_it_saw(tool_hire_tasks):
    task = tool_hire_tasks["credit-late-deliveries"]
    logs, known = set(), 0
    for seed in range(40):
        with attempt(task, task.instance(0), RandomSolver(), seed=seed) as done:
            calls = made_calls(done.trace)
            logs.add(json.dumps(calls))
            known += sum("Castro Roofing" in args.values() for _, args in calls)
    assert len(logs) > 30
    assert known > 10


def test_random_draws_how_many_calls_it_makes(packing):
    counts = set()
    for seed in range(40):
        with attempt(packing, packing.instance(0), RandomSolver(most=3), seed=seed) as done:
            counts.add(done.trace.counts.calls)
    assert counts == {0, 1, 2, 3}


def test_random_says_things_to_people(packing):
    topics, written = set(), 0
    for seed in range(150):
        with attempt(packing, packing.instance(0), RandomSolver(), seed=seed) as done:
            topics |= {message.fields.get("topic") for message in done.evidence.messages if message.sender == "agent"}
            written += any(change.by == "agent" for change in done.evidence.changes)
    assert {"price", "day"} <= topics
    assert written > 10


# shotgun


def test_shotgun_uses_all_calls_and_answers(tool_hire_tasks):
    for task in tool_hire_tasks.values():
        with attempt(task, task.instance(1), ShotgunSolver(), seed=0) as done:
            assert (done.trace.stop, done.trace.counts.calls) == (StopReason.ANSWERED, task.brief.limits.calls)


def test_shotgun_acts_on_many_targets_with_every_tool_that_writes(tool_hire_tasks):
    with attempt(
        tool_hire_tasks["credit-late-deliveries"], tool_hire_tasks["credit-late-deliveries"].instance(0), ShotgunSolver(), seed=0
    ) as done:
        tables = [change.table for change in done.evidence.changes]
        assert tables.count("credits") >= 5
        assert tables.count("deliveries") >= 1
        tools = [tool for tool, _ in made_calls(done.trace)]
        assert {"find_customers", "list_rentals", "ask_carrier", "read_handbook", "issue_credit", "plan_delivery"} <= set(tools)
        first_write = min(tools.index("issue_credit"), tools.index("plan_delivery"))
        assert first_write == 30
        assert set(tools[first_write:]) == {"issue_credit", "plan_delivery"}


def test_shotgun_makes_no_call_twice(task):
    for seed in SEEDS:
        with attempt(task, task.instance(seed), ShotgunSolver(), seed=0) as done:
            calls = [json.dumps(call) for call in made_calls(done.trace)]
            assert len(calls) == len(set(calls))


def test_shotgun_answer_is_constant(tool_hire_tasks):
    task = tool_hire_tasks["decide-on-a-complaint"]
    answers = []
    for seed in SEEDS:
        with attempt(task, task.instance(seed), ShotgunSolver(), seed=seed) as done:
            answers.append(done.trace.answer)
    assert answers == [{"decision": "granted", "days_late": 0}] * len(SEEDS)


# replay


def test_replay_of_a_plan_leaves_the_same_state_and_log(tool_hire_tasks, tool_hire_plans):
    for name, task in tool_hire_tasks.items():
        instance = task.instance(3)
        with attempt(task, instance, PlanSolver(Plan("reference.py", tool_hire_plans[name])), seed=0) as first:
            again = ReplaySolver(logged(first.evidence.calls), first.evidence.answer)
            with attempt(task, instance, again, seed=0) as second:
                assert second.evidence.calls == first.evidence.calls
                assert second.evidence.changes == first.evidence.changes
                assert second.evidence.answer == first.evidence.answer
                assert len(second.evidence.calls) > 2


def test_replay_can_be_cut_short(packing):
    calls = [("set_status", {"order_id": 1, "status": "packed"}), ("set_status", {"order_id": 2, "status": "packed"})]
    with attempt(packing, packing.instance(0), ReplaySolver(calls[:1], name="prefix"), seed=0) as done:
        assert (done.trace.solver, done.trace.stop, done.evidence.answer) == ("prefix", StopReason.ANSWERED, None)
        assert [change.key for change in done.evidence.changes if change.by == "agent"] == [(1,)]


def test_replay_solver_starts_from_the_top_each_time(packing):
    solver = ReplaySolver([("clock", {})], {"done": True})
    for _ in range(2):
        with attempt(packing, packing.instance(0), solver, seed=0) as done:
            assert [call.tool for call in done.evidence.calls] == ["clock"]


def test_replay_keeps_calls_that_were_refused(packing):
    agent = ReplaySolver([("nonsense", 3)]).start(packing.prompt(packing.instance(0)), 0, {})
    call = agent.act(Observation())
    assert (call.tool, call.args) == ("nonsense", 3)
    assert agent.act(Observation()) == Answer(None)
