"""The right answer in another accepted form."""

from __future__ import annotations

from worldwright.audit.answers import right_forms
from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="answer-form",
    side="refuse",
    codes=("R2",),
    needs=frozenset({"reference", "answer"}),
    means="A right answer is refused for its form: spacing, case, Unicode, number format, type.",
    repair="Bring both sides to one form by type before comparing, or say in the brief which form is wanted.",
    rule="the task asks for no answer",
)


COPIED = "the agent can copy the answer as it stands"


def rule(at: At) -> str:
    """Known solutions without an answer ask for none."""
    return "" if at.asks else PROBE.rule


def trials(at: At) -> Steps:
    """The same value otherwise written; a lead where the brief fixes the form or the agent can copy the answer as it stands."""
    lead = at.lead("format")
    if not lead and isinstance(at.reference.answer, str) and at.has_seen(at.reference.answer):
        lead = COPIED
    yield at.take([_trial(at, one.name, one.answer, one.sure, lead) for one in right_forms(at.reference.answer)], 3)


def _trial(at: At, name: str, answer: object, sure: bool, lead: str) -> Trial:
    if lead == COPIED and not at.named(at.reference.answer) and ("Unicode" in name or "quotes" in name or "no-break" in name):
        lead = ""
    doubt = lead or ("" if sure else "a strict grader may want the type that the reference has")
    return at.must_pass(name, at.reference.acts, answer, Claim.FORM, lead=doubt)
