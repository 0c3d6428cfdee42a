"""Values and answers: form is forgiven, content never."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwright.verifier.compare import loosened, same_answer, same_value
from worldwright.world.spec import ArgSpec

RIGHT: list[tuple[dict[str, Any], Any, Any]] = [
    ({"type": "string"}, "Lindqvist Joinery", "  lindqvist   JOINERY "),
    ({"type": "string"}, "it's – so", "it’s - so"),
    ({"type": "string"}, "café", "cafe\u0301"),
    ({"type": "string"}, "a b", "a\u00a0b"),
    ({"type": "string"}, "7", 7),
    ({"type": "integer"}, 12, "12"),
    ({"type": "integer"}, 12, 12.0),
    ({"type": "integer"}, -3, "−3"),
    ({"type": "integer"}, 12, " " * 100 + "12" + " " * 100),
    ({"type": "number"}, 0.1 + 0.2, 0.3),
    ({"type": "number"}, 2.5, "2.50"),
    ({"type": "boolean"}, 1, True),
    ({"type": "boolean"}, 0, "false"),
    ({"type": "date"}, "2026-03-04", "2026-03-04"),
    ({"type": "date"}, "2026-03-04", "2026-03-04T00:00:00"),
    ({"type": "string", "format": "date"}, "2026-03-04", "20260304"),
    ({"type": "datetime"}, "2026-03-04T09:00:00", "2026-03-04 09:00"),
    ({"type": "datetime"}, "2026-03-04T09:00:00", "2026-03-04T10:00:00+01:00"),
    ({"type": "string", "format": "time"}, "09:05", "9:05"),
    ({"type": "list", "items": {"type": "integer"}}, [3, 1, 2], [1, 2, 3]),
    ({"type": "list", "items": {"type": "integer"}}, [], []),
    ({"type": "list", "items": {"type": "string"}, "ordered": True}, ["a", "b"], ["A", "b "]),
]

WRONG: list[tuple[dict[str, Any], Any, Any]] = [
    ({"type": "string"}, "a", None),
    ({"type": "string"}, "a", ["a"]),
    ({"type": "string"}, "a", "ab"),
    ({"type": "string"}, "1", True),
    ({"type": "string"}, "granted", "granted declined"),
    ({"type": "integer"}, 1, True),
    ({"type": "integer"}, 12, "12.5"),
    ({"type": "integer"}, 12, float("nan")),
    ({"type": "integer"}, 12, float("inf")),
    ({"type": "integer"}, 12, "1_2"),
    ({"type": "integer"}, 12, [12]),
    ({"type": "integer"}, 0, ""),
    ({"type": "integer"}, 0, None),
    ({"type": "integer"}, 5, 10**400),
    ({"type": "number"}, 2.5, 2.51),
    ({"type": "boolean"}, 1, 1),
    ({"type": "boolean"}, 0, None),
    ({"type": "boolean"}, 0, ""),
    ({"type": "date"}, "2026-03-04", "2026-04-03"),
    ({"type": "date"}, "2026-03-04", "2026-03-04T12:00:00"),
    ({"type": "datetime"}, "2026-03-04T09:00:00", "2026-03-04T09:00:00+01:00"),
    ({"type": "integer"}, 12, "12" + " " * 60 + "or 13"),
    ({"type": "number"}, 2.5, "2." + "5".ljust(58, "0") + " or 3"),
    ({"type": "datetime"}, "2026-03-04T09:00:00", "2026-03-04T09:00:00." + "0" * 20 + " or later"),
    ({"type": "string"}, "granted", "granted" + " " * 100_000 + "or declined"),
    ({"type": "list", "items": {"type": "integer"}}, [1, 2], [1, 2, 2]),
    ({"type": "list", "items": {"type": "integer"}}, [1, 1, 2], [1, 2, 2]),
    ({"type": "list", "items": {"type": "integer"}}, [1], {"0": 1}),
    ({"type": "list", "items": {"type": "integer"}, "ordered": True}, [1, 2], [2, 1]),
]


def _spec(fields: dict[str, Any]) -> ArgSpec:
    items = fields.get("items")
    return ArgSpec(**{**fields, **({"items": ArgSpec(**items)} if items else {})})


@pytest.mark.parametrize(("fields", "wanted", "got"), RIGHT)
def test_form_is_forgiven(fields: dict[str, Any], wanted: Any, got: Any) -> None:
    assert same_answer(_spec(fields), wanted, got)


@pytest.mark.parametrize(("fields", "wanted", "got"), WRONG)
def test_content_is_not(fields: dict[str, Any], wanted: Any, got: Any) -> None:
    assert not same_answer(_spec(fields), wanted, got)


def test_a_huge_number_is_no_text() -> None:
    assert not same_answer(_spec({"type": "string"}), "7", 10**5000)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(JSON, st.sampled_from(["string", "integer", "number", "boolean", "date", "datetime", "list"]))
def test_any_answer_can_be_compared(got: Any, kind: str) -> None:
    wanted: Any = (
        [1] if kind == "list" else {"string": "w~", "boolean": 1, "date": "1999-01-01", "datetime": "1999-01-01T00:00:00"}.get(kind, 123456)
    )
    spec = ArgSpec(type=kind, items=ArgSpec(type="integer"))  # type: ignore[arg-type]
    same = same_answer(spec, wanted, got)
    if got is None or isinstance(got, dict) or (isinstance(got, float) and math.isnan(got)):
        assert not same
    if kind == "list" and not isinstance(got, list):
        assert not same


@given(st.text(max_size=40))
def test_loosening_is_stable(text: str) -> None:
    assert loosened(loosened(text)) == loosened(text)


def test_columns_compare_by_declared_type() -> None:
    assert same_value("real", 1.5, 1.5000000000000002)
    assert same_value("integer", 5, 5.0)
    assert not same_value("integer", 5, "5")
    assert not same_value("text", "5", 5)
    assert not same_value("text", "a", "A")
    assert same_value("text", "a", "A ", loose=True)
    assert not same_value("text", "a", "a" + " " * 100_000 + "b", loose=True)
    assert same_value("text", "a" * 200_000, "a" * 200_000, loose=True)
    assert not same_value("text", "a" * 200_000, "A" * 200_000, loose=True)
    assert same_value("date", "2026-05-01", "2026-05-01T00:00:00")
    assert same_value("text", None, None)
    assert not same_value("text", None, "")
    assert same_value("integer", 100, 103, tolerance=3)
    assert not same_value("integer", 100, 104, tolerance=3)
    assert not same_value("integer", 2**53, 2**53 + 1)
