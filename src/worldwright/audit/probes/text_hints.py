"""Habits of the reward's source, each with replies that would show that it matters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from worldwright.audit.bench import At, Case, outcome_of, plain_outcome
from worldwright.audit.probes.text_list import parts_of, wrong_lists
from worldwright.audit.records import Claim, Outcome, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, leeway, other_than, reading
from worldwright.audit.text.texts import either_or, filler

PROBE = Probe(
    id="text-hints",
    side="accept",
    codes=("A11", "A3", "I4"),
    needs=frozenset({"reference"}),
    means="A habit of the reward's code (a search for the answer, a distance that NaN passes, a paying exception) rewards what is wrong.",
    repair="Mend the line that the hint names.",
    rule="the source gives no hint, or can't be read",
)
_HINT = re.compile(r"hint ([\w-]+): (line \d+: .*)", re.DOTALL)
_FEW = 6

_Aims = Callable[[At, Reading], Iterator[tuple[str, str]]]


def rule(case: Case) -> str:
    """Only where the adapter found hints."""
    if not case.instances or not reading(case.instances[0]):
        return NOT_TEXT if case.instances else PROBE.rule
    return "" if _hints(case.instances[0]) else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Replies aimed at each hint, on a few instances; a hint that nothing confirms is a lead, once."""
    ready = [(at, found) for at in fresh if at.paid and (found := reading(at))][:_FEW]
    if not ready:
        return
    for name, where in _hints(ready[0][0]):
        trials = [(at, _trial(at, found, f"{name}, {how}", text, where)) for at, found in ready for how, text in _AIMS[name](at, found)]
        done = case.attempts([trial.session for _, trial in trials])
        outcomes = [outcome_of(at, PROBE, trial, attempts[0]) for (at, trial), attempts in zip(trials, done, strict=True)]
        yield from outcomes
        if fresh[0] is case.instances[0] and not any(one.kind == "finding" for one in outcomes):
            yield _unconfirmed(ready[0][0], name, where, len(trials))


def _hints(at: At) -> list[tuple[str, str]]:
    found = [hit.groups() for note in at.facts.notes if (hit := _HINT.fullmatch(note))]
    return [(name, where) for name, where in found if name in _AIMS]


def _trial(at: At, found: Reading, variant: str, text: str, where: str) -> Trial:
    lead = leeway(at, found, "choice", "tolerance") or found.lead("near")
    return at.must_fail(variant, (), found.sent(text), Claim.ANSWER, f"The source says, {where}.", lead)


def _unconfirmed(at: At, name: str, where: str, tried: int) -> Outcome:
    why = f"The source says, {where}; {tried} replies aimed at it showed no fault."
    return plain_outcome(
        PROBE,
        at,
        f"{name}, {where.partition(':')[0]}",
        False,
        why=why,
        evidence={"hint": where},
        lead=True,
        expected="no such habit",
        got="a hint",
    )


# ---- what would show it


def _two(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    wrong = other_than(at, found)
    if wrong and not found.is_prose:
        yield from ((name, found.put(text)) for name, text in list(either_or(found.text, wrong))[:4])
    yield from _longer(at, found)


def _longer(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    if found.is_number:
        digits = re.sub(r"[^\d]", "", found.text)
        yield "inside a longer number", found.put(f"3{digits}4")
    elif not found.is_prose:
        yield "inside a longer word", found.put(f"qzx{found.text.strip()}qzx")


def _long(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    for length in (300, 3_000, 60_000):
        yield f"filler of {length:,} characters", filler(length)
        yield f"filler of {length:,} characters in the form", found.put(filler(length))


def _raising(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    for name, text in (
        ("junk", "zzz"),
        ("nothing", ""),
        ("a division by zero", "1/0"),
        ("an open brace", "{"),
        ("a NUL", "\x00"),
        ("a lone sign", "-"),
        ("words", "one two"),
    ):
        yield f"{name} in the form", found.put(text)
        yield name, text


def _no_number(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    for text in ("NaN", "nan", "-nan"):
        yield f"'{text}'", found.put(text)


def _fraction(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    if re.fullmatch(r"-?\d+", found.text.strip()):
        yield "a fraction added", found.put(f"{found.text.strip()}.9")


def _repeats(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    parts = parts_of(found)
    if parts:
        yield from ((name, found.put(parts.text(other))) for name, other, sure in wrong_lists(parts.parts) if sure and other)


def _endless(at: At, found: Reading) -> Iterator[tuple[str, str]]:
    if any(at is one for one in at.case.instances[:1]):
        yield "a power that has no end", found.put("9**9**9")
    yield "a division by zero", found.put("1/0")
    yield "an expression of another value", found.put("7*7-7+1-1e9")


_AIMS: dict[str, _Aims] = {
    "except-pays": _raising, "answer-within": _two, "length": _long, "nan-passes": _no_number, "fraction-dropped": _fraction,
    "first-match": lambda at, found: iter(()), "unanchored": _longer, "prefix": _longer, "sets": _repeats, "evaluates": _endless,
}  # fmt: skip
