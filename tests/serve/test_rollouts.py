"""Rollouts by id in one event loop: apart from one another, bounded in number, and none lost when the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from worldwright.errors import UnusableSeed, UsageError
from worldwright.rollout import read_trajectories
from worldwright.serve import Rollouts, Wanted
from worldwright.solver import Answer, GiveUp

TASK = "tool-hire/credit-late-deliveries"
DAY = "tool-hire/plan-the-day"


def within(pack: Any, act: Callable[[Rollouts], Awaitable[Any]], **more: Any) -> Any:
    """Run this with rollouts of the pack, which are closed at the end."""

    async def all_of_it() -> Any:
        rollouts = Rollouts({f"{one.world.name}/{one.name}": one for one in pack.tasks()}, "p", **more)
        try:
            return await act(rollouts)
        finally:
            await rollouts.close()

    return asyncio.run(all_of_it())


def test_rollouts_do_not_see_one_another(tool_hire_pack):
    async def act(rollouts: Rollouts) -> None:
        names = [(await rollouts.start(Wanted(TASK, seed=0, index=n)))[0] for n in range(40)]
        assert len(set(names)) == 40
        rental = 3
        for n, name in enumerate(names):
            assert not rollouts.find(name).call("issue_credit", {"rental_id": rental, "amount_cents": n + 1}).is_error
        for n, name in enumerate(names):
            rollouts.end(name, Answer({"credited": n}))
        for n, name in enumerate(names):
            made = await rollouts.trajectory(name)
            assert [one.new["amount_cents"] for one in made.changes if one.table == "credits"] == [n + 1]
            assert made.trace.answer == {"credited": n}
        assert len({(await rollouts.trajectory(name)).id for name in names}) == 40

    within(tool_hire_pack, act)


def test_starts_and_ends_at_once_are_kept_apart(tool_hire_pack):
    async def one(rollouts: Rollouts, seed: int) -> tuple[str, int]:
        name, rollout = await rollouts.start(Wanted(DAY, seed=seed))
        rollout.call("clock", {})
        rollouts.end(name, GiveUp(f"seed {seed}"))
        made = await rollouts.trajectory(name)
        return made.trace.detail, int(made.trace.instance.split("@")[1])

    async def act(rollouts: Rollouts) -> list[tuple[str, int]]:
        return await asyncio.gather(*(one(rollouts, n % 4) for n in range(24)))

    assert within(tool_hire_pack, act) == [(f"seed {n % 4}", n % 4) for n in range(24)]


def test_what_is_open_at_the_end_is_written_without_a_verdict(tool_hire_pack, tmp_path):
    out = tmp_path / "run.jsonl"

    async def act(rollouts: Rollouts) -> int:
        for index in range(3):
            await rollouts.start(Wanted(DAY, index=index))
        name, _ = await rollouts.start(Wanted(DAY, index=3))
        rollouts.end(name, Answer())
        return await rollouts.close()

    assert within(tool_hire_pack, act, out=out) == 3
    made = read_trajectories(out)
    assert sorted((one.trace.stop, one.reward) for one in made if one.reward is not None) == [("answered", 0)]
    assert [(one.trace.stop, one.trace.detail) for one in made if one.is_masked] == [("solver-error", "the server was stopped")] * 3


def test_a_dropped_rollout_leaves_nothing_and_makes_room(tool_hire_pack, tmp_path):
    out = tmp_path / "run.jsonl"

    async def act(rollouts: Rollouts) -> None:
        name, _ = await rollouts.start(Wanted(DAY))
        with pytest.raises(UsageError, match="1 rollouts are there already"):
            await rollouts.start(Wanted(DAY))
        await rollouts.drop(name)
        assert rollouts.find(name) is None
        with pytest.raises(UsageError, match="no rollout of this id"):
            rollouts.end(name, Answer())
        await rollouts.start(Wanted(DAY, index=1))

    within(tool_hire_pack, act, out=out, most=1)
    assert len(read_trajectories(out)) == 1


def test_a_verdict_is_there_after_the_end_alone(tool_hire_pack):
    async def act(rollouts: Rollouts) -> None:
        name, rollout = await rollouts.start(Wanted(DAY))
        with pytest.raises(UsageError, match="still open"):
            await rollouts.trajectory(name)
        rollout.call("submit_answer", {})
        rollouts.noticed(name)
        assert (await rollouts.trajectory(name)).trace.stop == "answered"
        with pytest.raises(UsageError, match="has ended already"):
            rollouts.end(name, Answer())
        assert [line.stop for line in rollouts.lines()] == ["answered"]

    within(tool_hire_pack, act)


@pytest.mark.parametrize(
    "wanted, words",
    [
        (Wanted("tool-hire/nothing"), "there is no task 'tool-hire/nothing'"),
        (Wanted(DAY, seed=-1), "seed: got -1"),
        (Wanted(DAY, index=10**9), "index: got"),
        (Wanted(DAY, solver=""), "solver or answer_tool"),
        (Wanted(DAY, answer_tool="clock"), "'clock' of its own"),
    ],
)
def test_what_cannot_be_started_is_said(tool_hire_pack, wanted, words):
    async def act(rollouts: Rollouts) -> None:
        with pytest.raises((UsageError, UnusableSeed), match=words):
            await rollouts.start(wanted)
        assert not list(rollouts.lines())

    within(tool_hire_pack, act)


def test_nothing_starts_after_the_end(tool_hire_pack):
    async def act(rollouts: Rollouts) -> None:
        await rollouts.close()
        with pytest.raises(UsageError, match="the server was stopped"):
            await rollouts.start(Wanted(DAY))

    within(tool_hire_pack, act)
