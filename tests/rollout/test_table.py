"""Rates by task and solver, with exact intervals, and without those who have no verdict."""

from __future__ import annotations

import math

import msgspec
import pytest

from worldwright.rollout import Job, Trajectory, collect, tabulate
from worldwright.rollout.table import INTERVAL, UNIT, interval
from worldwright.solver import SOLVERS
from worldwright.verifier import Status, Verdict


@pytest.mark.parametrize(
    "passed, n, low, high",
    [
        (0, 0, 0.0, 1.0),
        (0, 1, 0.0, 0.975),
        (1, 1, 0.025, 1.0),
        (0, 10, 0.0, 0.3084971),
        (10, 10, 0.6915029, 1.0),
        (5, 10, 0.1870860, 0.8129140),
        (1, 20, 0.0012651, 0.2487328),
        (40, 40, 0.9119, 1.0),
    ],
)
def test_interval(passed, n, low, high):
    assert interval(passed, n) == (pytest.approx(low, abs=1e-5), pytest.approx(high, abs=1e-5))


def tail(n: int, rate: float, least: int, most: int) -> float:
    return sum(math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(least, most + 1))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 12, 40])
def test_interval_by_its_definition(n):
    """At the lower end so many or more are a 2.5 % chance, at the upper end so many or fewer (Clopper and Pearson 1934)."""
    for passed in range(n + 1):
        low, high = interval(passed, n)
        assert 0 <= low <= passed / n <= high <= 1
        if passed > 0:
            assert tail(n, low, passed, n) == pytest.approx(0.025, abs=1e-9)
        if passed < n:
            assert tail(n, high, 0, passed) == pytest.approx(0.025, abs=1e-9)
        assert interval(n - passed, n) == (pytest.approx(1 - high), pytest.approx(1 - low))


def with_status(one: Trajectory, status: Status) -> Trajectory:
    verdict = Verdict(status, reason="x")
    return msgspec.structs.replace(one, verdict=verdict, reward=verdict.reward)


def test_lines_by_task_and_solver(attempts):
    lines = tabulate(attempts)
    assert [(line.task, line.solver, line.passed, line.n, line.masked) for line in lines] == [
        ("loan-desk/settle-fine", "reference", 4, 4, 0),
        ("loan-desk/settle-fine", "noop", 0, 4, 0),
        ("loan-desk/settle-fine", "shotgun", 0, 4, 0),
    ]
    assert (lines[0].low, lines[0].high) == interval(4, 4)
    assert lines[0].calls == sum(one.trace.counts.calls for one in attempts[:4]) / 4
    assert lines[1].calls == 0
    assert tabulate(reversed(attempts))[0].solver == "shotgun"
    assert tabulate([]) == []


def test_what_has_no_verdict_is_counted_apart(attempts):
    masked = [with_status(attempts[0], Status.ERROR), with_status(attempts[1], Status.UNKNOWN)]
    (line,) = tabulate([*masked, attempts[2], with_status(attempts[3], Status.FAIL)])
    assert (line.passed, line.n, line.masked) == (1, 2, 2)
    assert (line.low, line.high) == interval(1, 2)
    (line,) = tabulate(masked)
    assert (line.passed, line.n, line.masked, line.low, line.high) == (0, 0, 2, 0.0, 1.0)


def test_the_unit_is_stated():
    assert "one attempt at one seed" in UNIT
    assert "95 %" in INTERVAL


def test_repeats_raise_no_n_and_packs_stay_apart(loan_desk_pack):
    entry = loan_desk_pack.tasks()[0]
    done = list(collect([Job(entry, SOLVERS["noop"](), seed, index) for seed in (0, 1) for index in range(5)], "a" * 64))
    (line,) = tabulate(done)
    assert (line.n, line.seeds) == (10, 2)
    assert (line.low, line.high) == interval(0, 2)
    assert [one.n for one in tabulate(done + done)] == [10]
    other = list(collect([Job(entry, SOLVERS["noop"](), 0)], "b" * 64))
    assert [(one.task, one.n) for one in tabulate(done + other)] == [
        ("loan-desk/settle-fine [aaaaaaaa]", 10),
        ("loan-desk/settle-fine [bbbbbbbb]", 1),
    ]
