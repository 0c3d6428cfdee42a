"""Wording: how a brief's instruction is said, in several ways that keep every condition.

Takes ways to say each part; gives whole instructions. Each is a jinja text over what the brief shows. The first is the
instruction, the others its paraphrases; which comes first depends on the world and the task.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

__all__ = ["articled", "said"]

_PARAPHRASES = 5


def said(rng: random.Random, *parts: Sequence[str]) -> tuple[str, list[str]]:
    """An instruction and five paraphrases: one way of each part, in order; way n of every part goes with way n of the others."""
    ways = max(len(one) for one in parts)
    every = [" ".join(one[n % len(one)] for one in parts) for n in range(ways)]
    every += [" ".join(one[(n + k) % len(one)] for k, one in enumerate(parts)) for n in range(ways)]
    distinct = list(dict.fromkeys(every))
    first = rng.randrange(len(distinct))
    order = distinct[first:] + distinct[:first]
    return order[0], order[1 : 1 + _PARAPHRASES]


def articled(text: str) -> str:
    """The text with 'an' before a vowel, where the words of a trade were put behind an 'a'."""
    return re.sub(r"\b([Aa]) (?=[aeioAEIO]|u[bdlmnprst][^i])", lambda match: f"{match.group(1)}n ", text)
