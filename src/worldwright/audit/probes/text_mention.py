"""The right answer in its place, with other words around it."""

from __future__ import annotations

from collections.abc import Iterator

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, reading, unfit
from worldwright.audit.text.forms import REASONING, named_tags

PROBE = Probe(
    id="text-mention",
    side="refuse",
    codes=("R2", "R1"),
    needs=frozenset({"reference"}),
    means="A reply with the right answer in its place is refused for what stands around it: reasoning, a blank line, the name of the form.",
    repair="Find the answer by the last complete mark of the form, and leave the rest alone; or forbid other words in the prompt.",
    rule=f"{NOT_TEXT}, or nothing stands around the answer",
)


def rule(at: At) -> str:
    """Only where the answer has a place of its own."""
    found = reading(at)
    return unfit(at) or ("" if found is not None and found.before.strip() else PROBE.rule)


def trials(at: At) -> Steps:
    """Reasoning before it, the form named in words before and after it, blank lines, Windows line ends, blanks in its place."""
    found = reading(at)
    assert found is not None
    yield at.take([*_around(at, found), *_named(at, found)], 4)


def _around(at: At, found: Reading) -> Iterator[Trial]:
    strict = "" if _may_reason(at, found) else found.lead("nothing-else") or "the prompt doesn't say that other words may stand there"
    text = found.right
    yield at.must_pass(
        "after reasoning", (), found.sent(f"First I look at what is given, then I work it out.\n\n{text}"), Claim.FORM, lead=strict
    )
    yield at.must_pass(
        "blank lines around it", (), found.sent(f"\n\n{text}\n\n"), Claim.FORM, lead=found.lead("nothing-else", "once") or strict
    )
    yield at.must_pass("Windows line ends", (), found.sent(f"Here is the result.\r\n{text}\r\n"), Claim.FORM, lead=strict)
    yield at.must_pass("a word after it", (), found.sent(f"{text}\nThank you."), Claim.FORM, lead="a grader may want the answer at the end")


def _may_reason(at: At, found: Reading) -> bool:
    """Whether the prompt lets the reply reason in the open, and not within marks of their own."""
    return "reasoning" in found.grants and not any(name.lower() in REASONING for name in named_tags(at.facts.prompt))


def _named(at: At, found: Reading) -> Iterator[Trial]:
    lead = "a grader may read the first mark of the form" if not _may_reason(at, found) else found.lead("once", "nothing-else")
    mark = found.before.strip().splitlines()[-1]
    yield at.must_pass(
        "the form named before",
        (),
        found.sent(f"I put the result after {mark} as I was told.\n\n{found.right}"),
        Claim.FORM,
        lead=lead or "a grader may read the first mark of the form",
    )
    if found.is_paired:
        yield at.must_pass(
            "the form, empty, before",
            (),
            found.sent(f"The form is {mark}{found.after.strip()}.\n\n{found.right}"),
            Claim.FORM,
            lead=lead or "a grader may read the first mark of the form",
        )
        yield at.must_pass(
            "the form, empty, after",
            (),
            found.sent(f"{found.right}\n\nI used {mark}{found.after.strip()}."),
            Claim.FORM,
            lead=lead or "a grader may read the last mark of the form",
        )
