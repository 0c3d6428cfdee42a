"""`cases.yaml`: runs that a person judged from brief and handbook alone."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Case"]


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """A plan with the verdict it must get; `seeds` only where it holds for some instances alone."""

    name: str
    verdict: Literal["pass", "fail"]
    plan: str
    seeds: list[int] = []
