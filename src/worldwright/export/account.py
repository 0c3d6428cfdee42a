"""What a format can't hold: named thing by thing, and counted over the trajectories at hand.

Takes a format's rules and trajectories; gives a Loss for each rule that meets at least one. A rule says how the thing fares: it is
left out, set aside (kept where the framework's own code doesn't look), filled in (the form demands a value that there isn't) or
changed. Promises that nothing is listed that concerns none of the trajectories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from worldwright.rollout import Trajectory

__all__ = ["Loss", "Rule", "counted"]

How = Literal["left out", "set aside", "filled in", "changed"]


class Loss(msgspec.Struct, frozen=True):
    """One thing that a format doesn't hold as it is, and the number of trajectories that this concerns."""

    what: str
    how: How
    why: str
    n: int


class Rule(msgspec.Struct, frozen=True):
    """What may be lost, and which trajectories it concerns (all of them, if nothing else is said)."""

    what: str
    how: How
    why: str
    concerns: Callable[[Trajectory], bool] = lambda _: True


def counted(rules: Iterable[Rule], trajectories: Sequence[Trajectory]) -> tuple[Loss, ...]:
    """The losses, in the order of the rules."""
    found = ((rule, sum(map(rule.concerns, trajectories))) for rule in rules)
    return tuple(Loss(rule.what, rule.how, rule.why, n) for rule, n in found if n)
