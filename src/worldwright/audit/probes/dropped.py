"""The reference with one step left out."""

from __future__ import annotations

import re

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="dropped",
    side="accept",
    codes=("A5", "A3"),
    needs=frozenset({"reference", "calls"}),
    means="A step that the task asks for can be left out, and the reward stays.",
    repair="Let the verifier demand what that step does or says.",
    rule="the reference changes nothing",
)


def rule(at: At) -> str:
    """Only writes can be missing."""
    return "" if at.does else PROBE.rule


def trials(at: At) -> Steps:
    """Each write left out in turn, all else and the answer as in the reference."""
    yield at.take([_without(at, n) for n, writes in enumerate(at.writes) if writes], 4)


def _without(at: At, n: int) -> Trial:
    acts = at.reference.acts
    rest = acts[:n] + acts[n + 1 :]
    lead = at.lead_about(("optional",), acts[n].tool) if len(acts) > 1 else ""
    asked = asked_for(at, acts[n].tool)
    claim = Claim.BRIEF if asked and not lead else Claim.END
    why = f"The brief asks for it: '{asked}'." if claim == Claim.BRIEF else ""
    return at.must_fail(f"without call {n + 1}, {acts[n].tool}", rest, at.reference.answer, claim, why, lead)


def asked_for(at: At, tool: str) -> str:
    """The brief's word for what a tool does, if the brief asks for it by the tool's own verb."""
    words = re.findall(r"[a-z]{4,}", re.sub(r"([A-Z])", r" \1", tool).lower().replace("_", " "))
    if not words:
        return ""
    hit = re.search(rf"(?<!\w){re.escape(words[0][:6])}\w*", at.facts.prompt, re.IGNORECASE)
    same = [act for act in at.reference.acts if act.tool == tool]
    return hit.group(0) if hit and len(same) == 1 else ""
