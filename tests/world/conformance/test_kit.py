"""The kit passes worlds that are right, and names the check that a faulty one breaks: no other, and no fewer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from worldwright.errors import UsageError
from worldwright.world.conformance import CHECKS, Status, conform, load_factory
from worldwright.world.protocol import World

STALLS = Path(__file__).parent / "stalls.py"
SEEDS = range(2)
APART = ("processes", "wall-clock")
"""Checks that start processes."""

ISOLATION = {"interleaved", "threads", "fork", "asynchronous"}
FAULTS: dict[str, tuple[str, set[str], str]] = {
    "names_a_tool_twice": ("protocol", set(), "each name once"),
    "has_no_digest": ("protocol", {"repeats"}, "World.digest"),
    "starts_at_random": ("repeats", set(), "another start state"),
    "leaks_state_into_the_next_episode": ("reset", {*ISOLATION, "typed", "call-limit", "evidence"}, "before and after other"),
    "keeps_the_state_of_all_episodes_in_a_global": ("interleaved", ISOLATION, "beside 3 other episodes"),
    "works_in_one_thread_only": ("threads", set(), "AttributeError"),
    "shares_state_with_its_forks": ("fork", set(), "goes on in a fork"),
    "ends_when_a_fork_ends": ("fork", set(), "the episode has ended"),
    "lets_awaited_calls_overtake_each_other": ("asynchronous", set(), "awaited together"),
    "has_a_dead_tool": ("reachable", set(), "never succeeded in .* order .*wholesaler"),
    "raises_for_arguments_of_a_wrong_type": ("typed", set(), "sell with .* raises TypeError"),
    "takes_numbers_in_quotes": ("typed", set(), "the text '7' as count gives ok"),
    "refuses_without_a_word": ("typed", set(), "gives the error None"),
    "quotes_all_of_what_it_refuses": ("typed", set(), "an error of 10000013 characters"),
    "changes_something_before_it_refuses": ("typed", set(), "sell: refused calls change"),
    "raises_for_an_unknown_tool": ("unknown-tool", {"typed"}, "raises AttributeError"),
    "ignores_the_limit_of_calls": ("call-limit", set(), "gives ok"),
    "lets_time_pass_beyond_the_limit": ("call-limit", set(), "a difference to now"),
    "records_good_calls_alone": ("evidence", set(), "are recorded with the numbers"),
    "rewrites_the_answer": ("evidence", set(), "the answer is kept as"),
    "blames_the_agent_for_its_own_changes": ("evidence", {"unknown-tool"}, "without any act"),
    "says_the_same_again": ("turns", set(), "asked again at once"),
    "goes_on_after_the_end": ("finished", set(), "a call after finish"),
    "fails_when_closed_twice": ("closed", set(), "closing twice raises RuntimeError"),
    "lists_a_set_in_its_own_order": ("processes", set(), "a process with hash seed 1"),
    "shows_local_time": ("processes", set(), "UTC-9:30"),
    "reads_the_day": ("wall-clock", set(), "400 days ahead"),
}
"""By factory in stalls.py: the check that names it and what it says, and the checks that fail too because they rest on the same."""


def failures(factory: str, checks: list[str]) -> dict[str, str]:
    results = conform(f"{STALLS}:{factory}", SEEDS, checks=checks)
    assert [one.name for one in results] == checks
    return {one.name: one.detail for one in results if one.status == Status.FAIL}


@pytest.mark.parametrize("factory", FAULTS)
def test_fault_is_named_and_nothing_else(factory: str) -> None:
    name, also, says = FAULTS[factory]
    found = failures(factory, [check for check in CHECKS if check not in APART or check == name])
    assert found.keys() == {name} | also, found
    assert re.search(says, found[name]), found[name]


def test_every_check_has_a_fault_and_every_faulty_world_is_listed() -> None:
    assert {name for name, _, _ in FAULTS.values()} == set(CHECKS)
    made = re.findall(r"^def (\w+)\(", STALLS.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(made) == sorted([*FAULTS, *RIGHT, *TIMED, "wants_a_password"])


TIMED = ("reads_the_time", "reads_the_time_in_a_library")
"""These may break any check, depending on when a second ends; the clock's own check must always see them."""


@pytest.mark.parametrize("factory", TIMED)
def test_time_to_the_second_is_seen(factory: str) -> None:
    assert failures(factory, ["wall-clock"]).keys() == {"wall-clock"}


RIGHT: dict[str, set[str]] = {
    "stall": set(),
    "has_neither_forks_nor_doors_nor_people": {"fork", "asynchronous", "turns"},
    "refuses_to_fork": {"fork"},
}
"""Worlds without a fault, with the checks that they don't support."""


@pytest.mark.parametrize("factory", RIGHT)
def test_right_world_passes(factory: str) -> None:
    results = conform(f"{STALLS}:{factory}", SEEDS, checks=[check for check in CHECKS if check not in APART or factory == "stall"])
    assert {one.name: one.detail for one in results if one.status == Status.FAIL} == {}
    assert {one.name for one in results if one.status == Status.UNSUPPORTED} == RIGHT[factory]
    assert all(bool(one.detail) is (one.status == Status.UNSUPPORTED) for one in results)


def test_records_world_passes(tool_hire: World) -> None:
    """Its own process checks are held by the command's test, which opens packs."""
    results = conform(lambda: tool_hire, SEEDS, checks=[check for check in CHECKS if check not in APART])
    assert {one.name: one.detail for one in results if one.status != Status.OK} == {}


def test_world_that_cannot_be_made_elsewhere_is_unsupported_there() -> None:
    here: list[World] = [load_factory(f"{STALLS}:stall")()]
    [result] = conform(lambda: here[0], SEEDS, checks=["processes"])
    assert result.status == Status.UNSUPPORTED
    assert "another process can't be given this factory" in result.detail


def test_failure_is_told_with_its_place() -> None:
    [result] = conform(f"{STALLS}:works_in_one_thread_only", SEEDS, checks=["threads"])
    assert re.search(r"AttributeError: .*raised in stalls\.py:\d+", result.detail)


def test_values_that_chance_cannot_find_may_be_given() -> None:
    guarded = f"{STALLS}:wants_a_password"
    assert failures("wants_a_password", ["reachable"]).keys() == {"reachable"}
    [result] = conform(guarded, SEEDS, known={"password": ["open sesame"]}, checks=["reachable"])
    assert result.status == Status.OK


def test_what_is_known_reaches_other_processes_in_any_script() -> None:
    known = {"password": ["open sesame", "Öffne dich", "開け胡麻"]}
    [result] = conform(f"{STALLS}:wants_a_password", SEEDS, known=known, checks=["processes"])
    assert (result.status, result.detail) == (Status.OK, "")


@pytest.mark.parametrize(
    "spec, says",
    [
        ("stalls", "expected MODULE:FUNCTION"),
        ("no_such_module:make", "there is no module 'no_such_module'"),
        ("no_such_file.py:make", "not found"),
        ("json:no_such_function", "has no function"),
        ("json:decoder", "has no function"),
    ],
)
def test_spec_that_names_nothing_is_a_usage_error(spec: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        load_factory(spec)


def test_wrong_use_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no check 'speed'"):
        conform(f"{STALLS}:stall", SEEDS, checks=["speed"])
    with pytest.raises(UsageError, match="no seeds"):
        conform(f"{STALLS}:stall", [])
