"""The reference cut short."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="prefix",
    side="accept",
    codes=("A3", "A5", "A2"),
    needs=frozenset({"reference", "calls"}),
    means="An agent that stops part of the way, before the work is done, is rewarded.",
    repair="Let the verifier look at every effect that the task asks for, not only at the first.",
    rule="the reference changes nothing",
)


def rule(at: At) -> str:
    """Only writes can be missing."""
    return "" if at.does else PROBE.rule


def trials(at: At) -> Steps:
    """Every proper prefix that lacks a write, with the right answer and without any."""
    acts, answer = at.reference.acts, at.reference.answer
    last = max(n for n, writes in enumerate(at.writes) if writes)
    cuts = [n for n in range(last + 1) if n == 0 or at.writes[n - 1] or n == last]
    claim = Claim.END if at.relation_known else Claim.CONSTRUCTION
    yield [at.must_fail(f"the first {n} of {len(acts)} calls, right answer", acts[:n], answer, claim, lead=_lead(at, n)) for n in cuts]


def _lead(at: At, n: int) -> str:
    """Whether all the writes that are missing may be left out."""
    missing = [act.tool for act, writes in zip(at.reference.acts[n:], at.writes[n:], strict=True) if writes]
    leads = {tool: at.lead_about(("optional",), tool) for tool in dict.fromkeys(missing)}
    return leads[missing[0]] if all(leads.values()) else ""
