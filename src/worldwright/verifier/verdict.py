"""What grading gives: a status, and checks that explain themselves with rows.

`pass` is reward 1 and `fail` reward 0; `error` (the task or the world is broken) and `unknown` (nothing to judge by)
carry no reward and are never trained on.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

import msgspec

__all__ = ["MOST_ROWS", "Check", "Outline", "Status", "Verdict"]

MOST_ROWS = 20
"""The most rows that a check keeps."""


class Status(enum.StrEnum):
    """The verdict proper."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"
    UNKNOWN = "unknown"


class Check(msgspec.Struct, frozen=True):
    """One check's outcome: `rows` are the first of `total` rows that broke it."""

    name: str
    kind: str
    ok: bool
    rows: tuple[dict[str, Any], ...] = ()
    total: int = 0


class Verdict(msgspec.Struct, frozen=True):
    """A status with its reasons; `findings` are remarks on the grading itself (`verifier-overrun`, `state-lost`)."""

    status: Status
    checks: tuple[Check, ...] = ()
    findings: tuple[str, ...] = ()
    reason: str = ""
    met: str = ""

    @property
    def reward(self) -> int | None:
        """1, 0, or None where there is no verdict."""
        return {Status.PASS: 1, Status.FAIL: 0}.get(self.status)

    def failed(self) -> list[Check]:
        """The checks that did not hold."""
        return [check for check in self.checks if not check.ok]

    def outline(self) -> Outline:
        """The verdict without values."""
        failed = self.failed()
        shape = self.met, [(one.kind, one.name, one.total, [_differing(row) for row in one.rows]) for one in failed]
        return Outline(self.status, frozenset((one.kind, one.name) for one in failed), repr(shape))


class Outline(msgspec.Struct, frozen=True):
    """A verdict without values: which checks, by kind and name, `failed`, and in which `shape`: how many rows, which columns."""

    status: Status
    failed: frozenset[tuple[str, str]]
    shape: str


def _differing(row: Mapping[str, Any]) -> list[str]:
    found = row.get("differences")
    return [f"{one.get('column')} {one.get('why', '')}" for one in found.values()] if isinstance(found, Mapping) else []


def check(name: str, kind: str, rows: list[dict[str, Any]]) -> Check:
    """A check that holds if no row broke it."""
    return Check(name, kind, not rows, tuple(_plain(row) for row in rows[:MOST_ROWS]), len(rows))


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {key: _short(value) for key, value in row.items()}


def _short(value: Any) -> Any:
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, str) and len(value) > 500:
        return f"{value[:500]}... ({len(value):,} characters)"
    return _plain(value) if isinstance(value, dict) else value
