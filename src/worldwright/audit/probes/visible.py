"""A rule wherever the task asks for one, replaced by the examples that the brief shows."""

from __future__ import annotations

import re

import msgspec

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe
from worldwright.audit.subject import Act

PROBE = Probe(
    id="visible",
    side="accept",
    codes=("A8",),
    needs=frozenset({"reference", "calls", "state"}),
    means="Settings made for the examples of the brief alone are rewarded, though the task asks for all that is like them.",
    repair="Grade on inputs that the agent doesn't see, drawn for the instance.",
    rule="the known solution sets nothing by the beginning of examples that the brief shows",
)

_ALL = re.compile(r"\b(?:every|all|any|each)\b", re.IGNORECASE)
_EXAMPLES = re.compile(r"\b(?:samples?|examples?|for instance|such as)\b|\be\.g\.", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_][\w./:-]{2,40}\w")


def rule(at: At) -> str:
    """Only where two or more arguments are the beginnings of words in the brief that are longer."""
    return "" if _narrowed(at) else PROBE.rule


def trials(at: At) -> Steps:
    """The reference's calls with each example in the place of what it begins with."""
    yield [
        at.must_fail(
            "the brief's examples alone",
            _narrowed(at),
            at.reference.answer,
            Claim.BRIEF if _ALL.search(at.facts.prompt) else Claim.END,
            "Only what the brief shows is settled.",
            at.lead("choice", "optional"),
        )
    ]


def _narrowed(at: At) -> tuple[Act, ...]:
    """The calls; () where this doesn't apply."""
    if at.facts.reference is None or not _EXAMPLES.search(at.facts.prompt):
        return ()
    tokens = [one for one in dict.fromkeys(_TOKEN.findall(at.facts.prompt)) if re.search(r"\d", one)]
    places = [
        (n, name, value)
        for n, act in enumerate(at.reference.acts)
        for name, value in act.args.items()
        if at.writes[n] and isinstance(value, str) and any(token.startswith(value) and token != value for token in tokens)
    ]
    stems = {value for _, _, value in places}
    if len(stems) < 2 or len({(at.reference.acts[n].tool, name) for n, name, _ in places}) != 1:
        return ()
    owner = {token: max((one for one in stems if token.startswith(one)), key=len, default="") for token in tokens}
    out: list[Act] = []
    at_place = {n: (name, value) for n, name, value in places}
    for n, act in enumerate(at.reference.acts):
        if n not in at_place:
            out.append(act)
            continue
        name, stem = at_place[n]
        out += [msgspec.structs.replace(act, args=act.args | {name: token}) for token in tokens if owner[token] == stem]
    return tuple(out)
