"""Which family a task belongs to, and on which side of the split: what has to travel with every record made from it.

Takes the tables `families` and `splits` of a `pack.toml`; gives each task's Label. A pack that has neither is unlabelled, which
is said by a word of its own and never taken for a side. Raises ValueError where a family stands on two sides, or a side has no
plain name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

__all__ = ["HELD_OUT", "UNLABELLED", "Label", "labelled"]

UNLABELLED = "unlabelled"
HELD_OUT = "held_out"
"""The split that no training may see."""
_SPLIT = re.compile(r"(?!unlabelled\Z|masked\Z)[a-z][a-z0-9_]{0,40}\Z")


class Label(msgspec.Struct, frozen=True):
    """`family` is `domain/pattern`, `split` the name of the split that lists the family."""

    family: str = UNLABELLED
    split: str = UNLABELLED


def labelled(families: Mapping[str, str], splits: Mapping[str, Sequence[str]]) -> dict[str, Label]:
    """The labels by `world/task`; a family that no split lists has none of these sides."""
    side: dict[str, str] = {}
    for split, listed in splits.items():
        if not _SPLIT.match(split):
            raise ValueError(f"the split '{split}' is not a plain name (or means something else: {UNLABELLED}, masked)")
        for family in listed:
            if side.setdefault(family, split) != split:
                raise ValueError(f"the family '{family}' is listed under {side[family]} and {split}")
    return {task: Label(family, side.get(family, UNLABELLED)) for task, family in families.items()}
