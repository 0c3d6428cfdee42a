"""The one loop: what it shows, what it counts, and why it stops."""

from __future__ import annotations

import msgspec
import pytest

from worldwright.errors import SandboxError, SolverError, UsageError
from worldwright.solver import Answer, Call, GiveUp, attempt
from worldwright.solver.loop import LIMITS, UNGRADED, reached
from worldwright.solver.trace import Counts
from worldwright.task import Limits, Task
from worldwright.world.protocol import StopReason

PACK = Call("set_status", {"order_id": 1, "status": "packed"})
LIST = Call("list_orders")
CURSE = Call("set_status", {"order_id": 2, "status": "open", "note": "curse"})


def roles(trace):
    return [message.role for message in trace.messages]


# What an agent is shown


def test_agent_starts_with_prompt_seed_and_shown_parameters(packing, script):
    instance = packing.instance(3)
    solver = script(Answer({"done": True}))
    with attempt(packing, instance, solver, seed=11, wording=1) as done:
        assert done.trace.seed == 11
        assert done.trace.wording == 1
    ((prompt, seed, shown),) = solver.started
    assert prompt.instruction == f"Order {instance.params['order_id']} is to be packed."
    assert seed == 11
    assert shown == instance.shown


def test_first_observation_has_the_opening_and_no_result(packing, script):
    solver = script(LIST, Answer())
    with attempt(packing, packing.instance(0), solver, seed=0) as done:
        assert roles(done.trace)[:3] == ["system", "user", "user"]
    first, second = solver.seen
    assert (first.result, first.returned) == (None, ())
    assert [turn.text for turn in first.turns] == [text for _, text in solver.started[0][0].opening]
    assert len(first.turns) == 1
    assert second.turns == ()


def test_observation_carries_results_time_and_calls_left(packing, script):
    solver = script([LIST, msgspec.structs.replace(PACK, id="mine")], LIST, Answer())
    with attempt(packing, packing.instance(0), solver, seed=0):
        pass
    first, second, third = solver.seen
    assert [one.result.ok for one in second.returned] == [True, True]
    assert second.returned[1].call.id == "mine"
    assert second.result.value == {"id": 1, "status": "packed"}
    assert (first.now, second.now, third.now) == ("2026-03-30T09:00:00", "2026-03-30T09:02:00", "2026-03-30T09:03:00")
    assert [seen.calls_left for seen in solver.seen] == [5, 3, 2]


def test_people_who_speak_up_are_heard_at_the_next_observation(packing, script):
    solver = script(Call("wait", {"until": "2026-03-30T11:00:00"}), Answer())
    with attempt(packing, packing.instance(0), solver, seed=0) as done:
        assert done.trace.messages[-2].name == "buyer"
        assert done.trace.messages[-2].content == 'The lorry is here.\n{"act":"inform","fields":{"topic":"day"}}'
    assert [turn.text for turn in solver.seen[-1].turns] == ["The lorry is here."]


# Why it stops


def test_answer_is_evidence(packing, script):
    with attempt(packing, packing.instance(0), script(PACK, Answer({"done": True})), seed=0) as done:
        assert done.trace.stop is StopReason.ANSWERED
        assert done.trace.answer == {"done": True}
        assert done.evidence.answer == {"done": True}
        assert [call.tool for call in done.evidence.calls] == ["set_status"]
        assert {change.key for change in done.evidence.changes if change.by == "agent"} == {(1,)}


def test_world_goes_on_to_until_without_the_agent(packing, script):
    solver = script(GiveUp("too hard"))
    with attempt(packing, packing.instance(0), solver, seed=0) as done:
        assert (done.trace.started, done.trace.ended) == ("2026-03-30T09:00:00", "2026-03-30T12:00:00")
        assert [(change.key, change.by) for change in done.evidence.changes] == [((3,), "world")]
        assert (done.trace.stop, done.trace.detail) == (StopReason.GAVE_UP, "too hard")
        assert done.evidence.answer is None
    assert solver.closed == 1


def test_answer_none_is_no_answer(packing, script):
    with attempt(packing, packing.instance(0), script(Answer(None)), seed=0) as done:
        assert (done.trace.stop, done.trace.answer, done.evidence.answer) == (StopReason.ANSWERED, None, None)
        assert done.trace.counts.output == 0


@pytest.mark.parametrize("value", [[1], "yes", 3])
def test_answer_that_is_no_object_counts_as_none(packing, script, value):
    with attempt(packing, packing.instance(0), script(Answer(value)), seed=0) as done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, None)
        assert "not an object" in done.trace.detail


def test_all_calls_of_the_limit_can_be_used_before_an_answer(packing, script):
    with attempt(packing, packing.instance(0), script(*[LIST] * 5, Answer({"done": False})), seed=0) as done:
        assert (done.trace.stop, done.trace.counts.calls) == (StopReason.ANSWERED, 5)


def test_call_beyond_the_limit_ends_the_attempt_which_is_graded(packing, script):
    solver = script(*[LIST] * 6, Answer({"done": True}))
    with attempt(packing, packing.instance(0), solver, seed=0) as done:
        assert (done.trace.stop, done.trace.counts.calls, done.trace.answer) == (StopReason.CALL_LIMIT, 5, None)
        assert len(done.evidence.calls) == 5
        assert "limit of calls" in done.trace.messages[-1].content
    assert solver.closed == 1
    assert len(solver.acts) == 1


def test_calls_after_the_one_that_ends_the_attempt_are_not_made(packing, script):
    with attempt(packing, packing.instance(0), script([LIST] * 4, [LIST, LIST, PACK]), seed=0) as done:
        assert done.trace.stop is StopReason.CALL_LIMIT
        assert done.trace.messages[-1].content == '{"error":"The episode has ended."}'
        assert [call.id for message in done.trace.messages for call in message.tool_calls] == [f"call_{n}" for n in range(1, 8)]
        assert [message.tool_call_id for message in done.trace.messages if message.role == "tool"] == [f"call_{n}" for n in range(1, 8)]
        assert [change.by for change in done.evidence.changes] == ["world"]


def test_output_limit_counts_the_answer_and_what_is_said(packing, script):
    say = Call("say", {"to": "buyer", "act": "inform", "text": "x" * 60})
    with attempt(packing, packing.instance(0), script(say, Answer({"note": "y" * 29})), seed=0) as done:
        assert (done.trace.stop, done.trace.counts.output) == (StopReason.ANSWERED, 100)
    with attempt(packing, packing.instance(0), script(say, Answer({"note": "y" * 30})), seed=0) as done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.OUTPUT_LIMIT, None)
    with attempt(packing, packing.instance(0), script(say, say), seed=0) as done:
        assert (done.trace.stop, done.trace.counts.calls) == (StopReason.OUTPUT_LIMIT, 1)
        assert [message.sender for message in done.evidence.messages].count("agent") == 1


def test_text_beside_a_call_is_no_output(packing, script):
    with attempt(packing, packing.instance(0), script(Call("clock", {}, text="z" * 500), Answer(text="done")), seed=0) as done:
        assert (done.trace.stop, done.trace.counts.output) == (StopReason.ANSWERED, 0)
        assert done.trace.messages[3].content == "z" * 500


def test_limits_are_looked_at_in_the_order_of_stop_reasons():
    assert [reason for reason, _ in LIMITS] == [reason for reason in StopReason if reason in dict(LIMITS)]
    assert reached(Counts(calls=6, output=101), Limits(5, 100)) is StopReason.CALL_LIMIT
    assert reached(Counts(calls=5, output=101), Limits(5, 100)) is StopReason.OUTPUT_LIMIT
    assert reached(Counts(calls=5, output=100), Limits(5, 100)) is None


def test_state_that_an_act_loses_is_graded(packing, script):
    with attempt(packing, packing.instance(0), script([CURSE, LIST], Answer({"done": True})), seed=0) as done:
        assert done.trace.stop is StopReason.STATE_LOST
        assert done.evidence.lost
        assert len(done.evidence.calls) == 1


def test_state_lost_while_the_world_goes_on_comes_before_the_answer(brief_text, script):
    # Without a tick, the event that breaks the state happens only when the clock moves to `until`.
    from worldwright.world.records import RecordsWorld

    files = {
        "world.yaml": b"kind: records\ntitle: T\nclock: 2026-03-30T09:00:00\ntools:\n  look: {doc: Look., rows: SELECT id FROM t}\n",
        "schema.sql": b"CREATE TABLE t (id INTEGER PRIMARY KEY CHECK (id < 5));",
        "scenario.py": b"def scenario(seed):\n    return {'t': [{'id': 1}]}\n",
        "events.yaml": b"- {name: e, due: \"SELECT 1 AS key, '2026-03-30T10:00:00' AS at\", effect: [UPDATE t SET id = 9]}\n",
    }
    task = Task("t", RecordsWorld("t", files), "title: T\nbind: SELECT 1 AS x\ninstruction: Look.\nuntil: 2026-03-30T11:00:00\n")
    with attempt(task, task.instance(0), script(Answer({})), seed=0) as done:
        assert done.trace.stop is StopReason.STATE_LOST
        assert done.trace.answer == {}
        assert done.evidence.lost


@pytest.mark.parametrize("kind", ["syntax", "raised", "limit", "value"])
def test_failing_plan_is_graded_as_it_stands(packing, script, kind):
    with attempt(packing, packing.instance(0), script(PACK, SandboxError("broken", kind=kind, line=4)), seed=0) as done:
        assert (done.trace.stop, done.trace.detail) == (StopReason.PLAN_FAILED, "line 4: broken")
        assert done.evidence.answer is None
        assert len(done.evidence.calls) == 1


# Nobody's fault but ours: nothing to grade


FAULTS = [SolverError("no endpoint"), ConnectionError("reset"), KeyError("x"), SandboxError("died", kind="crashed")]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_failure_under_the_solver_leaves_no_evidence(packing, script, fault):
    solver = script(PACK, fault)
    with attempt(packing, packing.instance(0), solver, seed=0) as done:
        assert done.trace.stop is StopReason.SOLVER_ERROR
        assert done.evidence is None
        assert type(fault).__name__ in done.trace.detail
        assert done.trace.counts.calls == 1
    assert solver.closed == 1


@pytest.mark.parametrize("act", [None, [], "answer", [PACK, "answer"], Call(None), {"tool": "clock"}])
def test_act_that_is_none_is_the_solvers_failure(packing, script, act):
    with attempt(packing, packing.instance(0), script(act), seed=0) as done:
        assert (done.trace.stop, done.evidence) == (StopReason.SOLVER_ERROR, None)


def test_solver_that_cannot_start_or_close_leaves_no_evidence(packing, script):
    class NoStart(script):
        def start(self, prompt, seed, shown):
            raise SolverError("no model")

    class NoClose(script):
        def close(self):
            raise OSError("stuck")

    for solver in (NoStart(), NoClose(Answer({"done": True}))):
        with attempt(packing, packing.instance(0), solver, seed=0) as done:
            assert (done.trace.stop, done.evidence) == (StopReason.SOLVER_ERROR, None)


class Overtaken(Task):
    """A task whose episodes fail at the first use: the state is closed, or finished, before the agent acts."""

    way = "close"

    def start(self, instance):
        episode = super().start(instance)
        if self.way == "close":
            episode.close()
        else:
            episode.finish(None)
        return episode


@pytest.mark.parametrize("way, acts", [("close", [LIST]), ("finish", [LIST]), ("finish", [Answer({})])])
def test_failure_of_the_world_leaves_no_evidence(counter, brief_text, script, way, acts):
    task = Overtaken("packing", counter, brief_text)
    task.way = way
    solver = script(*acts)
    with attempt(task, task.instance(0), solver, seed=0) as done:
        assert (done.trace.stop, done.evidence) == (StopReason.WORLD_ERROR, None)
        assert "UsageError" in done.trace.detail
    assert solver.closed == 1


def test_world_without_a_start_state_is_a_world_error(packing, broken_counter, brief_text, script):
    task = Task("packing", broken_counter, brief_text)
    with attempt(task, packing.instance(0), script(), seed=0) as done:
        assert (done.trace.stop, done.evidence) == (StopReason.WORLD_ERROR, None)
        assert done.trace.ended == done.trace.started


def test_world_error_comes_before_a_failure_to_close(counter, brief_text, script):
    class NoClose(script):
        def close(self):
            raise OSError("stuck")

    task = Overtaken("packing", counter, brief_text)
    with attempt(task, task.instance(0), NoClose(LIST), seed=0) as done:
        assert done.trace.stop is StopReason.WORLD_ERROR


def test_ungraded_stops_are_the_first_two_reasons():
    assert set(list(StopReason)[:2]) == UNGRADED


def test_interrupt_closes_everything_and_passes_on(counter, brief_text, script):
    episodes = []

    class Watched(Task):
        def start(self, instance):
            episodes.append(super().start(instance))
            return episodes[-1]

    task = Watched("packing", counter, brief_text)
    solver = script(PACK, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        attempt(task, task.instance(0), solver, seed=0)
    assert solver.closed == 1
    with pytest.raises(UsageError, match="closed"):
        episodes[0].call("clock", {})


def test_attempt_closes_its_episode(packing, script):
    done = attempt(packing, packing.instance(0), script(), seed=0)
    assert len(done.evidence.changes) == 1
    done.close()
    done.close()
    with pytest.raises(UsageError, match="closed"):
        done._episode.state_digest()


def test_attempts_leave_no_trace_in_the_next_one(packing, script):
    start = packing.start(packing.instance(0)).state_digest()
    for acts in ([PACK], [PACK, SolverError("x")], [CURSE]):
        attempt(packing, packing.instance(0), script(*acts), seed=0).close()
    with packing.start(packing.instance(0)) as episode:
        assert episode.state_digest() == start


def test_instance_of_another_task_is_refused(packing, tool_hire_tasks, script):
    other = tool_hire_tasks["plan-the-day"]
    with pytest.raises(UsageError, match="no instance of counter/packing"):
        attempt(packing, other.instance(0), script(), seed=0)
