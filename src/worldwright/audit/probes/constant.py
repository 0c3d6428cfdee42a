"""One answer for every instance, without a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from worldwright.audit.answers import same, shown
from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.records import Claim, Outcome, Probe
from worldwright.audit.statistics import lower
from worldwright.audit.subject import Session

PROBE = Probe(
    id="constant",
    side="accept",
    codes=("A1", "A3", "A11"),
    needs=frozenset({"reference"}),
    means="One and the same answer, given without reading anything, is rewarded more often than luck allows.",
    repair="Balance the right answers over the instances, or ask for more than one closed choice.",
    rule="the task asks for no answer, or fewer than 8 distinct instances are there",
)

ENOUGH = 8
MOST = 12
LUCK = 0.8
"""The rate that is allowed where the subject states none: an answer may be right on four instances of five."""


def rule(case: Case) -> str:
    """Only where answers are asked for, and vary with the instance."""
    return "" if len([at for at in case.instances if at.asks]) >= ENOUGH else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Candidates come from one half of the instances and are measured on the other; the least luck bound counts."""
    ready = [at for at in fresh if at.asks and at.paid]
    if len(ready) < ENOUGH:
        return
    chosen = _candidates(ready[::2])
    judged = ready[1::2]
    done = case.attempts([Session((at.play((), answer),)) for answer in chosen for at in judged])
    for n, answer in enumerate(chosen):
        passed = sum(one[0].status == "pass" for one in done[n * len(judged) : (n + 1) * len(judged)])
        luck = min((at.facts.luck for at in judged if at.facts.luck is not None), default=LUCK)
        bad = lower(passed, len(judged)) > luck
        constant = all(same(at.reference.answer, answer) for at in ready) and not judged[0].facts.tools
        evidence = {"answer": shown(answer), "rewarded": passed, "instances": len(judged), "luck": luck}
        rate = f"{passed} of {len(judged)}"
        why = f"The answer {shown(answer, 60)} is rewarded on {rate} instances that did not choose it; luck allows {luck:.0%}."
        yield plain_outcome(
            PROBE, judged[0], f"always {shown(answer, 60)}", not bad, why=why if bad else "", evidence=evidence,
            by=Claim.CONSTRUCTION.value, session=Session((judged[0].play((), answer),)), expected=f"at most {luck:.0%}", got=rate,
            lead=constant and bad,
        )  # fmt: skip


def _candidates(ready: Sequence[At]) -> list[Any]:
    found: list[tuple[Any, int]] = []
    for at in ready:
        for n, (one, count) in enumerate(found):
            if same(one, at.reference.answer):
                found[n] = (one, count + 1)
                break
        else:
            found.append((at.reference.answer, 1))
    common = [one for one, _ in sorted(found, key=lambda pair: -pair[1])[:4]]
    return [None, "", "yes", "no", True, False, 0, 1, *common][-MOST:]
