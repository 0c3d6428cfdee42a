"""Group-relative policy gradient.

Takes groups of attempts at one instance, each with the places it passed and its reward; gives the gradient of

    J = mean over attempts of  A * sum over moves of log p(move | place)  +  entropy * mean H(p),
    A = (r - mean of the group) / (standard deviation of the group + 1e-6),

which is GRPO's objective (Shao et al. 2024, DeepSeekMath, arXiv:2402.03300, section 4.1) for one step on fresh samples, where the
ratio is 1 and clipping has no effect, without the KL term and without dividing by an attempt's length (Liu et al. 2025, "Dr. GRPO",
arXiv:2503.20783, show that bias). A group whose attempts all have the same reward pushes nowhere. Attempts without a verdict are no
part of their group.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from worldwright.training.network import Network, Weights

__all__ = ["Attempted", "advantages", "gradient"]


class Attempted(msgspec.Struct, frozen=True):
    """An attempt: the features of each place it passed, the move chosen there, and its reward."""

    places: tuple[NDArray[np.float32], ...]
    chosen: tuple[int, ...]
    reward: float


def advantages(rewards: Sequence[float]) -> NDArray[np.float64]:
    """A for each attempt of a group; all 0 where the rewards are equal."""
    got = np.asarray(rewards, dtype=np.float64)
    spread = got.std() if len(got) else 0.0
    return (got - got.mean()) / (spread + 1e-6) if spread > 0 else np.zeros_like(got)


def gradient(network: Network, groups: Sequence[Sequence[Attempted]], entropy: float) -> Weights:
    """The gradient; see the module. Places that several attempts passed are computed once."""
    attempts = max(1, sum(len(group) for group in groups))
    pushes: dict[int, tuple[NDArray[np.float32], NDArray[np.float64], list[float]]] = {}
    for group in groups:
        for one, advantage in zip(group, advantages([each.reward for each in group]), strict=True):
            for features, choice in zip(one.places, one.chosen, strict=True):
                found = pushes.get(id(features))
                if found is None:
                    found = pushes[id(features)] = features, np.zeros(len(features)), [0.0, 0.0]
                found[1][choice] += advantage
                found[2][0] += advantage
                found[2][1] += 1.0
    total: Weights = {name: np.zeros_like(value) for name, value in network.weights.items()}
    for features, chosen, (summed, visits) in pushes.values():
        p = network.chances(features)
        push = chosen - summed * p
        if entropy:
            logs = np.log(p + 1e-12)
            push = push + entropy * visits * (-p * (logs - (p * logs).sum()))
        for name, part in network.gradient(features, (push / attempts).astype(np.float32)).items():
            total[name] += part
    return total
