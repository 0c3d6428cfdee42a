"""Values cross to another process and back as they were, or not at all."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import math
import sqlite3
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwright.audit.host.values import DEEPEST, Held, Unencodable, decode, encode, shown

PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(exclude_categories=())), st.binary(), st.decimals(),
    st.fractions(), st.complex_numbers(), st.uuids(), st.dates(), st.datetimes(), st.times(), st.timedeltas(),
    st.datetimes(timezones=st.just(datetime.timezone(datetime.timedelta(hours=-9, minutes=30)))),
)  # fmt: skip
HASHABLE = st.one_of(st.integers(), st.text(), st.binary(), st.none(), st.tuples(st.integers(), st.text()))
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner), st.tuples(inner, inner), st.dictionaries(st.text(), inner), st.dictionaries(HASHABLE, inner), st.sets(HASHABLE)
    ),
    max_leaves=12,
)


def there_and_back(value: object, loose: bool = False) -> object:
    return decode(json.loads(json.dumps(encode(value, loose))))


def told(value: object) -> object:
    """All that distinguishes a value, whatever the order within sets and dicts."""
    if isinstance(value, (list, tuple)):
        return type(value), [told(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return type(value), sorted(map(repr, map(told, value)))
    if isinstance(value, dict):
        return dict, sorted(repr((told(key), told(item))) for key, item in value.items())
    return type(value), hex(value) if isinstance(value, int) else repr(value)


@settings(max_examples=50, deadline=None)
@given(VALUES)
def test_values_come_back_as_they_were(value):
    assert told(there_and_back(value)) == told(value)


@pytest.mark.parametrize(
    "value",
    [
        "\ud83d\ude00", "\ud800 alone", "😀", 10**5000, -(10**400), math.inf, -0.0, {"$set": 1}, {"$": [1]}, {1: 2, "1": 3}, {True: 1}, {"é": 1},
        frozenset({1}), (1, (2, [3])), Decimal("1.10"), Decimal("NaN"), Fraction(1, 3), UUID(int=5), datetime.time(1, 2, 3, fold=0),
        datetime.datetime(2026, 10, 25, 2, 30, fold=1), {"a": {"$held": 1}},
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_odd_values_come_back_as_they_were(value):
    assert told(there_and_back(value)) == told(value)


class Colour(enum.Enum):
    RED = "r"


class Size(enum.IntEnum):
    SMALL = 1


class Name(str):
    pass


class Thing:
    pass


class Bad:
    def __repr__(self):
        raise KeyError("no")


@dataclasses.dataclass
class Line:
    sku: str
    size: Size


Row = namedtuple("Row", "a b")


@pytest.mark.parametrize(
    "value", [Colour.RED, Size.SMALL, Name("x"), Thing(), Row(1, 2), Line("a", Size.SMALL), [Thing()], {"a": print}, object]
)
def test_other_values_stay_or_become_plain(value):
    with pytest.raises(Unencodable):
        encode(value)
    json.dumps(encode(value, loose=True))


def test_loose_values_become_the_nearest_plain_ones():
    assert there_and_back([Colour.RED, Size.SMALL, Name("x")], loose=True) == ["r", 1, "x"]
    assert there_and_back(Row(1, Line("a", Size.SMALL)), loose=True) == {"a": 1, "b": {"sku": "a", "size": 1}}
    assert there_and_back(Thing(), loose=True) == f"<{__name__}.Thing object at 0x...>"
    assert there_and_back(Bad(), loose=True) == "<Bad whose repr raises KeyError>"


def test_rows_of_sqlite_become_dicts():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    row = connection.execute("SELECT 1 AS a, 'x' AS b").fetchone()
    connection.close()
    assert there_and_back(row, loose=True) == {"a": 1, "b": "x"}


def test_what_is_nested_too_deep_is_shown_not_followed():
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(Unencodable):
        encode(deep)
    assert len(json.dumps(encode(deep, loose=True))) < 10_000 + DEEPEST
    around: list[object] = []
    around.append(around)
    json.dumps(encode(around, loose=True))


def test_what_stayed_behind_is_named():
    back = decode(encode({"answer": Held(2, "0.qty", "<thing>")}), lambda held: (held.known, held.at, held.shown))
    assert back == {"answer": (2, "0.qty", "<thing>")}


@pytest.mark.parametrize(
    "data", [{"$nothing": 1}, {"$int": []}, {"$datetime": "x"}, {"$decimal": "x"}, {"$tuple": 3}, {"$dict": [1]}, {"$held": {}}]
)
def test_data_that_is_no_value_is_a_value_error(data):
    with pytest.raises(ValueError, match=r"\S"):
        decode(data)


def test_long_reprs_are_cut():
    assert len(shown("x" * 10_000)) == 2_003
