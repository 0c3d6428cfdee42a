"""Objects whose fields say something else."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

from worldwright.audit.answers import is_free_text, is_trivial
from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, leeway, reading, unfit

PROBE = Probe(
    id="text-fields",
    side="accept",
    codes=("A3", "A11"),
    needs=frozenset({"reference"}),
    means="An object with a field that is denied, hedged, exchanged or filled with the prompt is rewarded as the right one.",
    repair="Compare every field by its type and as a whole.",
    rule=f"{NOT_TEXT}, or the right answer is no object",
)


def rule(at: At) -> str:
    """An object is asked for."""
    found = reading(at)
    return unfit(at) or ("" if found is not None and isinstance(found.answer, dict) else PROBE.rule)


def trials(at: At) -> Steps:
    """Each text field denied, made either-or, filled with the prompt; two fields exchanged; the object twice, the first one wrong."""
    found = reading(at)
    assert found is not None
    yield at.take(_made(at, found), 6)


def _made(at: At, found: Reading) -> Iterator[Trial]:
    answer = found.answer
    texts = {key: value for key, value in answer.items() if isinstance(value, str) and not is_trivial(value)}
    for key, value in texts.items():
        lead = "that field is prose" if is_free_text(value) else leeway(at, found)
        for name, text in (("denied", f"{value} (this is wrong)"), ("either", f"{value} or qzx"), ("the prompt", at.facts.prompt)):
            yield _trial(at, found, f"{key}: {name}", answer | {key: text}, lead)
    plain = [key for key, value in answer.items() if not isinstance(value, (dict, list))]
    for one, other in itertools.pairwise(plain):
        if answer[one] != answer[other] and type(answer[one]) is type(answer[other]):
            yield _trial(at, found, f"{one} and {other} exchanged", answer | {one: answer[other], other: answer[one]}, leeway(at, found))
    wrong = json.dumps(dict.fromkeys(answer, "qzx"))
    yield _trial(at, found, "every field wrong", dict.fromkeys(answer, "qzx"), "")
    yield at.must_fail(
        "a right object and then a wrong one",
        (),
        found.sent(found.put(f"{found.text}\n{wrong}")),
        Claim.ANSWER,
        lead="which of two objects is graded is a matter of policy",
    )


def _trial(at: At, found: Reading, name: str, answer: object, lead: str) -> Trial:
    return at.must_fail(name, (), found.sent(found.put(json.dumps(answer, ensure_ascii=False, default=str))), Claim.ANSWER, lead=lead)
