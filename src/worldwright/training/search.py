"""What the moves can express: programs of moves that solve a task on every instance tried, found by search.

Takes a task with some instances; gives the first Program found that passes them all, or None. It is a best-first search on the
first instance: GUIDE, direct weights that favour what work mostly needs, gives each move a probability, and the likeliest sequence that
isn't carried on yet is carried on by a move (Orseau et al. 2018, arXiv:1811.10928, search trees so, with guarantees). A sequence that
passes there is carried out by its names on the other instances, where a move that isn't offered (nothing to keep, nobody to ask) is
passed over; where work has a second part that only some instances come to, a program that ends before it is carried on by a search on
the first of those. The verifier tells what passes and which answers of a first part are right: the search measures the space of moves,
it doesn't learn, and a lucky guess doesn't pass on other instances.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from worldwright.training.guiding import guided
from worldwright.training.practice import Place, Practice
from worldwright.verifier import Verifier

_NOTHING = 5.0
"""What it costs to go on from a table without rows, in nats."""
_STRAIGHT = 20
"""Of so many places, one is followed straight on by the likeliest moves before others are carried on; so is the first."""
_WRONG = 4.0
"""What each wrong answer of a first part costs where the second begins, in nats."""
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
    budget = _Budget(most)
    for names in _passing(first, (), verifier, budget):
        ends = [replayed(one, names) for one in others]
        open_ones = [one for one, end in zip(others, ends, strict=True) if end.memory.part and not end.ended]
        if all(one in open_ones or one.verdict(end, verifier).reward == 1 for one, end in zip(others, ends, strict=True)):
            if not open_ones:
                return Program(names, budget.looked, len(practices))
            for whole in _passing(open_ones[0], names, verifier, _Budget(budget.most // 2, budget)):
                if all(one.verdict(replayed(one, whole), verifier).reward == 1 for one in practices):
                    return Program(whole, budget.looked, len(practices))
    return None


class _Budget:
    """How many places were looked at and how many may be; what is spent of one budget within another is spent of both."""

    def __init__(self, most: int, whole: _Budget | None = None) -> None:
        self.most, self.whole, self.looked = most, whole, 0

    def spend(self) -> bool:
        """Look at one more place, if it may be."""
        if self.looked >= self.most or (self.whole is not None and not self.whole.spend()):
            return False
        self.looked += 1
        return True


def _passing(practice: Practice, begun: tuple[str, ...], verifier: Verifier, budget: _Budget) -> Iterator[tuple[str, ...]]:
    """Programs that pass on this instance and begin so, the likeliest first."""
    queue: list[tuple[bool, float, int, tuple[str, ...], Place]] = [(False, 0.0, 0, begun, replayed(practice, begun))]
    seen, n, waited = set[Any](), 0, 0
    while queue:
        later, cost, _, names, place = heapq.heappop(queue)
        if place.key in seen:
            continue
        waited = (waited + later) % _STRAIGHT
        if not budget.spend():
            return
        seen.add(place.key)
        if place.ended:
            if practice.verdict(place, verifier).reward == 1:
                yield names
            continue
        if len(names) >= practice.most_moves or place.memory.calls > practice.limit:
            continue
        scores = guided(place.features)
        logs = scores - scores.max()
        logs = logs - np.log(np.exp(logs).sum())
        for rank, choice in enumerate(np.argsort(-logs, kind="stable")[:_WIDE]):
            n += 1
            after = practice.step(place, int(choice))
            dear = _NOTHING * (not after.memory.table.rows)
            if after.memory.part and not place.memory.part:
                dear += _WRONG * practice.faults(after, verifier)
            last = (later and waited > 0) or rank > 0
            heapq.heappush(queue, (last, cost - float(logs[choice]) + dear, n, (*names, place.moves[choice].name), after))


def replayed(practice: Practice, names: Sequence[str]) -> Place:
    """Where the program leads on another instance; it ends where the task's limit of calls does."""
    place, calls = practice.root, 0
    for name in names:
        if place.ended or calls > practice.limit:
            break
        choice = next((n for n, move in enumerate(place.moves) if move.name == name), None)
        if choice is not None:
            after = practice.step(place, choice)
            calls, place = calls + place.spent[choice], after
    return place
