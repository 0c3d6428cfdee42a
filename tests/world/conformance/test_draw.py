"""Arguments of walks are valid by type, come from what was seen, and are the same for the same chance."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwright.world.arguments import compile_arguments
from worldwright.world.conformance.draw import Drawer
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec

NOW = "2026-03-30T09:00:00"
NUMBERS = st.none() | st.integers(-10_000, 10_000)


def bounded(kind: str, low: int | None, high: int | None, optional: bool) -> ArgSpec:
    low, high = (high, low) if low is not None and high is not None and low > high else (low, high)
    return ArgSpec(type=kind, minimum=low, maximum=high, optional=optional)  # type: ignore[arg-type]


SPECS = st.one_of(
    st.builds(bounded, st.sampled_from(["integer", "number"]), NUMBERS, NUMBERS, st.booleans()),
    st.builds(lambda low, more: ArgSpec(min_length=low, max_length=low + more), st.integers(0, 30), st.integers(0, 30)),
    st.builds(lambda form: ArgSpec(format=form), st.sampled_from(["date", "datetime", "time"])),
    st.builds(lambda kind: ArgSpec(type=kind), st.sampled_from(["boolean", "object", "date", "datetime"])),
    st.builds(lambda low, more: ArgSpec(type="list", min_length=low, max_length=low + more), st.integers(0, 4), st.integers(0, 4)),
    st.just(ArgSpec(type="integer", enum=["1", "2"])),
    st.just(ArgSpec(type="list", items=ArgSpec(type="integer", minimum=3))),
)
SEEN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=200),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "a", "b_id", "note"]), inner, max_size=4),
    max_leaves=20,
)


@given(args=st.dictionaries(st.sampled_from(["a", "b_id", "order_ids", "note"]), SPECS, max_size=4), seen=SEEN, seed=st.integers(0, 999))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_drawn_arguments_are_valid_and_repeatable(args: dict[str, ArgSpec], seen: object, seed: int) -> None:
    tool = ToolDoc("do_it", "Do it.", args)
    drawn = []
    for _ in range(2):
        drawer = Drawer(random.Random(seed), {})
        drawer.read(seen, "list_orders")
        drawn.append([drawer.arguments(tool, NOW, complete=complete) for complete in (False, True)])
    assert repr(drawn[0]) == repr(drawn[1])
    validate = compile_arguments(tool.name, tool.args)
    for one in drawn[0]:
        validate(one)
    assert drawn[0][1].keys() == args.keys()


def draws(spec: ArgSpec, name: str, seen: object, tool: str, known: dict[str, list[object]] | None = None) -> set[object]:
    drawer = Drawer(random.Random(5), known or {})
    drawer.read(seen, tool)
    asked = ToolDoc("ask", "Ask.", {name: spec})
    drawer.learn(asked)
    return {drawer.arguments(asked, NOW)[name] for _ in range(60)}


def test_id_of_a_listed_row_is_tried_under_the_thing_s_name() -> None:
    rows = [{"id": 8_811, "count": 3}, {"id": 8_812, "count": 5}]
    assert {8_811, 8_812} <= draws(ArgSpec(type="integer"), "order_id", rows, "list_orders")


def test_values_of_one_row_are_tried_together() -> None:
    drawer = Drawer(random.Random(1), {})
    drawer.read([{"order_id": n, "line_id": 100 + n} for n in range(40)], "list_lines")
    tool = ToolDoc("ask", "Ask.", {"order_id": ArgSpec(type="integer"), "line_id": ArgSpec(type="integer")})
    drawn = [drawer.arguments(tool, NOW) for _ in range(40)]
    assert sum(one["line_id"] == one["order_id"] + 100 for one in drawn) > 10


def test_quoted_examples_and_known_values_are_tried() -> None:
    assert "projector" in draws(ArgSpec(doc='The item, such as "projector".'), "item", [], "list_things")
    assert "SPRING-24" in draws(ArgSpec(), "coupon", [], "list_things", {"coupon": ["SPRING-24"]})


@pytest.mark.parametrize(
    "pattern", [r"^PO-[0-9]{5}$", r"[A-Z]{2}\d+", r"(a|b)c?[xy]*-\d{2,3}", r"^(?:cat|dog)(s)?$", r"\w+@\w+\.com", r"x+|y+"]
)
def test_patterns_are_fitted(pattern: str) -> None:
    got = draws(ArgSpec(pattern=pattern), "code", [], "list_things")
    assert all(isinstance(text, str) and re.fullmatch(pattern, text) for text in got)
