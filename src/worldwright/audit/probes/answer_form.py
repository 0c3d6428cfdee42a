"""The right answer in another accepted form."""

from __future__ import annotations

import re

from worldwright.audit.answers import right_forms
from worldwright.audit.bench import At, Steps
from worldwright.audit.latitude import freedoms
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="answer-form",
    side="refuse",
    codes=("R2",),
    needs=frozenset({"reference", "answer"}),
    means="A right answer is refused for its form: spacing, case, Unicode, number format, type.",
    repair="Bring both sides to one form by type before comparing, or say in the brief which form is wanted.",
    rule="the task asks for no answer",
    version=4,
)


COPIED = "the agent can copy the answer as it stands"


def rule(at: At) -> str:
    """Known solutions without an answer ask for none."""
    return "" if at.asks and at.facts.frame is None else PROBE.rule


def trials(at: At) -> Steps:
    """The same value otherwise written; a lead where the brief fixes the form or the agent can copy the answer as it stands."""
    lead = at.lead("format")
    if not lead and isinstance(at.reference.answer, str) and at.has_seen(at.reference.answer):
        lead = COPIED
    free = _amounts(at)
    made = [_trial(at, one.name, one.answer, one.sure, "" if one.name in free else lead) for one in right_forms(at.reference.answer)]
    signs = [
        at.must_pass(how, at.reference.acts, answer, Claim.FORM, lead=_lead_of_signs(at)) for how, answer in _signs(at.reference.answer)
    ]
    yield [*at.take(made, 3), *at.take(signs, 1)]


def _amounts(at: At) -> set[str]:
    """Names of forms of an object's fields that are amounts written as text, where the brief fixes the object's shape and no more."""
    answer, prompt = at.reference.answer, at.facts.prompt
    if not isinstance(answer, dict):
        return set()
    keys = "|".join(re.escape(str(key)) for key in answer)
    if re.search(rf"[\"'`](?:{keys})[\"'`]\s*:\s*[\"'`]", prompt):  # a text is shown in a field's place
        return set()
    bare = re.sub(rf"[\"'`](?:{keys})[\"'`]|\bJSON\b|\bdecimal (?:point|dot)\b", " ", prompt, flags=re.IGNORECASE)
    if "format" in freedoms(bare):
        return set()
    amounts = [key for key, one in answer.items() if isinstance(one, str) and re.fullmatch(r"\d+\.\d+", one) and not at.has_seen(one)]
    return {f"{key} {form}" for key in amounts for form in ("as a number", "without trailing zeros")}


_SIGNS = (("times as ×", r"(?<=[\d)]) ?\* ?(?=[\d(])", " × "), ("minus as −", r"(?<=[\d)]) - (?=[\d(])", " − "))
_FIXED = re.compile(
    r"\d ?[*+/×÷−] ?\d|['\"`(][*+/-]['\"`)]|[+*/-], ?(?:and )?[+*/-]|\b(?:expression|formula|equation|operators?|signs?|symbols?|syntax|"
    r"code|python|evaluat\w+|calculator|parse[dr]?|exactly as|copy)\b",
    re.IGNORECASE,
)


def _signs(answer: object) -> list[tuple[str, object]]:
    """Sums written with the signs of print instead of a keyboard's, in the answer or in one of its fields."""
    if isinstance(answer, dict):
        return [(f"{key}, {how}", answer | {key: text}) for key, one in answer.items() if isinstance(one, str) for how, text in _signs(one)]
    if not isinstance(answer, str) or not re.fullmatch(r"[\d\s.,()+*/=-]+", answer):
        return []
    made = [(how, re.sub(pattern, sign, answer)) for how, pattern, sign in _SIGNS]
    return [(how, text) for how, text in made if text != answer and " " in answer]


def _lead_of_signs(at: At) -> str:
    """Why such a trial is only a lead: the brief, a tool or a file shows or names the signs; what is said of lines says nothing of them."""
    if _FIXED.search(at.seen):
        return "what the agent reads has signs of its own"
    said = [one.words for one in at.freedoms.get("format", ()) if not re.fullmatch(r"(?:one|single) (?:line|word)", one.words)]
    return f"the brief leaves format open ('{said[0]}')" if said else ""


def _trial(at: At, name: str, answer: object, sure: bool, lead: str) -> Trial:
    if lead == COPIED and not at.named(at.reference.answer) and ("Unicode" in name or "quotes" in name or "no-break" in name):
        lead = ""
    if not lead and name == "as a float" and at.has_seen(at.reference.answer):
        lead = COPIED
    doubt = lead or ("" if sure else "a strict grader may want the type that the reference has")
    return at.must_pass(name, at.reference.acts, answer, Claim.FORM, lead=doubt)
