"""Changes of a state: rows told apart by a key, wherever they stand."""

from __future__ import annotations

import pytest

from worldwright.audit.host.changes import changes
from worldwright.audit.subject import Change


def test_rows_are_told_apart_by_a_key_wherever_they_stand():
    before = [{"id": 1, "state": "open"}, {"id": 2, "state": "open"}, {"id": 3, "state": "open"}]
    after = [{"id": 4, "state": "new"}, {"id": 3, "state": "open"}, {"id": 1, "state": "shut"}]
    assert changes({"jobs": (before, after)}) == (
        Change("jobs", "update", "1", {"state": "open"}, {"state": "shut"}),
        Change("jobs", "delete", "2", {"id": 2, "state": "open"}, {}),
        Change("jobs", "insert", "4", {}, {"id": 4, "state": "new"}),
    )


def test_the_order_of_rows_is_no_change():
    rows = [{"sku": "a", "n": 1}, {"sku": "b", "n": 1}]
    assert changes({"stock": (rows, rows[::-1])}) == ()


def test_without_a_key_rows_are_a_multiset():
    before = [{"who": "a", "n": 1}, {"who": "a", "n": 1}]
    after = [{"who": "a", "n": 1}, {"who": "a", "n": 2}]
    found = changes({"log": (before, after)})
    assert [(one.op, one.old, one.new) for one in found] == [("delete", {"who": "a", "n": 1}, {}), ("insert", {}, {"who": "a", "n": 2})]


@pytest.mark.parametrize(
    "rows, key",
    [
        ([{"note": "x", "id": 7}], "7"),
        ([{"at": 1, "order_id": "o-1"}], "o-1"),
        ([{"name": "n", "at": 1}], "n"),
        ([{"id": None, "name": "n"}], "n"),
        ([{"value": 3}], "3"),
    ],
)
def test_the_key_is_the_likeliest_column(rows, key):
    assert [one.key for one in changes({"orders": ([], rows)})] == [key]


def test_an_emptied_table_and_an_added_column():
    assert [one.op for one in changes({"t": ([{"id": 1}], [])})] == ["delete"]
    assert changes({"t": ([{"id": 1}], [{"id": 1, "paid": True}])}) == (Change("t", "update", "1", {}, {"paid": True}),)
    assert changes({"t": ([{"id": 1, "n": 1}], [{"id": 1, "n": True}])}) == (Change("t", "update", "1", {"n": 1}, {"n": True}),)
