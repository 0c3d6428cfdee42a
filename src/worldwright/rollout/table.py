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

from worldwright.rollout.ending import End, end_of
from worldwright.rollout.trajectory import Trajectory
from worldwright.verifier import Status

__all__ = ["INTERVAL", "UNIT", "Line", "Tally", "interval", "pass_all", "pass_any", "tabulate"]

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


class Tally:
    """Counts attempts as they come, in memory that grows with tasks and solvers alone.

    All attempts at one instance by one solver have to come without another instance of that task and solver between them.
    """

    def __init__(self, packs: Sequence[str], k: int = 1) -> None:
        self.packs, self.k = packs, k
        self.n = 0
        self._groups: dict[tuple[int, str, str], _Group] = {}

    def add(self, one: End) -> None:
        """Count an attempt."""
        self.n += 1
        key = (one.pack, one.instance.partition("@")[0], one.solver)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group()
        group.add(one)

    def lines(self) -> list[Line]:
        """A line for each pack, task and solver, in the order they first came."""
        packs: dict[str, set[int]] = {}
        for pack, task, _ in self._groups:
            packs.setdefault(task, set()).add(pack)
        out = []
        for (pack, task, solver), group in self._groups.items():
            name = task if len(packs[task]) == 1 else f"{task} [{self.packs[pack][:8]}]"
            out.append(group.line(name, solver, self.k))
        return out


class _Group:
    """One solver on one task. `instances` counts, by (attempts with a verdict, passed), the instances that are complete."""

    def __init__(self) -> None:
        self.n = self.masked = self.passed = self.calls = self.tokens = 0
        self.cents = 0.0
        self.ended, self.faults = Counter[str](), Counter[str]()
        self.instances = Counter[tuple[int, int]]()
        self._instance, self._judged, self._passed = "", 0, 0

    def add(self, one: End) -> None:
        if one.instance != self._instance:
            self._close()
            self._instance = one.instance
        self.n += 1
        self.calls += one.calls
        self.tokens += one.tokens
        self.cents += one.cents
        self.faults.update(one.faults)
        if one.status in (Status.ERROR, Status.UNKNOWN):
            self.masked += 1
            self.ended[one.fault or one.stop] += 1
            return
        self._judged += 1
        self._passed += one.status == Status.PASS
        self.passed += one.status == Status.PASS

    def _close(self) -> None:
        """The instance has had all its attempts."""
        if self._judged:
            self.instances[self._judged, self._passed] += 1
        self._judged = self._passed = 0

    def line(self, name: str, solver: str, k: int) -> Line:
        self._close()
        judged, seeds = self.n - self.masked, self.instances.total()
        low, high = interval(self.passed * seeds / judged, seeds) if judged else interval(0, 0)
        any_k, all_k = _over_instances(self.instances, k)
        return Line(
            name,
            solver,
            self.passed,
            judged,
            self.masked,
            self.calls / self.n,
            low,
            high,
            seeds,
            k,
            any_k,
            all_k,
            self.tokens / self.n,
            self.cents / self.n,
            dict(sorted(self.ended.items())),
            dict(sorted(self.faults.items())),
        )


def tabulate(trajectories: Iterable[Trajectory], k: int = 1) -> list[Line]:
    """A line for each pack, task and solver, in the order they first came; the same attempt given twice counts once."""
    packs: dict[str, int] = {}
    groups: dict[tuple[int, str, str], dict[str, dict[tuple[str, int], End]]] = {}
    for one in trajectories:
        end = end_of(one, pack=packs.setdefault(one.pack, len(packs)))
        group = groups.setdefault((end.pack, end.instance.partition("@")[0], end.solver), {})
        group.setdefault(end.instance, {})[one.id, one.trace.seed] = end
    tally = Tally(list(packs), k)
    for group in groups.values():
        for instance in group.values():
            for end in instance.values():
                tally.add(end)
    return tally.lines()


def _over_instances(counts: Counter[tuple[int, int]], k: int) -> tuple[float | None, float | None]:
    """pass@k and pass^k as means over the instances."""
    enough = [(n, c, times) for (n, c), times in sorted(counts.items()) if n >= k]
    total = sum(times for *_, times in enough)
    if not total:
        return None, None
    return sum(pass_any(n, c, k) * times for n, c, times in enough) / total, sum(
        pass_all(n, c, k) * times for n, c, times in enough
    ) / total
