"""The right answer is always in the same place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worldwright.audit.answers import number_in, same
from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.records import Claim, Outcome, Probe
from worldwright.audit.statistics import lower
from worldwright.audit.subject import Session

PROBE = Probe(
    id="positional",
    side="accept",
    codes=("A6", "A8", "A3"),
    needs=frozenset({"reference", "answer"}),
    means="Without understanding anything, taking what stands in one fixed place (the first of the list, the last, the largest) "
    "is rewarded.",
    repair="Shuffle what is shown, and let the right one stand anywhere.",
    rule="fewer than 8 instances show three candidates of the answer's form, or the brief asks for a place",
    held_out=True,
)

ENOUGH = 8
_ASKS_PLACE = re.compile(
    r"\b(?:first|last|second|third|top|bottom|largest|smallest|highest|lowest|biggest|greatest|least|most|earliest|latest|oldest|"
    r"newest|maximum|minimum|max|min|longest|shortest|best|cheapest|dearest|next|alphabetical\w*)\b",
    re.IGNORECASE,
)
LUCK = 0.6


def rule(case: Case) -> str:
    """Only where there is a choice, and no place is asked for."""
    return "" if len([at for at in case.instances if len(_candidates(at)) >= 3]) >= ENOUGH else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Each place on the instances that have one; the lower bound of its rate against luck."""
    ready = [at for at in fresh if at.paid and len(_candidates(at)) >= 3]
    if len(ready) < ENOUGH:
        return
    for place, index in (("the first", 0), ("the last", -1), ("the second", 1)):
        chosen = [(at, _candidates(at)[index]) for at in ready]
        hits = sum(same(answer, at.reference.answer) for at, answer in chosen)
        bad = lower(hits, len(ready)) > LUCK
        if bad:
            done = case.attempts([Session((at.play((), answer),)) for at, answer in chosen])
            hits = sum(attempts[0].status == "pass" for attempts in done)
            bad = lower(hits, len(ready)) > LUCK
        why = f"Taking {place} that has the answer's form is rewarded on {hits} of {len(ready)} instances." if bad else ""
        at, answer = chosen[0]
        evidence = {"answer": str(answer)[:80], "rewarded": hits, "instances": len(ready)} if bad else {}
        yield plain_outcome(
            PROBE, at, f"{place} of the candidates in the prompt", not bad, why=why, evidence=evidence, by=Claim.CONSTRUCTION.value,
            session=Session((at.play((), answer),)), expected=f"at most {LUCK:.0%}", got=f"{hits} of {len(ready)}",
        )  # fmt: skip


def _candidates(at: At) -> list[str]:
    """Distinct tokens of the prompt with the same form as the right answer, in their order; none if the brief asks for a place."""
    answer = at.facts.reference.answer if at.facts.reference else None
    if isinstance(answer, bool) or not isinstance(answer, (str, int)) or _ASKS_PLACE.search(at.facts.prompt) or " " in str(answer).strip():
        return []
    text = str(answer).strip()
    form = re.sub(r"\\?[A-Za-z]", lambda hit: "[A-Z]" if hit.group(0).isupper() else "[a-z]", re.sub(r"([^A-Za-z0-9])", r"\\\1", text))
    form = re.sub(r"\d", r"\\d", form) if number_in(text) is None else r"\d+"
    found = re.findall(rf"(?<![\w.]){form}(?!\w)", at.facts.prompt)
    return list(dict.fromkeys(found)) if re.search(r"\d|[A-Z]{2}", text) else []
