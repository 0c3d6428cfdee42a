"""The right deeds, and a wrong answer."""

from __future__ import annotations

import re
from collections import Counter

from worldwright.audit.answers import is_free_text, number_in, wrong_forms
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
    version=2,
)

_FEW = 8
_LOOSE = ("one more", "one less", "half more", "ten percent more", "with a fraction", "fraction dropped", "in the last bit")


def rule(at: At) -> str:
    """Known solutions without an answer ask for none."""
    return "" if at.asks else PROBE.rule


def trials(at: At) -> Steps:
    """Wrong answers of every form."""
    reference = at.reference
    made = [_trial(at, one.name, one.answer, one.sure) for one in wrong_forms(reference.answer, at.others, at.facts.prompt)]
    yield [*_in_turn(at, made), *_overdrawn(at)]


def _in_turn(at: At, made: list[Trial]) -> list[Trial]:
    """Eight of the answers, more where there are few instances; each instance goes on where the last one stopped."""
    many = max(_FEW, -(-_FEW * at.case.aim // max(1, len(at.case.instances))))
    if len(made) <= many:
        return made
    first = next((n for n, one in enumerate(at.case.instances) if one is at), 0) * many
    return [made[(first + n) % len(made)] for n in range(many)]


_ONCE = re.compile(
    r"\b(?:once|(?:one|single) (?:piece|copy|unit)|one (?:of )?each|only one|no more often|as often as|distinct|without repe\w+)\b",
    re.IGNORECASE,
)


def _overdrawn(at: At) -> list[Trial]:
    """Where whole numbers of the brief are chosen: one of them, as often as the sum takes, which is more often than the brief has it."""
    answer = at.reference.answer
    if not isinstance(answer, (list, tuple)) or len(answer) < 2 or not all(type(one) is int and one > 0 for one in answer):
        return []
    there = Counter(int(one) for one in re.findall(r"(?<![\w.])\d+(?![\w]|\.\d)", at.facts.prompt))
    if Counter(answer) - there:
        return []
    total = sum(answer)
    for one in sorted(there):
        times = total // one if one else 0
        if one and total % one == 0 and there[one] < times <= 1000 and one != total:
            lead = "" if _ONCE.search(at.facts.prompt) else "the brief may let a number be taken more than once"
            why = f"It takes {one} {times} times; the brief has it {there[one]} times."
            return [at.must_fail("one number as often as the sum takes", at.reference.acts, [one] * times, Claim.ANSWER, why, lead)]
    return []


def _trial(at: At, name: str, answer: object, sure: bool) -> Trial:
    lead = "" if sure else "a fair grader may see this answer otherwise"
    near = any(word in name for word in _LOOSE) or (name.startswith("another") and _is_close(answer, at.reference.answer))
    if not lead and near:
        lead = at.lead("tolerance", "choice")
    elif not lead and name not in ("none", "empty", "junk", "blank", "empty list", "empty object", "nan"):
        lead = at.lead("choice")
    if not lead and name == "the prompt itself" and is_free_text(at.reference.answer):
        lead = "the right answer is prose"
    return at.must_fail(name, at.reference.acts, answer, Claim.ANSWER, lead=lead)


def _is_close(one: object, other: object) -> bool:
    """Whether two numbers are so near that what a brief tolerates may reach from one to the other."""
    left, right = number_in(one), number_in(other)
    return left is not None and right is not None and abs(left - right) <= max(0.05, 0.25 * abs(right))
