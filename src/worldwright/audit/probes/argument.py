"""The reference with one argument changed."""

from __future__ import annotations

import itertools
import re

import msgspec

from worldwright.audit.answers import TWICE
from worldwright.audit.bench import At, Steps
from worldwright.audit.calls import WORDS, argument_changes, is_prose
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="argument",
    side="accept",
    codes=("A3", "A11"),
    needs=frozenset({"reference", "calls"}),
    means="A write with a wrong value, or aimed at another row, is rewarded.",
    repair="Let the verifier compare the column that the argument sets, by its type, and the row that it is set in.",
    rule="the reference changes nothing",
    version=4,
)
_ONCE = re.compile(
    r"\b(?:once|twice|exactly|unique|duplicates?|repeat\w*|one (?:line|row|entry)|(?:line|row|entry) (?:for each|each|per|a)\b)",
    re.IGNORECASE,
)
"""Words of a brief by which a line that is there twice is wrong."""
_FREEDOMS = ("choice", "tolerance", "optional", "extras")


def rule(at: At) -> str:
    """Only what is written can be wrong."""
    return "" if at.does else PROBE.rule


def trials(at: At) -> Steps:
    """One argument of one write: the next row, one off, another choice, other sign, other unit."""
    made: dict[str, list[Trial]] = {}
    words: dict[str, list[Trial]] = {}
    acts = at.reference.acts
    for n, act in enumerate(acts):
        if not at.writes[n]:
            continue
        for name, how, changed in argument_changes(at, act):
            trial = _trial(at, n, name, how, (*acts[:n], changed, *acts[n + 1 :]))
            (words if how == WORDS else made).setdefault(f"{n}.{name}", []).append(trial)
    # A tool refuses most other texts in a word's place, and then nothing is tried: words that it takes come first.
    yield at.take([*_in_turn(at, list(words.values())), *_in_turn(at, list(made.values())), *_exchanged(at)], 6)


def _in_turn(at: At, made: list[list[Trial]]) -> list[Trial]:
    """One change of each argument, three at least where there are so many; each instance goes on where the last one stopped."""
    times = max(1, 3 // max(1, len(made)))
    n = next((n for n, one in enumerate(at.case.instances) if one is at), 0)
    return [every[(n * times + a + j) % len(every)] for a, every in enumerate(made) for j in range(min(times, len(every)))]


def _exchanged(at: At) -> list[Trial]:
    """Values of two calls of the same tool exchanged, or moved from one to the other so that their sum stays."""
    acts = at.reference.acts
    made = []
    for one, other in itertools.combinations([n for n, writes in enumerate(at.writes) if writes], 2):
        if acts[one].tool != acts[other].tool or acts[one].args.keys() != acts[other].args.keys():
            continue
        for name, mine in acts[one].args.items():
            theirs = acts[other].args[name]
            if mine == theirs or any(acts[one].args[key] == acts[other].args[key] for key in list(acts[one].args)[:1]):
                continue
            changes = [("exchanged", theirs, mine)] if len(acts[one].args) > 1 else []
            if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (mine, theirs)) and len(acts[one].args) > 1:
                changes.append(("moved from one to the other", mine + 1, theirs - 1))
            for how, first, second in changes:
                changed = list(acts)
                changed[one] = msgspec.structs.replace(acts[one], args=acts[one].args | {name: first})
                changed[other] = msgspec.structs.replace(acts[other], args=acts[other].args | {name: second})
                lead = at.lead_about(_FREEDOMS, acts[one].tool, name, beside=False) or at.lead("bounds")
                if is_prose(name, mine):
                    lead = f"'{name}' is the agent's own words"
                variant = f"{acts[one].tool}: {name} of calls {one + 1} and {other + 1} {how}"
                made.append(at.must_fail(variant, changed, at.reference.answer, Claim.END, lead=lead))
    return at.rng.sample(made, min(2, len(made)))


def _trial(at: At, n: int, name: str, how: str, acts: tuple[object, ...]) -> Trial:
    act = at.reference.acts[n]
    right, wrong = act.args[name], acts[n].args[name]  # type: ignore[attr-defined]
    named = at.named(right) and not at.named(wrong)
    lead = "" if named else at.lead_about(_FREEDOMS, act.tool, name, beside=False)
    if not lead and not named and isinstance(right, (int, float)) and not isinstance(right, bool):
        lead = at.lead("bounds")
    if is_prose(name, right):
        lead = f"'{name}' is the agent's own words"
    if how == TWICE and not _ONCE.search(at.facts.prompt):
        lead = "a line that is there twice may say nothing new, and the brief doesn't say 'once'"
    variant = f"call {n + 1}, {act.tool}: {name}, {how}"
    return at.must_fail(variant, acts, at.reference.answer, Claim.END, "The brief names the right value." if named else "", lead)  # type: ignore[arg-type]
