"""The reference with one step done twice."""

from __future__ import annotations

import re

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="doubled",
    side="accept",
    codes=("A4", "A3"),
    needs=frozenset({"reference", "calls", "state"}),
    means="A step done twice leaves another state than the right one, and is rewarded all the same.",
    repair="Let the verifier count rows or compare amounts instead of asking whether one fitting row is there.",
    rule="the reference changes nothing",
)


def rule(at: At) -> str:
    """Only writes can be done twice."""
    return "" if at.does else PROBE.rule


def trials(at: At) -> Steps:
    """Each write done again at once."""
    acts = at.reference.acts
    twice = [(n, acts[: n + 1] + acts[n:]) for n, writes in enumerate(at.writes) if writes]
    yield at.take(
        [
            at.must_fail(
                f"call {n + 1}, {acts[n].tool}, twice",
                more,
                at.reference.answer,
                Claim.END,
                lead=_lead(at, acts[n].tool),
            )
            for n, more in twice
        ]
    )


def _lead(at: At, tool: str) -> str:
    """Why doing it twice may be harmless."""
    if re.search(r"notif|send|mail|inform|tell|message|alert|remind|announce|note|comment|log", tool, re.IGNORECASE):
        return f"saying a thing twice ('{tool}') may be harmless"
    return at.lead_about(("repetition", "optional", "extras", "choice"), tool) or at.lead("bounds")
