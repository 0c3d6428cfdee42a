"""Data sets: rows of every kind of file, which columns are chosen, and what is wrong with rows."""

from __future__ import annotations

import json

import pytest

from worldwright.audit.text.dataset import MOST, read_dataset, remarks
from worldwright.errors import UsageError

ROWS = [{"question": "1 + 1?", "answer": "2", "stamp": 7}, {"question": "2 + 2?", "answer": "4", "stamp": 8}]


def written(folder, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "name, text",
    [
        ("a.jsonl", "\n".join(map(json.dumps, ROWS)) + "\n\n"),
        ("a.json", json.dumps(ROWS)),
        ("b.json", json.dumps({"data": ROWS})),
        ("c.json", json.dumps({name: [row[name] for row in ROWS] for name in ROWS[0]})),
        ("a.csv", "question,answer,stamp\n1 + 1?,2,7\n2 + 2?,4,8\n"),
        ("a.tsv", "question\tanswer\tstamp\n1 + 1?\t2\t7\n2 + 2?\t4\t8\n"),
    ],
)
def test_rows_of_every_kind_of_file(tmp_path, name, text):
    data = read_dataset(written(tmp_path, name, text), ["stamp"])
    assert (data.prompt, data.answers[0], data.left_out, data.is_chat) == ("question", "answer", 0, False)
    assert [data.prompt_of(n) for n in range(2)] == ["1 + 1?", "2 + 2?"]
    assert data.columns_of(0)["question"] == "1 + 1?"


def test_the_usual_name_that_the_function_asks_for_comes_first_and_other_parameters_last(tmp_path):
    row = {"prompt": [{"role": "user", "content": "Where?"}], "answer": "a", "label": "b", "stamp": 3}
    data = read_dataset(written(tmp_path, "a.jsonl", json.dumps(row)), ["completions", "label", "stamp"])
    assert data.answers == ("label", "answer", "stamp")
    assert data.is_chat
    assert data.prompt_of(0) == "Where?"
    assert "prompt" not in data.columns_of(0)


@pytest.mark.parametrize(
    "name, text, says",
    [
        ("a.jsonl", "", "no rows"),
        ("a.jsonl", "[1]\n", "row 1 is a list"),
        ("a.jsonl", "{", "can't be read as .jsonl"),
        ("a.jsonl", '{"answer": 1}', "no prompt's column among answer"),
        ("a.json", "3", "expected a list of rows"),
        ("a.txt", "x", "expected .jsonl, .json, .csv, .tsv or .parquet"),
    ],
)
def test_what_is_no_data_set_is_said(tmp_path, name, text, says):
    with pytest.raises(UsageError, match=says):
        read_dataset(written(tmp_path, name, text))


def test_a_missing_file_is_said():
    with pytest.raises(UsageError, match="no such file"):
        read_dataset("/nowhere/rows.jsonl")


def test_no_more_rows_are_read_than_said(tmp_path):
    lines = "\n".join(json.dumps({"prompt": f"{n}?", "answer": n}) for n in range(MOST + 5))
    data = read_dataset(written(tmp_path, "a.jsonl", lines))
    assert (len(data.rows), data.left_out) == (MOST, 5)


def said(tmp_path, *rows: tuple[str, object]) -> list[tuple[bool, str]]:
    lines = "\n".join(json.dumps({"prompt": prompt, "answer": answer}) for prompt, answer in rows)
    return remarks(read_dataset(written(tmp_path, "a.jsonl", lines)), "answer")


def test_rows_that_contradict_each_other_come_first(tmp_path):
    found = said(tmp_path, ("Who?", "Ann"), ("Where?", ""), ("Who?", "Bob"), ("where", "here"), ("", "x"))
    assert found[:2] == [(True, "row 5 has an empty prompt"), (True, "rows 1, 3 ask the same and have different answers")]
    assert (False, "row 2 has an empty answer") in found
    assert (False, "rows 2, 4 differ in case, spacing or punctuation alone and have different answers") in found


def test_repeats_and_open_questions_prove_nothing(tmp_path):
    found = said(tmp_path, ("Who?", "Ann"), ("Who?", "ann"), ("Name any valid tree.", "oak"), ("Name any valid tree.", "elm"))
    assert found == [(False, "rows 1, 2 ask the same"), (False, "rows 3, 4 ask the same and have different answers")]


def test_rows_that_all_ask_the_same_are_asked_something_else(tmp_path):
    found = said(tmp_path, ("Which mood is it?", "glad"), ("Which mood is it?", "sad"), ("Which mood is it?", "glad"))
    assert found == [(False, "rows 1, 2, 3 ask the same and have different answers")]


def test_sound_rows_have_no_remarks(tmp_path):
    assert said(tmp_path, ("x = -1?", "1"), ("x = 1?", "1"), ("x = (1)?", "2")) == []
