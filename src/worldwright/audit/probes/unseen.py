"""A value that the verifier demands and that stands nowhere."""

from __future__ import annotations

import re

import msgspec

from worldwright.audit.answers import is_structured
from worldwright.audit.bench import At, Steps, is_read_named
from worldwright.audit.calls import is_prose, legal_calls
from worldwright.audit.records import Claim, Probe

PROBE = Probe(
    id="unseen",
    side="refuse",
    codes=("R4", "R3"),
    needs=frozenset({"reference"}),
    means="The verifier insists on a value that neither the brief nor any tool, page or file gives the agent.",
    repair="Give the value (or the rule that leads to it) where the agent can read it, or don't demand it.",
    rule="everything in the reference can be read or counted by the agent",
)


def rule(at: At) -> str:
    """Only values that stand nowhere."""
    return "" if _places(at) else PROBE.rule


def trials(at: At) -> Steps:
    """Another value of the same kind instead; a right verifier can't insist on the one that nobody can know."""
    acts = at.reference.acts
    made = []
    reads = [tool for tool in at.facts.tools if (is_read_named(tool.name) if tool.writes is None else not tool.writes)]
    tried = legal_calls(at, reads, 4)
    shown = ""
    if tried:
        attempt = (yield [at.must_fail("what reading shows (control)", tried, None, Claim.CONSTRUCTION, lead="only a control")])[0]
        shown = repr([result.value for result in attempt.results]).lower()
    for n, name in _places(at):
        if acts[n].args[name].lower() in shown:
            continue
        changed = msgspec.structs.replace(acts[n], args=acts[n].args | {name: _other(acts[n].args[name])})
        why = f"'{acts[n].args[name]}' stands nowhere that the agent can read."
        made.append(
            at.must_pass(
                f"{acts[n].tool}: another {name}",
                (*acts[:n], changed, *acts[n + 1 :]),
                at.reference.answer,
                Claim.CONSTRUCTION,
                why,
                at.lead_about(("choice",), acts[n].tool, name),
            )
        )
    if made:
        yield at.take(made)


def _places(at: At) -> list[tuple[int, str]]:
    return [
        (n, name)
        for n, act in enumerate(at.reference.acts)
        if not act.tool.startswith("$")
        for name, value in act.args.items()
        if isinstance(value, str) and len(value) <= 60 and not is_structured(value) and re.search(r"[A-Za-z]{2}", value)
        if not is_prose(name, value) and not _known(at, n, value)
    ]


_COMMON = re.compile(
    r"(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\Z|yes\Z|no\Z|true\Z|false\Z|"
    r"north|south|east|west|left|right|up\Z|down\Z|on\Z|off\Z",
    re.IGNORECASE,
)


def _known(at: At, n: int, value: str) -> bool:
    seen = at.seen_before(n).lower()
    if _COMMON.match(value) or any(value == other for act in at.reference.acts[:n] for other in act.args.values()):
        return True
    return all(part in seen for part in re.findall(r"[a-z]{3,}|\d+", value.lower())) or not re.findall(r"[a-z]{3,}", value.lower())


def _other(value: str) -> str:
    return f"{value[:1]}zq{value[2:]}" if len(value) > 2 else f"{value}zq"
