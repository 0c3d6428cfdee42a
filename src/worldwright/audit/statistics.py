"""Bounds on rates, exact and one-sided unless said otherwise.

Clopper-Pearson (C. J. Clopper, E. S. Pearson, Biometrika 26, 1934) inverts the binomial test; it never undercovers,
whatever n and the rate are. Its validity needs n fixed before the first trial, and trials that did not choose what is
reported.
"""

from __future__ import annotations

import math

import msgspec

__all__ = ["Rate", "clean_bound", "lower", "rate", "upper"]

CONFIDENCE = 0.95


class Rate(msgspec.Struct, frozen=True):
    """`wrong` of `n` units, with its one-sided upper bound (`most`) and lower bound (`least`) at 95 %.

    `unit` says what one of n is, `labelled_by` who says what was right, `selection` whether the same units chose what is
    reported. Without them a rate may not be printed.
    """

    wrong: int
    n: int
    most: float
    least: float
    unit: str
    labelled_by: str
    selection: str

    def __str__(self) -> str:
        if not self.n:
            return f"not measured (0 {self.unit})"
        return f"{self.wrong} of {self.n} {self.unit} (at most {self.most:.1%} at 95 %; labelled by {self.labelled_by}; {self.selection})"


def upper(wrong: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The upper bound of a rate; 1.0 where nothing was tried. Raises ValueError unless 0 <= wrong <= n."""
    _checked(wrong, n)
    if wrong == n:
        return 1.0
    if wrong == 0:
        return -math.expm1(math.log1p(-confidence) / n)
    from scipy.special import betaincinv  # half of a command's start, so not before a rate is wanted

    return float(betaincinv(wrong + 1, n - wrong, confidence))


def lower(wrong: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The lower bound of a rate; 0.0 where nothing was tried. Raises ValueError unless 0 <= wrong <= n."""
    _checked(wrong, n)
    if wrong == 0:
        return 0.0
    from scipy.special import betaincinv

    return float(betaincinv(wrong, n - wrong + 1, 1 - confidence))


def clean_bound(n: int, confidence: float = CONFIDENCE) -> float:
    """The upper bound after n trials without a failure: 1 - (1 - confidence) ** (1 / n)."""
    return upper(0, n, confidence)


def rate(wrong: int, n: int, *, unit: str, labelled_by: str, selection: str) -> Rate:
    """A rate with all that must be said of it."""
    return Rate(wrong, n, upper(wrong, n), lower(wrong, n), unit, labelled_by, selection)


def _checked(wrong: int, n: int) -> None:
    if not 0 <= wrong <= n:
        raise ValueError(f"{wrong} of {n} is no rate")
