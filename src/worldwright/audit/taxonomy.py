"""The taxonomy of faults: codes, names and meanings, read from a file that people edit.

Takes nothing; gives records in the file's order.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from worldwright.files import decode_yaml

__all__ = ["FaultKind", "fault_kind", "taxonomy"]


class FaultKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of fault. Codes begin with A (wrong work is rewarded), R (right work is refused) or I (infrastructure)."""

    code: str
    name: str
    means: str


@cache
def taxonomy() -> tuple[FaultKind, ...]:
    """Every kind of fault."""
    text = resources.files("worldwright.audit").joinpath("taxonomy.yaml").read_text(encoding="utf-8")
    return tuple(decode_yaml(text, list[FaultKind], "taxonomy.yaml"))


def fault_kind(code: str) -> FaultKind | None:
    """The kind of fault with that code."""
    return next((one for one in taxonomy() if one.code == code), None)
