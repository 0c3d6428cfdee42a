"""Candidates from what was seen: valid, the likeliest first, in a stable order."""

from __future__ import annotations

import pytest

from worldwright.solver.seen import Seen, Slot, is_required, spoken_fields
from worldwright.task import Prompt
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec


def slot(name, **spec):
    return Slot(name, ArgSpec(**spec))


def seen_from(*results, instruction="", shown=None):
    seen = Seen(Prompt("You work at a desk.", instruction, (), (), {}), shown or {})
    for tool, value in results:
        seen.read(value, tool=tool)
    return seen


def test_shown_parameters_keep_their_type():
    seen = seen_from(shown={"rental_id": 12, "customer": "Abara Roofing"})
    assert seen.fitting(slot("rental_id", type="integer"))[0] == 12
    assert seen.fitting(slot("text"))[0] == "Abara Roofing"


def test_numbers_dates_and_times_are_read_from_text():
    seen = seen_from(instruction="Move order 77 to 2026-04-01 at 10:30, for 12.50. It is 2026-03-30T09:00:00.")
    assert seen.fitting(slot("n", type="integer")) == [77]
    assert seen.fitting(slot("x", type="number")) == [77, 12.5]
    assert seen.fitting(slot("day", format="date")) == ["2026-04-01", "2026-03-30"]
    assert seen.fitting(slot("day", type="date")) == ["2026-04-01", "2026-03-30"]
    assert seen.fitting(slot("at", format="time")) == ["10:30"]
    assert seen.fitting(slot("until", format="datetime")) == ["2026-03-30T09:00:00"]


def test_like_names_come_first():
    rows = [{"id": 4, "price_cents": 900, "customer_id": 2}, {"id": 5, "price_cents": 800, "customer_id": 2}]
    seen = seen_from(("list_rentals", rows))
    assert seen.fitting(slot("rental_id", type="integer")) == [4, 5, 2, 900, 800]
    assert seen.likely(slot("rental_id", type="integer")) == [4, 5]
    assert seen.likely(slot("customer_id", type="integer")) == [2]
    assert seen.likely(slot("amount_cents", type="integer")) == [900, 800]


def test_invalid_values_are_left_out():
    seen = seen_from(("t", [{"n": 3, "s": "AB-1"}, {"n": 30, "s": "long text"}, {"n": True, "s": None}]))
    assert seen.fitting(slot("n", type="integer", minimum=10)) == [30]
    assert seen.fitting(slot("s", pattern="[A-Z]+-[0-9]+")) == ["AB-1"]
    assert seen.fitting(slot("s", max_length=4)) == ["AB-1"]


def test_listed_values_need_not_be_seen():
    seen = seen_from()
    assert seen.fitting(slot("s", enum=["a", "b"])) == ["a", "b"]
    assert seen.fitting(slot("n", type="integer", enum=["2", "3"])) == [2, 3]
    assert seen.fitting(slot("b", type="boolean")) == [True, False]


def test_lists_are_single_values_and_all():
    seen = seen_from(("t", [{"id": 1}, {"id": 2}]))
    assert seen.fitting(slot("id", type="list", items=ArgSpec(type="integer"))) == [[1], [2], [1, 2]]
    assert seen.fitting(slot("id", type="list", items=ArgSpec(type="integer"), min_length=2)) == [[1, 2]]


def test_same_value_as_number_and_as_text_are_two():
    seen = seen_from(("t", {"a": 1, "b": "1", "c": 1.0}))
    assert seen.fitting(slot("a", type="integer")) == [1, 1.0]
    assert seen.fitting(slot("b")) == ["1"]


def test_long_text_gives_its_numbers_alone():
    seen = seen_from(("read_handbook", {"text": "A delivery is late when it comes more than 3 days after it was due. " * 3}))
    assert seen.fitting(slot("text")) == []
    assert seen.fitting(slot("days", type="integer")) == [3]


def test_most_values_are_kept_and_no_more():
    seen = seen_from(("t", list(range(10_000))))
    assert seen.fitting(slot("n", type="integer")) == list(range(3_000))


@pytest.mark.parametrize(
    "name, other, likeness",
    [
        ("rental_id", "rental_id", 3),
        ("rental_id", "id", 2),
        ("id", "rental_id", 2),
        ("customer", "customer_id", 1),
        ("day", "name", 0),
        ("a", "", 0),
    ],
)
def test_likeness(name, other, likeness):
    assert slot(name).likeness(other) == likeness


def test_fields_of_say_are_read_from_its_words(packing):
    say = next(tool for tool in packing.prompt(packing.instance(0)).tools if tool.name == "say")
    fields = spoken_fields(say)
    assert list(fields) == ["topic", "order_id"]
    assert fields["topic"].enum == ["price", "day"]
    assert fields["order_id"].type == "integer"
    assert not any(is_required(spec) for spec in fields.values())


def test_fields_of_several_people_are_taken_together():
    doc = "What you say. buyer: topic (price/day): About. seller: topic (day/colour): About; due (date): When."
    fields = spoken_fields(ToolDoc("say", "", {"fields": ArgSpec(type="object", doc=doc)}))
    assert fields["topic"].enum == ["price", "day", "colour"]
    assert fields["due"].type == "date"
