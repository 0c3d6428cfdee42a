"""`verifier.yaml` as records. The meaning of each field is in `docs/pack-format.md`."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Allowance", "Alternative", "Compute", "Expectation", "Query", "Source", "TextCheck", "VerifierSpec", "WrittenBy"]

StateType = Literal["money", "date", "time", "number", "id", "text"]


class Source(msgspec.Struct, frozen=True):
    """A file that the verifier's author was given."""

    path: str
    sha256: str


class WrittenBy(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who wrote the verifier, and what they saw."""

    kind: Literal["hand", "procedural", "model"]
    sees: list[str | Source] = []


class TextCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """Values that a text must state (`values`) and may state (`may`)."""

    type: StateType
    values: str
    may: str | None = None


class Expectation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes that the task calls for, in one table."""

    rows: str
    name: str = ""
    insert: str | None = None
    update: str | None = None
    delete: str | None = None
    open: list[str] = []
    wrong: str | None = None
    tolerance: dict[str, float] = {}
    loose: list[str] = []
    must_state: dict[str, list[TextCheck]] = {}
    must_not_state: dict[str, list[TextCheck]] = {}

    def target(self) -> tuple[str, str]:
        """(op, table)."""
        return target_of(self)


class Allowance(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes that neither help nor hurt."""

    insert: str | None = None
    update: str | None = None
    delete: str | None = None
    rows: str | None = None
    columns: list[str] = []

    def target(self) -> tuple[str, str]:
        """(op, table)."""
        return target_of(self)


def target_of(one: Expectation | Allowance) -> tuple[str, str]:
    """(op, table) of what names exactly one of insert, update, delete; ("", "") otherwise."""
    named = [(op, table) for op, table in (("insert", one.insert), ("update", one.update), ("delete", one.delete)) if table]
    return named[0] if len(named) == 1 else ("", "")


class Alternative(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of several right ends."""

    name: str
    expect: list[Expectation] = []
    answer: dict[str, str] = {}


class Compute(msgspec.Struct, frozen=True):
    """Rows made by a function over the tables before."""

    columns: list[str]
    code: str


class Query(msgspec.Struct, frozen=True):
    """A named query."""

    name: str
    rows: str


class VerifierSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """`verifier.yaml`."""

    written_by: WrittenBy
    define: dict[str, str] = {}
    compute: dict[str, Compute] = {}
    expect: list[Expectation] = []
    any_of: list[Alternative] = []
    allow: list[Allowance] = []
    answer: dict[str, str] = {}
    forbid: list[Query] = []
    demand: list[Query] = []
