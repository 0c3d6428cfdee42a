"""Training the probe policy: groups of attempts, their rewards, steps along the gradient.

Takes lessons (tasks with instances and the verifier that pays), a seed and a Course; gives after each update what was earned and what
it cost, and the policy. Tasks are drawn in proportion to p(1 - p) of their recent pass rate, so that work goes where it can teach.
Raises HeldOut for a lesson from a held-out family: that is never trained on. The same seed and lessons give the same policy on one
machine, whatever else runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from worldwright.errors import UsageError
from worldwright.pack.labels import HELD_OUT
from worldwright.pack.read import PackTask
from worldwright.training.gradient import Attempted, gradient
from worldwright.training.network import Adam
from worldwright.training.policy import Policy
from worldwright.training.practice import MOST_MOVES, Place, Practice
from worldwright.training.rewards import Grader

__all__ = ["Course", "HeldOut", "Lesson", "Step", "Trainee", "attempted", "success", "train"]


class HeldOut(UsageError):
    """Somebody wants to train on what is held out."""


class Course(msgspec.Struct, frozen=True):
    """How to train: in each update `groups` groups of `k` attempts; `rate` and `entropy` fall to a tenth of themselves by the end.

    `thrift` is how much less the longest attempt counts than the shortest in a group whose attempts all passed. In every other group
    passes count alike: else a lucky guess would be worth more than the work that finds out.
    """

    groups: int = 4
    k: int = 16
    rate: float = 0.03
    entropy: float = 0.03
    thrift: float = 0.1
    shuffled: bool = False


class Lesson:
    """A task to train on. `verifier` pays, the task's own judges; `instances` are practised one like another."""

    def __init__(self, entry: PackTask, instances: Sequence[Practice], verifier: Grader | None = None) -> None:
        if entry.label.split == HELD_OUT:
            raise HeldOut(f"{entry.where}: its family {entry.label.family} is held out, so nothing may train on it (take another task)")
        if not instances:
            raise UsageError(f"{entry.where}: no seed that was tried has an instance, so there is nothing to train on (leave the task out)")
        self.entry, self.instances, self.verifier = entry, list(instances), verifier or entry.verifier


class Step(msgspec.Struct, frozen=True):
    """What one update earned: the mean reward that was paid, and by the task's own verifier; attempts and calls as an agent makes them."""

    update: int
    paid: float
    right: float
    attempts: int
    calls: int


def attempted(
    policy: Policy, practice: Practice, chance: np.random.Generator, cache: dict[int, NDArray[np.float32]]
) -> tuple[list[Place], list[int], Place, int]:
    """One attempt: places passed, moves chosen, where it ended, and the calls that it made."""
    place, places, chosen, calls = practice.root, list[Place](), list[int](), 0
    while not place.ended and len(chosen) < practice.most_moves and calls <= practice.limit:
        p = cache.get(id(place))
        if p is None:
            p = cache[id(place)] = np.cumsum(policy.chances(place.features))
        choice = min(int(np.searchsorted(p, chance.random() * p[-1], side="right")), len(p) - 1)
        places.append(place)
        chosen.append(choice)
        after = practice.step(place, choice)
        calls, place = calls + place.spent[choice], after
    return places, chosen, place, calls


class Trainee:
    """A policy in training; it is trained in place. `calls`, `attempts` and `updates` are what it has taken so far.

    An attempt that calls nothing counts as one call, for its answer: else a policy that only answers would never spend a budget in calls.
    """

    def __init__(self, policy: Policy, lessons: Sequence[Lesson], seed: int, course: Course) -> None:
        self.policy, self.lessons, self.course = policy, list(lessons), course
        self.calls = self.attempts = self.updates = self.masked = 0
        self._chance = np.random.default_rng([seed, 23])
        self._adam = Adam(policy.network.weights, course.rate)
        self._rates = np.full((len(lessons), 2), (1.0, 2.0))

    def update(self, progress: float, most: float = math.inf) -> Step:
        """One step along the gradient; `progress`, from 0 to 1, is the share of the training that is over. No attempt is begun once
        `most` calls are made, so that a budget in calls is kept to within one attempt."""
        course, groups, paid, right = self.course, list[list[Attempted]](), list[float](), list[float]()
        calls = 0
        rates = self._rates[:, 0] / self._rates[:, 1]
        weights = rates * (1 - rates) + 0.03
        cache: dict[int, NDArray[np.float32]] = {}
        for at in self._chance.choice(len(self.lessons), course.groups, p=weights / weights.sum()):
            lesson = self.lessons[at]
            practice = lesson.instances[int(self._chance.integers(len(lesson.instances)))]
            group = list[tuple[list[Place], list[int], float]]()
            for _ in range(course.k):
                if calls >= most:
                    break
                places, chosen, end, made = attempted(self.policy, practice, self._chance, cache)
                self.attempts, calls = self.attempts + 1, calls + max(1, made)
                reward = practice.verdict(end, lesson.verifier).reward
                if reward is None:
                    self.masked += 1
                    continue
                paid.append(reward)
                right.append(practice.verdict(end, lesson.entry.verifier).reward or 0.0)
                group.append((places, chosen, float(reward)))
            groups.append(self._group(group))
            self._rates[at] = 0.8 * self._rates[at] + (sum(reward for _, _, reward in group), len(group))
        self.calls, self.updates = self.calls + calls, self.updates + 1
        left = 1.0 - 0.9 * min(1.0, progress)
        push = gradient(self.policy.network, groups, course.entropy * left)
        self._adam.step(self.policy.network.weights, push, course.rate * left)
        return Step(self.updates - 1, _mean(paid), _mean(right), len(paid), calls)

    def _group(self, group: Sequence[tuple[list[Place], list[int], float]]) -> list[Attempted]:
        """The group with the rewards that it is trained on: dealt out at random for a control, and thrifty where all passed."""
        rewards = [reward for _, _, reward in group]
        if self.course.shuffled:
            rewards = [float(self._chance.random() < _mean(rewards)) for _ in rewards]
        elif self.course.thrift and sum(rewards) == len(rewards):
            rewards = [1.0 - self.course.thrift * len(chosen) / MOST_MOVES for _, chosen, _ in group]
        return [
            Attempted(tuple(one.features for one in places), tuple(chosen), reward)
            for (places, chosen, _), reward in zip(group, rewards, strict=True)
        ]


def train(policy: Policy, lessons: Sequence[Lesson], seed: int, course: Course, updates: int) -> Iterator[Step]:
    """Train the policy in place, a Step for each update."""
    trainee = Trainee(policy, lessons, seed, course)
    for n in range(updates):
        yield trainee.update(n / updates)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def success(policy: Policy, practices: Sequence[tuple[PackTask, Practice]], seed: int, k: int) -> list[float]:
    """For each instance, the share of k attempts that its own verifier passes; moves are drawn, not the best taken."""
    chance = np.random.default_rng([seed, 37])
    cache: dict[int, NDArray[np.float32]] = {}
    out = []
    for entry, practice in practices:
        got = [practice.verdict(attempted(policy, practice, chance, cache)[2], entry.verifier).reward or 0.0 for _ in range(k)]
        out.append(float(np.mean(got)))
    return out
