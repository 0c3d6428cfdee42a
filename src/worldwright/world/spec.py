"""What `world.yaml`, `events.yaml` and `parties.yaml` say, as records.

Every scalar that is typed by another field (`enum`, `default`) is kept as text and typed when the argument is
compiled. The meaning of each field is in `docs/pack-format.md`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "ACTS",
    "Act",
    "ArgSpec",
    "ArgType",
    "ClockSpec",
    "EventSpec",
    "FaultSpec",
    "PartySpec",
    "Requirement",
    "RuleSpec",
    "ToolSpec",
    "WorldSpec",
]

ArgType = Literal["string", "integer", "number", "boolean", "list", "date", "datetime", "object"]
Act = Literal["ask", "inform", "propose", "confirm", "decline", "close"]
ACTS: tuple[str, ...] = ("ask", "inform", "propose", "confirm", "decline", "close")


class ArgSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """An argument of a tool, a field of an answer, or a field of what is said to a party."""

    type: ArgType = "string"
    doc: str = ""
    enum: list[str] | None = None
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: Literal["date", "datetime", "time"] | None = None
    default: str | list[str] | msgspec.UnsetType = msgspec.UNSET
    optional: bool = False
    ordered: bool = False
    items: ArgSpec | None = None


class Requirement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition of a write: `that` must return a row, or the call is refused with `otherwise`."""

    that: str
    otherwise: str


class ToolSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool: a read (`rows` or `row`) or a write (`effect`)."""

    doc: str
    args: dict[str, ArgSpec] = {}
    rows: str | None = None
    row: str | None = None
    missing: str | None = None
    require: list[Requirement] = []
    effect: list[str] = []


class ClockSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the world's clock starts and how many seconds each call takes."""

    start: str
    tick: int = 0


class FaultSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool that fails now and then."""

    rate: float
    error: str


class WorldSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """`world.yaml`."""

    kind: Literal["records"]
    title: str
    clock: str | ClockSpec
    tools: dict[str, ToolSpec]
    domain: str = ""
    concepts: list[str] = []
    hidden: dict[str, str | list[str]] = {}
    free: list[str] = []
    journal: list[str] = []
    faults: dict[str, FaultSpec] = {}

    def start(self) -> str:
        """The clock's start, ISO."""
        return self.clock if isinstance(self.clock, str) else self.clock.start

    def tick(self) -> int:
        """Seconds that each call takes."""
        return 0 if isinstance(self.clock, str) else self.clock.tick

    def revealers(self, column: str) -> list[str]:
        """The tools (or `party:NAME`) that may reveal a hidden column."""
        named = self.hidden.get(column, [])
        return [named] if isinstance(named, str) else list(named)


class EventSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the world does by itself; `due` returns (key, at)."""

    name: str
    due: str
    effect: list[str] = []


class RuleSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule of a party."""

    name: str
    on: str | list[str]
    say: str = ""
    act: Act = "inform"
    when: str | None = None
    once: bool = False
    fields: dict[str, str] = {}
    effect: list[str] = []

    def acts(self) -> list[str]:
        """The acts (or `moved`) that the rule answers."""
        return [self.on] if isinstance(self.on, str) else list(self.on)


class PartySpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person in the world."""

    about: str
    opens: str = ""
    needs: list[str] = []
    knows: list[str] = []
    fields: dict[str, ArgSpec] = {}
    rules: list[RuleSpec] = []
    otherwise: str = "I can't help you with that."
