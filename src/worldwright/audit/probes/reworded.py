"""The reference with its free text in other words."""

from __future__ import annotations

import msgspec

from worldwright.audit.bench import At, Steps
from worldwright.audit.calls import is_prose
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="reworded",
    side="refuse",
    codes=("R1", "R4"),
    needs=frozenset({"reference", "calls"}),
    means="A text that is the agent's own words is compared letter by letter, though nothing the agent can read gives those words.",
    repair="Leave free text out of the comparison, check only the facts that it must state, or give the text in the brief.",
    rule="no argument is free text of the reference's own",
)


def rule(at: At) -> str:
    """Only prose that stands nowhere the agent can read it."""
    return "" if _places(at) else PROBE.rule


def trials(at: At) -> Steps:
    """The same text with another frame; every fact (number, name) kept."""
    made = []
    acts = at.reference.acts
    for n, name in _places(at):
        for how, text in (
            ("a word more at its end", f"{acts[n].args[name]} Regards."),
            ("capitals", acts[n].args[name].capitalize().rstrip(".")),
        ):
            if text != acts[n].args[name]:
                changed = msgspec.structs.replace(acts[n], args=acts[n].args | {name: text})
                lead = at.lead("format")
                made.append(
                    at.must_pass(
                        f"{acts[n].tool}: {name}, {how}",
                        (*acts[:n], changed, *acts[n + 1 :]),
                        at.reference.answer,
                        Claim.CONSTRUCTION,
                        lead=lead,
                    )
                )
    yield at.take(made)


def _places(at: At) -> list[tuple[int, str]]:
    return [
        (n, name)
        for n, act in enumerate(at.reference.acts)
        for name, value in act.args.items()
        if is_prose(name, value) and not act.tool.startswith("$") and value.strip().rstrip(".").lower() not in at.seen_before(n).lower()
    ]
