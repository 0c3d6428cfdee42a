"""From numbers to intervals: means over seeds, paired differences, and the smallest difference that a design can detect.

Takes numbers of which each is one unit's (a seed's, a domain's), whatever was measured; gives estimates that say what the unit is
and how many there were. Raises ValueError for numbers that aren't finite, or don't pair. Promises the same figures for the same
numbers and seed. Doesn't make up what can't be had: with fewer than two units there is no interval, and it says so.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["Estimate", "Paired", "Verdict", "holm", "mean_of", "paired", "sign_flip", "smallest_detectable", "verdict_of"]

Verdict = str
"""`better`, `worse`, `no difference that matters` or `undecided`."""
BETTER, WORSE, SAME, UNDECIDED = "better", "worse", "no difference that matters", "undecided"


class Estimate(msgspec.Struct, frozen=True):
    """A mean over `n` units with its t interval (None with fewer than two), their standard deviation, and what a unit is."""

    mean: float
    low: float | None
    high: float | None
    sd: float | None
    n: int
    unit: str


class Paired(msgspec.Struct, frozen=True):
    """A paired difference, first minus second, over units that both have.

    `estimate` has the t interval; `low_bca` and `high_bca` are a bootstrap's; `p` is of the exact sign-flip test, two-sided;
    `low_two` and `high_two` bound the interval of two one-sided tests (at 1 - 2 alpha); `detectable` is the smallest true
    difference that this design would have found with the registered power.
    """

    estimate: Estimate
    low_bca: float | None
    high_bca: float | None
    low_two: float | None
    high_two: float | None
    p: float
    detectable: float | None


def mean_of(values: Sequence[float], unit: str, confidence: float) -> Estimate:
    """The mean with its t interval (Student, Biometrika 6, 1908): mean +- t(1 - alpha/2, n - 1) sd / sqrt(n)."""
    numbers = _finite(values)
    if not len(numbers):
        raise ValueError(f"no {unit} was measured, so there is no mean")
    mean = float(np.mean(numbers))
    if len(numbers) < 2:
        return Estimate(mean, None, None, None, len(numbers), unit)
    sd = float(np.std(numbers, ddof=1))
    half = _t_quantile((1 + confidence) / 2, len(numbers) - 1) * sd / math.sqrt(len(numbers))
    return Estimate(mean, mean - half, mean + half, sd, len(numbers), unit)


def paired(
    first: Sequence[float], second: Sequence[float], unit: str, *, confidence: float, power: float, resamples: int, seed: int
) -> Paired:
    """The difference of two measures of the same units, in the same order."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} {unit} don't pair")
    differences = _finite(first) - _finite(second)
    estimate = mean_of(differences.tolist(), unit, confidence)
    twice = mean_of(differences.tolist(), unit, 1 - 2 * (1 - confidence))
    low, high = bca(differences, confidence, resamples, seed)
    detectable = None if estimate.sd is None else smallest_detectable(estimate.sd, estimate.n, 1 - confidence, power)
    return Paired(estimate, low, high, twice.low, twice.high, sign_flip(differences.tolist()), detectable)


def bca(values: NDArray[np.float64], confidence: float, resamples: int, seed: int) -> tuple[float | None, float | None]:
    """The bias-corrected and accelerated bootstrap interval of the mean (B. Efron, JASA 82, 1987), by scipy.

    None under two values, and where it isn't defined because nearly all values are one.
    """
    if len(values) < 2:
        return None, None
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    from scipy.stats import bootstrap  # slow to import, and not needed before there are results

    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of degenerate data: the interval is then not a number, which is told as None
        made = bootstrap((values,), np.mean, n_resamples=resamples, confidence_level=confidence, method="BCa", rng=rng)
    low, high = float(made.confidence_interval.low), float(made.confidence_interval.high)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)


def sign_flip(differences: Sequence[float]) -> float:
    """The exact two-sided p of the sign-flip test (R. A. Fisher, The Design of Experiments, 1935, section 21).

    Under the hypothesis of no difference each unit's difference could as well have had the other sign; p is the share of all 2^n
    sign patterns whose sum is at least as far from 0 as the one seen. All patterns are counted, by halves of 2^(n/2) sums each.
    """
    values = np.abs(_finite(differences))
    seen = abs(float(np.sum(_finite(differences))))
    scale = float(np.sum(values))
    if not len(values) or scale == 0:
        return 1.0
    bound = seen - 1e-9 * scale  # sums that only differ by rounding count as equal
    half = len(values) // 2
    left, right = _sums(values[:half]), np.sort(_sums(values[half:]))
    above = len(right) - np.searchsorted(right, bound - left, side="left")
    below = np.searchsorted(right, -bound - left, side="right")
    if bound <= 0:
        return 1.0
    return float(np.sum(above) + np.sum(below)) / 2.0 ** len(values)


def smallest_detectable(sd: float, n: int, alpha: float, power: float) -> float | None:
    """The smallest true mean difference that a two-sided paired t test on n pairs finds with this power; None under two pairs.

    With a true difference d the statistic has a noncentral t distribution with n - 1 degrees of freedom and noncentrality
    d sqrt(n) / sd (J. Cohen, Statistical Power Analysis, 2nd ed. 1988, section 2.5; N. L. Johnson, S. Kotz and N. Balakrishnan,
    Continuous Univariate Distributions 2, 1995, chapter 31). `sd` is that of the observed differences.
    """
    if n < 2:
        return None
    if sd == 0:
        return 0.0
    from scipy.optimize import brentq
    from scipy.stats import nct

    bound = _t_quantile(1 - alpha / 2, n - 1)

    def lacking(shift: float) -> float:
        return float(nct.sf(bound, n - 1, shift) + nct.cdf(-bound, n - 1, shift)) - power

    upper = bound
    while lacking(upper) < 0:
        upper *= 1.5
    return float(brentq(lacking, 0.0, upper, xtol=1e-6)) * sd / math.sqrt(n)


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for being several (S. Holm, Scandinavian Journal of Statistics 6, 1979), in the order given."""
    out, most = [0.0] * len(values), 0.0
    for rank, n in enumerate(sorted(range(len(values)), key=lambda n: values[n])):
        most = max(most, min(1.0, (len(values) - rank) * values[n]))
        out[n] = most
    return out


def verdict_of(difference: Paired, p: float, smallest: float, confidence: float) -> Verdict:
    """The word for a difference; `p` is corrected for the number of comparisons.

    No difference that matters: two one-sided tests (D. J. Schuirmann, J. Pharmacokin. Biopharm. 15, 1987) place it within
    +-`smallest`. Better or worse: the t interval excludes 0 and p is at most 1 - confidence. Else undecided.
    """
    estimate = difference.estimate
    if estimate.low is None or estimate.high is None or difference.low_two is None or difference.high_two is None:
        return UNDECIDED
    if -smallest < difference.low_two and difference.high_two < smallest:
        return SAME
    if p > 1 - confidence + 1e-12:
        return UNDECIDED
    return BETTER if estimate.low > 0 else WORSE if estimate.high < 0 else UNDECIDED


def _finite(values: Sequence[float]) -> NDArray[np.float64]:
    numbers = np.asarray(values, dtype=np.float64)
    if not np.all(np.isfinite(numbers)):
        raise ValueError("a measure is no finite number")
    return numbers


def _sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums of all 2^n sign patterns."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums + value, sums - value))
    return sums


def _t_quantile(share: float, freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))
