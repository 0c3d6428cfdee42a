"""The table of a side-by-side run: what couldn't be loaded counts as not found, and is told apart from what took too long."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="module")
def table(side_by_side: Callable[[str], ModuleType]) -> ModuleType:
    return side_by_side("table")


def row(table: ModuleType, part: str, outcome: str, why: str = "", **more: Any) -> Any:
    known = {"tool": "tool", "id": "item", "group": "group", "kind": "A1", "seconds": 1.0, "cpu_seconds": 1.0, "made": ""}
    return table.Row(**(known | {"part": part, "outcome": outcome, "why": [why] if why else []} | more))


def cells(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def test_rates_are_of_all_and_of_what_could_be_loaded(table: ModuleType) -> None:
    rows = [
        row(table, "faulty", "flagged"),
        row(table, "faulty", "clean"),
        row(table, "faulty", "can't load", "no form of it"),
        row(table, "faulty", "can't load", f"{table.TOO_SLOW}: over 60 s"),
        row(table, "sound", "inconclusive"),
        row(table, "sound", "can't load", "no form of it"),
    ]
    rates = ["1 of 4, 25% (0.6 to 80.6)", "1 of 2, 50% (1.3 to 98.7)", "0 of 1, 0% (0.0 to 97.5)", "-"]
    assert cells(table.table(rows)) == [["group", "tool", *rates, "1", "2", "1", "1.0", "1.0"]]


def test_pairs_are_told_apart_where_the_fault_alone_is_flagged(table: ModuleType) -> None:
    told = {
        "apart": ("flagged", "clean"),
        "both": ("flagged", "flagged"),
        "neither": ("clean", "clean"),
        "turned": ("clean", "flagged"),
        "half": ("flagged", "can't load"),
        "unsure": ("flagged", "inconclusive"),
    }
    rows = [
        row(table, part, outcome, id=f"{name}/{part}")
        for name, outcomes in told.items()
        for part, outcome in zip(("faulty", "repaired"), outcomes, strict=True)
    ]
    assert cells(table.table(rows))[0][5] == "2 of 6, 33% (4.3 to 77.7)"


def test_a_looser_rule_is_a_line_over_the_same_items(table: ModuleType) -> None:
    rows = [
        row(table, "faulty", "clean", tool="envdoctor", looser="flagged"),
        row(table, "faulty", "can't load", "no form of it", tool="envdoctor"),
    ]
    assert [line[1:3] for line in cells(table.table(rows))] == [
        ["envdoctor", "0 of 2, 0% (0.0 to 84.2)"],
        [f"envdoctor, {table.LOOSER['envdoctor']}", "1 of 2, 50% (1.3 to 98.7)"],
    ]


def test_plain_environments_are_split_by_their_tools_and_summed(table: ModuleType) -> None:
    rows = [
        row(table, "faulty", "flagged", id="one", group="plain Python", tools=2),
        row(table, "faulty", "clean", id="one", group="plain Python", tool="other"),
        row(table, "faulty", "clean", id="two", group="plain Python", tools=0),
    ]
    assert [line[:3] for line in cells(table.table(rows))] == [
        [table.ALL, "tool", "1 of 2, 50% (1.3 to 98.7)"],
        [table.ALL, "other", "0 of 1, 0% (0.0 to 97.5)"],
        ["plain Python, with tools", "tool", "1 of 1, 100% (2.5 to 100.0)"],
        ["plain Python, with tools", "other", "0 of 1, 0% (0.0 to 97.5)"],
        ["plain Python, question and answer", "tool", "0 of 1, 0% (0.0 to 97.5)"],
    ]
