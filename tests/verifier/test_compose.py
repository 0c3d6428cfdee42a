"""Definitions: put in front of what names them, told apart as SQLite tells names apart, and refused where one hides another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from worldwright.errors import PackError

Shop = Callable[..., Any]
ANSWER = "answer: {x: {type: integer}}\n"
COMPUTE = "compute: {%s: {columns: %s, code: \"def compute(tables, params): return [{'a': 7}]\"}}\n"


def test_a_definition_is_found_however_its_name_is_written(shop: Shop) -> None:
    for name in ("LATE", "late", '"Late"', "[late]", "`laTe`", "main.orders o, LATE"):
        s = shop(f"define: {{Late: SELECT 7 AS n}}\nanswer: {{x: 'SELECT n FROM {name} LIMIT 1'}}\n", ANSWER)
        assert s.passes([], {"x": 7})
        assert s.verifier.unused() == []


def test_definitions_use_others_and_computed_rows(shop: Shop) -> None:
    s = shop(
        COMPUTE % ("Rows", "[a]") + "define: {one: SELECT a FROM rows, two: SELECT a + 1 AS b FROM ONE}\nanswer: {x: SELECT b FROM Two}\n",
        ANSWER,
    )
    assert s.passes([], {"x": 8})
    assert s.verifier.unused() == []


def test_a_query_with_a_with_of_its_own_keeps_it(shop: Shop) -> None:
    sql = "/* a */ -- b\n WITH y AS (SELECT n + 1 AS m FROM late) SELECT m FROM y"
    s = shop(f"define: {{late: SELECT 7 AS n}}\nanswer:\n  x: |\n    {sql.replace(chr(10), chr(10) + '    ')}\n", ANSWER)
    assert s.passes([], {"x": 8})


def test_a_definition_may_end_in_a_comment(shop: Shop) -> None:
    assert shop(
        "define:\n  late: |\n    SELECT 7 AS n;\n  more: |\n    SELECT n FROM late -- all of them\nanswer: {x: SELECT n FROM more}\n",
        ANSWER,
    ).passes([], {"x": 7})


def test_which_definitions_are_used(shop: Shop) -> None:
    s = shop(
        COMPUTE % ("made", "[a]")
        + "define:\n"
        + "  late: SELECT 7 AS n\n"
        + "  lat: SELECT 1 AS n\n"
        + "  in_text: SELECT 1 AS n\n"
        + "  by_unused: SELECT 1 AS n\n"
        + "  unused: SELECT n FROM by_unused\n"
        + "answer: {x: SELECT n FROM late WHERE 'in_text' <> '' /* lat */ -- made\n }\n",
        ANSWER,
    )
    assert s.verifier.unused() == ["compute.made", "define.lat", "define.in_text", "define.by_unused", "define.unused"]


@pytest.mark.parametrize(
    ("text", "field", "message"),
    [
        (COMPUTE % ("late", "[a]") + "define: {late: SELECT 1 AS a}\n", "define.late", "taken by compute.late"),
        (COMPUTE % ("LATE", "[a]") + "define: {Late: SELECT 1 AS a}\n", "define.Late", "taken by compute.LATE"),
        ("define: {late: SELECT 1 AS a, LATE: SELECT 2 AS a}\n", "define.LATE", "taken by define.late"),
        ("define: {Orders: SELECT 1 AS a}\n", "define.Orders", "taken by a table"),
        ("define: {Open_Orders: SELECT 1 AS a}\n", "define.Open_Orders", "taken by a view"),
        (COMPUTE % ("open_orders", "[a]"), "compute.open_orders", "taken by a view"),
        ("define: {Changes: SELECT 1 AS a}\n", "define.Changes", "taken by the evidence"),
        ("define: {before: SELECT 1 AS a}\n", "define.before", "taken by the evidence"),
        ("define: {new: SELECT 1 AS a}\n", "define.new", "taken by the evidence"),
        ("define: {JSON_each: SELECT 1 AS a}\n", "define.JSON_each", "taken by SQLite"),
        ("define: {späte: SELECT 1 AS a}\n", "define.späte", "not plain"),
        ("define: {a b: SELECT 1 AS a}\n", "define.a b", "not plain"),
        (COMPUTE % ("made", "[a, A]"), "compute.made", "columns"),
        (COMPUTE % ("made", "[]"), "compute.made", "columns"),
        (COMPUTE % ("made", "['a b']"), "compute.made", "columns"),
    ],
)
def test_names_that_hide_others_are_refused(shop: Shop, text: str, field: str, message: str) -> None:
    with pytest.raises(PackError) as caught:
        shop(text + "answer: {x: SELECT 1}\n", ANSWER)
    assert caught.value.field == field
    assert message in str(caught.value)
    assert caught.value.file.endswith("verifier.yaml")
