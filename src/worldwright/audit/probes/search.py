"""The shortest run that is rewarded, found with the verifier's feedback under a stated budget."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.calls import legal_calls
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act

PROBE = Probe(
    id="search",
    side="accept",
    codes=("A3", "A5", "A1"),
    needs=frozenset({"reference", "calls"}),
    means="A search that sees only the verdict finds a rewarded run that leaves out part of the work.",
    repair="Demand what the found run leaves out.",
    rule="the reference changes nothing",
)


def rule(at: At) -> str:
    """Only work can be left out."""
    return "" if at.does else PROBE.rule


def trials(at: At) -> Steps:
    """Single calls, halves, then ever shorter rewarded runs (delta debugging), then drawn calls.

    At most `search` runs in all instances together.
    """
    left = max(4, at.case.search // 4)
    lead = (
        at.lead("optional")
        if len(at.reference.acts) > 1 and any(at.lead_about(("optional",), act.tool) for act in at.reference.acts)
        else ""
    )
    acts = at.reference.acts
    writes = [act for act, does in zip(acts, at.writes, strict=True) if does]
    first = [_trial(at, f"only {act.tool}", (act,), lead) for act in writes] if len(acts) > 1 else []
    first += [_trial(at, f"without {len(acts) - len(half)} of {len(acts)} calls", half, lead) for half in _halves(acts)]
    first += [_trial(at, f"drawn: {act.tool}", (act,), lead) for act in legal_calls(at, at.facts.tools, 1) if act not in acts]
    for trial in at.take(first, 4)[:left]:
        attempt = (yield [trial])[0]
        left -= 1
        if attempt.status == "pass":
            return


def _halves(acts: tuple[Act, ...]) -> list[tuple[Act, ...]]:
    middle = len(acts) // 2
    return [acts[:middle], acts[middle:]] if middle else []


def _trial(at: At, variant: str, acts: tuple[Act, ...], lead: str) -> Trial:
    return at.must_fail(f"{variant}, right answer", acts, at.reference.answer, Claim.END, lead=lead)
