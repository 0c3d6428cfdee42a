"""Training the probe policy: groups of attempts, their rewards, steps along the gradient.

Takes lessons (tasks with instances and the verifier that pays), a seed and a Course; gives after each update what was earned and what
it cost, and the policy. Tasks are drawn in proportion to p(1 - p) of their recent pass rate, so that work goes where it can teach.
Raises HeldOut for a lesson from a held-out family: that is never trained on. The same seed and lessons give the same policy on one
machine, whatever else runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from worldwright.errors import UsageError
from worldwright.pack.labels import HELD_OUT
from worldwright.pack.read import PackTask
from worldwright.training.gradient import Attempted, gradient
from worldwright.training.network import Adam
from worldwright.training.policy import Policy
from worldwright.training.practice import MOST_MOVES, Place, Practice
from worldwright.verifier import Verifier

__all__ = ["Course", "HeldOut", "Lesson", "Step", "attempted", "success", "train"]


class HeldOut(UsageError):
    """Somebody wants to train on what is held out."""


class Course(msgspec.Struct, frozen=True):
    """How to train: `updates` steps of `groups` groups of `k` attempts each; rates fall linearly to a tenth.

    `thrift` is how much less the longest attempt counts than the shortest in a group whose attempts all passed. In every other group
    passes count alike: else a lucky guess would be worth more than the work that finds out.
    """

    updates: int = 60
    groups: int = 8
    k: int = 8
    rate: float = 0.02
    entropy: float = 0.01
    thrift: float = 0.3
    shuffled: bool = False


class Lesson:
    """A task to train on. `verifier` pays, the task's own judges; `instances` are practised one like another."""

    def __init__(self, entry: PackTask, instances: Sequence[Practice], verifier: Verifier | None = None) -> None:
        if entry.label.split == HELD_OUT:
            raise HeldOut(f"{entry.where}: its family {entry.label.family} is held out, so nothing may train on it (take another task)")
        self.entry, self.instances, self.verifier = entry, list(instances), verifier or entry.verifier


class Step(msgspec.Struct, frozen=True):
    """What one update earned: the mean reward that was paid, and by the task's own verifier; attempts and calls as an agent makes them."""

    update: int
    paid: float
    right: float
    attempts: int
    calls: int


def attempted(policy: Policy, practice: Practice, chance: np.random.Generator, cache: dict[int, np.ndarray]) -> tuple[list[Place], list[int], Place]:
    """One attempt: places passed, moves chosen, and where it ended."""
    place, places, chosen = practice.root, list[Place](), list[int]()
    while not place.ended and len(chosen) < MOST_MOVES:
        p = cache.get(id(place))
        if p is None:
            p = cache[id(place)] = np.cumsum(policy.chances(place.features))
        choice = min(int(np.searchsorted(p, chance.random() * p[-1], side="right")), len(p) - 1)
        places.append(place)
        chosen.append(choice)
        place = practice.step(place, choice)
    return places, chosen, place


def train(
    policy: Policy, lessons: Sequence[Lesson], seed: int, course: Course, tell: Callable[[Step], None] | None = None
) -> Iterator[Step]:
    """Train the policy in place, a Step for each update."""
    chance = np.random.default_rng([seed, 23])
    adam = Adam(policy.network.weights, course.rate)
    seen = {n: [1.0, 2.0] for n in range(len(lessons))}
    for update in range(course.updates):
        rates = np.array([good / n for good, n in seen.values()])
        weights = rates * (1 - rates) + 0.03
        groups, paid, right, calls = [], [], [], 0
        cache: dict[int, np.ndarray] = {}
        for at in chance.choice(len(lessons), course.groups, p=weights / weights.sum()):
            lesson = lessons[at]
            practice = lesson.instances[int(chance.integers(len(lesson.instances)))]
            group = []
            for _ in range(course.k):
                places, chosen, end = attempted(policy, practice, chance, cache)
                verdict = practice.verdict(end, lesson.verifier)
                reward = verdict.reward
                if reward is None:
                    continue
                own = practice.verdict(end, lesson.entry.verifier).reward
                paid.append(reward)
                right.append(own or 0.0)
                calls += end.memory.calls
                group.append((places, chosen, float(reward)))
            rewards = [reward for _, _, reward in group]
            passes = sum(rewards)
            if course.thrift and passes == len(rewards):
                rewards = [1.0 - course.thrift * len(chosen) / MOST_MOVES for _, chosen, _ in group]
            if course.shuffled:
                rewards = list(chance.permutation([float(chance.random() < np.mean(rewards or [0])) for _ in rewards]))
            groups.append([Attempted(tuple(one.features for one in places), tuple(chosen), reward) for (places, chosen, _), reward in zip(group, rewards, strict=True)])
            seen[at][0] = 0.8 * seen[at][0] + passes
            seen[at][1] = 0.8 * seen[at][1] + len(rewards)
        left = 1.0 - 0.9 * update / course.updates
        adam.step(policy.network.weights, gradient(policy.network, groups, course.entropy * left), course.rate * left)
        step = Step(update, float(np.mean(paid)), float(np.mean(right)), len(paid), calls)
        if tell:
            tell(step)
        yield step


def success(policy: Policy, practices: Sequence[tuple[PackTask, Practice]], seed: int, k: int) -> list[float]:
    """For each instance, the share of k attempts that its own verifier passes; moves are drawn, not the best taken."""
    chance = np.random.default_rng([seed, 37])
    cache: dict[int, np.ndarray] = {}
    out = []
    for entry, practice in practices:
        got = [practice.verdict(attempted(policy, practice, chance, cache)[2], entry.verifier).reward or 0.0 for _ in range(k)]
        out.append(float(np.mean(got)))
    return out


