"""A changed verifier that is not compiled yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from worldwright.verifier import VerifierSpec
from worldwright.verifier.spec import Allowance

__all__ = ["FRAME", "Checks", "Direction", "Proposal", "allowance"]

Direction = Literal["weaker", "stricter", "shifted"]
"""It accepts more, less, or other things than the verifier."""
Checks = frozenset[tuple[str, str]]
"""Checks of a verdict by kind and name."""

FRAME = ("frame", "nothing else is changed")
"""The check that the agent changed nothing beside what is called for."""


class Proposal(msgspec.Struct, frozen=True):
    """`affects` are the checks whose outcome can change (None: any); `changed` is the field and the new text of what alone is changed."""

    name: str
    kind: str
    direction: Direction
    spec: VerifierSpec
    affects: Checks | None = None
    changed: tuple[str, str] | None = None


def allowance(op: str, table: str, rows: str | None = None, columns: Sequence[str] = ()) -> Allowance:
    """What the verifier's `allow` would say."""
    return msgspec.convert({op: table, "rows": rows, "columns": list(columns)}, Allowance)
