"""The border between training and held-out work: by families as the plan says, and by what tasks are made of.

Takes a plan's material; gives a Guard with the nearest training task of each held-out one. Raises UsageError, naming arms and tasks,
where an arm would train on a held-out family, on a task whose family nobody knows, or on one that has too much in common with a
held-out task. A ceiling arm trains on what is held out by its nature and is left alone. What two tasks have in common is the lesser
of what their plans share and what their verifiers share; without a reference their worlds' tools stand for the plans, and it is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from worldwright.errors import UsageError
from worldwright.forge.records import parts_of
from worldwright.pack.labels import HELD_OUT, UNLABELLED
from worldwright.pack.read import PackTask
from worldwright.transfer.material import Material, is_held_out, name_of, side_of
from worldwright.transfer.records import Arm, Plan
from worldwright.transfer.structure import PLAN, TOOLS, VERIFIER, Structure, shares, structure_of

__all__ = ["Guard", "Near", "guarded"]

_SHOWN = 5


class Near(msgspec.Struct, frozen=True):
    """A held-out task and the training task (of `arm`) that has most in common with it; `by` are the parts that were compared."""

    held_out: str
    family: str
    side: str
    task: str
    arm: str
    share: float
    by: str


class Guard(msgspec.Struct, frozen=True):
    """`nearest` for each held-out task, the nearest first; `one_world` counts held-out tasks whose world also has training tasks."""

    nearest: tuple[Near, ...]
    trained: int
    one_world: int
    said: tuple[str, ...]


def guarded(material: Material) -> Guard:
    """Hold the border. Raises UsageError and PackError."""
    plan = material.plan
    arms = [arm for arm in plan.arms if arm.role != "ceiling"]
    taken = {arm.name: [entry for entry, _ in material.lessons(arm)] for arm in arms}
    faults = [fault for arm in arms for fault in _families(plan, arm, taken[arm.name])]
    if faults:
        raise UsageError(
            _told("train on what is held out", faults, "take these tasks away from the arms, for example with a glob like !freight/*")
        )
    lessons = {entry.where: (entry, name) for name, entries in taken.items() for entry in entries}
    held = [entry for entries in material.held_out.values() for entry in entries]
    nearest = tuple(sorted(_nearest(plan, held, list(lessons.values())), key=lambda one: (-one.share, one.held_out)))
    faults = [
        f"arm '{one.arm}': {one.task} has {one.share:.0%} of its structure in common with the held-out {one.held_out}"
        for one in nearest
        if one.share >= plan.guard.most
    ]
    if faults:
        raise UsageError(
            _told("train on near duplicates of held-out tasks", faults, f"leave one side out (guard.most is {plan.guard.most:g})")
        )
    worlds = {entry.world.where for entry, _ in lessons.values()}
    return Guard(nearest, len(lessons), sum(entry.world.where in worlds for entry in held), tuple(_said(plan, nearest)))


def _families(plan: Plan, arm: Arm, entries: Sequence[PackTask]) -> Iterator[str]:
    """Why tasks of an arm may not be trained on, by their families and labels."""
    for entry in entries:
        family, who = entry.label.family, f"arm '{arm.name}': {name_of(entry)}"
        if family == UNLABELLED:
            yield f"{who} has no family in its pack.toml, so nobody knows on which side it stands"
        elif is_held_out(family, plan.held_out):
            shared = sorted(parts_of(family) & {*plan.held_out.domains, *plan.held_out.patterns, *plan.held_out.families})
            yield f"{who} is of {family}, and {', '.join(shared)} is held out"
        elif entry.label.split == HELD_OUT:
            yield f"{who} is of {family}, which its pack labels {HELD_OUT}"
        else:
            yield from (f"{who} is of {family}, {why}" for why in _apart(plan, family))


def _apart(plan: Plan, family: str) -> Iterator[str]:
    """What a family shares with one that is held out by itself, where the plan wants that apart."""
    domain, patterns = family.partition("/")[0], parts_of(family) - {family, family.partition("/")[0]}
    for held in plan.held_out.families:
        other = held.partition("/")[0]
        if "domain" in plan.held_out.apart and domain == other:
            yield f"which shares the domain {domain} with the held-out {held}"
        for pattern in sorted(patterns & (parts_of(held) - {held, other}) if "pattern" in plan.held_out.apart else ()):
            yield f"which shares the pattern {pattern} with the held-out {held}"


def _nearest(plan: Plan, held: Sequence[PackTask], lessons: Sequence[tuple[PackTask, str]]) -> Iterator[Near]:
    if not lessons:
        return
    whole = all(entry.reference is not None for entry in (*held, *(entry for entry, _ in lessons)))
    left = [structure_of(entry, tools=not whole) for entry in held]
    right = [structure_of(entry, tools=not whole) for entry, _ in lessons]
    by = {part: _shared(left, right, part) for part in (PLAN, TOOLS, VERIFIER)}
    has_plans = ~np.isnan(by[PLAN])
    both = np.fmin(np.where(has_plans, by[PLAN], by[TOOLS]), by[VERIFIER])  # a part that one side lacks is left out
    for n, entry in enumerate(held):
        m = int(np.nanargmax(both[n]))
        parts = [PLAN if has_plans[n, m] else TOOLS, *([] if np.isnan(by[VERIFIER][n, m]) else [VERIFIER])]
        lesson, arm = lessons[m]
        family = entry.label.family
        yield Near(
            name_of(entry), family, side_of(family, plan.held_out), name_of(lesson), arm, round(float(both[n, m]), 4), " and ".join(parts)
        )


def _shared(left: Sequence[Structure], right: Sequence[Structure], part: str) -> np.ndarray:
    """What each pair shares of this part; not a number where one side lacks it."""
    out = shares([one.get(part, frozenset()) for one in left], [one.get(part, frozenset()) for one in right])
    lacks = np.array([part not in one for one in left])[:, None] | np.array([part not in one for one in right])[None, :]
    return np.where(lacks, np.nan, out)


def _said(plan: Plan, nearest: Sequence[Near]) -> Iterator[str]:
    for side in sorted({one.side for one in nearest}):
        found = sorted(one.share for one in nearest if one.side == side)
        yield (
            f"held out by {side.replace('+', ' and ')}: the {len(found)} held-out tasks share {found[len(found) // 2]:.2f} of their"
            f" structure with the nearest training task (median), {found[-1]:.2f} at most; from {plan.guard.most:g} on a task is refused"
        )
    without = sum(TOOLS in one.by for one in nearest)
    if without:
        yield f"{without} held-out tasks were compared by their worlds' tools and verifiers alone: on one side there is no reference"
    if any(VERIFIER not in one.by for one in nearest):
        yield "some tasks have no verifier and were compared without it"


def _told(what: str, faults: Sequence[str], next_step: str) -> str:
    more = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
    return f"arms would {what} ({len(faults)} tasks): {'; '.join([*faults[:_SHOWN], *more])} ({next_step})"
