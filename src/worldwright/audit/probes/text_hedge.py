"""Two answers where one is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, leeway, other_than, reading, unfit
from worldwright.audit.text.texts import denied, either_or, retracted

PROBE = Probe(
    id="text-hedge",
    side="accept",
    codes=("A11", "A3", "A12"),
    needs=frozenset({"reference"}),
    means="A reply that leaves the choice between right and wrong to the grader, or settles on the wrong one, is rewarded.",
    repair="Take exactly one answer from its place and compare it as a whole; refuse what holds more than one.",
    rule=f"{NOT_TEXT}, or the right answer is prose",
)


def rule(at: At) -> str:
    """Short answers only: prose can't be hedged in a word."""
    found = reading(at)
    return unfit(at) or (PROBE.rule if found is None or found.is_prose else "")


def trials(at: At) -> Steps:
    """Wrong or right and right or wrong, in words and in LaTeX; the right one denied; the right one taken back."""
    found = reading(at)
    assert found is not None
    yield at.take(_made(at, found), 6)


def _made(at: At, found: Reading) -> Iterator[Trial]:
    wrong = other_than(at, found)
    open_ = leeway(at, found)
    if wrong:
        for name, text in either_or(found.text, wrong):
            yield at.must_fail(name, (), found.sent(found.put(text)), Claim.ANSWER, f"It offers '{wrong}' beside the right answer.", open_)
        equals = "a grader may read what stands on one side of the sign"
        yield at.must_fail("wrong = right", (), found.sent(found.put(f"{wrong} = {found.text}")), Claim.ANSWER, lead=equals)
        yield at.must_fail("right = wrong", (), found.sent(found.put(f"{found.text} = {wrong}")), Claim.ANSWER, lead=equals)
        policy = "which of several answers is graded is a matter of policy"
        near = leeway(at, found, "tolerance", "choice") or found.lead("near")
        for name, text, sure in retracted(found, wrong):
            yield at.must_fail(
                name, (), found.sent(text), Claim.ANSWER, f"Its last word is '{wrong}'.", (near or open_) if sure else policy
            )
    for name, text in denied(found.text):
        lead = "nobody can deny the right answer without knowing it"
        yield at.must_fail(f"right, {name}", (), found.sent(found.put(text)), Claim.ANSWER, lead=lead)
