"""Replies that answer nothing."""

from __future__ import annotations

from worldwright.audit.answers import same
from worldwright.audit.bench import At, Steps, names
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, reading, unfit
from worldwright.audit.text.texts import REFUSAL, empty_of_content

PROBE = Probe(
    id="text-junk",
    side="accept",
    codes=("A1", "A3", "A6"),
    needs=frozenset({"reference"}),
    means="A reply that answers nothing is rewarded: an empty one, a bare form, filler, a skeleton, the prompt repeated.",
    repair="Reward nothing but the right answer in its place; let neither form, length, layout nor words of the prompt earn it.",
    rule=NOT_TEXT,
)


def rule(at: At) -> str:
    """Text tasks."""
    return unfit(at)


def trials(at: At) -> Steps:
    """Nothing, the form without an answer, refusals, filler, skeletons, confident words, the prompt itself."""
    found = reading(at)
    assert found is not None
    made = [_trial(at, found, name, text) for name, text in empty_of_content(found, at.facts.prompt) if not names(text, found.text)]
    empty, rest = made[:1], made[1:]
    if at.facts.prompt.strip() and not same(at.facts.prompt, found.text):
        lead = "the right answer is a long text of the prompt's own" if found.is_prose and found.text.strip() in at.facts.prompt else ""
        claim = Claim.CONSTRUCTION
        rest.append(at.must_fail("the prompt repeated", (), found.sent(at.facts.prompt), claim, lead=lead))
        rest.append(at.must_fail("the prompt twice", (), found.sent(f"{at.facts.prompt}\n\n{at.facts.prompt}"), claim, lead=lead))
    yield [*empty, *at.take(rest, 5)]


def _trial(at: At, found: Reading, name: str, text: str) -> Trial:
    lead = found.lead("silence") if not text.strip() else ""
    if text == REFUSAL and _is_refusal(found.text):
        lead = "the right answer declines, too"
    return at.must_fail(name, (), found.sent(text), Claim.CONSTRUCTION, "It holds no answer.", lead)


def _is_refusal(text: str) -> bool:
    plain = text.casefold()
    return any(word in plain for word in ("sorry", "can't", "cannot", "unable", "refuse", "decline", "not able"))
