"""A verdict in words, with the rows that broke each check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldwright.verifier import Verdict

__all__ = ["verdict_lines"]


def verdict_lines(verdict: Verdict, most: int = 6) -> list[str]:
    """The verdict, then each check, failed ones with their rows."""
    reward = "no reward" if verdict.reward is None else f"reward {verdict.reward}"
    out = [f"verdict: {verdict.status} ({reward}){': ' + verdict.reason if verdict.reason else ''}"]
    out += [f"  finding: {finding}" for finding in verdict.findings]
    if verdict.met:
        out.append(f"  measured against: {verdict.met}")
    for check in verdict.checks:
        out.append(f"  {'ok  ' if check.ok else 'FAIL'} {check.kind}: {check.name}")
        for row in check.rows[:most]:
            out.append(f"         {_row(row)}")
        if check.total > most:
            out.append(f"         ... and {check.total - most} more")
    return out


def _row(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {_cell(value)}" for key, value in row.items())


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} {_cell(item)}" for key, item in value.items()) + "}"
    return str(value)
