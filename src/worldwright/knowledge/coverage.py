"""Coverage: how many tasks a pack has for each family, beside what was wanted, and where nothing is.

Takes counts of tasks by domain and pattern, and a profile (weights by the same; evenly where none is given); gives a table with gaps. A
profile is a CSV file with the columns domain, pattern, weight.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from worldwright.errors import UsageError

__all__ = ["Coverage", "Line", "Profile", "coverage_of", "read_profile"]

Profile = Mapping[tuple[str, str], float]
"""Weights by (domain, pattern); they need not add up to one."""


class Line(msgspec.Struct, frozen=True):
    """One family: tasks there, the share that was wanted and the share there is."""

    domain: str
    pattern: str
    tasks: int
    wanted: float
    got: float

    @property
    def is_gap(self) -> bool:
        """Whether something was wanted and nothing is there."""
        return self.wanted > 0 and self.tasks == 0


class Coverage(msgspec.Struct, frozen=True):
    """The table. `apart` is half the sum of what the shares differ by: 0 is exactly what was wanted, 1 nothing of it."""

    lines: tuple[Line, ...]
    apart: float

    def gaps(self) -> list[Line]:
        """Families that were wanted and aren't there."""
        return [one for one in self.lines if one.is_gap]


def coverage_of(
    tasks: Mapping[tuple[str, str], int], domains: Sequence[str], patterns: Sequence[str], profile: Profile | None = None
) -> Coverage:
    """The coverage of a pack's tasks over all pairs of these domains and patterns, and what the profile names beside them."""
    families = [(domain, pattern) for domain in domains for pattern in patterns]
    families += [one for one in [*(profile or {}), *tasks] if one not in families]
    weights = {one: profile.get(one, 0.0) for one in families} if profile else dict.fromkeys(families, 1.0)
    whole = sum(weights.values()) or 1.0
    every = sum(tasks.values()) or 1
    lines = tuple(Line(*one, tasks.get(one, 0), weights[one] / whole, tasks.get(one, 0) / every) for one in dict.fromkeys(families))
    return Coverage(lines, sum(abs(one.wanted - one.got) for one in lines) / 2)


def read_profile(path: Path) -> Profile:
    """A profile from its file. Raises UsageError, naming the line."""
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as fault:
        raise UsageError(f"{path}: {fault} (expected a CSV file with the columns domain, pattern, weight)") from fault
    out: dict[tuple[str, str], float] = {}
    for n, row in enumerate(rows, start=2):
        try:
            weight = float(row["weight"])
            family = (row["domain"].strip(), row["pattern"].strip())
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            raise UsageError(f"{path}:{n}: {dict(row)} (expected the columns domain, pattern and a number as weight)") from fault
        if not 0 <= weight < float("inf"):
            raise UsageError(f"{path}:{n}: the weight {row['weight']} (expected a number, 0 or more)")
        out[family] = out.get(family, 0.0) + weight
    if not any(out.values()):
        raise UsageError(f"{path}: no weight above 0 (expected at least one family that is wanted)")
    return out
