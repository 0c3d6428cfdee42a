"""What a forge run says of itself: what became of each proposed task, which patterns were refused, the sums."""

from __future__ import annotations

from typing import Any

import msgspec

from worldwright.ledger import Cost

__all__ = ["COMPOSED", "FORGED", "Funnel", "Outcome", "Refusal", "Share", "WorldAccount", "parts_of"]

FORGED = "forge.json"
"""The file beside a pack that says how it was made."""


COMPOSED = "composed"
"""The pattern of tasks that two patterns share."""


def parts_of(family: str) -> set[str]:
    """By what names a family can be held out: itself, its domain, and each pattern in it (`a+b` where two share a task)."""
    domain, _, patterns = family.partition("/")
    return {family, domain, *patterns.split("+"), *([COMPOSED] if "+" in patterns else [])}


class Share(msgspec.Struct, frozen=True):
    """How much of what a verifier looks at comes from the source: columns that it reads, rows that it touches (on one instance)."""

    columns: int
    columns_from_source: int
    rows: int
    rows_from_source: int


class Outcome(msgspec.Struct, frozen=True):
    """What became of one proposed task. `stage` is the last one it passed: proposed, built, solvable, certified.

    `family` is `domain/pattern`, or `domain/a+b` for a task (of the pattern `composed`) that two patterns share.
    """

    world: str
    task: str
    pattern: str
    template: str
    family: str
    stage: str
    reasons: tuple[str, ...] = ()
    cost: Cost = Cost()
    knobs: dict[str, Any] = {}
    share: Share | None = None
    plan: str = ""
    """The signature of its reference's plan."""
    check: str = ""
    """The signature of its verifier."""
    calls: int = 0
    """Calls that the reference makes on the first instance."""
    guessed: tuple[int, int] | None = None
    """Runs of the reference with hidden facts from another seed: how many passed, of how many; None where nothing is hidden."""

    @property
    def is_certified(self) -> bool:
        """Whether it is in the pack."""
        return self.stage == "certified"


class Refusal(msgspec.Struct, frozen=True):
    """A pattern that a world doesn't have, and why."""

    world: str
    pattern: str
    why: str


class WorldAccount(msgspec.Struct, frozen=True):
    """A world: its source, and how much of it is in."""

    world: str
    source: str
    kind: str
    tables: int
    tools: int
    rows: int
    source_tables: tuple[int, int] = (0, 0)
    source_columns: tuple[int, int] = (0, 0)
    source_rows: tuple[int, int] = (0, 0)
    dropped: tuple[tuple[str, str], ...] = ()
    fault: str = ""


class Funnel(msgspec.Struct, frozen=True):
    """The whole run."""

    name: str
    seed: int
    policy: str
    worlds: tuple[WorldAccount, ...]
    outcomes: tuple[Outcome, ...]
    refusals: tuple[Refusal, ...]
    cost: Cost
    held_out: tuple[str, ...] = ()

    def counted(self) -> dict[str, int]:
        """Tasks by the stage that they reached at least."""
        order = ("proposed", "built", "solvable", "certified")
        at = [order.index(one.stage) for one in self.outcomes]
        return {stage: sum(one >= n for one in at) for n, stage in enumerate(order)}

    def rejected(self) -> dict[str, int]:
        """How often each reason rejected a task, most often first; the reason's kind alone, without its particulars."""
        found: dict[str, int] = {}
        for one in self.outcomes:
            if not one.is_certified:
                reason = one.reasons[0].partition(":")[0] if one.reasons else "no reason"
                found[reason] = found.get(reason, 0) + 1
        return dict(sorted(found.items(), key=lambda item: -item[1]))
