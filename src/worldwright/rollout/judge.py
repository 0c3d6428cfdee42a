"""The judge: what a solver's attempts say about a task, decided one attempt at a time.

Takes tasks, one solver and a rule; gives for each task a word and the counts behind it, and hands on every trajectory. Each attempt is a
clean episode at a seed of its own. After each one the posterior of the pass rate (uniform prior, so Beta(1 + passed, 1 + failed))
is asked whether the rate is above or below `floor` with probability `sure`; that may be asked after every attempt, and ends a rung.
Above means above the task's own `luck` too, where that is higher: what guessing does is no success. Only where the brief alone
doesn't do it does the judge climb the information ladder:

- `solved`: the rate is above the floor with the brief alone;
- `hard`: possible with the brief, but seldom; or it passes once tools are named or steps outlined: nothing was missing but skill;
- `under-specified`: it passes once the handbook's pages are given, and not before: what it needs isn't found from the brief;
- `broken`: it fails on every rung, the outline too;
- `undecided`: too few attempts to say;
- `unknown`: nothing can be said: no verdicts, a budget used up, or a solver that never succeeded on any task of the pack.

Attempts without a verdict count in no rate. The words are about this solver: another one may earn others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from worldwright.errors import UsageError
from worldwright.pack.read import PackTask
from worldwright.rollout.collect import Job, collect
from worldwright.rollout.ladder import RUNGS, rungs_of
from worldwright.rollout.trajectory import Trajectory
from worldwright.solver import Solver
from worldwright.verifier import Status

__all__ = ["Judgement", "Rule", "Standing", "judge", "standing"]

NEVER = "solver never succeeded"
_HIGHEST = 0.95


class Rule(msgspec.Struct, frozen=True):
    """When a rung is decided: the `floor` of the pass rate, how `sure`, and the `most` attempts with a verdict (and without one)."""

    floor: float = 0.25
    sure: float = 0.9
    most: int = 16


class Standing(msgspec.Struct, frozen=True):
    """One rung: `state` is `passes`, `fails` or `open`; `low` and `high` bound the rate (95 % credible, equal tails)."""

    rung: str
    passed: int
    n: int
    masked: int
    state: str
    low: float
    high: float


class Judgement(msgspec.Struct, frozen=True):
    """One task: the word, why, and the rungs that were tried."""

    task: str
    solver: str
    word: str
    reason: str
    rungs: tuple[Standing, ...]


def judge(
    tasks: Sequence[tuple[PackTask, Solver]],
    pack: str,
    rule: Rule | None = None,
    *,
    keep: Callable[[Trajectory], object] = lambda _: None,
    is_over: Callable[[], bool] = lambda: False,
) -> list[Judgement]:
    """Judge the tasks, each with its solver (one kind for all), in their order. Raises UsageError.

    `keep` gets every trajectory, `is_over` says that no more may be asked.
    """
    chosen = rule or Rule()
    if not (0 < chosen.floor < 1 and 0.5 < chosen.sure < 1 and chosen.most >= 1):
        raise UsageError(f"a floor between 0 and 1, sure between 0.5 and 1, and at least 1 attempt are needed, got {chosen}")
    found = [(entry, solver, _climb(entry, solver, pack, chosen, keep, is_over)) for entry, solver in tasks]
    has_success = any(one.passed for *_, rungs in found for one in rungs)
    out = []
    for entry, solver, rungs in found:
        word, reason = _word(rungs) if has_success else ("unknown", NEVER)
        out.append(Judgement(f"{entry.world.name}/{entry.name}", solver.name, word, reason, rungs))
    return out


def standing(rung: str, passed: int, n: int, masked: int, rule: Rule, luck: float = 0.0) -> Standing:
    """What so many passes among so many verdicts say of a task with this luck."""
    from scipy.special import betainc, betaincinv  # half of a command's start

    a, b = 1 + passed, 1 + n - passed
    above, below = 1 - float(betainc(a, b, min(_HIGHEST, max(rule.floor, luck)))), float(betainc(a, b, rule.floor))
    state = "passes" if above >= rule.sure else "fails" if below >= rule.sure else "open"
    return Standing(rung, passed, n, masked, state, float(betaincinv(a, b, 0.025)), float(betaincinv(a, b, 0.975)))


def _climb(
    entry: PackTask,
    solver: Solver,
    pack: str,
    rule: Rule,
    keep: Callable[[Trajectory], object],
    is_over: Callable[[], bool],
) -> tuple[Standing, ...]:
    """The rungs up to the first that passes."""
    out: list[Standing] = []
    for n in rungs_of(entry):
        out.append(_rung(entry, solver, pack, rule, n, RUNGS[n], keep, is_over))
        if out[-1].state == "passes" or out[-1].n == 0:
            break
    return tuple(out)


def _rung(
    entry: PackTask,
    solver: Solver,
    pack: str,
    rule: Rule,
    n: int,
    rung: str,
    keep: Callable[[Trajectory], object],
    is_over: Callable[[], bool],
) -> Standing:
    passed = judged = masked = seed = unusable = 0
    luck = entry.task.brief.luck
    while judged < rule.most and masked < rule.most and unusable < rule.most and not is_over():
        for one in collect([Job(entry, solver, seed, rung=n)], pack):
            keep(one)
            masked += one.is_masked
            judged += not one.is_masked
            passed += one.verdict.status == Status.PASS
            break
        else:
            unusable += 1
        seed += 1
        now = standing(rung, passed, judged, masked, rule, luck)
        if now.state != "open":
            return now
    return standing(rung, passed, judged, masked, rule, luck)


def _word(rungs: Sequence[Standing]) -> tuple[str, str]:
    first, last = rungs[0], rungs[-1]
    if first.n == 0:
        return "unknown", "no attempt has a verdict"
    if first.state == "passes":
        return "solved", "with the brief alone"
    if first.passed:
        return "hard", f"passed {first.passed} of {first.n} with the brief alone"
    if last.state == "passes":
        word = "under-specified" if last.rung == "clause" else "hard"
        return word, f"passed {last.passed} of {last.n} once the {last.rung} was given, none of {first.n} with the brief alone"
    if last.rung != RUNGS[-1] or not last.n:
        return "unknown", f"no verdicts beyond the {rungs[-2].rung}" if len(rungs) > 1 else "there is no reference to make help from"
    if all(one.state == "fails" and not one.passed for one in rungs):
        return "broken", f"no success in {sum(one.n for one in rungs)} attempts on all rungs, the outline too"
    return "undecided", "too few attempts, or too few successes with help"
