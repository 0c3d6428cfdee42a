"""Reading a plan: a YAML file, held to its form and to what an experiment needs, before anything runs.

Takes the path of a plan; gives a Plan with the sha256 of the file's bytes. Raises PackError with file, line, field and expectation
for what breaks the form, and UsageError if there is no file. What depends on the packs (which tasks there are, what is too near to
what) is checked by `transfer.material` and `transfer.guard`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from worldwright.errors import PackError, UsageError
from worldwright.files import decode_yaml, locate
from worldwright.training.rewards import FAULTS
from worldwright.transfer.records import (
    GOLD_AND_NOOP,
    OWN,
    WEAKENED,
    Arm,
    Budget,
    Comparison,
    Evaluation,
    GuardPolicy,
    HeldOut,
    Order,
    Plan,
    StatisticsPolicy,
)

__all__ = ["FEWEST_SEEDS", "MOST_SEEDS", "decode_plan", "read_plan"]

FEWEST_SEEDS = {"experiment": 20, "demo": 10}
"""With 5 pairs the smallest possible p of a sign-flip test is 0.06, and a bootstrap covers 84 % instead of 95."""
MOST_SEEDS = 40
"""Up to here the sign-flip test is exact in little time and memory."""
UNITS = ("calls", "attempts", "gradient_steps", "db_steps", "cpu_seconds")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")
_UNTOLD = ("digest", "folder", "checkpoints", "held_out_families")


class _Paper(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan's file says: a Plan without what is known of its file."""

    name: str
    question: str = ""
    kind: str = "experiment"
    packs: dict[str, str]
    held_out: HeldOut
    evaluation: Evaluation
    budget: Budget
    seeds: int
    first_seed: int = 0
    arms: tuple[Arm, ...]
    comparisons: tuple[Comparison, ...]
    order: Order
    statistics: StatisticsPolicy = StatisticsPolicy()
    guard: GuardPolicy = GuardPolicy()


assert set(_Paper.__struct_fields__) == set(Plan.__struct_fields__) - set(_UNTOLD)


def read_plan(path: Path) -> Plan:
    """The plan in a file. Raises PackError and UsageError."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected a plan: docs/transfer.md has one)") from fault
    return decode_plan(data, str(path), str(path.resolve().parent))


def decode_plan(data: bytes, file: str, folder: str) -> Plan:
    """The plan in these bytes; its packs are looked for from `folder` on. Raises PackError."""
    try:
        text = data.decode()
    except UnicodeDecodeError as fault:
        raise PackError("not UTF-8 text", file=file, line=data[: fault.start].count(b"\n") + 1, expected="UTF-8") from fault
    paper = decode_yaml(text, _Paper, file)
    for field, got, expected in _wrong(paper):
        raise PackError(got, file=file, line=locate(text, field), field=field, expected=expected)
    told: dict[str, Any] = {name: getattr(paper, name) for name in _Paper.__struct_fields__}
    return Plan(**told, digest=hashlib.sha256(data).hexdigest(), folder=folder)


Fault = tuple[str, str, str]
"""A field, what is wrong with it, and what was expected."""


def _wrong(plan: _Paper) -> Iterator[Fault]:
    """What the form allows and an experiment doesn't."""
    yield from _named(plan)
    yield from _sized(plan)
    for n, arm in enumerate(plan.arms):
        yield from _arm(plan, arm, f"arms[{n}]")
    yield from _judged(plan)


def _named(plan: _Paper) -> Iterator[Fault]:
    if plan.kind not in FEWEST_SEEDS:
        yield "kind", f"got '{plan.kind}'", " or ".join(FEWEST_SEEDS)
    if not plan.packs:
        yield "packs", "no pack", "NAME: PATH, at least once"
    names = [arm.name for arm in plan.arms]
    for n, name in enumerate(names):
        if not _NAME.match(name):
            yield f"arms[{n}].name", f"the name '{name}' is not plain", "a-z, 0-9 and -"
        if name in names[:n]:
            yield f"arms[{n}].name", f"there are two arms '{name}'", "each name once"
    held = plan.held_out
    if not (held.domains or held.patterns or held.families):
        yield "held_out", "nothing is held out", "domains, patterns or families that no arm trains on"
    for n, family in enumerate(held.families):
        if not re.match(r"[^/*]+/[^/*]+\Z", family):
            yield f"held_out.families[{n}]", f"got '{family}'", "a family: domain/pattern"
    if plan.evaluation.pack and plan.evaluation.pack not in plan.packs:
        yield "evaluation.pack", f"there is no pack '{plan.evaluation.pack}'", "one of " + ", ".join(plan.packs)


def _sized(plan: _Paper) -> Iterator[Fault]:
    fewest = FEWEST_SEEDS.get(plan.kind, 0)
    if not fewest <= plan.seeds <= MOST_SEEDS:
        other = " (10 are enough with `kind: demo`)" if plan.kind == "experiment" and plan.seeds >= FEWEST_SEEDS["demo"] else ""
        yield (
            "seeds",
            f"{plan.seeds} seeds are too {'few' if plan.seeds < fewest else 'many'} for a {plan.kind}{other}",
            f"{fewest} to {MOST_SEEDS}",
        )
    for field, value in (
        ("instances", plan.evaluation.instances),
        ("attempts", plan.evaluation.attempts),
        ("points", plan.evaluation.points),
    ):
        if value < 1:
            yield f"evaluation.{field}", f"got {value}", "a whole number from 1"
    if plan.first_seed < 0:
        yield "first_seed", f"got {plan.first_seed}", "a whole number from 0"
    if plan.budget.unit not in UNITS:
        yield "budget.unit", f"there is no unit '{plan.budget.unit}'", "one of " + ", ".join(UNITS)
    if plan.budget.amount <= 0:
        yield "budget.amount", f"got {plan.budget.amount:g}", "more than 0"
    said = plan.statistics
    for field, fits, expected in (
        ("statistics.confidence", 0.5 <= said.confidence < 1, "from 0.5 to below 1"),
        ("statistics.power", 0.5 <= said.power < 1, "from 0.5 to below 1"),
        ("statistics.tolerance", 0 <= said.tolerance <= 0.1, "from 0 to 0.1"),
        ("statistics.resamples", 999 <= said.resamples <= 100_000, "from 999 to 100000"),
        ("statistics.last", 1 <= said.last <= plan.evaluation.points, f"from 1 to {plan.evaluation.points} (evaluation.points)"),
        ("statistics.seed", said.seed >= 0, "a whole number from 0"),
        ("evaluation.rung", plan.evaluation.rung in (0, 2), "0 (the brief alone) or 2 (the needed tools)"),
        ("guard.most", 0 < plan.guard.most <= 1, "above 0, at most 1"),
    ):
        if not fits:
            yield field, "out of range", expected


def _arm(plan: _Paper, arm: Arm, field: str) -> Iterator[Fault]:
    if (arm.kind == "none") != (not arm.sources):
        yield f"{field}.kind", f"an arm of kind {arm.kind} with {len(arm.sources)} sources", "sources for lessons, and only there"
    if arm.kind == "none" and (arm.shuffled or arm.role == "ceiling"):
        yield f"{field}.kind", "an arm that trains on nothing has no rewards to shuffle and is no ceiling", "kind lessons"
    if arm.role == "arm" and not arm.building:
        yield f"{field}.building", "an arm whose tasks cost nothing to build", "true, or role control or ceiling"
    for n, source in enumerate(arm.sources):
        at = f"{field}.sources[{n}]"
        if source.pack and source.pack not in plan.packs:
            yield f"{at}.pack", f"there is no pack '{source.pack}'", "one of " + ", ".join(plan.packs)
        if source.reward not in (OWN, GOLD_AND_NOOP, *(f"{WEAKENED}{fault}" for fault in FAULTS)):
            yield (
                f"{at}.reward",
                f"got '{source.reward}'",
                f"{OWN}, {GOLD_AND_NOOP} or {WEAKENED}FAULT, a FAULT being {' or '.join(FAULTS)}",
            )
        elif source.reward != arm.reward:
            yield f"{at}.reward", f"got {source.reward} beside {arm.reward}", "one reward in an arm"
        if source.most < 0:
            yield f"{at}.most", f"got {source.most}", "a whole number from 0"


def _judged(plan: _Paper) -> Iterator[Fault]:
    if not plan.comparisons:
        yield "comparisons", "nothing will be judged", "at least one comparison"
    asked = [(one.better, one.than, one.measure, one.over) for one in plan.comparisons]
    for n, one in enumerate(plan.comparisons):
        yield from _comparison(plan, one, f"comparisons[{n}]")
        if asked[n] in asked[:n]:
            yield f"comparisons[{n}]", "the comparison stands twice", "each once"
    if len(plan.order.arms) < 2 or len(set(plan.order.arms)) < len(plan.order.arms):
        yield "order.arms", "no order of that", "two or more different arms, the worst first"
    for n, name in enumerate(plan.order.arms):
        yield from _there(plan, name, f"order.arms[{n}]")


def _comparison(plan: _Paper, one: Comparison, at: str) -> Iterator[Fault]:
    yield from _there(plan, one.better, f"{at}.better")
    yield from _there(plan, one.than, f"{at}.than")
    if one.better == one.than:
        yield f"{at}.than", "an arm is compared with itself", "another arm"
    if any(arm.role == "ceiling" for arm in plan.arms if arm.name == one.better):
        yield f"{at}.better", "a ceiling trains on what is held out", "an arm that doesn't"
    for side in ("better", "than"):
        if plan.budget.building and any(not arm.building for arm in plan.arms if arm.name == getattr(one, side)):
            yield (
                f"{at}.{side}",
                "an arm whose building isn't counted, against one whose is",
                "an arm with building, or budget.building: false",
            )
    if not 0 < one.smallest < 1:
        yield f"{at}.smallest", f"got {one.smallest:g}", "above 0 and below 1: the smallest difference that matters"
    if one.over != "all" and not getattr(plan.held_out, one.over):
        yield f"{at}.over", f"no {one.over} are held out", "all"


def _there(plan: _Paper, name: str, field: str) -> Iterator[Fault]:
    names = [arm.name for arm in plan.arms]
    if name not in names:
        yield field, f"there is no arm '{name}'", "one of " + ", ".join(names)
