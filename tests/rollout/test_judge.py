"""The judge: its words by scripted behaviour, its sequential rule, and pass@k and pass^k."""

from __future__ import annotations

import itertools
import math

import pytest

from worldwright.errors import SolverError, UsageError
from worldwright.rollout import Job, collect
from worldwright.rollout.judge import NEVER, Rule, judge, standing
from worldwright.rollout.table import pass_all, pass_any, tabulate
from worldwright.solver.plan import PlanSolver


class Moody:
    """Does as the reference where `able(prompt)`, else nothing; raises where it says so."""

    name = "moody"

    def __init__(self, entry, able):
        self.plan, self.able, self.started = PlanSolver(entry.reference), able, 0

    def start(self, prompt, seed, shown):
        self.started += 1
        does = self.able(prompt.instruction, self.started)
        if isinstance(does, Exception):
            raise does
        agent = self.plan.start(prompt, seed, shown)
        return agent if does else _Idle()


class _Idle:
    def act(self, observation):
        from worldwright.solver import GiveUp

        return GiveUp("no idea")

    def close(self):
        pass


CLAUSE, HINT, OUTLINE = "The handbook says on this", "These tools are needed", "goes in these steps"
CASES = {
    "solved": (lambda text, n: True, "solved", 1),
    "hard with help": (lambda text, n: OUTLINE in text, "hard", 4),
    "hard with a hint": (lambda text, n: HINT in text, "hard", 3),
    "under-specified": (lambda text, n: CLAUSE in text, "under-specified", 2),
    "seldom": (lambda text, n: n == 3, "hard", 4),
    "never": (lambda text, n: False, "unknown", 4),
}


@pytest.mark.parametrize("able, word, rungs", CASES.values(), ids=CASES.keys())
def test_words(settle_fine, able, word, rungs):
    [one] = judge([(settle_fine, Moody(settle_fine, able))], "p")
    assert (one.word, len(one.rungs)) == (word, rungs), one
    if word == "unknown":
        assert one.reason == NEVER


def test_broken_needs_a_success_elsewhere_in_the_pack(settle_fine):
    never, always = Moody(settle_fine, lambda *_: False), Moody(settle_fine, lambda *_: True)
    first, second = judge([(settle_fine, never), (settle_fine, always)], "p")
    assert (first.word, second.word) == ("broken", "solved")
    assert "on all rungs" in first.reason
    assert [one.n for one in first.rungs] == [8] * 4  # the least number of failures that is sure
    assert second.rungs[0].n == 4  # the least that is above the task's luck with probability 0.9


def test_attempts_without_a_verdict_are_in_no_rate(settle_fine):
    def shaky(text, n):
        return SolverError("down") if n % 2 else True

    kept = []
    [one] = judge([(settle_fine, Moody(settle_fine, shaky))], "p", keep=kept.append)
    assert (one.word, one.rungs[0].passed, one.rungs[0].n, one.rungs[0].masked) == ("solved", 4, 4, 4)
    assert [run.is_masked for run in kept] == [True, False] * 4
    down = Moody(settle_fine, lambda *_: SolverError("down"))
    [one, _] = judge([(settle_fine, down), (settle_fine, Moody(settle_fine, lambda *_: True))], "p")
    assert (one.word, one.reason) == ("unknown", "no attempt has a verdict")
    assert down.started == Rule().most


def test_nothing_is_attempted_once_it_is_over(settle_fine):
    calls = itertools.count()
    [one] = judge([(settle_fine, Moody(settle_fine, lambda *_: True))], "p", is_over=lambda: next(calls) >= 0)
    assert (one.word, one.rungs[0].n) == ("unknown", 0)


def test_seeds_are_distinct(settle_fine):
    kept = []
    judge([(settle_fine, Moody(settle_fine, lambda *_: False))], "p", keep=kept.append)
    names = [run.trace.instance for run in kept]
    assert len(set(names[:8])) == 8


def test_rule_is_checked(settle_fine):
    for rule in (Rule(floor=0.0), Rule(sure=0.4), Rule(most=0)):
        with pytest.raises(UsageError, match="a floor between 0 and 1"):
            judge([], "p", rule)


def test_standing_is_the_posterior():
    rule = Rule(0.25, 0.9, 16)
    assert standing("brief", 1, 1, 0, rule).state == "passes"  # 1 - 0.25^2 = 0.9375
    assert standing("brief", 0, 7, 0, rule).state == "open"  # 1 - 0.75^8 = 0.8999
    assert standing("brief", 0, 8, 0, rule).state == "fails"  # 1 - 0.75^9 = 0.925
    assert standing("brief", 1, 1, 0, rule, luck=0.4).state == "open"  # 1 - 0.4^2 = 0.84
    none = standing("brief", 0, 0, 0, rule)
    assert (none.low, none.high) == pytest.approx((0.025, 0.975))


def test_pass_at_k_and_pass_all_k_are_the_shares_over_all_draws():
    for n in range(1, 7):
        for c in range(n + 1):
            attempts = [True] * c + [False] * (n - c)
            for k in range(1, n + 1):
                draws = list(itertools.combinations(attempts, k))
                assert pass_any(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))
                assert pass_all(n, c, k) == pytest.approx(sum(map(all, draws)) / len(draws))


def test_table_has_pass_at_k_over_instances_with_enough_attempts(settle_fine):
    solver = Moody(settle_fine, lambda text, n: SolverError("down") if n == 2 else n % 3 != 0)
    runs = list(collect([Job(settle_fine, solver, seed, index) for seed in range(2) for index in range(3)], "p"))
    [line] = tabulate(runs, 3)
    assert (line.n, line.masked, line.ended) == (5, 1, {"solver-error": 1})
    passed = sum(run.reward or 0 for run in runs[3:])
    assert (line.any_k, line.all_k) == (1.0 if passed else 0.0, float(math.comb(passed, 3)))
    [line] = tabulate(runs, 4)
    assert (line.any_k, line.all_k) == (None, None)
