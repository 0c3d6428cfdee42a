"""The reference with one step left out."""

from __future__ import annotations

import re

import msgspec

from worldwright.audit.bench import At, Steps, is_read_named
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act

PROBE = Probe(
    id="dropped",
    side="accept",
    codes=("A5", "A3"),
    needs=frozenset({"reference", "calls"}),
    means="A step that the task asks for can be left out, and the reward stays.",
    repair="Let the verifier demand what that step does or says.",
    rule="the reference changes nothing",
    version=3,
)


def rule(at: At) -> str:
    """Only writes can be missing."""
    return "" if at.does else PROBE.rule


def trials(at: At) -> Steps:
    """Each write left out in turn, all else and the answer as in the reference; and another tool in its place."""
    writes = [n for n, writes in enumerate(at.writes) if writes]
    one_out = at.take([_without(at, n) for n in writes], 4)
    yield [*one_out, *at.take([one for n in writes for one in _instead(at, n)], 1), *at.take(_without_any(at, writes), 1)]


def _without_any(at: At, writes: list[int]) -> list[Trial]:
    """All calls of a tool left out, where it is called more than once beside others: no wait at all, no page turned."""
    acts = at.reference.acts
    made = []
    for tool in dict.fromkeys(acts[n].tool for n in writes):
        if 1 < sum(acts[n].tool == tool for n in writes) < len(writes):
            rest = [act for act in acts if act.tool != tool]
            lead = at.lead_about(("optional", "choice"), tool)
            trial = at.must_fail(f"without any call of {tool}", rest, at.reference.answer, Claim.END, lead=lead)
            made.append(msgspec.structs.replace(trial, unless_refused=True))
    return made


def _instead(at: At, n: int) -> list[Trial]:
    """Another tool that writes and takes the same arguments in place of a call: wrong where the state says so."""
    acts = at.reference.acts
    made = []
    for tool in at.facts.tools:
        given, taken = set(acts[n].args), {arg.name for arg in tool.args}
        needed = {arg.name for arg in tool.args if arg.required}
        reads = is_read_named(tool.name) if tool.writes is None else not tool.writes
        if tool.name != acts[n].tool and given and needed <= given <= taken and not reads:
            changed = (*acts[:n], Act(tool.name, acts[n].args), *acts[n + 1 :])
            lead = at.lead_about(("choice", "optional", "extras"), acts[n].tool, tool.name)
            trial = at.must_fail(
                f"{tool.name} in place of call {n + 1}, {acts[n].tool}", changed, at.reference.answer, Claim.END, lead=lead
            )
            made.append(msgspec.structs.replace(trial, unless_refused=True))
    return made


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
