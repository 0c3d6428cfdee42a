"""Many answers at once."""

from __future__ import annotations

from collections.abc import Iterator

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, labels, reading, unfit
from worldwright.audit.text.texts import sprays

PROBE = Probe(
    id="text-spray",
    side="accept",
    codes=("A11", "A3"),
    needs=frozenset({"reference"}),
    means="A reply that lists every candidate is rewarded, so that nobody has to know which is right.",
    repair="Refuse a reply with more than one answer, or grade the last one alone.",
    rule=f"{NOT_TEXT}, or nothing short and closed is asked for",
)


def rule(at: At) -> str:
    """Where candidates can be listed."""
    found = reading(at)
    return unfit(at) or (PROBE.rule if found is None or found.is_prose or not list(_made(at, found)) else "")


def trials(at: At) -> Steps:
    """Numbers, letters, labels, words of the prompt: in the answer's place, each in a place of its own, and bare."""
    found = reading(at)
    assert found is not None
    yield at.take(_made(at, found), 5)


def _made(at: At, found: Reading) -> Iterator[Trial]:
    lead = found.lead("open")
    for name, every in sprays(found, at.facts.prompt, labels(at)):
        few = "" if len(every) >= 3 else "two answers"
        yield at.must_fail(f"{name}, in one place", (), found.sent(found.put(", ".join(every))), Claim.ANSWER, lead=lead or few)
        if len(every) < 20 and found.before:
            continue
        if found.before:
            yield at.must_fail(f"{name}, each in its place", (), found.sent("\n".join(map(found.put, every))), Claim.ANSWER, lead=lead)
        yield at.must_fail(f"{name}, one a line", (), found.sent("\n".join(every)), Claim.ANSWER, lead=lead)
