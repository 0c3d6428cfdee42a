"""What is to be attempted, as one record: packs, batches, and each attempt's number.

Takes targets as batches (a solver on a task: so many seeds, k attempts at each); gives the attempts by number, in an order
that the record alone decides. All k attempts at an instance are neighbours: a group. Consecutive attempts make a chunk, which
is worked off and stored as one; chunks depend on nothing but the numbers, so neither does what is stored. Runs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import accumulate

import msgspec

__all__ = ["CHUNK", "Batch", "Schedule", "Slot"]

CHUNK = 16
"""Attempts in a chunk: enough for tool descriptions to be compressed away, few enough to redo after a crash."""

_ENCODER = msgspec.json.Encoder(order="deterministic")


class Batch(msgspec.Struct, frozen=True):
    """One solver on one task (`world/task`) of the pack with this place in the schedule: `seeds` seeds from `first`, `k` times each."""

    pack: int
    task: str
    solver: str
    first: int
    seeds: int
    k: int = 1
    wording: int = 0
    rung: int = 0


class Slot(msgspec.Struct, frozen=True):
    """One attempt to be made: its number in the schedule, its batch, the instance's seed, and its place in the group."""

    number: int
    batch: Batch
    seed: int
    index: int


class Schedule(msgspec.Struct, frozen=True):
    """`packs` are digests; `model` says which language model solvers use, if any does."""

    packs: tuple[str, ...]
    batches: tuple[Batch, ...]
    chunk: int = CHUNK
    model: str = ""

    @property
    def attempts(self) -> int:
        """How many attempts there are."""
        return sum(batch.seeds * batch.k for batch in self.batches)

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-self.attempts // self.chunk)

    @property
    def digest(self) -> str:
        """The schedule's identity."""
        return hashlib.sha256(_ENCODER.encode(self)).hexdigest()

    def slots(self, chunk: int) -> Iterator[Slot]:
        """The attempts of a chunk, in order."""
        low, high = chunk * self.chunk, min((chunk + 1) * self.chunk, self.attempts)
        ends = accumulate(batch.seeds * batch.k for batch in self.batches)
        for batch, end in zip(self.batches, ends, strict=True):
            start = end - batch.seeds * batch.k
            for number in range(max(low, start), min(high, end)):
                place, index = divmod(number - start, batch.k)
                yield Slot(number, batch, batch.first + place, index)
