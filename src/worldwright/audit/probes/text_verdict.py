"""Every text gets a verdict, and a reward is a number."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from worldwright.audit.answers import shown
from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.records import Claim, Outcome, Probe
from worldwright.audit.subject import Attempt, Session
from worldwright.audit.text.completion import NOT_TEXT, Reading, reading
from worldwright.audit.text.texts import REFUSAL, breaking, filler

PROBE = Probe(
    id="text-verdict",
    side="hold",
    codes=("I4", "A11"),
    needs=frozenset({"reference"}),
    means="A reply as models write them makes the grader raise, or its reward is no number, so that the run is lost or miscounted.",
    repair="Give every text a verdict: refuse what can't be read instead of raising, and keep NaN and infinity out of rewards.",
    rule=NOT_TEXT,
    version=2,
)
_FEW, _ODD = 4, 2


def rule(case: Case) -> str:
    """Text tasks."""
    return "" if case.instances and reading(case.instances[0]) else NOT_TEXT


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Ordinary texts, which must get a verdict; texts that parsers trip over, which must not be paid; the reference's own reward."""
    for at in [one for one in fresh if one.paid][:_FEW]:
        found = reading(at)
        if found is None:
            continue
        yield from _tried(case, at, found, _ordinary(at, found), False)
        if any(at is one for one in case.instances[:_ODD]):
            yield from _tried(case, at, found, dict(breaking(found)), True)
        yield _range(at, found)


def _ordinary(at: At, found: Reading) -> dict[str, object]:
    inside = {"nothing": "", "a word": "zzz", "a lone sign": "-", "digits and words": "3 of 4 zzz", "a comma": ",", "an open brace": "{"}
    bare = {"empty": "", "a blank": " ", "one word": "hello", "a sentence": REFUSAL, "several lines": "first\n\nsecond\nthird"}
    longer = {"in other letters": "こんにちは, мир", "the prompt": at.facts.prompt, "filler": filler(4_000)}
    return {**bare, **longer, **{f"{name} in the form": found.put(text) for name, text in inside.items()}}


def _tried(case: Case, at: At, found: Reading, texts: dict[str, object], odd: bool) -> Iterator[Outcome]:
    """All texts in one process; whatever isn't plainly refused there, again in one of its own."""
    plays = {name: at.play((), found.sent(text)) for name, text in texts.items() if isinstance(text, str) or found.is_whole}
    together = case.attempts([Session(tuple(plays.values()))])[0]
    done = dict(zip(plays, together, strict=True))
    again = [name for name, attempt in done.items() if _is_bad(attempt, odd) and attempt.fault != "no end in time"]
    done |= {name: attempts[0] for name, attempts in zip(again, case.attempts([Session((plays[name],)) for name in again]), strict=True)}
    for name, attempt in done.items():
        paid = odd and attempt.status == "pass"
        bad = _is_bad(attempt, odd)
        what = "is rewarded" if paid else f"gets no verdict: {attempt.fault}" if attempt.status == "error" else f"gets {attempt.reward}"
        yield plain_outcome(
            PROBE,
            at,
            name,
            not bad,
            why=f"A reply ({name}) {what}."[:400] if bad else "",
            evidence=_short(texts[name], attempt) if bad else {},
            by=Claim.CONSTRUCTION.value,
            session=Session((plays[name],)),
            lead=bad and odd and not paid,
            expected="fail",
            got=attempt.status,
            code="A11" if paid else "I4",
        )


def _is_bad(attempt: Attempt, odd: bool) -> bool:
    paid = odd and attempt.status == "pass"
    return paid or attempt.status == "error" or (attempt.reward is not None and not math.isfinite(attempt.reward))


def _range(at: At, found: Reading) -> Outcome:
    reward = at.known[0][1].reward
    beyond = reward is not None and not -1.0 <= reward <= 1.0
    why = f"The reference gets {reward:g}, outside of what is usual, 0 to 1; what averages or clips rewards must know." if beyond else ""
    return plain_outcome(
        PROBE,
        at,
        "the reward's range",
        not beyond,
        why=why,
        evidence={"reward": reward} if beyond else {},
        lead=beyond,
        expected="0 to 1",
        got=str(reward),
    )


def _short(text: object, attempt: Attempt) -> dict[str, object]:
    return {"reply": shown(text, 160), "verdict": attempt.status, "reward": attempt.reward, "fault": attempt.fault[:300]}
