"""Programs that don't do the job: gutted, cached, specialised, timed with a stopped clock, forged."""

from __future__ import annotations

import re

from worldwright.audit.bench import At, Steps
from worldwright.audit.code import Cheat, Place, cheats, pattern_cheats, places, query_cheats, with_source
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act

PROBE = Probe(
    id="program",
    side="accept",
    codes=("A8", "A9", "A10", "A7", "A3", "I5"),
    needs=frozenset({"reference"}),
    means="A program that doesn't do the job is rewarded: it forges the log, stops the clock, replays a result, "
    "knows only the examples shown.",
    repair="Run it in another process on fresh inputs for each call, check every output, time it from outside, "
    "and read no verdict from what it prints.",
    rule="the known solution hands over no program, pattern or query",
    version=2,
    most=4,
)

_QUERY = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_FEW = 10


def rule(at: At) -> str:
    """Only where a program is handed over."""
    answer = at.reference.answer
    program = bool(places(at)) or next(pattern_cheats(at), None) is not None
    return "" if program or (isinstance(answer, str) and _QUERY.match(answer)) else PROBE.rule


def trials(at: At) -> Steps:
    """Every cheat at every place; those that need a control run it first."""
    made = [(place, cheat) for place in places(at) for cheat in cheats(at, place)]
    whole = Place(-1, "", "")
    made += [(whole, cheat) for cheat in pattern_cheats(at)]
    if isinstance(at.reference.answer, str) and _QUERY.match(at.reference.answer):
        asking = _asking(at)
        if asking is not None:
            result = (yield [at.must_fail("the query asked (control)", (asking,), None, Claim.CONSTRUCTION, lead="only a control")])[
                0
            ].results
            rows = result[0].value if result and result[0].ok and isinstance(result[0].value, list) else []
            made += [(whole, cheat) for cheat in query_cheats(at, rows)]
    chosen = _turn(at, made)
    plain = [_trial(at, place, cheat, Claim.CONSTRUCTION) for place, cheat in chosen if not cheat.control]
    if plain:
        yield plain
    for place, cheat in chosen:
        if cheat.control:
            controls = [one for one in (cheat.control, cheat.beside) if one]
            said = yield [
                _trial(at, place, Cheat(f"{cheat.name} (control)", "", one, "", sure=False), Claim.CONSTRUCTION) for one in controls
            ]
            if all(one.status == "pass" if cheat.allows else one.status in ("fail", "error") for one in said):
                yield [_trial(at, place, cheat, Claim.CONTROL)]


def _turn(at: At, made: list[tuple[Place, Cheat]]) -> list[tuple[Place, Cheat]]:
    """Some of the cheats, each instance going on where the last one stopped, so that a few instances see all of them."""
    if len(made) <= _FEW or len(at.case.instances) < 3:
        return made
    first = next((n for n, one in enumerate(at.case.instances) if one is at), 0) * _FEW
    return [made[(first + n) % len(made)] for n in range(_FEW)]


def _asking(at: At) -> Act | None:
    """The tool call that runs the answer's query, if there is a tool for that."""
    for tool in at.facts.tools:
        for arg in tool.args:
            if re.search(r"sql|query|statement", arg.name, re.IGNORECASE):
                return Act(tool.name, {arg.name: at.reference.answer})
    return None


def _trial(at: At, place: Place, cheat: Cheat, claim: Claim) -> Trial:
    acts, answer = with_source(at, place, cheat.source)
    lead = "" if cheat.sure else "whether that is wrong depends on what the task means by its inputs" if cheat.code else "only a control"
    return at.must_fail(f"{cheat.code} {cheat.name}".strip(), acts, answer, claim, cheat.why, lead)
