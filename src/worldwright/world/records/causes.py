"""Which of an agent's calls still stand at the end, so that what triggers and cascades did for them is excused.

Takes an episode's writes in order; gives the segments whose own changes the agent has all taken back, or that made none.
Every value of a row, and its being there, is a path of states; where the path comes back to an earlier state, the steps
between were taken back (one step more, and the loop is gone), unless the world had a hand in it. Doesn't know which row
of a call fired which trigger: a call stands while any of its own changes does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

__all__ = ["AGENT", "WORLD", "Write", "taken_back"]

AGENT, WORLD = "agent", "world"
_GONE, _THERE = ("gone",), ("there",)
_BEING = ""
"""Stands for a row's being there, beside its columns."""


class Write(msgspec.Struct, frozen=True):
    """What one segment did to one row; `mine` are the columns that the agent's statements wrote themselves."""

    segment: int
    by: str
    op: str
    table: str
    key: tuple[Any, ...]
    mine: frozenset[str]
    old: Mapping[str, Any]
    new: Mapping[str, Any]

    def columns(self) -> frozenset[str]:
        """The columns that were written, by whomever."""
        return frozenset(self.old if self.op == "DELETE" else self.new)


def taken_back(writes: Sequence[Write]) -> frozenset[int]:
    """The agent's segments with writes of triggers or cascades, of whose own writes nothing is left."""
    spread = frozenset(write.segment for write in writes if write.by == AGENT and write.mine != write.columns())
    if not spread:
        return spread
    paths: dict[tuple[str, tuple[Any, ...], str], _Path] = {}
    standing: set[int] = set()
    for write in writes:
        for what, before, after, own in _steps(write):
            place = (write.table, write.key, what)
            path = paths.get(place)
            if path is None:
                path = paths[place] = _Path(before)
            standing.update(path.go(after, _Step(write.segment if own else None, write.by == WORLD)))
    for path in paths.values():
        standing.update(_causes(path.steps))
    return spread - standing


def _steps(write: Write) -> Iterator[tuple[str, Hashable, Hashable, bool]]:
    """(what, state before, state after, whether the agent's statements did it) of the row's being there and its columns."""
    if write.op != "UPDATE":
        made = write.op == "INSERT"
        yield _BEING, _GONE if made else _THERE, _THERE if made else _GONE, bool(write.mine)
        for name, value in (write.new if made else write.old).items():
            yield name, _GONE if made else _state(value), _state(value) if made else _GONE, False
        return
    for name, value in write.new.items():
        yield name, _state(write.old.get(name)), _state(value), name in write.mine


def _state(value: Any) -> Hashable:
    return type(value), value


class _Step(msgspec.Struct, frozen=True):
    """The segment whose statements made it, if the agent's did, and whether the world did."""

    cause: int | None
    world: bool


class _Path:
    """The states that one thing went through, without what was taken back."""

    def __init__(self, start: Hashable) -> None:
        self.states, self.steps = [start], list[_Step]()

    def go(self, state: Hashable, step: _Step) -> Iterator[int]:
        """Go on to this state. Gives the causes in a loop that the world helped to close: they stand."""
        if state not in self.states:
            self.states.append(state)
            self.steps.append(step)
            return iter(())
        back = self.states.index(state)
        loop = [*self.steps[back:], step]
        del self.states[back + 1 :], self.steps[back:]
        return _causes(loop) if any(one.world for one in loop) else iter(())


def _causes(steps: Sequence[_Step]) -> Iterator[int]:
    return (one.cause for one in steps if one.cause is not None)
