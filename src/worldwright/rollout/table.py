"""Pass rates by task and solver, with what one unit is.

One unit is one attempt at one instance; the label is the task's own verifier; attempts without a verdict are counted
apart, by what ended them, and in no rate. Intervals are exact (Clopper-Pearson 1934), two-sided 95 %.

Of n attempts at one instance of which c pass, pass@k = 1 - C(n-c, k) / C(n, k) is the chance that at least one of k drawn without
return passes (Chen et al. 2021, arXiv:2107.03374), and pass^k = C(c, k) / C(n, k) that all of them do (Yao et al. 2024,
arXiv:2406.12045). Both are means over the instances with at least k attempts that have a verdict.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from worldwright.rollout.trajectory import Trajectory
from worldwright.verifier import Status

__all__ = ["INTERVAL", "UNIT", "Line", "interval", "pass_all", "pass_any", "tabulate"]

UNIT = "one unit: one attempt at one seed; labelled by the task's own verifier; seeds fixed before the run"
INTERVAL = "95 %: exact interval over distinct seeds"


class Line(msgspec.Struct, frozen=True):
    """One solver on one task: `passed` of `n` attempts with a verdict, at `seeds` distinct seeds; `masked` without one.

    `ended` says what ended those without one; `any_k` and `all_k` are pass@k and pass^k (null where no instance has k attempts).
    `tokens` and `cents` are means over all attempts, `faults` counts what went wrong at a provider.
    """

    task: str
    solver: str
    passed: int
    n: int
    masked: int
    calls: float
    low: float
    high: float
    seeds: int = 0
    k: int = 1
    any_k: float | None = None
    all_k: float | None = None
    tokens: float = 0.0
    cents: float = 0.0
    ended: dict[str, int] = {}
    faults: dict[str, int] = {}


def pass_any(n: int, c: int, k: int) -> float:
    """pass@k of one instance: n attempts, c passed; n must be at least k."""
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def pass_all(n: int, c: int, k: int) -> float:
    """pass^k of one instance: n attempts, c passed; n must be at least k."""
    return math.comb(c, k) / math.comb(n, k)


def interval(passed: float, n: int) -> tuple[float, float]:
    """Two-sided 95 % Clopper-Pearson interval of a rate; (0, 1) for n = 0. `passed` may be a mean over attempts at each of n seeds."""
    from scipy.special import betaincinv  # half of a command's start, so not before a rate is wanted

    if n == 0:
        return 0.0, 1.0
    low = 0.0 if passed == 0 else float(betaincinv(passed, n - passed + 1, 0.025))
    high = 1.0 if passed == n else float(betaincinv(passed + 1, n - passed, 0.975))
    return low, high


def tabulate(trajectories: Iterable[Trajectory], k: int = 1) -> list[Line]:
    """A line for each pack, task and solver, in the order they first came; the same attempt given twice counts once."""
    groups: dict[tuple[str, str, str], dict[tuple[str, int], Trajectory]] = {}
    for one in trajectories:
        group = groups.setdefault((one.pack, one.trace.instance.split("@")[0], one.trace.solver), {})
        group[one.id, one.trace.seed] = one
    packs: dict[str, set[str]] = {}
    for pack, task, _ in groups:
        packs.setdefault(task, set()).add(pack)
    out = []
    for (pack, task, solver), ones in groups.items():
        name = task if len(packs[task]) == 1 else f"{task} [{pack[:8]}]"
        out.append(_line(name, solver, list(ones.values()), k))
    return out


def _line(name: str, solver: str, ones: Sequence[Trajectory], k: int) -> Line:
    judged = [one for one in ones if not one.is_masked]
    passed = sum(one.verdict.status == Status.PASS for one in judged)
    seeds = len({one.trace.instance for one in judged})
    low, high = interval(passed * seeds / len(judged), seeds) if judged else interval(0, 0)
    spent = [one.spent for one in ones if one.spent is not None]
    faults = sum((Counter(one.faults) for one in spent), Counter[str]())
    any_k, all_k = _over_instances(judged, k)
    return Line(
        name,
        solver,
        passed,
        len(judged),
        len(ones) - len(judged),
        sum(one.trace.counts.calls for one in ones) / len(ones),
        low,
        high,
        seeds,
        k,
        any_k,
        all_k,
        sum(one.tokens_in + one.tokens_out for one in spent) / len(ones),
        sum(one.cents for one in spent) / len(ones),
        dict(sorted(Counter(_end(one) for one in ones if one.is_masked).items())),
        dict(sorted(faults.items())),
    )


def _over_instances(judged: Sequence[Trajectory], k: int) -> tuple[float | None, float | None]:
    """pass@k and pass^k as means over the instances."""
    counts: dict[str, list[int]] = {}
    for one in judged:
        counts.setdefault(one.trace.instance, []).append(one.verdict.status == Status.PASS)
    enough = [(len(each), sum(each)) for each in counts.values() if len(each) >= k]
    if not enough:
        return None, None
    return sum(pass_any(n, c, k) for n, c in enough) / len(enough), sum(pass_all(n, c, k) for n, c in enough) / len(enough)


def _end(one: Trajectory) -> str:
    """What ended an attempt without a verdict: a provider's fault by its kind, or the stop reason."""
    return one.spent.fault if one.spent is not None and one.spent.fault else str(one.trace.stop)
