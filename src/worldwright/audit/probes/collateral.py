"""The reference, and one legal write that nobody asked for."""

from __future__ import annotations

import re

from worldwright.audit.bench import At, Steps, is_read_named
from worldwright.audit.calls import legal_calls
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act

PROBE = Probe(
    id="collateral",
    side="accept",
    codes=("A4",),
    needs=frozenset({"reference", "calls", "state"}),
    means="Damage beside the task (another row changed, added or deleted) is not noticed.",
    repair="Compare the whole state outside what the task may change, not only the rows that it names.",
    rule="no tool writes",
)

_ASIDE = re.compile(
    r"(?:note|comment|log|journal|audit|histor|draft|scratch|memo|bookmark|view|visit|seen|session|cache|label|tag|remark|remind|todo|feedback|chat|messag)"
)


def rule(at: At) -> str:
    """A world that can't be changed can't be damaged."""
    return "" if _writers(at) else PROBE.rule


def trials(at: At) -> Steps:
    """Calls of every tool that writes, with real arguments, after the reference and before it."""
    calls = legal_calls(at, _writers(at), 3)
    used = {(act.tool, repr(act.args)) for known in at.facts.known() for act in known.acts}
    yield at.take([_after(at, act) for act in calls if (act.tool, repr(act.args)) not in used], 6)


def _writers(at: At):  # type: ignore[no-untyped-def]
    used = {act.tool for act, writes in zip(at.reference.acts, at.writes, strict=False) if writes}
    return [
        tool for tool in at.facts.tools if tool.name in used or (tool.writes if tool.writes is not None else not is_read_named(tool.name))
    ]


def _after(at: At, act: Act) -> Trial:
    acts = at.reference.acts
    mine = {one.tool for one, writes in zip(acts, at.writes, strict=False) if writes}
    optional = any(act.tool == one.tool for known in at.facts.alternatives for one in known.acts) and act.tool not in mine
    lead = at.lead_about(("optional", "extras"), act.tool, *(str(one) for one in act.args.values() if act.tool not in mine))
    if not lead and act.tool not in mine and _ASIDE.search(act.tool.lower()):
        lead = f"'{act.tool}' may be harmless by its name"
    if not lead and optional:
        lead = f"another solution uses '{act.tool}'"
    first = at.rng.random() < 0.25
    made = (act, *acts) if first else (*acts, act)
    return at.must_fail(f"{act.tool} {'before' if first else 'after'} the reference", made, at.reference.answer, Claim.END, lead=lead)
