"""Datasets of reasoning-gym as subjects, over a small package with its interface; and over the real one, where it is installed."""

from __future__ import annotations

import importlib.util
import stat
import sys

import pytest

from worldwright.audit.adapters.reasoning_gym import SHARED, reasoning_gym_subjects
from worldwright.audit.subject import WHOLE, Play, Session, Setting
from worldwright.errors import UsageError

PACKAGE = """
import random
from .factory import DATASETS


def create_dataset(name, size=1, seed=0):
    return DATASETS[name](seed)
"""
FACTORY = """
import os, random, time


class Sums:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.a, self.b = rng.randrange(100), rng.randrange(100)

    def __getitem__(self, n):
        return {"question": f"{self.a} + {self.b}?", "answer": str(self.a + self.b), "metadata": {"pair": (self.a, self.b)}}

    def score_answer(self, answer, entry):
        if answer == "die":
            os._exit(3)
        return 1.0 if answer == entry["answer"] and entry["metadata"]["pair"] == (self.a, self.b) else 0.01 if answer else 0.0


class Open(Sums):
    def __getitem__(self, n):
        return {**super().__getitem__(n), "answer": None}


class Bare:
    def __init__(self, seed):
        raise AssertionError("Must specify at least one dataset")


class Late(Sums):
    def __init__(self, seed):
        super().__init__(seed)
        time.sleep(0.6)


class Endless(Sums):
    def score_answer(self, answer, entry):
        if len(answer) > 5_000:
            time.sleep(60)
        return super().score_answer(answer, entry)


DATASETS = {"sums": Sums, "open": Open, "bare": Bare, "late": Late, "endless": Endless}
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> str:
    """An interpreter that has the package."""
    place = tmp_path_factory.mktemp("gym")
    package = place / "site" / "reasoning_gym"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    (package / "factory.py").write_text(FACTORY, encoding="utf-8")
    program = place / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{place}/site" exec "{sys.executable}" "$@"\n', encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


@pytest.fixture(scope="module")
def gym(python):
    subjects = {one.dataset: one for one in reasoning_gym_subjects("all", python, workers=1)}
    yield subjects
    for one in subjects.values():
        one.close()


def play(dataset: str, answer: object, seed: int = 0) -> Session:
    return Session((Play(dataset, seed, (), answer),))


def test_each_dataset_is_a_subject_of_one_case(gym):
    assert list(gym) == ["bare", "endless", "late", "open", "sums"]
    sums = gym["sums"]
    facts = sums.facts("sums", 5)
    assert (sums.cases(), sums.kind, sums.name) == (["sums"], "reasoning-gym", "reasoning-gym:sums")
    assert (facts.frame, facts.pass_mark, facts.tools) == (("", ""), 1.0, ())
    assert facts == sums.facts("sums", 5)
    assert facts.prompt != sums.facts("sums", 6).prompt
    assert len({one.digest for one in gym.values()}) == 5


def test_an_answer_is_scored(gym):
    sums = gym["sums"]
    right = sums.facts("sums", 1).reference.answer
    attempts = [sums.run(play("sums", answer, 1))[0] for answer in (right, {WHOLE: right}, f" {right}\n", "x", None, 3.5)]
    assert [one.status for one in attempts] == ["pass", "pass", "pass", "fail", "fail", "fail"]
    assert [one.reward for one in attempts] == [1.0, 1.0, 1.0, 0.01, 0.0, 0.01]


def test_many_runs_share_processes_and_one_that_dies_takes_no_other_with_it(gym):
    sums = gym["sums"]
    right = sums.facts("sums", 0).reference.answer
    answers = [right, "die", "x", right] * (SHARED // 2)
    done = sums.run_many([play("sums", answer) for answer in answers])
    assert [one[0].status for one in done] == ["pass", "error", "fail", "pass"] * (SHARED // 2)
    both = sums.run_many([Session((*play("sums", right).plays, *play("sums", "x").plays)), *[play("sums", right)] * 4])
    assert [[one.status for one in attempts] for attempts in both] == [["pass", "fail"], *[["pass"]] * 4]


def test_longer_answers_than_one_that_finds_no_end_are_not_run_with_many_others(gym):
    endless = gym["endless"]
    right = endless.facts("endless", 0).reference.answer
    answers = ["x" * 8_000, right, "x" * 6_000, "x" * 3_000, "x" * 7_000]
    done = [one[0] for one in endless.run_many([play("endless", answer) for answer in answers])]
    assert [one.status for one in done] == ["unknown", "pass", "error", "fail", "error"]
    assert done[0].fault.startswith("not run")


def test_items_that_take_long_are_made_ahead_and_stay_what_they_are(gym):
    late = gym["late"]
    facts = [late.facts("late", seed) for seed in (3, 4)]
    sessions = [play("late", one.reference.answer, one.seed) for one in facts]
    plain = late.run_many(sessions)
    elsewhere = late.run_many([Session(one.plays, (), Setting(hash_seed=7)) for one in sessions])
    assert [one[0].status for one in plain + elsewhere] == ["pass"] * 4
    assert [one[0].prompt for one in plain] == [one.prompt for one in facts]


def test_a_dataset_without_answers_has_no_reference(gym):
    facts = gym["open"].facts("open", 0)
    assert facts.reference is None
    assert any("no answer of its own" in note for note in facts.notes)


def test_a_dataset_that_needs_a_configuration_says_so(gym):
    facts = gym["bare"].facts("bare", 0)
    assert not facts.usable
    assert facts.fault == ""
    assert gym["bare"].not_audited.startswith("not audited: it needs a configuration")
    assert gym["bare"].facts("bare", 1).notes == (gym["bare"].not_audited,)


def test_a_name_that_is_not_there_is_said(python):
    with pytest.raises(UsageError, match="no such dataset \\(did you mean sums"):
        reasoning_gym_subjects("sum", python)


def test_an_interpreter_without_it_is_said(tmp_path):
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(UsageError, match="pip install reasoning-gym"):
        reasoning_gym_subjects("sums", str(program))


@pytest.mark.skipif(importlib.util.find_spec("reasoning_gym") is None, reason="reasoning-gym is not installed here")
def test_the_real_one():
    (one,) = reasoning_gym_subjects("gcd")
    try:
        facts = one.facts("gcd", 0)
        assert one.run(play("gcd", facts.reference.answer))[0].status == "pass"
    finally:
        one.close()
