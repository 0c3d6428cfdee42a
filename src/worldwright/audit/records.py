"""What probes say and what an audit keeps: Probe, Trial, Outcome.

A probe proposes trials; the engine (`bench`) carries them out and asks `labels` what the right verdict is, and on whose
word. Only what is labelled by something other than the grader under audit counts in a rate or as a finding.
"""

from __future__ import annotations

import enum
from typing import Any, Literal

import msgspec

from worldwright.audit.subject import Session

__all__ = ["Claim", "Label", "Outcome", "Probe", "Side", "Trial"]

Side = Literal["accept", "refuse", "hold"]
"""What a wrong outcome is: a false accept (must fail), a false refusal (must pass), infrastructure that doesn't hold."""

Label = Literal["wrong", "right", "holds", "equivalent", "disputed"]
"""The right verdict of a trial: fail, pass, or a property that must hold; or that nobody can say, for two reasons."""


class Claim(enum.StrEnum):
    """On what a trial's label may rest."""

    CONSTRUCTION = "construction"
    """Wrong (or right) by how it was made, whatever state and answer come out."""
    END = "end"
    """By its end (state outside what is free, answer), compared with every end that is known to be right."""
    BRIEF = "brief"
    """The brief names the value or the act that the trial leaves out or changes."""
    ANSWER = "answer"
    """By its answer alone: it is none of the right ones, in no form."""
    FORM = "form"
    """The answer is a right one in another form."""
    RECORDED = "recorded"
    """A judged run that the subject itself records."""
    CONTROL = "control"
    """A paired run differs in one thing alone and got another verdict."""
    PROPERTY = "property"
    """Two runs that must agree, or a thing that must not be there."""


class Probe(msgspec.Struct, frozen=True):
    """A kind of probe.

    `needs` are capabilities: reference, alternatives, state, folder, answer (the task asks for one), writes (the
    reference changes something), calls (there are tools), many (two instances or more), or nothing. `codes` are those of
    the fault taxonomy (docs/audit.md). `held_out`: kept from every author and repair loop, run for certification alone.
    """

    id: str
    side: Side
    codes: tuple[str, ...]
    needs: frozenset[str]
    means: str
    repair: str
    rule: str = ""
    """When the probe does not apply, though what it needs is there."""
    version: int = 1
    held_out: bool = False
    most: int = 0
    """The most instances of a stage that it is tried on, where a trial is dear; 0: all."""


class Trial(msgspec.Struct, frozen=True):
    """A run that a probe proposes: its last play is the one that is judged (unless `judged` says which)."""

    variant: str
    session: Session
    expects: Literal["fail", "pass"]
    claim: Claim
    why: str = ""
    lead: str = ""
    """Not empty: shown and never counted, and this is why."""
    judged: int = -1
    unless_refused: bool = False
    """A call that a tool refuses takes the label away."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of a trial, or of a property that a probe looked at.

    `ok` is None where there is no label or no verdict. A finding is `ok` False with kind `finding`; a lead is shown,
    never counted. `by` is who labelled it. `evidence` is what to look at, short.
    """

    probe: str
    version: int
    case: str
    seed: int
    variant: str
    expected: str
    got: str
    label: Label
    by: str
    ok: bool | None
    kind: Literal["", "finding", "lead"] = ""
    why: str = ""
    evidence: dict[str, Any] = {}
    session: Session | None = None
    edit: str = ""
    code: str = ""
    severity: Literal["high", "medium", "low"] = "medium"
    judged: int = -1
    """Which play of the session is judged."""
    confirmed: bool = False
    """Seen again when it was run again in a fresh process."""
