"""What docs/monty.md says is supported runs, and what it says is not is refused: word by word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from worldwright.errors import SandboxError
from worldwright.sandbox import call_function

TEXT = (Path(__file__).parents[2] / "docs" / "monty.md").read_text(encoding="utf-8")
SUPPORTED_LINE = next(line for line in TEXT.splitlines() if line.startswith("Supported: "))
REFUSED_LINE = next(line for line in TEXT.splitlines() if line.startswith("Not supported"))

SUPPORTED: dict[str, tuple[str, Any]] = {
    "functions": ("def g(a, *b, c=1, **d):\n    return [a, b, c, d]\ndef f():\n    return g(1, 2, c=3, e=4)", [1, (2,), 3, {"e": 4}]),
    "closures": (
        "def g():\n    n = 0\n    def h():\n        nonlocal n\n        n += 1\n        return n\n    return h\ndef f():\n    h = g()\n    h()\n    return h()",
        2,
    ),
    "comprehensions": (
        "def f():\n    return [[x for x in [1, 2] if x > 1], {x: y for x, y in [('a', 1)]}, sorted({x for x in [2, 1]}), sum(x for x in [1, 2])]",
        [[2], {"a": 1}, [1, 2], 3],
    ),
    "f-strings": ("def f():\n    x = 3.14159\n    return f'{x:.2f} {1234567:,} {7:03d} {\"a\"!r:>5}'", "3.14 1,234,567 007   'a'"),
    "match": (
        "def f():\n    match {'kind': 'move', 'to': [1, 2]}:\n        case {'kind': 'move', 'to': [x, *rest]} if x:\n            return rest\n        case _:\n            return None",
        [2],
    ),
    "try / finally": (
        "def f():\n    out = []\n    try:\n        raise ValueError('a')\n    except (KeyError, ValueError) as fault:\n        out.append(str(fault))\n    finally:\n        out.append('end')\n    return out",
        ["a", "end"],
    ),
    "dataclasses": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 2\ndef f():\n    return [P(1).x, P(1).y, P(1) == P(1, 2)]",
        [1, 2, True],
    ),
    "simple classes": (
        "class A:\n    n = 1\n    def __init__(self, x):\n        self.x = x\n    def get(self):\n        return self.x + self.n\ndef f():\n    return A(2).get()",
        3,
    ),
    "datetime": (
        "import datetime\ndef f():\n    day = datetime.date.fromisoformat('2026-03-30') + datetime.timedelta(days=3)\n    return [day.isoformat(), day.weekday(), (day - datetime.date(2026, 1, 1)).days, datetime.datetime(2026, 1, 1, 9, 30).strftime('%H:%M')]",
        ["2026-04-02", 3, 91, "09:30"],
    ),
    "re": (
        "import re\ndef f():\n    return [re.findall(r'(\\d+) EUR', '12 EUR 3 EUR'), re.sub('a', 'b', 'aa'), re.match(r'(?P<x>\\w+)', 'ab').group('x')]",
        [["12", "3"], "bb", "ab"],
    ),
    "json": ("import json\ndef f():\n    return json.loads(json.dumps({'a': [1, None, 1.5]}, sort_keys=True))", {"a": [1, None, 1.5]}),
    "decimal.Decimal": (
        "from decimal import Decimal, ROUND_HALF_UP\ndef f():\n    return str((Decimal('1.005') * 100).quantize(Decimal('1'), rounding=ROUND_HALF_UP))",
        "101",
    ),
    "collections": (
        "from collections import Counter, defaultdict, deque, namedtuple\ndef f():\n    d = defaultdict(list)\n    d['a'].append(1)\n    return [dict(d), Counter('aab').most_common(1), list(deque([1, 2])), namedtuple('P', 'x y')(1, 2).y]",
        [{"a": [1]}, [("a", 2)], [1, 2], 2],
    ),
    "itertools": (
        "import itertools\ndef f():\n    return [list(itertools.combinations([1, 2, 3], 2)), list(itertools.product([1], [2])), [k for k, _ in itertools.groupby('aab')], list(itertools.permutations([1, 2]))]",
        [[(1, 2), (1, 3), (2, 3)], [(1, 2)], ["a", "b"], [(1, 2), (2, 1)]],
    ),
    "functools": (
        "import functools\n@functools.lru_cache(maxsize=None)\ndef g(n):\n    return n if n < 2 else g(n - 1) + g(n - 2)\ndef f():\n    return [functools.reduce(lambda a, b: a * b, [2, 3]), functools.partial(pow, 2)(3), g(30)]",
        [6, 8, 832040],
    ),
    "math": ("import math\ndef f():\n    return [math.ceil(1.2), math.isqrt(10), math.gcd(4, 6), math.hypot(3, 4)]", [2, 3, 2, 5.0]),
    "random": ("import random\ndef f():\n    random.seed(1)\n    return random.random()", 0.13436424411240122),
}

REFUSED: dict[str, str] = {
    "yield": "def g():\n    yield 1\ndef f():\n    return list(g())",
    "next()": "def f():\n    return next(x for x in [1, 2])",
    "Enum": "from enum import Enum\ndef f():\n    return 1",
    "inheritance": "class A:\n    pass\nclass B(A):\n    pass\ndef f():\n    return 1",
    "own exceptions": "class Mine(Exception):\n    pass\ndef f():\n    return 1",
    "property": "class A:\n    @property\n    def x(self):\n        return 1\ndef f():\n    return A().x",
    "del": "def f():\n    x = {'a': 1}\n    del x['a']\n    return x",
    "date.toordinal()": "import datetime\ndef f():\n    return datetime.date(2026, 1, 1).toordinal()",
    **{
        module: f"import {module}\ndef f():\n    return 1"
        for module in ("statistics", "calendar", "operator", "contextlib", "zoneinfo", "heapq", "string", "textwrap", "uuid", "enum")
    },
}
FRIENDS_OF_PROPERTY = ("classmethod", "staticmethod")


def call(source: str) -> Any:
    return call_function(source, "f", {}, seed=0, clock="2026-03-30T09:00:00")


@pytest.mark.parametrize("word", SUPPORTED)
def test_supported(word):
    source, value = SUPPORTED[word]
    assert call(source) == value
    spoken: dict[str, Any] = {"__name__": __name__}
    exec(source, spoken)
    assert spoken["f"]() == value


@pytest.mark.parametrize("word", REFUSED)
def test_not_supported(word):
    with pytest.raises(SandboxError) as caught:
        call(REFUSED[word])
    assert caught.value.line > 0
    assert caught.value.kind in ("syntax", "raised")


@pytest.mark.parametrize("word", FRIENDS_OF_PROPERTY)
def test_friends_of_property(word):
    with pytest.raises(SandboxError) as caught:
        call(f"class A:\n    @{word}\n    def x(self=None):\n        return 1\ndef f():\n    return A().x()")
    assert (caught.value.kind, caught.value.line) == ("syntax", 2)


def test_the_document_lists_what_is_tested_here():
    listed = re.sub(r"\([^)]*\)", "", SUPPORTED_LINE.removeprefix("Supported: ")).strip().rstrip(".").replace("`", "")
    assert {word.strip() for word in listed.split(",")} == set(SUPPORTED)
    assert set(re.findall(r"`([^`]+)`", REFUSED_LINE)) | {"inheritance", "own exceptions"} == set(REFUSED)


def test_round_differs_as_the_document_says():
    ours = [call(f"def f():\n    return round({text})") for text in ("2.675, 2", "1.005, 2")]
    assert ours != [round(2.675, 2), round(1.005, 2)]
    formula = re.search(r"`\((price_cents[^`]+)`", TEXT)
    assert formula is not None
    assert [eval(f"({formula.group(1)}", {"price_cents": cents, "percent": 50}) for cents in (1, 3, 5, 100)] == [1, 2, 3, 50]
