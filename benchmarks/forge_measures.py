"""Measures of a forged pack: `python benchmarks/forge_measures.py PACK`, from its forge.json and certificate.json.

Distinct plans and verifiers by structure, the plan cover number, the most frequent plan's share, plans that two patterns share (a renamed
reference of one would solve a task of the other), cost, reasons of rejection, and what guessing hidden facts instead of
looking came to. One unit is a task, unless another is named.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from statistics import median

from worldwright.audit.certificate import read_certificate
from worldwright.forge.finish import read_funnel
from worldwright.forge.novelty import cover_number
from worldwright.forge.records import Outcome
from worldwright.pack import read_pack


def _by_template(pack: Path, hidden: list[Outcome]) -> None:
    """Guesses by template, beside the luck that their briefs allow."""
    luck = {f"{entry.world.name}/{entry.name}": entry.task.brief.luck for entry in read_pack(pack).tasks()}
    by: dict[tuple[str, str], list[Outcome]] = {}
    for one in hidden:
        by.setdefault((one.pattern, one.template), []).append(one)
    for (pattern, template), some in sorted(by.items()):
        passed, n = (sum(one.guessed[k] for one in some if one.guessed) for k in (0, 1))
        allowed = sorted({luck[f"{one.world}/{one.task}"] for one in some})
        over = sum(one.guessed[0] > luck[f"{one.world}/{one.task}"] * one.guessed[1] for one in some if one.guessed)
        print(f"  {pattern} {template}: {passed} of {n} ({passed / n:.2f}), luck {allowed}; above it {over} of {len(some)} tasks")


def main() -> int:
    """The command."""
    pack = Path(sys.argv[1])
    funnel = read_funnel(pack)
    done = [one for one in funnel.outcomes if one.is_certified]
    plans, checks = Counter(one.plan for one in done), Counter(one.check for one in done)
    print(", ".join(f"{n} {stage}" for stage, n in funnel.counted().items()))
    few = cover_number(plans.elements())
    print(f"distinct plans {len(plans)}; the most frequent has {max(plans.values())} of {len(done)} tasks; plan cover number {few}")
    print(f"distinct verifiers {len(checks)}; cover number {cover_number(checks.elements())}")
    by_plan: dict[str, set[str]] = {}
    for one in done:
        by_plan.setdefault(one.plan, set()).add(one.pattern)
    print(f"plans that are in two patterns: {sum(len(some) > 1 for some in by_plan.values())}")
    print(f"calls of a reference: median {median(one.calls for one in done)}, {sum(one.calls >= 20 for one in done)} tasks with 20 or more")
    print(f"CPU seconds a certified task: {funnel.cost.cpu / len(done):.2f}, rejected ones included; {funnel.cost.cpu:.0f} in all")
    print("by pattern:", ", ".join(f"{name} {n}" for name, n in sorted(Counter(one.pattern for one in done).items())))
    print("rejected:", ", ".join(f"{reason} {n}" for reason, n in funnel.rejected().items()) or "none")
    certificate = read_certificate(pack / "certificate.json")
    hidden = [one for one in done if one.guessed is not None]
    passed, n = (sum(one.guessed[k] for one in hidden if one.guessed) for k in (0, 1))
    print(
        f"hidden facts guessed: {passed} of {n} runs passed, over {len(hidden)} tasks with hidden state (a run is one instance, 20 a task)"
    )
    _by_template(pack, hidden)
    worst = max(hidden, key=lambda one: one.guessed[0] / one.guessed[1] if one.guessed else 0, default=None)
    if worst is not None:
        print(f"  most often: {worst.world}/{worst.task} {worst.guessed}")
    print(f"certificate: {certificate.verdict}, {len(certificate.cases)} tasks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
