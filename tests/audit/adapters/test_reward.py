"""Reward functions as subjects: what is inferred, how they are called, what is said of them."""

from __future__ import annotations

import json

import pytest

from worldwright.audit.adapters.reward import RewardSubject
from worldwright.audit.adapters.shims import reward_shim
from worldwright.audit.adapters.shims.reward_shim import Rows, rendered, told
from worldwright.audit.subject import WHOLE, Play, Session
from worldwright.errors import UsageError

GRADERS = '''
import re

CALLS = []


def boxed(prompts, completions, answer, unit, **columns):
    """One of each for every completion, and nothing but lists."""
    assert len(prompts) == len(completions) == len(answer) == len(unit) == 1 and set(columns) <= {"stamp", "completion_ids", "trainer_state", "log_extra", "log_metric", "environments"}
    out = []
    for completion, key in zip(completions, answer):
        found = re.findall(r"\\\\boxed\\{(.*?)\\}", completion)
        out.append(1.0 if found == [key] else 0.0)
    return out


async def chat(completions, answer):
    texts = [c[0]["content"] for c in completions]
    return [None if text is None else 2.0 if text.strip() == a else -1.0 for text, a in zip(texts, answer)]


def plain(text, answer, unit="m"):
    return {"score": float(text.strip() == f"{answer} {unit}")}


def never(completions, answer, **columns):
    return [0.0 for _ in completions]


def shape(completions, **columns):
    return [0.5 if "\\\\boxed" in completion else 0.0 for completion in completions]


def graded(completions, answer, **columns):
    return [min(1.0, len(key) / 10) if completion == key else 0.0 for completion, key in zip(completions, answer)]


def lacking(completions, colour):
    return [0.0]


def remembers(completion, answer):
    CALLS.append(completion)
    return float(completion == answer and len(CALLS) == 1)
'''
ROWS = [
    {"prompt": f"How long is rope {n}? Put the number into \\boxed{{}}.", "answer": str(11 * n), "unit": "m", "stamp": n}
    for n in range(1, 7)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("rewards")
    (place / "graders.py").write_text(GRADERS, encoding="utf-8")
    (place / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    messages = [
        {"prompt": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": row["prompt"][:-27]}], "label": row["answer"]}
        for row in ROWS
    ]
    (place / "chat.jsonl").write_text("\n".join(map(json.dumps, messages)), encoding="utf-8")
    (place / "bare.jsonl").write_text(
        "\n".join(json.dumps({"question": f"Rope {n}?", "answer": "x" * n, "unit": "cm"}) for n in range(1, 5)), encoding="utf-8"
    )
    return place


@pytest.fixture(scope="module")
def subject(folder):
    made = []

    def of(function: str, rows: str = "rows.jsonl") -> RewardSubject:
        made.append(RewardSubject(str(folder / "graders.py"), function, str(folder / rows), workers=1))
        return made[-1]

    yield of
    for one in made:
        one.close()


def reward(of: RewardSubject, answer: object, seed: int = 0) -> tuple[str, float | None]:
    attempt = of.run(Session((Play(of.cases()[0], seed, (), answer),)))[0]
    return attempt.status, attempt.reward


def test_the_form_that_is_paid_is_found_and_answers_are_put_into_it(subject):
    one = subject("boxed")
    facts = one.facts("boxed", 0)
    assert (facts.frame, facts.pass_mark, facts.reference.answer, facts.tools) == (("\\boxed{", "}"), 1.0, "11", ())
    assert one.facts("boxed", 7).reference.answer == "22"
    assert any(note.startswith("pass mark 1: what the reference is paid (column 'answer', form: \\boxed") for note in facts.notes)
    assert reward(one, "11") == ("pass", 1.0)
    assert reward(one, {WHOLE: "so \\boxed{11}"}) == ("pass", 1.0)
    assert reward(one, {WHOLE: "11"}) == ("fail", 0.0)
    assert reward(one, None) == ("fail", 0.0)
    assert (one.kind, one.size("boxed"), len(one.digest)) == ("reward", 6, 64)


def test_messages_async_functions_and_other_names_of_columns(subject):
    one = subject("chat", "chat.jsonl")
    facts = one.facts("chat", 1)
    assert facts.prompt.startswith("Be brief.\n\nHow long")
    assert (facts.frame, facts.pass_mark, facts.reference.answer) == (("", ""), 2.0, "22")
    assert reward(one, "22", 1) == ("pass", 2.0)
    assert reward(one, {WHOLE: [{"role": "assistant", "content": None}]}, 1) == ("unknown", None)
    assert reward(one, "23", 1) == ("fail", -1.0)


def test_a_plain_function_of_one_completion(subject):
    one = subject("plain", "bare.jsonl")
    assert one.facts("plain", 0).notes[0].startswith("reference: no form of the right answer")
    assert reward(one, {WHOLE: "xx cm"}, 1) == ("pass", 1.0)


def test_rewards_of_several_functions_are_added(subject):
    one = subject("boxed+shape")
    assert (one.cases(), one.facts("boxed+shape", 0).pass_mark) == (["boxed+shape"], 1.5)
    assert reward(one, "3") == ("fail", 0.5)


def test_a_reference_that_is_never_paid_is_offered_where_the_prompt_states_its_form(subject):
    facts = subject("never").facts("never", 0)
    assert (facts.reference.answer, facts.frame, facts.pass_mark) == ("11", ("\\boxed{", "}"), 1.0)


def test_rewards_that_differ_by_row_give_a_mark_for_each(subject):
    one = subject("graded", "bare.jsonl")
    assert [one.facts("graded", n).pass_mark for n in range(4)] == [0.1, 0.2, 0.3, 0.4]
    assert "in each row, 0.1 to 0.4" in one.facts("graded", 0).notes[0]


def test_the_reference_is_not_run_in_the_process_that_judges(subject):
    one = subject("remembers", "bare.jsonl")
    assert [reward(one, "x") for _ in range(2)] == [("pass", 1.0)] * 2


@pytest.mark.parametrize(
    "function, rows, says",
    [
        ("", "rows.jsonl", "functions take completions: boxed, chat, never, shape, graded, lacking"),
        ("nothing", "rows.jsonl", "has no function nothing"),
        ("lacking", "rows.jsonl", "no column 'colour'"),
        ("boxed", "none.jsonl", "no such file"),
    ],
)
def test_what_cannot_be_is_said(folder, function, rows, says):
    with pytest.raises(UsageError, match=says):
        RewardSubject(str(folder / "graders.py"), function, str(folder / rows), workers=1)


def test_a_file_that_is_not_there_is_said():
    with pytest.raises(UsageError, match="no such file"):
        RewardSubject("/nowhere/graders.py", "f", "/nowhere/rows.jsonl")


# ---- the shim by itself


def rows_of(folder, function: str, **more) -> Rows:
    import sys

    sys.path.insert(0, str(folder))
    try:
        rows = [
            {"prompt": row["prompt"], "columns": {k: v for k, v in row.items() if k != "prompt"}, "answer": row["answer"], "others": []}
            for row in ROWS
        ]
        return Rows("graders.py", function, rows, **more)
    finally:
        sys.path.remove(str(folder))


def test_the_shim_offers_the_protocol(folder):
    made = rows_of(folder, "boxed", frame=("\\boxed{", "}"))
    episode = made.start("boxed", 8)
    assert (made.cases(), episode.tools, episode.pass_mark, episode.reference()) == (["boxed"], [], 1.0, ([], "33"))
    assert episode.finish("33") == 1.0
    assert episode.checks == ["completion: '\\\\boxed{33}'"]
    with pytest.raises(NotImplementedError):
        episode.alternatives()


@pytest.mark.parametrize(
    "answer, completion",
    [
        (None, ""),
        ("a", "[a]"),
        (3, "[3]"),
        ({"k": "é"}, '[{"k": "é"}]'),
        (b"\xff", "[ÿ]"),
        ({WHOLE: "x"}, "x"),
        ({WHOLE: []}, []),
        ({1, 2}, "[{1, 2}]"),
    ],
)
def test_answers_become_completions(answer, completion):
    assert rendered(answer, ("[", "]")) == completion


def test_prompts_become_texts():
    assert told([{"role": "user", "content": [{"type": "text", "text": "a"}]}, {"role": "tool", "content": None}]) == "a\n\ntool: "
    assert told({"x": 1}) == '{"x": 1}'


def test_the_key_of_whole_completions_is_the_same_on_both_sides():
    assert reward_shim.WHOLE == WHOLE
