"""Practice: an instance as the policy's state graph, in which whatever was once done costs nothing the second time.

Takes a task and an instance; gives places (what is known, the moves there are, their features) and what follows from a move, and
the verdict at an end. Worlds are deterministic, so a read that was made in a state of the world gives the same again, and the same
writes and answer the same verdict: both are kept. Calls are counted as if each attempt had made them. Promises: what a sequence of
moves leads to is what a real attempt with the same moves leads to (tests/training/test_practice.py holds them against each other);
the only difference is that a tool which fails for a while by its own count of calls may have to be asked again more or less often.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from worldwright.errors import UnusableSeed
from worldwright.solver.protocol import Call
from worldwright.task import Instance, Task
from worldwright.training.calling import is_passing
from worldwright.training.doing import carried_out
from worldwright.training.features import matrix
from worldwright.training.memory import Goal, Memory, goal_of, start_of
from worldwright.training.moves import Move, moves
from worldwright.training.rewards import Grader
from worldwright.verifier import Verdict
from worldwright.world.protocol import CallResult
from worldwright.world.records import RecordsEpisode

__all__ = ["MOST_MOVES", "Place", "Practice", "practised"]

MOST_MOVES = 24
"""An attempt that hasn't ended after so many moves for each part of the work is ended as it stands."""
_ENCODER = msgspec.msgpack.Encoder()
_ROWS = msgspec.msgpack.Encoder(order="deterministic", enc_hook=str)
"""Rows as bytes, the same in whichever order their fields came: two ways to a place may have left other values."""


class Place:
    """A state of an attempt: its moves with features (moves, FEATURES), and where they lead as far as that was tried.

    Several ways lead to a place, so `memory.calls` is that of the first that came; what a move itself takes is under `spent`.
    """

    __slots__ = ("acts", "after", "ended", "features", "key", "memory", "moves", "spent")

    def __init__(
        self, key: Any, memory: Memory, acts: tuple[bytes, ...], found: list[Move], features: NDArray[np.float32], ended: bool
    ) -> None:
        self.key, self.memory, self.acts, self.moves, self.features, self.ended = key, memory, acts, found, features, ended
        self.after: dict[int, Place] = {}
        self.spent: dict[int, int] = {}


_TRIED = 50
"""So many seeds are tried for each instance that is wanted."""


def practised(task: Task, n: int, first: int = 1, needed: frozenset[str] = frozenset()) -> list[Practice]:
    """Instances to practise on, of the first usable seeds from this one on; fewer than n where too few seeds have one."""
    out = list[Practice]()
    for seed in range(first, first + _TRIED * n):
        if len(out) == n:
            break
        try:
            out.append(Practice(task, task.instance(seed), needed))
        except UnusableSeed:
            continue
    return out


class Practice:
    """One instance. `calls` counts the calls that were really made of the world, for what practising costs."""

    def __init__(self, task: Task, instance: Instance, needed: frozenset[str] = frozenset(), limit: int | None = None) -> None:
        self.task, self.instance = task, instance
        prompt = task.prompt(instance)
        self.goal: Goal = goal_of(prompt, instance.shown, task.world.spec.start(), needed)
        self.most_moves = MOST_MOVES * self.goal.parts
        self.limit = limit or task.brief.limits.calls
        self.calls = 0
        self._writes = {one.name for one in prompt.tools if one.writes} | {"wait"}
        self._results: dict[tuple[tuple[bytes, ...], bytes], CallResult] = {}
        self._places: dict[Any, Place] = {}
        self._verdicts: dict[tuple[int, bytes], Verdict] = {}
        self._graders: dict[int, Grader] = {}
        self._live: tuple[tuple[bytes, ...], RecordsEpisode] | None = None
        self.root = self._place(start_of(self.goal), ())

    def close(self) -> None:
        """Give back the episode that is open; safe to call twice."""
        if self._live is not None:
            self._live[1].close()
            self._live = None

    def step(self, place: Place, choice: int) -> Place:
        """Where the move leads."""
        found = place.after.get(choice)
        if found is None:
            found, place.spent[choice] = self._step(place, choice)
            place.after[choice] = found
        return found

    def verdict(self, place: Place, verifier: Grader) -> Verdict:
        """What the verifier says of an attempt that ended here."""
        answer = {name: value for name, _, value in place.memory.answers} or None
        complete = len(place.memory.answers) == len(self.goal.prompt.answer)
        return self._graded(place.acts, answer if complete else None, verifier)

    def faults(self, place: Place, verifier: Grader) -> int:
        """How many answers of the first part of the work are wrong, at a place where the second begins."""
        assert self.goal.then is not None
        given = (*place.memory.answers, *self.goal.then.otherwise())
        verdict = self._graded(place.acts, {name: value for name, _, value in given}, verifier)
        return sum(not one.ok and any(name in one.name.split() for name in self.goal.answer) for one in verdict.checks)

    def _graded(self, acts: tuple[bytes, ...], answer: Mapping[str, Any] | None, verifier: Grader) -> Verdict:
        self._graders[id(verifier)] = verifier  # kept, so that no later one has its identity
        key = (id(verifier), _ENCODER.encode((acts, answer)))
        if key not in self._verdicts:
            episode = self._fresh(acts)
            try:
                self._verdicts[key] = verifier.grade(self.instance, episode.finish(answer, self.instance.until))
            finally:
                episode.close()
        return self._verdicts[key]

    # ---- inside

    def _place(self, memory: Memory, acts: tuple[bytes, ...], ended: bool = False) -> Place:
        key = (memory.key, acts, ended, _ROWS.encode([one.rows for one in memory.tables]))
        found = self._places.get(key)
        if found is None:
            ended = ended or (len(memory.answers) == len(self.goal.prompt.answer) > 0)
            goal = self.goal.at(memory)
            there = [] if ended else sorted(moves(goal, memory), key=lambda one: one.name)
            features = matrix(goal, memory, there) if there else np.zeros((0, 0), dtype=np.float32)
            found = self._places[key] = Place(key, memory, acts, there, features, ended or not there)
        return found

    def _step(self, place: Place, choice: int) -> tuple[Place, int]:
        move = place.moves[choice]
        acts, doing = place.acts, carried_out(self.goal.at(place.memory), place.memory, move)
        try:
            call = next(doing)
            while True:
                result, acts = self._called(call, acts)
                call = doing.send(result)
        except StopIteration as done:
            return self._place(done.value, acts, move.kind == "finish"), done.value.calls - place.memory.calls

    def _called(self, call: Call, acts: tuple[bytes, ...]) -> tuple[CallResult, tuple[bytes, ...]]:
        """What a call gives after the acts, and the acts with it if it is one. An episode serves many attempts, so where its own limit of
        calls ends it, another takes its place; the limit of an attempt is held against what the attempt itself called."""
        said = _ENCODER.encode((call.tool, call.args))
        after = (*acts, said) if call.tool in self._writes else acts
        known = self._results.get((acts, said))
        if known is None:
            episode = self._at(acts)
            known = episode.call(call.tool, call.args)
            if known.ended is not None and self._live is not None:
                self.close()
                episode = self._at(acts)
                known = episode.call(call.tool, call.args)
            self.calls += 1
            if known.ok or not is_passing(known, call.args):
                self._results[(acts, said)] = known
            if after is not acts:
                self._live = (after, episode)
        return known, after

    def _at(self, acts: tuple[bytes, ...]) -> RecordsEpisode:
        """An episode in which just these acts were done."""
        if self._live is None or self._live[0] != acts:
            self.close()
            self._live = (acts, self._fresh(acts))
        return self._live[1]

    def _fresh(self, acts: tuple[bytes, ...]) -> RecordsEpisode:
        episode = self.task.start(self.instance)
        for one in acts:
            tool, args = msgspec.msgpack.decode(one)
            episode.call(tool, args)
        return episode
