"""The policy's network: one hidden layer that scores moves, and its gradient, in numpy.

Takes a matrix of features (moves, F); gives a score for each move, and the probabilities p = softmax(scores / temperature). The
gradient of log p(chosen) is exact: d log p_i / d scores_j = [i = j] - p_j, through h = tanh(X W1 + b1), s = h w2 + x w0. Steps are
Adam's (Kingma and Ba 2015, arXiv:1412.6980, algorithm 1). All numbers are float32; the same seed gives the same bytes on one machine.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from worldwright.training.features import FEATURES

__all__ = ["HIDDEN", "Adam", "Network", "Weights"]

Array = NDArray[np.float32]
Weights = dict[str, Array]
HIDDEN = 24


class Network:
    """Weights `w1` (F, H), `b1` (H), `w2` (H), `w0` (F)."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights: Weights = {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}

    @classmethod
    def fresh(cls, seed: int, prior: Mapping[int, float] | None = None) -> Network:
        """Small random weights; `prior` gives some features a direct weight from the start."""
        chance = np.random.default_rng([seed, 11])
        w1 = chance.normal(0.0, 1.0 / np.sqrt(FEATURES), (FEATURES, HIDDEN))
        w2 = chance.normal(0.0, 0.1, HIDDEN)
        w0 = np.zeros(FEATURES)
        for at, value in (prior or {}).items():
            w0[at] = value
        return cls({"w1": w1, "b1": np.zeros(HIDDEN), "w2": w2, "w0": w0})  # type: ignore[dict-item]

    def scores(self, x: Array) -> tuple[Array, Array]:
        """A score for each row of x, and the hidden layer."""
        w = self.weights
        hidden = np.tanh(x @ w["w1"] + w["b1"])
        return hidden @ w["w2"] + x @ w["w0"], hidden

    def chances(self, x: Array) -> Array:
        """The probability of each move."""
        scores, _ = self.scores(x)
        scores = np.exp(scores - scores.max())
        made: Array = scores / scores.sum()
        return made

    def gradient(self, x: Array, push: Array) -> Weights:
        """The gradient of sum(push * scores): `push` is d objective / d score, one number a move."""
        w = self.weights
        hidden = np.tanh(x @ w["w1"] + w["b1"])
        below = (push[:, None] * w["w2"]) * (1.0 - hidden * hidden)
        return {"w1": x.T @ below, "b1": below.sum(axis=0), "w2": hidden.T @ push, "w0": x.T @ push}


class Adam:
    """Ascends: each step adds to the weights."""

    def __init__(self, weights: Weights, rate: float, decay1: float = 0.9, decay2: float = 0.99) -> None:
        self.rate, self.decay1, self.decay2, self.steps = rate, decay1, decay2, 0
        self.first = {name: np.zeros_like(value) for name, value in weights.items()}
        self.second = {name: np.zeros_like(value) for name, value in weights.items()}

    def step(self, weights: Weights, gradient: Weights, rate: float | None = None) -> None:
        """One step along the gradient, in place."""
        self.steps += 1
        for name, g in gradient.items():
            m, v = self.first[name], self.second[name]
            m += (1 - self.decay1) * (g - m)
            v += (1 - self.decay2) * (g * g - v)
            m_hat = m / (1 - self.decay1**self.steps)
            v_hat = v / (1 - self.decay2**self.steps)
            weights[name] += (self.rate if rate is None else rate) * m_hat / (np.sqrt(v_hat) + 1e-8)
