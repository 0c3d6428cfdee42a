"""What work mostly needs: direct weights of features by which the search tries moves, likeliest first.

Takes the features of the moves of a place, (moves, FEATURES); gives a score each, higher for what is tried sooner. The weights were set
by hand on certified tasks; they decide how soon a program is found, never whether one passes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from worldwright.training.features import FEATURES, NAMES

__all__ = ["GUIDE", "guided"]

Scores = NDArray[np.float64]

GUIDE: Mapping[str, float] = {
    "is_read": 6.0,
    "is_look": -1.5,
    "named": 4.0,
    "about": 2.0,
    "in_missing": 4.0,
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
    "is_trace": 7.0,
    "shown_value": 5.0,
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


def guided(features: NDArray[np.float32]) -> Scores:
    """Scores by GUIDE, and by where the work stands: from looking to deciding, from deciding to writing, and last the answer."""
    at = _Stage(features)
    scores: Scores = np.asarray(features @ _WEIGHTS, dtype=np.float64)
    scores += _finishing(at) + _writing(at) + _looking(at) + _picking(at)
    scores -= 3.0 * at.kind("decide") * (at.each("unsure") > 0)
    scores -= at.kind("keep") * (3.0 * (1 - np.maximum(at.each("of_page"), at.each("shown_value"))) + 3.0 * at.now("filtered"))
    return scores


class _Stage:
    """What the features say of the place (the same in every row) and of each move."""

    def __init__(self, features: NDArray[np.float32]) -> None:
        self._features = features
        self.undone = self.now("undone") * (1 - self.now("denies_writes"))
        self.doubted = self.now("decided") * self.now("unsure_any")
        self.about = float((self.kind("decide") * self.each("about")).max())

    def now(self, name: str) -> float:
        return float(self._features[0, NAMES.index(name)])

    def each(self, name: str) -> Scores:
        return np.asarray(self._features[:, NAMES.index(name)], dtype=np.float64)

    def kind(self, *names: str) -> Scores:
        summed: Scores = np.sum([self.each(f"is_{name}") for name in names], axis=0)
        return summed


def _finishing(at: _Stage) -> Scores:
    """An answer comes when all was written or, where nothing is to be written, decided; nothing comes while a decision is in doubt."""
    ready = max(at.now("wrote"), at.now("decided")) if at.now("denies_writes") else at.now("wrote")
    return (18.0 * ready - 9.0 - 14.0 * at.undone) * at.kind("answer", "finish") - 7.0 * at.doubted * at.kind("take", "answer", "finish")


def _writing(at: _Stage) -> Scores:
    """What was decided is written once, where the page or the instruction speaks of it."""
    fits = at.each("fits_page")
    value = (
        3.0 * at.each("quoted_state") * fits
        + 8.0 * at.now("decided") * fits
        + 9.0 * at.each("conditional") * np.maximum(np.maximum(at.each("verb_in_goal"), fits), at.each("quoted_state"))
    )
    value -= 10.0 * at.now("denies_writes") + 20.0 * at.now("wrote") * (1 - at.undone) + 4.0 * (1 - at.now("decided")) + 7.0 * at.doubted
    return at.kind("write") * value


def _looking(at: _Stage) -> Scores:
    """Looks are at the table at hand or named by the page; after a decision they come only where it is in doubt."""
    fits = at.each("fits_page")
    value = 5.0 * fits + 4.0 * at.each("quoted_state") - 3.0 * (1 - at.each("named")) * (1 - at.each("at_hand")) * (1 - fits)
    whole = at.each("arg_said") * (1 - at.each("lists")) * (1 - at.each("finds")) * (1 - at.each("own_key"))
    value -= 9.0 * whole * (1 - at.each("named")) * (1 - fits) * (1 - at.each("weak"))
    value -= 6.0 * at.each("lists") * at.about
    return at.kind("look") * value - 4.0 * (at.now("decided") - at.doubted) * at.kind("look", "ask", "join")


def _picking(at: _Stage) -> Scores:
    """One row is picked where the instruction means one, of those that it means, before anybody takes it or anything is written."""
    pick = at.kind("pick")
    meant = pick * (at.each("direction") >= 1) * (1 - at.each("repeats")) * max(at.about, at.now("decided"))
    narrower = float((at.kind("keep") * at.each("quoted_state") * at.each("of_page")).max())
    return (
        (2.0 - 6.0 * narrower) * meant
        - 5.0 * (pick - meant)
        - 10.0 * at.now("wrote") * pick
        - 9.0 * float(meant.max()) * at.kind("take", "write")
    )
