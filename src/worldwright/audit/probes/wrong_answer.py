"""The right deeds, and a wrong answer."""

from __future__ import annotations

from worldwright.audit.answers import is_free_text, wrong_forms
from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="wrong-answer",
    side="accept",
    codes=("A11", "A3", "A12"),
    needs=frozenset({"reference", "answer"}),
    means="A wrong answer is rewarded: empty, another instance's, near the right one, or one that lists every candidate.",
    repair="Compare the answer by its type and as a whole; refuse what is empty, and what says more than one thing.",
    rule="the task asks for no answer",
)

_LOOSE = ("one more", "one less", "half more", "ten percent more", "with a fraction", "fraction dropped", "in the last bit")


def rule(at: At) -> str:
    """Known solutions without an answer ask for none."""
    return "" if at.asks else PROBE.rule


def trials(at: At) -> Steps:
    """Wrong answers of every form."""
    reference = at.reference
    made = [_trial(at, one.name, one.answer, one.sure) for one in wrong_forms(reference.answer, at.others, at.facts.prompt)]
    yield at.take(made, 8)


def _trial(at: At, name: str, answer: object, sure: bool) -> Trial:
    lead = "" if sure else "a fair grader may see this answer otherwise"
    near = any(word in name for word in _LOOSE)
    if not lead and near:
        lead = at.lead("tolerance", "choice")
    elif not lead and name not in ("none", "empty", "junk", "blank", "empty list", "empty object", "nan"):
        lead = at.lead("choice")
    if not lead and name == "the prompt itself" and is_free_text(at.reference.answer):
        lead = "the right answer is prose"
    return at.must_fail(name, at.reference.acts, answer, Claim.ANSWER, lead=lead)
