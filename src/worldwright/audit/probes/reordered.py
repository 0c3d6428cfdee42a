"""The reference with writes that commute in another order."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe
from worldwright.audit.subject import Act

PROBE = Probe(
    id="reordered",
    side="refuse",
    codes=("R1",),
    needs=frozenset({"reference", "calls", "state"}),
    means="The same end, reached in another order, is refused though the brief prescribes none.",
    repair="Judge the end instead of the sequence, or prescribe the order in the brief.",
    rule="the reference has fewer than two writes",
    version=2,
)


def rule(at: At) -> str:
    """Two writes at least."""
    return "" if sum(at.writes) > 1 else PROBE.rule


def trials(at: At) -> Steps:
    """Neighbouring writes exchanged; all writes backwards."""
    acts = at.reference.acts
    places = [n for n, writes in enumerate(at.writes) if writes]
    made = []
    for one, other in itertools.pairwise(places):
        swapped = list(acts)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        lead = _prescribed(at, [acts[one], acts[other]])
        made.append(at.must_pass(f"calls {one + 1} and {other + 1} exchanged", swapped, at.reference.answer, Claim.END, lead=lead))
    backwards = list(acts)
    for place, source in zip(places, reversed(places), strict=True):
        backwards[place] = acts[source]
    lead = _prescribed(at, [acts[n] for n in places])
    made.append(at.must_pass("all writes backwards", backwards, at.reference.answer, Claim.END, lead=lead))
    yield at.take(made)


def _prescribed(at: At, acts: Sequence[Act]) -> str:
    """Why the order of these calls may matter: the brief prescribes one, and doesn't say 'in any order', or says it of other calls."""
    lead = at.lead("order")
    if lead and "unordered" in at.freedoms:
        of = {act.tool for act in at.reference.acts if at.lead_about(("unordered",), act.tool)}
        return lead if of and not of.issuperset(act.tool for act in acts) else ""
    return lead
