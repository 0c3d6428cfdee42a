"""Which variants of a right answer are wrong, or right, beyond doubt."""

from __future__ import annotations

import pytest

from worldwright.audit.answers import right_forms, wrong_forms


def sure(answer, prompt="", others=()) -> set[str]:
    return {one.name for one in wrong_forms(answer, others, prompt) if one.sure}


@pytest.mark.parametrize("answer, denied", [("approved", True), ("KHU-4410", False), ("A → B → A", False)])
def test_denying_an_adjective_says_something_and_denying_a_number_of_a_thing_does_not(answer, denied):
    assert ("denied" in sure(answer)) is denied


@pytest.mark.parametrize("answer, counts", [("1575", True), ("0.333333", False)])
def test_a_digit_behind_a_decimal_may_come_of_rounding(answer, counts):
    assert ("a digit after it" in sure(answer)) is counts


def test_what_may_be_off_makes_neighbours_doubtful_and_no_other_number():
    names = sure("1575", "How much is it? It may be off by one percent.")
    assert "one more" not in names
    assert {"ten times", "other sign", "a digit after it"} <= names


def test_where_any_few_will_do_other_lists_are_no_certain_fault():
    names = sure("moss, fern, reed", "Name three plants of the bog.", ["peat, bog, fen", "ling, sedge, rush"])
    assert names == {name for name in names if not name.startswith(("another", "all", "something", "its"))}
    assert "junk" in names


@pytest.mark.parametrize("answer, counts", [("0.5", True), ("1174.25", False)])
def test_a_third_decimal_is_no_usual_form(answer, counts):
    assert [one.sure for one in right_forms(answer) if one.name == "with a trailing zero"] == [counts]


@pytest.mark.parametrize("answer, counts", [("Lisbon", True), ("3*x**2 + C", False), ("KHU-4410", True)])
def test_a_word_more_in_a_sum_is_one_more_unknown(answer, counts):
    assert ("something before it" in sure(answer)) is counts
