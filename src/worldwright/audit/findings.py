"""Findings without their repeats: one group a case, probe and shape of variant, the worst first.

Takes outcomes; gives groups with a count and the first witness. A variant's shape is its text without what varies from
instance to instance (numbers, what stands in quotes, values after a colon or an equals sign).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from worldwright.audit.records import Outcome, Side

__all__ = ["Found", "Group", "clean", "found_of", "grouped", "shape_of", "side_of"]

_WORST = {"high": 0, "medium": 1, "low": 2}


class Group(msgspec.Struct, frozen=True):
    """Outcomes that are the same fault as far as names go. `first` is the witness: the lowest seed."""

    first: Outcome
    shape: str
    count: int
    seeds: tuple[int, ...]


class Found(msgspec.Struct, frozen=True):
    """A finding as a certificate has it; its evidence is in findings.json. `count` are trials, `seeds` are instances."""

    case: str
    probe: str
    version: int
    code: str
    severity: Literal["high", "medium", "low"]
    side: Side
    variant: str
    seed: int
    expected: str
    got: str
    labelled_by: str
    count: int
    seeds: int


def side_of(outcome: Outcome, sides: Mapping[str, Side]) -> Side:
    """Which kind of error the outcome would be: by its label; by what the trial expected where there is none."""
    by_label: dict[str, Side] = {"wrong": "accept", "right": "refuse", "holds": "hold"}
    if outcome.label in by_label:
        return by_label[outcome.label]
    if outcome.expected in ("pass", "fail"):
        return "refuse" if outcome.expected == "pass" else "accept"
    return sides.get(outcome.probe, "hold")


def shape_of(variant: str) -> str:
    """A variant without what varies from instance to instance."""
    text = re.sub(r"(?s)(?:'.*?'|\".*?\"|\[.*\]|\{.*\})", "_", variant)
    text = re.sub(r"([:=]) *\S.*$", r"\1 _", text) if not text.startswith("call ") else text
    return re.sub(r"[-+]?\d[\d.,]*", "#", text)


def grouped(outcomes: Iterable[Outcome]) -> list[Group]:
    """Groups, the worst first: by severity, then by how often it was seen."""
    by: dict[tuple[str, str, str], list[Outcome]] = {}
    for one in outcomes:
        by.setdefault((one.case, one.probe, shape_of(one.variant)), []).append(one)
    groups = [
        Group(min(ones, key=lambda one: (one.session is None, one.seed)), shape, len(ones), tuple(sorted({one.seed for one in ones})))
        for (_, _, shape), ones in by.items()
    ]
    return sorted(groups, key=lambda group: (_WORST[group.first.severity], -group.count, group.first.case, group.first.probe, group.shape))


def found_of(group: Group) -> Found:
    """A group as a certificate has it."""
    one = group.first
    where = (one.case, one.probe, one.version, one.code, one.severity, side_of(one, {}), clean(one.variant), one.seed)
    return Found(*where, one.expected, one.got, one.by, group.count, len(group.seeds))


def clean(text: str) -> str:
    """A text as a file can hold it: lone surrogates as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()
