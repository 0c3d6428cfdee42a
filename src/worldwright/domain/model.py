"""What a domain model says: one trade as entities, relations, lifecycles, policies and vocabulary, each with its evidence.

Takes a YAML file (`read_model`), gives a DomainModel; `encode_yaml` of `worldwright.files` writes one. Names are
snake_case; what the source calls a thing stays beside it (`table`, `column`). Every number that was measured says over how
many (`n`). Doesn't check meaning: that is `domain.lint`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from worldwright.errors import UsageError
from worldwright.files import decode_yaml

__all__ = [
    "FACETS",
    "FORMAT",
    "TYPES",
    "Clause",
    "Distribution",
    "DomainModel",
    "Entity",
    "Evidence",
    "Facet",
    "Field",
    "FieldType",
    "Guard",
    "Lifecycle",
    "Norm",
    "Origin",
    "Parameter",
    "Policy",
    "Relation",
    "Scalar",
    "Share",
    "Source",
    "State",
    "Term",
    "Test",
    "Transition",
    "read_model",
    "read_text",
]

FORMAT = 1
Scalar = str | int | float
Facet = Literal[
    "party",
    "case",
    "item",
    "asset",
    "resource",
    "document",
    "account",
    "ledger",
    "event",
    "location",
    "staff",
    "schedule",
    "other",
]
FieldType = Literal["text", "integer", "number", "money", "boolean", "date", "datetime", "time", "blob", "reference"]
FACETS: tuple[str, ...] = Facet.__args__  # type: ignore[attr-defined]
TYPES: tuple[str, ...] = FieldType.__args__  # type: ignore[attr-defined]


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something is believed: where it was seen, what was seen, and over how many."""

    where: str
    what: str
    n: int = 0


class Share(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value and its share of the values that are not null."""

    value: Scalar
    share: float


class Distribution(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the values of a field are spread.

    `quantiles` are those at 5, 25, 50, 75 and 95 percent (of a text's length in characters), `shares` the most frequent
    values where few values make up the column, `nulls` the share of rows without a value, `n` the rows looked at.
    """

    n: int
    nulls: float = 0.0
    distinct: int = 0
    quantiles: list[Scalar] = []
    shares: list[Share] = []


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of an entity.

    `form` says how a date, time or amount is written; `unit` in what it is counted; `generated` by which expression of other fields
    it is computed; `declared` is the type that the source states.
    """

    name: str
    column: str
    type: FieldType
    nullable: bool = True
    unique: bool = False
    values: list[Scalar] = []
    least: Scalar | None = None
    most: Scalar | None = None
    unit: str = ""
    form: str = ""
    declared: str = ""
    default: str = ""
    generated: str = ""
    about: str = ""
    distribution: Distribution | None = None
    evidence: list[Evidence] = []


class Guard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What must hold for a transition: the fields that it looks at, and the condition in words."""

    says: str
    fields: list[str] = []
    evidence: list[Evidence] = []


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A state of a lifecycle; `n` rows are in it now."""

    name: str
    n: int = 0
    about: str = ""


class Transition(msgspec.Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """A step from one state to another, seen `n` times."""

    from_: str
    to: str
    n: int = 0
    guards: list[Guard] = []
    evidence: list[Evidence] = []


class Lifecycle(msgspec.Struct, frozen=True, omit_defaults=True):
    """The states that a field moves through.

    `order` says where the transitions come from: a `history` of changes, `dates` of the same row, a `person`, or `unknown`. `unseen`
    are states that the source lists and that nothing was seen to lead to.
    """

    field: str
    states: list[State]
    order: Literal["history", "dates", "person", "unknown"] = "unknown"
    start: list[str] = []
    ends: list[str] = []
    unseen: list[str] = []
    transitions: list[Transition] = []
    evidence: list[Evidence] = []


class Entity(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of thing that the trade deals with.

    `rows` is how many the source has; `key_confidence` is 1 for a declared key (docs/domain-models.md has the formula for others).
    """

    name: str
    facet: Facet
    table: str
    key: list[str]
    fields: list[Field]
    rows: int = 0
    about: str = ""
    lifecycle: Lifecycle | None = None
    evidence: list[Evidence] = []
    key_confidence: float = 1.0


class Relation(msgspec.Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """Fields of one entity that name a row of another.

    `confidence` is 0 to 1 (docs/domain-models.md has the formula); `fan` says how many rows name one row, among those that are named:
    at 5, 25, 50, 75 and 95 percent.
    """

    from_: str
    fields: list[str]
    to: str
    to_fields: list[str]
    kind: Literal["many-to-one", "one-to-one"] = "many-to-one"
    declared: bool = False
    confidence: float = 1.0
    fan: list[int] = []
    evidence: list[Evidence] = []


class Origin(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a rule stands, and under which licence its words may be used."""

    where: str
    licence: str = ""


class Parameter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number or word that a rule turns on; whole numbers may be drawn from `least` to `most` in steps of `step`."""

    value: Scalar
    unit: str = ""
    least: int | None = None
    most: int | None = None
    step: int = 1


class Test(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition on a field of the row that is decided, or (`entity.field`) on one of a row that it refers to.

    It compares with `value`, or with a parameter of the policy. With `since` (another date field, `now`, or an ISO date) the days
    from there to `field` are compared. A field without a value meets no test but `is not` and `not in`.
    """

    field: str
    op: Literal["is", "is not", "in", "not in", "over", "at least", "under", "at most"]
    value: Scalar | list[Scalar] | None = None
    parameter: str = ""
    since: str = ""


class Clause(msgspec.Struct, frozen=True, omit_defaults=True):
    """A clause of a norm: what it says in words (`{name}` stands for a parameter), and what follows where all its tests hold.

    `share` names the parameter that says how many percent of the norm's amount are due ("" where nothing is).
    """

    says: str
    then: str
    when: list[Test] = []
    share: str = ""
    exception: bool = False


class Norm(msgspec.Struct, frozen=True, omit_defaults=True):
    """A policy as a machine can apply it: the first clause whose tests all hold decides; the last one has no test.

    `on` is the entity whose rows are decided, `kind` what is decided: what is due (`remedy`), who takes it (`route`), who must
    agree (`approval`). `amount` is the money field that shares are of.
    """

    on: str
    kind: Literal["remedy", "route", "approval"]
    clauses: list[Clause]
    title: str = ""
    amount: str = ""

    def outcomes(self) -> list[str]:
        """What can follow, in the clauses' order."""
        return list(dict.fromkeys(clause.then for clause in self.clauses))


class Policy(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule of the trade."""

    id: str
    rule: str
    source: Origin
    parameters: dict[str, Parameter] = {}
    exceptions: list[str] = []
    applies_to: list[str] = []
    evidence: list[Evidence] = []
    norm: Norm | None = None


class Term(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word of the trade: what it means, and the entity or `entity.field` that it belongs to."""

    word: str
    of: str = ""
    means: str = ""
    aliases: list[str] = []


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the model was mined from; `digest` is the SHA-256 of its bytes."""

    kind: str
    name: str
    digest: str = ""
    size: int = 0
    tables: int = 0
    rows: int = 0
    licence: str = ""


class DomainModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trade."""

    name: str
    about: str
    source: Source
    entities: list[Entity]
    relations: list[Relation] = []
    policies: list[Policy] = []
    vocabulary: list[Term] = []
    evidence: list[Evidence] = []
    format: int = FORMAT


def read_model(path: Path) -> DomainModel:
    """The model in a YAML file. Raises UsageError if it can't be read, PackError (file, line, field) if it isn't a model."""
    return decode_yaml(read_text(path), DomainModel, str(path))


def read_text(path: Path) -> str:
    """The text of a model's file. Raises UsageError."""
    if path.is_dir():
        raise UsageError(f"{path}: a folder (expected the YAML file of a domain model)")
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"{path}: not found (expected the YAML file of a domain model; `worldwright mine` writes one)") from None
    except UnicodeDecodeError as fault:
        raise UsageError(f"{path}: not UTF-8 text at byte {fault.start} (expected the YAML file of a domain model)") from None
