"""Novelty: what structure a run has already, and what would only be more of it.

Takes the worlds of a run in their order; writes into `meta` why a task isn't tried: both its plan and its verifier are those of an
earlier task but for names, or its plan has become too frequent. `cover_number` says how few plans solve most of the tasks. Structure
is what `synthesis.signature` makes of plans and verifiers: two of one signature differ in the names of tools and columns alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from worldwright.forge.trial import World

__all__ = ["cover_number", "tell_known"]

_MOST = 0.05
"""Of all tasks of a run at most so many have plans of one structure."""
_ANYWAY = 2
"""So many are always allowed."""


def cover_number(plans: Iterable[str], share: float = 0.9) -> int:
    """How few signatures, the most frequent first, make up at least this share of all."""
    counts = Counter(plans)
    left, n = share * sum(counts.values()), 0
    for _, times in counts.most_common():
        if left <= 1e-9:
            break
        left, n = left - times, n + 1
    return n


def tell_known(worlds: Sequence[World]) -> None:
    """Write into `meta` (as `left out`) why a task adds nothing new; earlier reasons stay."""
    tasks = [(world, task, meta) for world in worlds for task, meta in world.meta.items() if "left out" not in meta]
    most = max(_ANYWAY, int(_MOST * len(tasks)))
    first: dict[tuple[str, str], str] = {}
    times: Counter[str] = Counter()
    for world, task, meta in tasks:
        both = meta["plan"], meta["check"]
        if both in first:
            meta["left out"] = f"not new: plan and verifier are those of {first[both]} but for names"
        elif times[meta["plan"]] >= most:
            meta["left out"] = f"not new: {most} tasks have a plan of this structure"
        else:
            first[both] = f"{world.name}/{task}"
            times[meta["plan"]] += 1
