"""The figures are those of the textbooks, and the words follow from them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from worldwright.transfer.statistics import Estimate, Paired, holm, mean_of, paired, sign_flip, smallest_detectable, verdict_of

POLICY = {"confidence": 0.95, "power": 0.8, "resamples": 999, "seed": 3}


def test_t_interval_is_that_of_scipy():
    values = [0.1, 0.4, 0.35, 0.2, 0.22, 0.31]
    told = mean_of(values, "seeds", 0.95)
    known = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (told.low, told.high) == pytest.approx((known.low, known.high))
    assert (told.n, told.unit) == (6, "seeds")


def test_one_unit_has_no_interval_and_none_no_mean():
    told = mean_of([0.5], "seeds", 0.95)
    assert (told.mean, told.low, told.high, told.sd) == (0.5, None, None, None)
    with pytest.raises(ValueError, match="no seeds"):
        mean_of([], "seeds", 0.95)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_no_number_is_refused(bad):
    with pytest.raises(ValueError, match="finite"):
        mean_of([0.1, bad], "seeds", 0.95)


def test_what_does_not_pair_is_refused():
    with pytest.raises(ValueError, match="don't pair"):
        paired([1.0, 2.0], [1.0], "seeds", **POLICY)


def counted(differences: list[float]) -> float:
    """The p of the sign-flip test by going through every sign pattern."""
    seen, n = abs(sum(differences)), 0
    for signs in product((1, -1), repeat=len(differences)):
        total = abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        n += total >= seen - 1e-9 * sum(map(abs, differences))
    return n / 2 ** len(differences)


@given(st.lists(st.integers(-8, 8), min_size=1, max_size=9))
def test_sign_flip_counts_every_pattern(numbers):
    differences = [number / 16 for number in numbers]
    assert sign_flip(differences) == pytest.approx(counted(differences) if any(differences) else 1.0)


def test_smallest_possible_p_is_known():
    assert sign_flip([0.3] * 5) == 0.0625
    assert sign_flip([0.1] * 10) == 2 / 2**10
    assert sign_flip([0.1] * 40) == 2 / 2**40


def test_bootstrap_is_seeded_and_holds_constant_differences():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0.5, 0.1, 12).tolist(), rng.normal(0.4, 0.1, 12).tolist()
    one, again = (paired(first, second, "seeds", **POLICY) for _ in range(2))
    assert one == again
    known = stats.bootstrap((np.subtract(first, second),), np.mean, n_resamples=999, method="BCa", rng=np.random.default_rng(3))
    assert (one.low_bca, one.high_bca) == pytest.approx(tuple(known.confidence_interval))
    for seed in range(5):  # hardly a resample on one side of the mean: no interval, or a finite one, and no warning
        odd = paired([*[0.0] * 7, 1e-300], [0.0] * 8, "seeds", **(POLICY | {"seed": seed}))
        assert odd.low_bca is None or math.isfinite(odd.low_bca)
    same = paired([0.5] * 4, [0.4] * 4, "seeds", **POLICY)
    assert same.low_bca == same.high_bca == pytest.approx(0.1)


def test_detectable_effect_has_the_power_it_says():
    effect = smallest_detectable(0.2, 20, 0.05, 0.8)
    assert effect == pytest.approx(0.2 * 0.66044, rel=1e-3)  # G*Power, matched pairs, n 20, two-sided 0.05, power 0.80: dz 0.6604
    rng = np.random.default_rng(1)
    p = stats.ttest_1samp(rng.normal(effect, 0.2, (4000, 20)), 0, axis=1).pvalue
    assert np.mean(p < 0.05) == pytest.approx(0.8, abs=0.025)
    assert smallest_detectable(0.2, 1, 0.05, 0.8) is None
    assert smallest_detectable(0.0, 5, 0.05, 0.8) == 0.0


def test_holm_keeps_the_order_and_never_falls():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def difference(mean: float, half: float) -> Paired:
    """A difference whose 95 % interval reaches `half` to both sides, and that of two one-sided tests 0.85 of it."""
    return Paired(
        Estimate(mean, mean - half, mean + half, half, 10, "seeds"), None, None, mean - 0.85 * half, mean + 0.85 * half, 0.01, None
    )


@pytest.mark.parametrize(
    "mean, half, p, word",
    [
        (0.20, 0.05, 0.01, "better"),
        (-0.20, 0.05, 0.01, "worse"),
        (0.20, 0.05, 0.06, "undecided"),  # the interval says so, the exact test doesn't
        (0.10, 0.15, 0.01, "undecided"),
        (0.01, 0.02, 0.4, "no difference that matters"),
        (0.02, 0.01, 0.001, "no difference that matters"),  # surely above 0, and surely too small to matter
        (0.03, 0.03, 0.001, "undecided"),
        (0.00, 0.055, 1.0, "no difference that matters"),  # by two one-sided tests, at 90 %
        (0.00, 0.060, 1.0, "undecided"),
    ],
)
def test_words_follow_from_figures(mean, half, p, word):
    assert verdict_of(difference(mean, half), p, 0.05, 0.95) == word


def test_no_interval_is_undecided():
    assert (
        verdict_of(Paired(Estimate(0.5, None, None, None, 1, "seeds"), None, None, None, None, 1.0, None), 0.001, 0.05, 0.95) == "undecided"
    )


@pytest.mark.parametrize("seeds, true", [(10, 0.0), (20, 0.0), (20, 0.05)])
def test_verdicts_are_seldom_wrong(seeds, true):
    """Where there is no difference, better and worse together are said in at most 5 %; where it matters just so, "no difference" in at most 5 %."""
    rng = np.random.default_rng(seeds)
    words = []
    for _ in range(400):
        shared = rng.normal(0.5, 0.1, seeds)
        first, second = (np.round(shared + rng.normal(shift, 0.04, seeds), 2) for shift in (true, 0.0))
        made = paired(first.tolist(), second.tolist(), "seeds", **(POLICY | {"resamples": 9}))
        words.append(verdict_of(made, made.p, 0.05, 0.95))
    wrong = {"better", "worse"} if true == 0.0 else {"no difference that matters", "worse"}
    share = sum(word in wrong for word in words) / len(words)
    assert share <= 0.05 + 2.6 * math.sqrt(0.05 * 0.95 / 400)  # 400 draws of a rate of 5 % stay below this in 99.5 of 100
