"""The environments for TRL, driven as its trainer drives them; nothing of TRL is needed here."""

from __future__ import annotations

import inspect

import pytest
from desk import desk, hall

from worldwright.errors import UsageError
from worldwright.export.trl_environment import TrlTasks
from worldwright.pack import Pack
from worldwright.rollout import Job, collect
from worldwright.solver.chat import ChatSolver
from worldwright.solver.protocol import Answer, Call
from worldwright.world.protocol import StopReason

END = 7
SAY, FINE = "loan-desk/say-tier", "loan-desk/settle-fine"


def taken(tasks, row):
    """A fresh environment, reset to a row as the trainer does it (which keeps `environment` to itself)."""
    one = tasks.environments[row["environment"]]()
    assert one.reset(**{key: value for key, value in row.items() if key != "environment"}) is None
    return one


def paid(tasks, environments, last=None, ids=(1, END), **more):
    """What the reward function gives for conversations that all end with the message `last`."""
    last = last or {"role": "assistant", "content": "Bye."}
    n = len(environments)
    return tasks.reward({END}, **more)(
        environments=environments, completions=[[last]] * n, completion_ids=[list(ids)] * n, prompts=[None] * n, trainer_state=None
    )


def right_word(tasks, row):
    """The tier, as the tool tells it."""
    name = row["prompt"][-1]["content"].split("whether ")[1].split(" is")[0]
    said = taken(tasks, row).find_members(text=name)
    return "adult" if '"adult"' in said else "student"


@pytest.fixture
def tasks():
    return TrlTasks(desk(), [SAY])


def test_verdicts_are_the_rewards_of_right_and_wrong_answers(tasks):
    row = tasks.rows([0])[0]
    right = right_word(tasks, row)
    ones = [taken(tasks, row) for _ in range(2)]
    ones[0].answer(tier=right)
    ones[1].answer(tier={"adult": "student", "student": "adult"}[right])
    assert paid(tasks, ones) == [1.0, 0.0]


def test_attempt_is_the_one_that_the_loop_makes():
    """Call for call the same trace as from the loop, but for who made it."""
    kept, pack = [], desk()
    tasks = TrlTasks(pack, [FINE], keep=kept.append, solver="same")
    row = tasks.rows([0])[0]
    one = taken(tasks, row)
    one.find_members(text="o")
    one.waive_fine(fine_id="x", nothing=1)
    one.answer(decision="upheld", amount_cents=0)
    paid(tasks, [one])

    class Same:
        name = "same"

        def start(self, prompt, seed, shown):
            acts = iter(
                [
                    Call("find_members", {"text": "o"}),
                    Call("waive_fine", {"fine_id": "x", "nothing": 1}),
                    Answer({"decision": "upheld", "amount_cents": 0}),
                ]
            )

            class Agent:
                def act(self, observation):
                    return next(acts)

                def close(self):
                    pass

            return Agent()

    [stored] = collect([Job(pack.worlds["loan-desk"].tasks["settle-fine"], Same(), 0)], pack.digest)
    assert kept[0].trace == stored.trace
    assert (kept[0].reward, kept[0].changes, kept[0].verdict) == (stored.reward, stored.changes, stored.verdict)
    assert stored.trace.counts.refused == 1


def test_prompt_and_tools_are_what_the_chat_solver_shows(tasks):
    seen = []

    class Model:
        name = "watching"

        def complete(self, request):
            seen.append(request)
            raise KeyboardInterrupt

        def close(self):
            pass

    pack = desk()
    with pytest.raises(KeyboardInterrupt):
        list(collect([Job(pack.worlds["loan-desk"].tasks["say-tier"], ChatSolver(Model()), 0)], pack.digest))
    row, [request] = tasks.rows([0])[0], seen
    assert row["prompt"] == [
        {"role": "system", "content": request.system},
        {"role": "user", "content": request.messages[0].text},
    ]
    assert [(one.name, one.doc, one.schema) for one in tasks.environments[SAY]._tools] == [
        (one.name, one.doc, one.schema) for one in request.tools
    ]


def test_trainer_finds_the_tools_as_methods(tasks):
    """As GRPOTrainer looks for them: functions of the class, but for `reset` and what begins with _."""
    one = tasks.environments[SAY]()
    found = {name for name, _ in inspect.getmembers(type(one), inspect.isfunction) if not name.startswith("_") and name != "reset"}
    assert found == {tool.name for tool in one._tools}
    assert {"find_members", "answer"} <= found
    assert not hasattr(one, "get_reward")  # or TRL would count the reward twice
    assert list(inspect.signature(one.waive_fine).parameters) == ["fine_id", "amount_cents", "note"]
    assert inspect.signature(one.waive_fine).parameters["note"].default is None
    assert "amount_cents: How much of it is waived. (minimum 1)" in one.waive_fine.__doc__


def test_rows_are_the_same_again_and_name_what_they_are_of(tasks):
    rows = tasks.rows(range(3))
    assert rows == TrlTasks(desk(), [SAY]).rows(range(3))
    assert [row["instance"] for row in rows] == [f"{SAY}@{seed}" for seed in range(3)]
    assert {(row["environment"], row["family"], row["split"]) for row in rows} == {(SAY, "library/lookup", "train")}


def test_held_out_tasks_are_refused():
    with pytest.raises(UsageError, match=r"held out.*loan-desk/say-tier-apart \(of the family library/apart\)"):
        TrlTasks(desk(), [SAY, "loan-desk/say-tier-apart"])
    whole = TrlTasks(desk())
    assert whole.left_out == ("loan-desk/say-tier-apart",)
    assert set(whole.environments) == {SAY, FINE}
    with pytest.raises(UsageError, match="there is no task loan-desk/gone"):
        TrlTasks(desk(), ["loan-desk/gone"])
    files = desk().files
    only = Pack({name: data for name, data in files.items() if "/tasks/" not in name or "/say-tier-apart/" in name})
    with pytest.raises(UsageError, match="held out"):
        TrlTasks(only)


def test_row_of_another_task_is_refused(tasks):
    row = tasks.rows([0])[0]
    with pytest.raises(UsageError, match="a row of another task"):
        tasks.environments[SAY]().reset(instance=f"{FINE}@0", seed=0, prompt=row["prompt"])


def test_limit_of_calls_ends_the_attempt_with_a_verdict(tasks):
    kept = []
    tasks = TrlTasks(desk(), [SAY], keep=kept.append)
    one = taken(tasks, tasks.rows([0])[0])
    said = [one.clock() for _ in range(8)]
    assert "limit of calls" in said[6]
    assert said[7] in tasks.closing
    assert said[0] not in tasks.closing
    assert paid(tasks, [one], {"role": "assistant", "content": "", "tool_calls": [{}]}) == [0.0]  # ended before it was cut off
    assert kept[0].trace.stop == StopReason.CALL_LIMIT
    assert kept[0].trace.counts.calls == 6


def test_model_that_stops_without_an_answer_has_given_up():
    kept = []
    tasks = TrlTasks(desk(), [SAY], keep=kept.append)
    one = taken(tasks, tasks.rows([0])[0])
    assert paid(tasks, [one]) == [0.0]
    assert paid(tasks, [one]) == [0.0]  # asked again, the same attempt
    assert [(run.trace.stop, run.trace.messages[-1].content) for run in kept] == [(StopReason.GAVE_UP, "Bye.")]


@pytest.mark.parametrize(
    "last, ids",
    [
        ({"role": "assistant", "content": "I would say that"}, (1, 2)),
        ({"role": "assistant", "content": "", "tool_calls": [{"type": "function"}]}, (1, END)),
        ({"role": "tool", "name": "clock", "content": "9"}, (1, 2)),
        ({"role": "assistant", "content": ""}, ()),
    ],
)
def test_attempt_that_the_trainer_cut_off_has_no_reward_unless_asked_for(tasks, last, ids):
    row = tasks.rows([0])[0]
    assert paid(tasks, [taken(tasks, row)], last, ids) == [None]
    assert paid(tasks, [taken(tasks, row)], last, ids, grade_cut_off=True) == [0.0]


def test_failure_of_the_world_is_no_reward_and_tells_the_model_nothing():
    files = desk().files
    page = "worlds/loan-desk/handbook/fines.md"
    pack = Pack({**files, page: files[page].replace(b"{{ policy.student_percent }}", b"{{ policy.percent }}")})
    kept = []
    tasks = TrlTasks(pack, [SAY], keep=kept.append)
    one = taken(tasks, tasks.rows([0])[0])
    said = one.read_handbook(page="fines")
    assert "ended" in said
    assert "percent" not in said
    assert paid(tasks, [one]) == [None]
    assert kept[0].trace.stop == StopReason.WORLD_ERROR


def test_verifier_that_fails_gives_no_reward():
    kept = []
    tasks = TrlTasks(hall(judges=False), keep=kept.append)
    one = taken(tasks, tasks.rows([0])[0])
    one.answer(side="left")
    assert paid(tasks, [one]) == [None]
    assert kept[0].trace.stop == StopReason.ANSWERED


def test_attempts_at_an_instance_are_told_apart_in_the_order_of_their_start():
    kept = []
    tasks = TrlTasks(hall(), keep=kept.append)
    first, second = tasks.rows([0, 1])
    ones = [taken(tasks, row) for row in (first, first, second)]
    for one in ones:
        one.answer(side="left")
    paid(tasks, ones)
    assert [(run.trace.instance, run.index) for run in kept] == [
        ("hall/which-side@0", 0),
        ("hall/which-side@0", 1),
        ("hall/which-side@1", 0),
    ]
    assert len({run.trace.seed for run in kept}) == 3


def test_environment_is_used_again_without_leftovers(tasks):
    row = tasks.rows([0])[0]
    one = taken(tasks, row)
    one.send_notice(member_id=1, body="x")
    one.answer(tier=right_word(tasks, row))
    assert paid(tasks, [one]) == [0.0]  # it changed what it should have left alone
    one.reset(instance=row["instance"], seed=row["seed"])
    one.answer(tier=right_word(tasks, row))
    assert paid(tasks, [one]) == [1.0]


def test_names_that_trl_keeps_for_itself_are_refused():
    files = desk().files
    world = files["worlds/loan-desk/world.yaml"].replace(b"  list_fines:\n", b"  reset:\n")
    with pytest.raises(UsageError, match="TRL keeps the names reset for itself"):
        TrlTasks(Pack({**files, "worlds/loan-desk/world.yaml": world}), [SAY])
