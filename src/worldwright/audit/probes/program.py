"""Programs that don't do the job: gutted, cached, specialised, timed with a stopped clock, forged."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.code import Cheat, cheats, places, with_source
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="program",
    side="accept",
    codes=("A8", "A9", "A10", "A7", "A3", "I5"),
    needs=frozenset({"reference"}),
    means="Source code that doesn't do the job is rewarded: it forges the log, stops the clock, replays a result, knows only the examples shown.",
    repair="Run it in another process on fresh inputs for each call, check every output, time it from outside, and read no verdict from what it prints.",
    rule="the known solution hands over no Python source",
)


def rule(at: At) -> str:
    """Only where source is handed over."""
    return "" if places(at) else PROBE.rule


def trials(at: At) -> Steps:
    """Every cheat at every place; those that need a control run it first."""
    made = [(place, cheat) for place in places(at) for cheat in cheats(at, place)]
    few = max(6, -(-len(made) // max(1, len(at.case.instances))))
    chosen = made if len(made) <= few else at.rng.sample(made, few)
    plain = [_trial(at, place, cheat, Claim.CONSTRUCTION) for place, cheat in chosen if not cheat.control]
    if plain:
        yield plain
    for place, cheat in chosen:
        if cheat.control:
            control = Cheat(f"{cheat.name} (control)", "", cheat.control, "", sure=False)
            said = (yield [_trial(at, place, control, Claim.CONSTRUCTION)])[0].status
            if said == ("pass" if cheat.allows else "fail"):
                yield [_trial(at, place, cheat, Claim.CONTROL)]


def _trial(at: At, place: object, cheat: Cheat, claim: Claim) -> Trial:
    acts, answer = with_source(at, place, cheat.source)  # type: ignore[arg-type]
    lead = "" if cheat.sure else "whether that is wrong depends on what the task means by its inputs" if cheat.code else "only a control"
    return at.must_fail(f"{cheat.code} {cheat.name}".strip(), acts, answer, claim, cheat.why, lead)
