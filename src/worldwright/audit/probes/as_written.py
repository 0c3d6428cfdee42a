"""A value in the very form in which the brief writes it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="as-written",
    side="refuse",
    codes=("R2",),
    needs=frozenset({"reference"}),
    means="A value is refused in the form in which the brief itself writes it.",
    repair="Bring both sides to one form before comparing, or let the tool refuse what it can't take.",
    rule="the brief writes every value of the reference as the reference does, or not at all",
)


def rule(at: At) -> str:
    """Only where brief and reference write a value differently."""
    return "" if _places(at) else PROBE.rule


def trials(at: At) -> Steps:
    """The reference with the brief's own form; a tool that refuses it takes the label away."""
    yield at.take([_trial(at, *place) for place in _places(at)], 2)


def _trial(at: At, n: int, name: str, form: str) -> Trial:
    acts, answer = at.reference.acts, at.reference.answer
    if n < 0:
        return at.must_pass(f"answer '{form}'", acts, form, Claim.FORM, "The brief writes it so.", at.lead("format"))
    changed = msgspec.structs.replace(acts[n], args=acts[n].args | {name: form})
    trial = at.must_pass(
        f"{acts[n].tool}: {name} '{form}'",
        (*acts[:n], changed, *acts[n + 1 :]),
        answer,
        Claim.CONSTRUCTION,
        "The brief writes it so.",
        at.lead("format"),
    )
    return msgspec.structs.replace(trial, unless_refused=True)


def _places(at: At) -> list[tuple[int, str, str]]:
    found = []
    for n, act in enumerate(at.reference.acts):
        if at.writes[n : n + 1] == (True,):
            found += [(n, name, form) for name, value in act.args.items() if (form := _form(at.facts.prompt, value))]
    return found


def _form(prompt: str, value: Any) -> str:
    """How the brief writes a text of six letters and digits or more, if otherwise than the reference does."""
    if not isinstance(value, str) or value in prompt:
        return ""
    plain = re.sub(r"[\W_]", "", value)
    if len(plain) < 6 or not re.search(r"\d", plain):
        return ""
    hit = re.search(r"[\s\-./()]{0,2}".join(re.escape(char) for char in plain), prompt, re.IGNORECASE)
    return hit.group(0) if hit and hit.group(0) != value else ""
