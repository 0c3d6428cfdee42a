"""Seeded random walks through a world, as transcripts that can be compared between episodes, threads and processes.

Takes a world, a seed and the number of the walk; gives what each call returned and what the episode left, as JSON text.
Two walks are the same if their transcripts are. Raises what the world raises.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.world.conformance.draw import Drawer, Known
from worldwright.world.conformance.subject import Broken
from worldwright.world.protocol import CallResult, Episode, Evidence, ToolDoc, World

__all__ = ["ANSWER", "Step", "Walk", "Walker", "difference", "insist", "json_text", "left", "shortened", "started", "walk"]

ANSWER: Mapping[str, Any] = {"decision": "granted", "count": 3, "ids": [2, 1], "note": None}
"""What the kit answers at the end of a walk."""

_READS, _PREFERRED = 0.4, 0.4
_RESULT = msgspec.json.Encoder(enc_hook=lambda value: f"<{type(value).__name__}>")
_STATE = msgspec.json.Encoder(enc_hook=lambda value: f"<{type(value).__name__}>", order="deterministic")


class Step(msgspec.Struct, frozen=True):
    """One call and all that it showed, as JSON text."""

    tool: str
    args: str
    result: str


class Walk(msgspec.Struct, frozen=True):
    """A whole walk; `end` has a digest of each part of what the episode left."""

    steps: tuple[Step, ...]
    end: dict[str, str]


def json_text(value: Any, *, ordered: bool = True) -> str:
    """JSON text; mappings keep their own order unless `ordered` is false. What isn't JSON shows as its type's name."""
    return (_RESULT if ordered else _STATE).encode(value).decode()


class Walker:
    """An episode that takes its next random step when asked."""

    def __init__(self, episode: Episode, tools: Sequence[ToolDoc], chance: str, known: Known) -> None:
        self.episode, self.tools, self.ended = episode, tools, False
        self.reads = [tool for tool in tools if not tool.writes]
        self.steps: list[Step] = []
        self.heard: list[Any] = []
        self.rng = random.Random(chance)
        self.drawer = Drawer(self.rng, known)
        for tool in tools:
            self.drawer.learn(tool)
        self._hear()

    def step(self, prefer: Sequence[ToolDoc] = ()) -> CallResult:
        """One call of a tool; preferred ones more often than others, reads more often than writes."""
        rng = self.rng
        some = self.reads if self.reads and rng.random() < _READS else self.tools
        tool = rng.choice(prefer if prefer and rng.random() < _PREFERRED else some)
        args = self.drawer.arguments(tool, self.episode.now())
        result = self.episode.call(tool.name, args)
        if result.ok:
            self.drawer.read(result.value, tool.name)
        self.ended = result.ended is not None
        shown = {
            "ok": result.ok,
            "value": result.value,
            "error": result.error,
            "ended": result.ended,
            "now": self.episode.now(),
            "turns": self._hear(),
        }
        self.steps.append(Step(tool.name, json_text(args), json_text(shown)))
        return result

    def go(self, steps: int) -> Walker:
        """So many steps, or up to the episode's end."""
        for _ in range(steps):
            if self.ended:
                break
            self.step()
        return self

    def finish(self) -> Walk:
        """End the episode and close it."""
        evidence = self.episode.finish(ANSWER)
        end = left(self.episode, evidence)
        self.episode.close()
        return Walk(tuple(self.steps), end)

    def _hear(self) -> list[Any]:
        """What people have said by themselves, in worlds that have people."""
        turns = getattr(self.episode, "turns", None)
        fresh = list(turns()) if callable(turns) else []
        self.heard += fresh
        return fresh


def left(episode: Episode, evidence: Evidence) -> dict[str, str]:
    """A digest of each part of what an episode leaves."""
    parts: dict[str, Any] = {name: getattr(evidence, name) for name in ("calls", "messages", "answer", "lost")}
    parts["changes"] = [[row.table, row.op, list(row.key), row.old, row.new, row.by, sorted(row.agent)] for row in evidence.changes]
    parts["now"] = episode.now()
    state = getattr(episode, "state_digest", None)
    if callable(state):
        parts["state"] = state()
    return {name: hashlib.sha256(json_text(value, ordered=False).encode()).hexdigest() for name, value in parts.items()}


def started(world: World, seed: int, number: int, known: Known) -> Walker:
    """Walk `number` from this seed's start state, before its first step."""
    return Walker(world.start(seed), world.tools(), f"{seed}:{number}", known)


def walk(world: World, seed: int, number: int, steps: int, known: Known) -> Walk:
    """Walk `number` from this seed's start state to the end."""
    walker = started(world, seed, number, known)
    try:
        return walker.go(steps).finish()
    except BaseException:
        walker.episode.close()
        raise


def difference(one: Walk, other: Walk) -> str:
    """Where two walks part, in words; "" if they are the same."""
    for n, (first, second) in enumerate(zip(one.steps, other.steps, strict=False), start=1):
        if first != second:
            same = first.tool == second.tool and first.args == second.args
            called = f"{first.tool}({shortened(first.args)})"
            if same:
                return f"call {n}, {called}, gave {_around(first.result, second.result)} and {_around(second.result, first.result)}"
            return f"call {n} was {called} and {second.tool}({shortened(second.args)})"
    if len(one.steps) != len(other.steps):
        return f"one ended after {len(one.steps)} calls and the other after {len(other.steps)}"
    parts = [name for name in one.end if one.end.get(name) != other.end.get(name)]
    return f"all calls gave the same, but the end differs in {', '.join(parts)}" if parts else ""


def insist(one: Walk, other: Walk, what: str) -> None:
    """Raise Broken unless the walks are the same."""
    found = difference(one, other)
    if found:
        raise Broken(f"{what}: {found}")


def shortened(text: str, most: int = 160) -> str:
    """Text of bearable length, for a message."""
    text = text.encode(errors="replace").decode()
    return text if len(text) <= most else f"{text[:most]}..."


def _around(text: str, other: str) -> str:
    """The part of a text where it begins to differ from another."""
    at = next((n for n, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    start = max(0, at - 60)
    return f"{'...' if start else ''}{shortened(text[start:], 140)}"
