"""What another process does for a check: make the world, walk, and say what came out.

Takes a Question as JSON; gives an Answer as JSON on stdout. What the world itself prints goes to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from worldwright.errors import UsageError
from worldwright.world.conformance.clock import shift_clock
from worldwright.world.conformance.draw import Known
from worldwright.world.conformance.subject import Portable
from worldwright.world.conformance.walk import Walk, walk
from worldwright.world.protocol import World

__all__ = ["Answer", "Question", "answer", "seen"]


class Question(msgspec.Struct, frozen=True):
    """What to do: which world, which walks, and how many seconds to move the wall clock first."""

    factory: Portable
    seeds: tuple[int, ...]
    steps: int
    known: Known
    shift: int = 0


class Answer(msgspec.Struct, frozen=True):
    """What came out, by seed in their order; or why nothing could."""

    name: str = ""
    digest: str = ""
    starts: tuple[str, ...] = ()
    walks: tuple[Walk, ...] = ()
    unsupported: str = ""


def _look(question: Question) -> Answer:
    """Do what is asked, in this process."""
    try:
        if question.shift:
            shift_clock(question.shift)
        factory = question.factory.load()
    except (UsageError, NotImplementedError) as fault:
        return Answer(unsupported=str(fault))
    return seen(factory(), question.seeds, question.steps, question.known)


def seen(world: World, seeds: Sequence[int], steps: int, known: Known) -> Answer:
    """What comes out of this world."""
    starts = tuple(world.state_digest(seed) for seed in seeds)
    walks = tuple(walk(world, seed, 0, steps, known) for seed in seeds)
    return Answer(world.name, world.digest, starts, walks)


def answer(question: bytes) -> None:
    """Answer on stdout."""
    out, sys.stdout = sys.stdout, sys.stderr
    made = _look(msgspec.json.decode(question, type=Question))
    out.buffer.write(msgspec.json.encode(made))
    out.flush()
