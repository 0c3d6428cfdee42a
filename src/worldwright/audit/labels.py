"""What the right verdict of a trial is, and on whose word.

A must-fail trial counts only when its outcome differs from every outcome that is known to be right, and something other
than the grader says that it is wrong: how it was made, the environment's own state, the brief, a recorded judgement.
Otherwise it is `equivalent` (the same end as a right one) or `disputed` (nobody can say): shown where the verdict is
unexpected, queued for review, in no rate. The same holds for must-pass trials, the other way round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwright.audit.answers import same
from worldwright.audit.records import Claim, Label, Trial
from worldwright.audit.subject import Attempt

if TYPE_CHECKING:
    from worldwright.audit.bench import At

__all__ = ["OPEN", "label_of"]

OPEN = "open"
"""Who says so of an end that differs from right ones only where these differ among themselves."""


def label_of(at: At, trial: Trial, attempt: Attempt) -> tuple[Label, str, str]:
    """The label of a trial, who says so, and why (short; "" where the trial's own reason says it)."""
    answer = trial.session.plays[trial.judged].answer
    answered = any(same(answer, end.answer) for end in at.ends)
    stands = at.relation(attempt)
    if trial.unless_refused and any(not result.ok for result in attempt.results):
        return "disputed", trial.claim.value, "A tool refused the changed call."
    if trial.expects == "pass":
        if (stands == "near" and "unordered" in at.freedoms) or (stands == "logged" and _is_reordered(at, trial)):
            stands = "same"
        return _should_pass(trial, answered or not at.asks, stands)
    if trial.claim in (Claim.RECORDED, Claim.CONTROL):
        return "wrong", trial.claim.value, ""
    if stands == "same" and (answered or not at.asks) and trial.claim not in (Claim.BRIEF, Claim.CONSTRUCTION):
        return "equivalent", Claim.END.value, "Its end is that of a known solution."
    return _should_fail(at, trial, answered, stands)


def _is_reordered(at: At, trial: Trial) -> bool:
    """Whether it makes a known solution's calls, each once, in another order."""
    acts = sorted(map(repr, trial.session.plays[trial.judged].acts))
    return any(acts == sorted(map(repr, known.acts)) for known, _ in at.known)


def _should_fail(at: At, trial: Trial, answered: bool, stands: str | None) -> tuple[Label, str, str]:
    claim = trial.claim
    if claim in (Claim.CONSTRUCTION, Claim.BRIEF):
        return "wrong", claim.value, ""
    if claim == Claim.ANSWER:
        if answered:
            return "equivalent", claim.value, "It says the same as a right answer."
        return ("wrong", claim.value, "") if at.asks else ("disputed", claim.value, "Nothing shows that the task asks for an answer.")
    if stands == "other":
        return "wrong", "state", "Its end is none of the known right ones."
    if stands == "near":
        return "disputed", OPEN, "Its end differs from known right ones only in generated keys, or where they differ among themselves."
    if stands == "logged":
        return "disputed", OPEN, "Its end differs from a known right one only in a journal that every write adds to."
    if stands == "hidden":
        return "disputed", "state", "All that a right end changes is noise, so that its end can't be judged."
    if stands == "same":
        return ("wrong", Claim.ANSWER.value, "") if at.asks and not answered else ("equivalent", Claim.END.value, "")
    return "disputed", claim.value, "There is no state to judge its end by."


def _should_pass(trial: Trial, answered: bool, stands: str | None) -> tuple[Label, str, str]:
    if trial.claim in (Claim.CONSTRUCTION, Claim.RECORDED, Claim.CONTROL):
        return "right", trial.claim.value, ""
    if trial.claim == Claim.FORM:
        return (
            ("right", Claim.FORM.value, "")
            if stands in ("same", None)
            else ("disputed", Claim.FORM.value, "Its end isn't a known right one.")
        )
    if stands == "same" and answered:
        return "right", "state", "Its end is that of a known solution."
    if stands is None:
        return "disputed", trial.claim.value, "Nothing shows that its end is right."
    return "disputed", "state", "Its end is no known right one, so that it may not be the same work done otherwise."
