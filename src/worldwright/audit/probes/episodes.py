"""Episodes in one process don't touch each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from worldwright.audit.bench import At, Case, evidence_of, plain_outcome
from worldwright.audit.records import Claim, Outcome, Probe, Trial
from worldwright.audit.subject import Attempt, Play, Session

PROBE = Probe(
    id="episodes",
    side="hold",
    codes=("I1", "A10"),
    needs=frozenset({"reference"}),
    means="What one episode did shows in another: state, results or verdicts carry over.",
    repair="Build all state in `start`, keep none in the module, the class or the environment object, and cache no verdict.",
    version=3,
)
_SURE = ("verdict", "prompt", "reading", "the other episode's")
"""What is no lead: keys that are given out in turn may differ in what calls give and in the state's changes."""
_TELLING = 4
"""The fewest characters of a value that isn't taken for another one."""


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Each session's episodes against the same episodes alone."""
    ready = [at for at in fresh if at.paid][:4]
    if not ready:
        return
    made = [one for n, at in enumerate(ready) for one in _sessions(at, ready[(n + 1) % len(ready)])]
    alone = {repr(play): Session((play,)) for _, _, session in made for play in session.plays if play.finish}
    solo = dict(zip(alone, (attempts[0] for attempts in case.attempts(list(alone.values()))), strict=True))
    reads = {repr(at.play(at.reference.acts, at.reference.answer)): _steady(at) for at in ready}
    done = case.attempts([session for _, _, session in made])
    for (at, variant, session), attempts in zip(made, done, strict=True):
        wrong = [
            (play, attempt, what)
            for play, attempt in zip(session.plays, attempts, strict=True)
            if play.finish
            for what in [_differs(solo[repr(play)], attempt, reads.get(repr(play), 0), _foreign(play, session))]
            if what
        ]
        evidence = {"alone": _short(solo[repr(wrong[0][0])]), "beside the other": _short(wrong[0][1])} if wrong else {}
        if wrong:
            evidence |= evidence_of(Trial(variant, session, "pass", Claim.PROPERTY, judged=session.plays.index(wrong[0][0])), wrong[0][1])
        why = f"The same episode alone and beside another differ in: {wrong[0][2]}." if wrong else ""
        lead = bool(wrong) and not any(word in wrong[0][2] for word in _SURE)
        yield plain_outcome(PROBE, at, variant, not wrong, why=why, evidence=evidence, session=session, lead=lead)


def _sessions(at: At, other: At) -> Iterator[tuple[At, str, Session]]:
    right = at.play(at.reference.acts, at.reference.answer)
    idle = at.play((), None)
    dirty = at.play(at.reference.acts, finish=False)
    yield at, "the reference, then nothing done", Session((right, idle))
    yield at, "nothing done, then the reference", Session((idle, right))
    yield at, "abandoned after the reference's calls, then nothing done", Session((dirty, idle))
    yield at, "abandoned, then the reference", Session((dirty, right))
    yield at, "the reference twice", Session((right, right))
    yield at, "the reference and nothing done at once", Session((right, idle), _mixed(right, idle))
    if other is not at:
        theirs = other.play(other.reference.acts, other.reference.answer)
        yield at, "two instances at once", Session((right, theirs), _mixed(right, theirs))
        yield at, "two instances, the later one first", Session((theirs, right))
        if at.facts.state is not None and not at.facts.start:  # a state that is had by asking, which may be what draws it
            mine, late = (msgspec.structs.replace(play, unseen=True) for play in (right, theirs))
            yield at, "two instances at once, whose state nobody asks for", Session((mine, late), _mixed(mine, late))
        if at.asks and not at.does:
            yield at, "another instance's answer after its own episode", Session((theirs, at.play((), other.reference.answer)))


def _mixed(one: Play, other: Play) -> tuple[int, ...]:
    """Step by step in turn, both started before either goes on; the first ends first."""
    left, right = len(one.acts) + 2, len(other.acts) + 2
    out = []
    for n in range(max(left, right)):
        out += [0] * (n < left) + [1] * (n < right)
    return tuple(out)


def _steady(at: At) -> int:
    """How many of the reference's first results must be as they are alone: up to its first write."""
    return next((n for n, writes in enumerate(at.writes) if writes), len(at.writes))


def _foreign(play: Play, session: Session) -> list[str]:
    """Words and numbers that the session's other plays hand over and this one doesn't."""
    own = repr(play.acts)
    values = [value for other in session.plays if other is not play for act in other.acts for value in act.args.values()]
    told = [str(value) for value in values if isinstance(value, (str, int, float)) and not isinstance(value, bool)]
    return [text for text in dict.fromkeys(told) if len(text) >= _TELLING and text not in own]


def _differs(alone: Attempt, beside: Attempt, reads: int, foreign: Sequence[str]) -> str:
    """What differs, the surest first: verdict, prompt, what the episode reads before it has done anything itself."""
    if alone.status != beside.status:
        return f"the verdict ({alone.status} and {beside.status})"
    if alone.prompt != beside.prompt:
        return "the prompt"
    pairs = zip(alone.results, beside.results, strict=False)
    first = next((n for n, (a, b) in enumerate(pairs) if repr(a) != repr(b)), -1)
    if 0 <= first < max(reads, 1):
        return "what reading gives"
    mine, theirs = repr([alone.prompt, alone.results]), repr(beside.results)
    carried = next((text for text in foreign if text in theirs and text not in mine), "")
    if first >= 0 and carried:
        return f"what calls give, which shows the other episode's '{carried[:60]}'"
    if repr(alone.changes) != repr(beside.changes):
        return "the state's changes"
    return "what calls give" if first >= 0 else ""


def _short(attempt: Attempt) -> dict[str, object]:
    return {
        "verdict": attempt.status,
        "reward": attempt.reward,
        "prompt": attempt.prompt[:200],
        "results": [repr(one.value)[:100] for one in attempt.results[:3]],
    }
