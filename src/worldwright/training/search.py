"""What the moves can express: programs of moves that solve a task on every instance tried, found by search.

Takes a task with some instances; gives the first Program found that passes them all, or None. It is a best-first search on the
first instance: GUIDE, direct weights that favour what work mostly needs, gives each move a probability, and the likeliest sequence that
isn't carried on yet is carried on by a move (Orseau et al. 2018, arXiv:1811.10928, search trees so, with guarantees). A sequence that
passes there is carried out by its names on the other instances, where a move that isn't offered (nothing to keep, nobody to ask) is
passed over. The verifier tells what passes: the search measures the space of moves, it doesn't learn, and a lucky guess doesn't pass
on other instances.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from worldwright.training.guiding import guided
from worldwright.training.practice import MOST_MOVES, Place, Practice
from worldwright.verifier import Verifier

_NOTHING = 5.0
"""What it costs to go on from a table without rows, in nats."""
_WIDE = 8
"""How many moves of a place are carried on."""

__all__ = ["Program", "expressed", "replayed"]


class Program(msgspec.Struct, frozen=True):
    """Names of moves in their order; `places` that were looked at until it was found, `instances` that it passes."""

    moves: tuple[str, ...]
    places: int
    instances: int


def expressed(practices: Sequence[Practice], verifier: Verifier, most: int = 2000) -> Program | None:
    """The first program found that passes all instances; at most so many places are looked at."""
    first, others = practices[0], practices[1:]
    queue: list[tuple[float, int, tuple[str, ...], Place]] = [(0.0, 0, (), first.root)]
    seen, looked, n = set[Any](), 0, 0
    while queue and looked < most:
        cost, _, names, place = heapq.heappop(queue)
        if place.key in seen:
            continue
        seen.add(place.key)
        looked += 1
        if place.ended:
            if first.verdict(place, verifier).reward == 1 and all(
                one.verdict(replayed(one, names), verifier).reward == 1 for one in others
            ):
                return Program(names, looked, len(practices))
            continue
        if len(names) >= MOST_MOVES:
            continue
        scores = guided(place.features)
        logs = scores - scores.max()
        logs = logs - np.log(np.exp(logs).sum())
        for choice in np.argsort(-logs)[:_WIDE]:
            n += 1
            after = first.step(place, int(choice))
            heapq.heappush(
                queue, (cost - float(logs[choice]) + _NOTHING * (not after.memory.table.rows), n, (*names, place.moves[choice].name), after)
            )
    return None


def replayed(practice: Practice, names: Sequence[str]) -> Place:
    """Where the program leads on another instance."""
    place = practice.root
    for name in names:
        if place.ended:
            break
        choice = next((n for n, move in enumerate(place.moves) if move.name == name), None)
        if choice is not None:
            place = practice.step(place, choice)
    return place
