"""Checks that the same start and the same calls give the same results, whatever ran before, beside or in a fork.

Each takes a Subject and returns if all is well; it raises Broken with the first difference, or NotSupported.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from worldwright.world.conformance.subject import Broken, NotSupported, Subject
from worldwright.world.conformance.walk import ANSWER, Walk, Walker, insist, json_text, left, started, walk
from worldwright.world.protocol import Episode, World

__all__ = ["check_asynchronous", "check_fork", "check_interleaved", "check_repeats", "check_reset", "check_threads"]

_THREADS = 4
_SWITCH = 1e-5
"""Seconds between switches of threads while they are watched."""


def check_repeats(subject: Subject) -> None:
    """A world made again has the same identity, the same start states and the same walks."""
    one, other = subject.world, subject.fresh()
    for name in ("name", "digest"):
        first, second = getattr(one, name), getattr(other, name)
        if first != second:
            raise Broken(f"the world's {name} is {first!r} and, made again, {second!r}")
    for seed in subject.seeds:
        if one.state_digest(seed) != other.state_digest(seed):
            raise Broken(f"seed {seed}: the world made again has another start state (by its digest)")
        insist(_walk(subject, one, seed), _walk(subject, other, seed), f"seed {seed}: the same walk in a world made again")


def check_reset(subject: Subject) -> None:
    """Episodes that went before leave no trace: neither in start states nor in what calls give."""
    world = subject.world
    for seed in subject.seeds:
        digest, first = world.state_digest(seed), _walk(subject, world, seed)
        for number in (1, 2):
            _walk(subject, world, seed, number)
        abandoned = started(world, seed, 3, subject.known).go(subject.steps)
        abandoned.episode.close()
        if world.state_digest(seed) != digest:
            raise Broken(f"seed {seed}: the start state (by its digest) is another after some episodes")
        insist(first, _walk(subject, world, seed), f"seed {seed}: the same walk before and after other episodes")


def check_interleaved(subject: Subject) -> None:
    """Episodes that take turns, of one seed and of several, go as each would alone."""
    world = subject.world
    keys = [(seed, number) for seed in dict.fromkeys((subject.seeds[0], subject.seeds[-1])) for number in (0, 1)]
    alone = {key: _walk(subject, world, *key) for key in keys}
    walkers = {key: started(world, *key, subject.known) for key in keys}
    for _ in range(subject.steps):
        for walker in walkers.values():
            walker.go(1)
    for (seed, number), walker in walkers.items():
        insist(alone[seed, number], walker.finish(), f"seed {seed}: a walk alone and beside {len(keys) - 1} other episodes")


def check_threads(subject: Subject) -> None:
    """Episodes in several threads go as each would alone."""
    world = subject.world
    keys = [(seed, number) for seed in subject.seeds for number in range(_THREADS)][: 2 * _THREADS]
    alone = [_walk(subject, world, *key) for key in keys]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        with ThreadPoolExecutor(_THREADS) as threads:
            together = list(threads.map(lambda key: _walk(subject, world, *key), keys))
    finally:
        sys.setswitchinterval(interval)
    for (seed, _), one, other in zip(keys, alone, together, strict=True):
        insist(one, other, f"seed {seed}: a walk alone and in one of {_THREADS} threads")


def check_fork(subject: Subject) -> None:
    """A fork and its origin go on from the same state, each as if the other weren't there; closing one leaves the other."""
    world = subject.world
    for seed in subject.seeds:
        before = subject.steps // 2
        alone = _walk(subject, world, seed)
        origin = started(world, seed, 0, subject.known).go(before)
        twin, stray = _fork(origin.episode), Walker(_fork(origin.episode), origin.tools, f"{seed}:stray", {})
        stray.drawer.follow(origin.drawer)
        stray.go(subject.steps)
        replayed = _replayed(twin, subject, seed, before)
        insist(alone, replayed, f"seed {seed}: a walk, and the same walk that goes on in a fork")
        stray.episode.close()
        insist(alone, origin.go(subject.steps - before).finish(), f"seed {seed}: a walk, and the same walk from which episodes were forked")


def _replayed(twin: Episode, subject: Subject, seed: int, before: int) -> Walk:
    """The walk whose second part happens in the fork: its first part is walked again to know what to draw next."""
    walker = started(subject.world, seed, 0, subject.known).go(before)
    walker.episode.close()
    walker.episode = twin
    return walker.go(subject.steps - before).finish()


def _fork(episode: Episode) -> Episode:
    fork = getattr(episode, "fork", None)
    if not callable(fork):
        raise NotSupported("episodes have no fork")
    try:
        made: Episode = fork()
    except NotImplementedError as fault:
        raise NotSupported(f"episodes can't be forked: {fault}" if str(fault) else "episodes can't be forked") from fault
    return made


def check_asynchronous(subject: Subject) -> None:
    """Calls that are awaited together take their turns: they give what the same calls give one after the other."""
    world, seed = subject.world, subject.seeds[0]
    steps = _walk(subject, world, seed).steps
    one, two = world.start(seed), world.start(seed)
    if not callable(getattr(two, "asynchronous", None)):
        raise NotSupported("episodes have no asynchronous()")
    calls = [(step.tool, msgspec.json.decode(step.args)) for step in steps]
    in_turn = [one.call(tool, args) for tool, args in calls]
    together = asyncio.run(_awaited(two, calls))
    for n, (tool, args) in enumerate(calls):
        if json_text(in_turn[n]) != json_text(together[n]):
            raise Broken(f"call {n + 1}, {tool}({args}), gives something else when it is awaited together with others")
    ends = [left(episode, episode.finish(ANSWER)) for episode in (one, two)]
    one.close()
    two.close()
    if ends[0] != ends[1]:
        raise Broken("calls that were awaited together leave something else than the same calls in turn")


async def _awaited(episode: Any, calls: Sequence[tuple[str, Any]]) -> list[Any]:
    door = episode.asynchronous()
    return list(await asyncio.gather(*(door.call(tool, args) for tool, args in calls)))


def _walk(subject: Subject, world: World, seed: int, number: int = 0) -> Walk:
    return walk(world, seed, number, subject.steps, subject.known)
