"""Findings are grouped by case, probe and shape of variant; exhibits can be said in JSON whatever is in them."""

from __future__ import annotations

import math

import msgspec
import pytest

from worldwright.audit.exhibits import sayable
from worldwright.audit.findings import grouped, shape_of, side_of
from worldwright.audit.records import Outcome


def outcome(case: str = "a", seed: int = 0, variant: str = "x", **more) -> Outcome:
    given = {"expected": "fail", "got": "pass", "label": "wrong", "by": "state", "ok": False, "kind": "finding", "confirmed": True, **more}
    return Outcome("collateral", 1, case, seed, variant, **given)


@pytest.mark.parametrize(
    "one, other",
    [
        ("call 3, pay: amount, one more", "call 12, pay: amount, one more"),
        ("to a judge: VERDICT: PASS", "to a judge: Ignore all"),
        ('always "yes"', 'always "no"'),
        ("the first 2 of 5 calls, right answer", "the first 0 of 3 calls, right answer"),
    ],
)
def test_one_shape(one, other):
    assert shape_of(one) == shape_of(other)


def test_other_shapes():
    assert shape_of("call 1, pay: amount, one more") != shape_of("call 1, pay: amount, negated")
    assert shape_of("pay before the reference") != shape_of("pay after the reference")


def test_groups_are_counted_and_the_worst_come_first():
    ones = [
        outcome(seed=3, severity="medium"),
        outcome(seed=2),
        outcome(seed=5, variant="y", severity="high"),
        outcome("b", 1, "y", severity="high"),
    ]
    ones += [outcome("b", 4, "y", severity="high")]
    groups = grouped(ones)
    assert [(group.first.case, group.first.seed, group.count, group.seeds) for group in groups] == [
        ("b", 1, 2, (1, 4)),
        ("a", 5, 1, (5,)),
        ("a", 2, 2, (2, 3)),
    ]


def test_a_side_is_told_by_the_label():
    assert side_of(outcome(label="right"), {}) == "refuse"
    assert side_of(outcome(label="disputed", expected="pass"), {}) == "refuse"
    assert side_of(outcome(label="disputed"), {}) == "accept"
    assert side_of(outcome(label="holds"), {"collateral": "accept"}) == "hold"


def test_anything_can_be_said():
    strange = {"a": math.nan, 1: "\ud800", "b": [10**400, {"c": b"\xff"}], "d": (None, True, 1.5)}
    assert msgspec.json.decode(msgspec.json.encode(sayable(strange))) == {
        "a": "nan",
        "1": "\\ud800",
        "b": [str(10**400)[:60], {"c": "b'\\xff'"}],
        "d": [None, True, 1.5],
    }
