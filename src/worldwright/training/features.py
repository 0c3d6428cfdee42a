"""What the policy sees of a move: relations between the move, the goal, and what is known, never a word itself.

Takes a goal, a memory and its moves; gives a matrix of shape (moves, FEATURES), float32, each entry between 0 and about 1. A
relation is an overlap of words, an equality of names, a count on a short scale. So the same matrix can come from an office of any
trade, and what is learned in one can be tried in another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worldwright.training.expressions import FORMS
from worldwright.training.memory import Goal, Memory
from worldwright.training.moves import KINDS, Move
from worldwright.training.relations import relations
from worldwright.training.view import View

__all__ = ["FEATURES", "NAMES", "matrix"]

_OWN = (
    "in_goal",
    "of_page",
    "in_missing",
    "doc_in_missing",
    "weak",
    "own_key",
    "joins",
    "lists",
    "finds",
    "noun_in_goal",
    "noun_in_missing",
    "at_hand",
    "table_age",
    "many_rows",
    "field_in_goal",
    "from_told",
    "kept_share",
    "quoted_state",
    "shown_value",
    "page_in_goal",
    "outcomes",
    "unsure",
    "verb_in_goal",
    "verb_denied",
    "bound_decided",
    "bound_constant",
    "conditional",
    "writes_some",
    "same_noun",
    "denied_any",
    "direction",
    "repeats",
    "named",
    "about",
    "arg_said",
    "fits_page",
)
_ANSWER = (
    "column_in_field",
    "column_decided",
    "compared_in_doc",
    "single",
    "unwritten",
    "among_written",
    "zero",
    "abs_said",
    "exact_name",
    "largest_said",
    "sum_said",
    "count_said",
)
_STATE = (
    "read_any",
    "unread_named",
    "decided",
    "wrote",
    "waited",
    "failed",
    "told_only",
    "rows_1",
    "rows_few",
    "rows_many",
    "unsure_any",
    "denies_writes",
    "has_list",
    "missing_any",
    "answering",
    "joined",
    "filtered",
    "looked",
    "undone",
)
NAMES = tuple(f"is_{kind}" for kind in KINDS) + _OWN + tuple(f"by_{form}" for form in FORMS) + _ANSWER + _STATE
"""The features by name, in their order."""
FEATURES = len(NAMES)
_AT = {name: n for n, name in enumerate(NAMES)}
_STATE_AT = _AT[_STATE[0]]


def matrix(goal: Goal, memory: Memory, moves: Sequence[Move]) -> NDArray[np.float32]:
    """The features of all moves."""
    view = View(goal, memory)
    out = np.zeros((len(moves), FEATURES), dtype=np.float32)
    out[:, _STATE_AT:] = view.state()
    for n, move in enumerate(moves):
        row = out[n]
        row[_AT[f"is_{move.kind}"]] = 1.0
        for name, value in relations(view, move).items():
            row[_AT[name]] = value
    return out
