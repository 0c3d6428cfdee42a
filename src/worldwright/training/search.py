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
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from worldwright.training.features import FEATURES, NAMES
from worldwright.training.practice import MOST_MOVES, Place, Practice
from worldwright.verifier import Verifier

_NOTHING = 5.0
"""What it costs to go on from a table without rows, in nats."""
_WIDE = 8
"""How many moves of a place are carried on."""

__all__ = ["GUIDE", "Program", "expressed", "replayed"]

GUIDE: Mapping[str, float] = {
    "is_read": 6.0,
    "is_look": -1.5,
    "named": 4.0,
    "about": 2.0,
    "in_missing": 1.0,
    "noun_in_missing": 3.0,
    "own_key": 1.5,
    "of_page": 1.0,
    "finds": 5.0,
    "lists": 1.5,
    "noun_in_goal": 1.0,
    "is_ask": 2.0,
    "is_wait": 1.0,
    "is_keep": 4.0,
    "quoted_state": 1.0,
    "is_take": 12.0,
    "is_pick": -2.0,
    "direction": 7.0,
    "is_join": 0.5,
    "is_decide": 0.5,
    "unsure": -10.0,
    "page_in_goal": 2.0,
    "is_write": -1.5,
    "bound_decided": 5.0,
    "bound_constant": -20.0,
    "verb_denied": -10.0,
    "verb_in_goal": 3.0,
    "is_answer": -5.0,
    "is_finish": -5.0,
    "by_constant": -1.0,
    "exact_name": 2.0,
    "column_in_field": 1.0,
    "column_decided": 3.0,
    "compared_in_doc": 3.0,
    "sum_said": 3.0,
    "largest_said": 4.0,
    "count_said": 7.0,
    "arg_said": 2.5,
    "fits_page": 2.0,
    "among_written": 1.0,
    "weak": -3.0,
    "repeats": -5.0,
    "same_noun": -3.0,
}
"""Direct weights of features for drawing attempts."""

_WEIGHTS = np.zeros(FEATURES, dtype=np.float32)
for _name, _value in GUIDE.items():
    _WEIGHTS[NAMES.index(_name)] = _value


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
        scores = _guided(place.features)
        logs = scores - scores.max()
        logs = logs - np.log(np.exp(logs).sum())
        for choice in np.argsort(-logs)[:_WIDE]:
            n += 1
            after = first.step(place, int(choice))
            heapq.heappush(
                queue, (cost - float(logs[choice]) + _NOTHING * (not after.memory.table.rows), n, (*names, place.moves[choice].name), after)
            )
    return None


def _guided(features: NDArray[np.float32]) -> NDArray[np.float64]:
    """Scores by GUIDE, which also knows that work goes from looking to deciding, from deciding to writing, and ends with an answer."""
    row = {name: float(features[0, at]) for name, at in _STAGE.items()}
    kind = {name: features[:, NAMES.index(f"is_{name}")] for name in ("look", "ask", "join", "keep", "decide", "write", "answer", "finish")}
    ready = row["wrote"] if not row["denies_writes"] else max(row["wrote"], row["decided"])
    scores = np.asarray(features @ _WEIGHTS, dtype=np.float64)
    undone = row["undone"] * (1 - row["denies_writes"])
    scores = (
        scores
        + (18.0 * ready - 9.0 - 5.0 * undone) * (kind["answer"] + kind["finish"])
        - 20.0 * row["wrote"] * (1 - undone) * kind["write"]
    )

    def col(name: str) -> NDArray[np.float64]:
        return np.asarray(features[:, NAMES.index(name)], dtype=np.float64)

    scores = scores + kind["write"] * (
        3.0 * col("quoted_state")
        + 8.0 * row["decided"] * col("fits_page")
        - 10.0 * row["denies_writes"]
        + 9.0 * col("conditional") * np.maximum(col("verb_in_goal"), col("fits_page"))
    )
    scores = (
        scores
        - kind["keep"] * (3.0 * (1 - col("of_page")) + 3.0 * row["filtered"])
        - kind["look"]
        * (3.0 * (1 - col("named")) * (1 - col("at_hand")) * (1 - col("fits_page")) - 5.0 * col("fits_page") - 4.0 * col("quoted_state"))
    )
    done: NDArray[np.float64] = (
        scores - 4.0 * row["decided"] * (kind["look"] + kind["ask"] + kind["join"]) - 4.0 * (1 - row["decided"]) * kind["write"]
    )
    return done


_STAGE = {name: NAMES.index(name) for name in ("decided", "wrote", "denies_writes", "undone", "filtered")}


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
