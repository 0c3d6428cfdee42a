"""The first page of a forged pack: the funnel, what it cost, the worlds and their sources, what was refused and why, every task.

Takes the account of a forge run and its pack; writes `index.html`, which links to the pages of worlds, tasks, attempts and the audit.
Figures are those of `forge.json`; the page says which command prints them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from worldwright import __version__
from worldwright.audit.policy import read_policy
from worldwright.forge.records import COMPOSED, Funnel, Outcome
from worldwright.knowledge import coverage_of
from worldwright.knowledge.graph import PATTERNS
from worldwright.ledger import Entry, by_stage
from worldwright.report.write import environment

__all__ = ["write_forge_page"]

_STAGES = {
    "proposed": "written by a pattern for a world",
    "built": "isn't one more of its kind, is about its source, breaks no rule of the format, can be set on 9 of 10 seeds",
    "solvable": "its own reference is paid",
    "certified": "no confirmed wrong verdict on {n} instances, and guesses of hidden facts don't surely pass more often than luck allows",
}


def write_forge_page(funnel: Funnel, titles: Mapping[tuple[str, str], str], entries: Sequence[Entry], out: Path, pack: str) -> Path:
    """Write the page below `out`. `titles` are those of certified tasks; `entries` the ledger; `pack` the pack's path for commands."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "index.html"
    path.write_text(environment().get_template("forge.html").render(**_facts(funnel, titles, entries, pack)), encoding="utf-8")
    return path


def _facts(funnel: Funnel, titles: Mapping[tuple[str, str], str], entries: Sequence[Entry], pack: str) -> dict[str, Any]:
    counts = funnel.counted()
    certified = [one for one in funnel.outcomes if one.is_certified]
    policy = read_policy(funnel.policy)
    instances = policy.admission + policy.certification
    guessed = [one.guessed for one in certified if one.guessed is not None]
    return {
        "instances": instances,
        "guesses": {"passed": sum(one[0] for one in guessed), "n": sum(one[1] for one in guessed), "tasks": len(guessed)},
        "version": __version__,
        "unit": "one unit is a task unless it is named; all figures are counts and shares of what was counted",
        "name": funnel.name,
        "pack": pack,
        "seed": funnel.seed,
        "policy": funnel.policy,
        "funnel": [
            (stage, means.format(n=instances), counts[stage], counts[stage] / max(1, counts["proposed"]))
            for stage, means in _STAGES.items()
        ],
        "certified": len(certified),
        "plans": _spread(certified, "plan"),
        "checks": _spread(certified, "check"),
        "calls": sorted(one.calls for one in certified),
        "long": sum(one.calls >= 20 for one in certified),
        "median_calls": median(one.calls for one in certified) if certified else 0,
        "worlds": [_world(funnel, one) for one in funnel.worlds],
        "refusals": funnel.refusals,
        "rejected": funnel.rejected(),
        "matrix": _matrix(certified),
        "patterns": [*PATTERNS, COMPOSED],
        "costs": _costs(entries, len(certified)),
        "cpu": funnel.cost.cpu,
        "tasks": [(one, titles.get((one.world, one.task), one.task)) for one in certified],
        "others": [one for one in funnel.outcomes if not one.is_certified],
        "sources": len(dict.fromkeys(one.source for one in funnel.worlds)),
        "shares": _shares([one for one in certified if one.world in {each.world for each in funnel.worlds if each.kind == "sqlite"}]),
    }


def _spread(outcomes: Sequence[Outcome], what: str) -> dict[str, Any]:
    counts = Counter(getattr(one, what) for one in outcomes)
    most = max(counts.values(), default=0)
    left, cover = 0.9 * len(outcomes), 0
    for n in sorted(counts.values(), reverse=True):
        if left <= 0:
            break
        left -= n
        cover += 1
    return {"distinct": len(counts), "most": most, "share": most / max(1, len(outcomes)), "cover": cover}


def _world(funnel: Funnel, account: Any) -> dict[str, Any]:
    done = [one for one in funnel.outcomes if one.world == account.world]
    return {
        "account": account,
        "certified": sum(one.is_certified for one in done),
        "proposed": len(done),
        "refusals": [one for one in funnel.refusals if one.world == account.world],
    }


def _matrix(certified: Sequence[Outcome]) -> list[tuple[str, list[int]]]:
    tasks: Counter[tuple[str, str]] = Counter()
    for one in certified:
        tasks[one.family.partition("/")[0], one.pattern] += 1
    domains = sorted({domain for domain, _ in tasks})
    lines = coverage_of(tasks, domains, [*PATTERNS, COMPOSED]).lines
    return [(domain, [one.tasks for one in lines if one.domain == domain]) for domain in domains]


def _costs(entries: Sequence[Entry], certified: int) -> list[dict[str, Any]]:
    out = [{"stage": stage, "cost": cost, "each": cost.cpu / max(1, certified)} for stage, cost in by_stage(entries).items()]
    return sorted(out, key=lambda one: -one["cost"].cpu)


def _shares(certified: Sequence[Outcome]) -> dict[str, float] | None:
    found = [one.share for one in certified if one.share is not None and one.share.columns]
    if not found:
        return None
    return {
        "n": len(found),
        "columns": median(one.columns_from_source / one.columns for one in found),
        "rows": median(one.rows_from_source / max(1, one.rows) for one in found),
    }
