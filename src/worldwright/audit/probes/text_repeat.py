"""The same reply gets the same reward, again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worldwright.audit.answers import JUNK
from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.records import Outcome, Probe
from worldwright.audit.subject import Attempt, Session
from worldwright.audit.text.completion import NOT_TEXT, reading

PROBE = Probe(
    id="text-repeat",
    side="hold",
    codes=("R6", "I1"),
    needs=frozenset({"reference"}),
    means="The same reply to the same prompt gets another reward the next time, in another process or after other replies.",
    repair="Take chance, memory and order of arrival out of the reward.",
    rule=NOT_TEXT,
)
TIMES = 5
_INSTANCES = 2


def rule(case: Case) -> str:
    """Text tasks."""
    return "" if case.instances and reading(case.instances[0]) else NOT_TEXT


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """On two instances, the right reply and a wrong one five times each in processes of their own, and as often in turn in one process."""
    for at in [one for one in case.instances[:_INSTANCES] if one.paid and any(one is other for other in fresh)]:
        found = reading(at)
        if found is None:
            continue
        right, wrong = at.play((), at.reference.answer), at.play((), found.sent(found.put(JUNK)))
        apart = [Session((play,)) for play in (right, wrong) for _ in range(TIMES)]
        together = Session((right, wrong) * TIMES)
        done = [attempts[0] for attempts in case.attempts(apart)]
        both = case.attempts([together])[0]
        for name, alone, beside, session in (
            ("the reference", done[:TIMES], both[::2], apart[0]),
            ("a wrong reply", done[TIMES:], both[1::2], apart[-1]),
        ):
            yield _outcome(at, f"{name}, in {TIMES} processes", alone, session, "R6")
            yield _outcome(at, f"{name}, in turn with another", [alone[0], *beside], together, "I1")


def _outcome(at: At, variant: str, attempts: Sequence[Attempt], session: Session, code: str) -> Outcome:
    got = list(dict.fromkeys((one.status, one.reward) for one in attempts))
    same = len(got) < 2
    rewards = ", ".join(f"{reward} ({status})" for status, reward in got)
    why = "" if same else f"The same reply got {rewards}."
    return plain_outcome(
        PROBE,
        at,
        variant,
        same,
        why=why,
        evidence={} if same else {"rewards": [one.reward for one in attempts]},
        session=session,
        code=code,
    )
