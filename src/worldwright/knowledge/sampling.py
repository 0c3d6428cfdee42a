"""Sampling: which of the tasks that could be made are made, so that the families come out as wanted.

Takes what there is by family, a number and a profile; gives the chosen ones. Families are filled in turn, always the one that lies
furthest behind its share; within one, different kinds of task first. The same seed gives the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

from worldwright.knowledge.coverage import Profile

__all__ = ["sampled"]

Item = TypeVar("Item")
Family = tuple[str, str]


def sampled(there: Mapping[Family, Sequence[tuple[str, Item]]], n: int, profile: Profile | None, seed: int) -> list[Item]:
    """At most `n` items; each is given with its kind. Families that the profile doesn't want give none."""
    weights = {family: (profile.get(family, 0.0) if profile else 1.0) for family in there}
    left = {family: _mixed(there[family], random.Random(f"{seed}:{family}")) for family in there if weights[family] > 0}
    taken = dict.fromkeys(left, 0)
    out: list[Item] = []
    while len(out) < n and any(left.values()):
        family = min((one for one in left if left[one]), key=lambda one: (taken[one] / weights[one], one))
        out.append(left[family].pop(0))
        taken[family] += 1
    return out


def _mixed(items: Sequence[tuple[str, Item]], rng: random.Random) -> list[Item]:
    """Items in an order in which kinds take turns."""
    by: dict[str, list[Item]] = {}
    for kind, item in items:
        by.setdefault(kind, []).append(item)
    for some in by.values():
        rng.shuffle(some)
    return [some[k] for k in range(max(map(len, by.values()), default=0)) for some in by.values() if k < len(some)]
