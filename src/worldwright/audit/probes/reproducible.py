"""The same seed gives the same instance and the same talk, in another process and with another hash seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from worldwright.audit.answers import shown
from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.records import Outcome, Probe
from worldwright.audit.subject import SAY, Act, Facts, Session, Setting

PROBE = Probe(
    id="reproducible",
    side="hold",
    codes=("I2",),
    needs=frozenset(),
    version=3,
    means="The same case and seed give another prompt, state, solution, reply or result the next time.",
    repair="Draw everything from a generator seeded with the given seed alone; iterate over sorted things, not over sets.",
)

_TALKS = 3
_SENTENCES = 6
_QUESTIONS = (
    "When, and at what time?",
    "Who, where and how many?",
    "Which one do you mean?",
    "Why?",
    "Is there anything else?",
    "Thank you.",
)


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Facts asked again; the reference run under another hash seed."""
    some = fresh[:6]
    for at in some:
        again = case.subject.facts(at.facts.case, at.facts.seed)
        yield from _compared(at, "asked again", _differences(at.facts, again))
        yield from _compared(at, "state asked twice", [note for note in at.facts.notes if note.startswith("state")])
    yield from _talked(case, [at for at in some if "reply" in at.facts.has][:_TALKS])
    if not some or some[0].facts.reference is None:
        return
    other = Setting(hash_seed=77)
    moved = some[:1] if all(at.paid for at in some[:3]) else some[:3]  # `surroundings` moves those that are paid, and this with them
    done = case.attempts([Session((at.play(at.reference.acts, at.reference.answer),), (), other) for at in moved])
    for at, attempts in zip(moved, done, strict=True):
        plain, there = at.known[0][1], attempts[0]
        wrong = [] if plain.prompt == there.prompt else [f"prompt: {plain.prompt[:120]!r} and {there.prompt[:120]!r}"]
        if plain.status != there.status:
            wrong.append(f"verdict of the reference: {plain.status} and {there.status}")
        yield from _compared(at, "another hash seed", wrong, Session((at.play(at.reference.acts, at.reference.answer),), (), other))


def _talked(case: Case, some: Sequence[At]) -> Iterator[Outcome]:
    """Whoever replies hears the brief's sentences and some plain questions, in two processes."""
    talks = [Session((at.play([Act(SAY, {"text": text}) for text in _spoken(at.facts.prompt)], finish=False),)) for at in some]
    done = [attempts[0] for attempts in case.attempts([session for session in talks for _ in range(2)])]
    for at, talk, here, there in zip(some, talks, done[::2], done[1::2], strict=True):
        heard = zip(talk.plays[0].acts, here.results, there.results, strict=False)
        wrong = [
            f"to {act.args['text'][:60]!r}: {shown(one.value)} and {shown(other.value)}"
            for act, one, other in heard
            if (one.ok, repr(one.value)) != (other.ok, repr(other.value))
        ]
        yield from _compared(at, "the same talk", wrong, talk)


def _spoken(prompt: str) -> list[str]:
    """What is said to whoever replies: the brief's first sentences, each by itself, and plain questions."""
    sentences = [one.strip() for one in re.split(r"(?<=[.?!])\s+|\n+", prompt) if one.strip()]
    return list(dict.fromkeys([*sentences[:_SENTENCES], *_QUESTIONS]))


def _compared(at: At, variant: str, wrong: list[str], session: Session | None = None) -> Iterator[Outcome]:
    why = f"Two runs of the same case and seed differ: {'; '.join(wrong)}" if wrong else ""
    yield plain_outcome(PROBE, at, variant, not wrong, why=why[:600], evidence={"differs": wrong[:4]}, session=session)


def _differences(one: Facts, other: Facts) -> list[str]:
    pairs: list[tuple[str, Any, Any]] = [
        ("prompt", one.prompt, other.prompt),
        ("tools", [tool.name for tool in one.tools], [tool.name for tool in other.tools]),
        ("state", one.state, other.state),
        ("reference", one.reference, other.reference),
        ("files", dict(one.files or {}), dict(other.files or {})),
        ("fault", one.fault, other.fault),
    ]
    return [f"{name}: {_where(mine, theirs)}" for name, mine, theirs in pairs if mine is not theirs and repr(mine) != repr(theirs)]


def _where(one: Any, other: Any) -> str:
    mine, theirs = repr(one), repr(other)
    at = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs)))
    return f"...{shown(mine[max(0, at - 30) : at + 50])} and ...{shown(theirs[max(0, at - 30) : at + 50])}"
