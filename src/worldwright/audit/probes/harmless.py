"""The reference with harmless detours."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps, is_read_named
from worldwright.audit.calls import legal_calls
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act

PROBE = Probe(
    id="harmless",
    side="refuse",
    codes=("R1",),
    needs=frozenset({"reference", "calls"}),
    means="A right run is refused for a detour that changes nothing: a read more, a step looked up twice, an error that was corrected.",
    repair="Judge the end, not the list of calls; where calls are limited, say so in the brief.",
)


def trials(at: At) -> Steps:
    """A read before, between and after; each read twice; a failed call and then the right one."""
    acts, lead = at.reference.acts, at.lead("budget", "order")
    reads = [tool for tool in at.facts.tools if is_read_named(tool.name) and tool.writes is not True]
    made = [_more(at, act, lead) for act in legal_calls(at, reads, 2)]
    twice = tuple(one for act, writes in zip(acts, at.writes, strict=False) for one in ((act,) if writes else (act, act)))
    if len(twice) > len(acts):
        made.append(at.must_pass("every read twice", twice, at.reference.answer, Claim.END, lead=lead))
    if acts:
        n = at.rng.randrange(len(acts))
        broken = Act(acts[n].tool, dict.fromkeys(acts[n].args, "no-such-value"))
        if acts[n].args:
            made.append(at.must_pass("an error, then corrected", (*acts[:n], broken, *acts[n:]), at.reference.answer, Claim.END, lead=lead))
    yield at.take(made, 3)


def _more(at: At, act: Act, lead: str) -> Trial:
    n = at.rng.randrange(len(at.reference.acts) + 1)
    acts = at.reference.acts
    return at.must_pass(f"{act.tool} more", (*acts[:n], act, *acts[n:]), at.reference.answer, Claim.END, lead=lead)
