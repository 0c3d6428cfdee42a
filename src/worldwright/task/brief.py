"""`brief.yaml` as a record. The meaning of each field is in `docs/pack-format.md`."""

from __future__ import annotations

import msgspec

from worldwright.world.spec import ArgSpec

__all__ = ["Brief", "Limits"]


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an attempt may use: calls of tools, and characters of answer and messages."""

    calls: int = 50
    output: int = 20_000


class Brief(msgspec.Struct, frozen=True, omit_defaults=True):
    """`brief.yaml`."""

    title: str
    bind: str
    instruction: str
    show: list[str] = []
    concepts: list[str] = []
    answer: dict[str, ArgSpec] = {}
    limits: Limits = Limits()
    luck: float = 0.05
    until: str | None = None
    parties: list[str] = []
    paraphrases: list[str] = []
