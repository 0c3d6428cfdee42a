"""The reference with harmless detours."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps, is_read_named
from worldwright.audit.calls import legal_calls, neighbours
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act

PROBE = Probe(
    id="harmless",
    side="refuse",
    codes=("R1",),
    needs=frozenset({"reference", "calls"}),
    means="A right run is refused for a detour that changes nothing: a read more, a step looked up twice, an error that was corrected.",
    repair="Judge the end, not the list of calls; where calls are limited, say so in the brief.",
    version=2,
)


def trials(at: At) -> Steps:
    """A read before, between and after; each read twice; a failed call and then the right one."""
    acts, lead, reading = at.reference.acts, at.lead("budget", "order"), at.lead("budget")
    reads = [tool for tool in at.facts.tools if (is_read_named(tool.name) if tool.writes is None else not tool.writes)]
    made = [_more(at, act, reading) for act in legal_calls(at, reads, 2)]
    twice = tuple(one for act, writes in zip(acts, at.writes, strict=False) for one in ((act,) if writes else (act, act)))
    if len(twice) > len(acts):
        made.append(at.must_pass("every read twice", twice, at.reference.answer, Claim.END, lead=reading))
    if acts:
        n = at.rng.randrange(len(acts))
        broken = Act(acts[n].tool, dict.fromkeys(acts[n].args, "no-such-value"))
        if acts[n].args:
            made.append(at.must_pass("an error, then corrected", (*acts[:n], broken, *acts[n:]), at.reference.answer, Claim.END, lead=lead))
    made += [_mended(at, n, lead) for n, writes in enumerate(at.writes) if writes and _other_value(at, n) is not None]
    yield at.take(made, 4)


def _other_value(at: At, n: int) -> tuple[str, object] | None:
    """Another value for one of a write's arguments, not the first one (which says what it is done to)."""
    act = at.reference.acts[n]
    for name in list(act.args)[1:]:
        values = neighbours(at, name, act.args[name])
        if values:
            return name, at.rng.choice(values)
    return None


def _mended(at: At, n: int, lead: str) -> Trial:
    """A write with a wrong value, and then the right one."""
    acts = at.reference.acts
    name, value = _other_value(at, n) or ("", None)
    wrong = Act(acts[n].tool, acts[n].args | {name: value})
    return at.must_pass(
        f"{wrong.tool} with another {name}, then mended", (*acts[:n], wrong, *acts[n:]), at.reference.answer, Claim.END, lead=lead
    )


def _more(at: At, act: Act, lead: str) -> Trial:
    n = at.rng.randrange(len(at.reference.acts) + 1)
    acts = at.reference.acts
    return at.must_pass(f"{act.tool} more", (*acts[:n], act, *acts[n:]), at.reference.answer, Claim.END, lead=lead)
