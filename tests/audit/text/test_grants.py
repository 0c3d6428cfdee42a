"""What prompts grant and prescribe, by their words."""

from __future__ import annotations

import pytest

from worldwright.audit.text.grants import grants, slot_format


@pytest.mark.parametrize(
    "prompt, name",
    [
        ("Name them all, in any order.", "any-order"),
        ("The order does not matter.", "any-order"),
        ("List them in ascending order.", "in-order"),
        ("Reply with the date, with the month in words.", "date-in-words"),
        ("Signs for units may be left out.", "unit-free"),
        ("Give the amount in euros.", "money"),
        ("Only the number.", "bare-number"),
        ("Use exactly one pair of tags.", "once"),
        ("Reply with the word alone.", "nothing-else"),
        ("Think as long as you like.", "reasoning"),
        ("Part of the names earns part of the mark.", "marks"),
        ("If nothing fits, leave your reply empty.", "silence"),
        ("Describe a sunset.", "open"),
        ("The result may be off by one percent.", "near"),
    ],
)
def test_a_grant_is_read(prompt, name):
    assert name in grants(prompt)


def test_a_plain_question_grants_nothing():
    assert grants("What is the capital of Kenya?") == {}


def test_words_about_the_place_of_an_answer_prescribe_nothing_about_the_answer():
    assert slot_format("Give the amount between an opening <answer> and its closing tag, once.") == ""
    assert slot_format("Put it into \\boxed{}.") == ""


@pytest.mark.parametrize("prompt", ["Put it into \\boxed{} in uppercase.", "Give the hour, as in 2019-05-07 23.", "Reply with a decimal."])
def test_words_about_the_answer_do(prompt):
    assert slot_format(prompt)
