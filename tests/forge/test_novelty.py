"""What counts as new in a run."""

import pytest

from worldwright.forge.novelty import cover_number, tell_known
from worldwright.forge.trial import World


def world(name, *tasks):
    return World(name, {}, {f"t{n}": {"plan": plan, "check": check} for n, (plan, check) in enumerate(tasks)}, {})


@pytest.mark.parametrize(
    ("plans", "number"), [("", 0), ("a", 1), ("aaaaaaaaab", 1), ("aaaaaaaabb", 2), ("abcdefghij", 9), ("aaaaabbbbb", 2)]
)
def test_the_cover_number_is_how_few_plans_solve_nine_in_ten(plans, number):
    assert cover_number(plans) == number


def test_a_task_with_plan_and_verifier_of_an_earlier_one_is_not_tried():
    one, two = world("one", ("p", "c")), world("two", ("p", "c"), ("p", "d"), ("q", "c"))
    tell_known([one, two])
    assert "left out" not in one.meta["t0"]
    assert two.meta["t0"]["left out"] == "not new: plan and verifier are those of one/t0 but for names"
    assert [name for name, meta in two.meta.items() if "left out" in meta] == ["t0"]


def test_no_plan_becomes_more_frequent_than_one_in_twenty():
    many = world("many", *(("p", f"c{n}") for n in range(10)), *((f"q{n}", "c") for n in range(50)))
    tell_known([many])
    assert sum("left out" not in meta for meta in many.meta.values() if meta["plan"] == "p") == 3
    assert all("left out" not in meta for meta in many.meta.values() if meta["plan"] != "p")


def test_what_is_left_out_already_is_no_precedent():
    one, two = world("one", ("p", "c")), world("two", ("p", "c"))
    one.meta["t0"]["left out"] = "mostly planted"
    tell_known([one, two])
    assert one.meta["t0"]["left out"] == "mostly planted"
    assert "left out" not in two.meta["t0"]
