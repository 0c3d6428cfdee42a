"""Tools as data: names, docs, types, choices, defaults; states as tables."""

from __future__ import annotations

import enum
import functools
import sqlite3
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

import pytest

from worldwright.audit.host.describe import described, fitted, name_of, tables


class Kind(enum.Enum):
    SOFT = "soft"
    HARD = "hard"


class Level(int, enum.Enum):
    LOW = 1
    HIGH = 2


class Address(TypedDict):
    street: str


class Desk:
    def move(self, row: int, to: Literal["a", "b"] = "a", *, note: str | None = None) -> str:
        """Move a row.

        More.
        """
        return f"{row}{to}{note}"

    def __call__(self, kind: Kind) -> Kind:
        """Called."""
        return kind


def args(tool: Any) -> dict[str, tuple[str, bool, list[Any], Any]]:
    return {one["name"]: (one["type"], one["required"], one["choices"], one["default"]) for one in described(tool)["args"]}


def test_a_method_is_described_without_self():
    tool = described(Desk().move)
    assert (tool["name"], tool["doc"]) == ("move", "Move a row.\n\nMore.")
    assert args(Desk().move) == {
        "row": ("int", True, [], None),
        "to": ("str", False, ["a", "b"], "a"),
        "note": ("str", False, [], None),
    }


def test_types_are_a_few():
    def tool(
        a: str, b: int | None, c: list[int], d: dict[str, int], e: Sequence[str], f: bool, g: float | int, h: Any, i: Kind, j: Level,
        k: Address, l: Annotated[str, "note"], m: Literal[1, 2], n, o: set[int] = frozenset(), *rest: int, **named: int,  # noqa: E741
    ) -> None:  # fmt: skip
        """No doc."""

    kinds = {name: kind for name, (kind, *_) in args(tool).items()}
    assert kinds == {
        "a": "str", "b": "int", "c": "list", "d": "dict", "e": "list", "f": "bool", "g": "any", "h": "any", "i": "str", "j": "int", "k": "dict",
        "l": "str", "m": "int", "n": "any", "o": "list",
    }  # fmt: skip
    assert args(tool)["i"][2] == ["soft", "hard"]
    assert args(tool)["j"][2] == [1, 2]
    assert args(tool)["b"][1] is True


def test_names_that_are_not_there_are_any():
    namespace: dict[str, Any] = {}
    exec("def tool(a: 'Missing', b: 'int' = 3, c: 'Optional[str]' = None): pass", namespace)
    assert args(namespace["tool"]) == {"a": ("any", True, [], None), "b": ("int", False, [], 3), "c": ("str", False, [], None)}


@pytest.mark.parametrize("tool, name", [(Desk(), "Desk"), (functools.partial(Desk().move, 1), "move"), (len, "len"), (3, "int")])
def test_odd_tools_have_a_name_and_never_raise(tool, name):
    assert name_of(tool) == name
    assert described(tool)["name"] == name


def test_a_callable_object_is_described_by_its_call():
    assert args(Desk()) == {"kind": ("str", True, ["soft", "hard"], None)}


def test_members_of_an_enum_stand_for_their_values():
    assert fitted(Desk(), {"kind": "soft"}) == {"kind": Kind.SOFT}
    assert fitted(Desk(), {"kind": "other"}) == {"kind": "other"}
    assert fitted(Desk().move, {"row": 1, "to": "b"}) == {"row": 1, "to": "b"}


def test_states_are_tables_of_rows():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    rows = connection.execute("SELECT 1 AS a UNION SELECT 2").fetchall()
    connection.close()
    state = {"sql": rows, "by_key": {"x": {"n": 1}}, "plain": ({"a": Kind.SOFT},), "values": [1, "b"], "objects": {7: Kind.HARD}}
    assert tables(state) == {
        "sql": [{"a": 1}, {"a": 2}],
        "by_key": [{"key": "x", "n": 1}],
        "plain": [{"a": "soft"}],
        "values": [{"value": 1}, {"value": "b"}],
        "objects": [{"key": 7, "value": "hard"}],
    }


@pytest.mark.parametrize("state", [[], "x", {"t": 3}, {"t": "rows"}])
def test_what_is_no_state_is_a_type_error(state):
    with pytest.raises(TypeError, match=r"state\(\) gave a"):
        tables(state)
