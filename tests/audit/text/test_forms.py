"""Forms of a completion: what prompts state, what sources name, how answers are read off columns."""

from __future__ import annotations

import pytest

from worldwright.audit.text.forms import candidates, keys_of, named_tags, states


@pytest.mark.parametrize(
    "prompt, frame",
    [
        ("Put the result into \\boxed{}.", ("\\boxed{", "}")),
        ("End with a line of four hash signs and the number.", ("#### ", "")),
        ("Reply in <answer> tags, inside <b>bold</b>.", ("<answer>", "</answer>")),
        ("Finish with the word Answer and a colon, then the letter.", ("Answer: ", "")),
        ("Say 'Final answer: X' at the end.", ("Final answer: ", "")),
        ("Reply with a code block.", ("```\n", "\n```")),
        ('Reply as {"result": "<value>"}.', ('{"result": "', '"}')),
    ],
)
def test_a_prompt_states_its_form(prompt, frame):
    assert states(prompt)[0].frame == frame
    assert candidates([prompt, prompt, "What?"])[0].frame == frame


def test_marks_for_reasoning_go_before_the_answer():
    form = states("Think in <think></think> and give <result></result>.")[0]
    assert form.before.startswith("<think>\n")
    assert form.before.endswith("</think>\n<result>")


def test_a_prompt_without_a_form_gives_the_bare_answer_first():
    forms = candidates(["What is 2 + 2?"])
    assert forms[0].frame == ("", "")
    assert not forms[0].stated
    assert len({form.frame for form in forms}) == len(forms)


def test_marks_in_the_source_are_tried_after_the_bare_answer():
    forms = candidates(["What?"], 'import re\nPAIR = re.compile(r"<verdict>(.*)</verdict>")\n')
    assert [form.frame for form in forms[:2]] == [("", ""), ("<verdict>", "</verdict>")]
    assert candidates(["What?"], "not python (") == candidates(["What?"])


def test_ordinary_markup_is_no_form():
    assert named_tags("<b>x</b> <answer>y</answer> <think>") == ["answer", "think"]


@pytest.mark.parametrize(
    "value, first",
    [
        ("a\n#### 41", "41"),
        ("so \\boxed{\\frac{1}{2}} it is", "\\frac{1}{2}"),
        ("<answer>x</answer>", "x"),
        ('{"a": 1}', {"a": 1}),
        ('["b", "a"]', ["b", "a"]),
        (3, "3"),
        (3.0, "3"),
        (2.5, "2.5"),
        (True, "True"),
        ({"answer": "k"}, "k"),
        (["one", "two"], "one"),
        ([{"a": 1}], [{"a": 1}]),
        (" plain ", "plain"),
    ],
)
def test_the_likeliest_reading_of_a_column_comes_first(value, first):
    assert keys_of(value)[0].answer == first


def test_a_list_is_read_as_alternatives_and_as_a_whole():
    keys = keys_of(["one", "two"])
    assert (keys[0].others, keys[1].answer, keys[2].answer) == (("two",), ["one", "two"], "one, two")


@pytest.mark.parametrize("value", [None, "", "  "])
def test_an_empty_column_has_no_reading(value):
    assert keys_of(value) == []
