"""Hints: habits of code that are seen, and code that has none."""

from __future__ import annotations

import pytest

from worldwright.audit.text.hints import RULES, hints
from worldwright.audit.text.source import functions, graders

SEEN = {
    "except-pays": "def f(c, answer):\n    try:\n        return float(int(c) == int(answer))\n    except ValueError:\n        return 1.0\n",
    "answer-within": "def f(c, answer):\n    return float(answer in c)\n",
    "length": "def f(c, answer):\n    return float(len(c) > 400)\n",
    "nan-passes": "def f(c, answer):\n    if abs(float(c) - float(answer)) > 0.1:\n        return 0.0\n    return 1.0\n",
    "fraction-dropped": "def f(c, answer):\n    return float(int(float(c)) == answer)\n",
    "first-match": "import re\ndef f(c, answer):\n    return re.search(r'<answer>(.*?)</answer>', c)\n",
    "unanchored": "import re\ndef f(c, answer):\n    return bool(re.search(re.escape(answer), c))\n",
    "prefix": "def f(c, answer):\n    return c.startswith(answer)\n",
    "evaluates": "def f(c, answer):\n    return eval(c) == float(answer)\n",
    "sets": "def f(c, answer):\n    return set(c.split()) == set(answer.split())\n",
}
PLAIN = """
import math
def f(completions, answer, **more):
    out = []
    for text, gold in zip(completions, answer):
        try:
            out.append(float(math.isclose(float(text), float(gold))))
        except ValueError:
            out.append(0.0)
    return out
"""


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_sees_its_habit(rule):
    found = hints(SEEN[rule])
    assert rule in {one.rule for one in found}
    assert all(one.line > 0 and one.says for one in found)


def test_plain_code_has_no_hint():
    assert hints(PLAIN) == []


@pytest.mark.parametrize("source", ["def f(:", "\x00", ""])
def test_what_cannot_be_read_has_none(source):
    assert hints(source) == []
    assert graders(source) == []


def test_functions_and_graders_are_read_off_the_source():
    source = "def helper(x): ...\ndef one(completions, *, answer): ...\nasync def two(prompts, completions, **more): ...\ndef _three(completions): ..."
    assert functions(source)["one"] == ("completions", "answer")
    assert graders(source) == ["one", "two"]
    assert graders("def grade(completion, answer): ...\ndef tool(x, y): ...") == ["grade"]
