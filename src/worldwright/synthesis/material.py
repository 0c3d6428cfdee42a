"""Material: a domain model's entities as tables of a world, and where their rows come from.

Takes a model of a trade (rows are made, seed by seed) or of a database (rows are a sample of the real ones). Every entity and
field becomes a table and a column, or is dropped with a reason.
"""

from __future__ import annotations

import msgspec

from worldwright.domain.model import DomainModel, Entity, Field, Relation
from worldwright.domain.names import singular, snake
from worldwright.synthesis.draft import Column, Table

__all__ = ["Dropped", "Material", "cents_in", "column_name", "label_of", "tables_of"]

_TAKEN = frozenset({"calls", "changes", "answer", "messages", "policy", "new", "before", "event_log"})
"""Names that the engine or the forge uses itself."""
_LABELS = ("name", "full_name", "title", "label", "subject", "description", "email")


class Dropped(msgspec.Struct, frozen=True):
    """An entity or field that isn't in the world, and why."""

    what: str
    why: str


class Material(msgspec.Struct):
    """Tables by entity. `rows` is how many rows to make of each; `database` the source's bytes with its `selects` and `keep` rules."""

    model: DomainModel
    tables: dict[str, Table]
    dropped: list[Dropped]
    rows: dict[str, int] = {}
    database: bytes | None = None
    selects: dict[str, str] = {}
    keep: dict[str, object] = {}
    why_no_norm: str = ""
    """For a database: why there is no policy of a kind."""

    @property
    def is_real(self) -> bool:
        """Whether the rows are those of a source."""
        return self.database is not None

    def relations(self, entity: str) -> list[Relation]:
        """The relations that lead from an entity to another table of the world, over one field."""
        return [one for one in self.model.relations if one.from_ == entity and len(one.fields) == 1 and one.to in self.tables]


def tables_of(
    model: DomainModel, entities: list[Entity], left_out: dict[tuple[str, str], str] | None = None
) -> tuple[dict[str, Table], list[Dropped]]:
    """Tables for these entities; `left_out` says why a field isn't taken."""
    names = _names(entities)
    out: dict[str, Table] = {}
    dropped: list[Dropped] = []
    for entity in entities:
        columns = []
        for field in entity.fields:
            why = (left_out or {}).get((entity.name, field.name), "") or ("bytes, which no tool shows" if field.type == "blob" else "")
            if why:
                dropped.append(Dropped(f"{entity.name}.{field.name}", why))
            else:
                columns.append(_column(model, entity, field, names))
        one, many = names[entity.name]
        status = entity.lifecycle.field if entity.lifecycle is not None else ""
        table = Table(
            many, entity.name, one, many, column_name(entity, entity.key[0]), tuple(columns), entity.facet, label_of(entity), status
        )
        out[entity.name] = table
    return out, dropped


def _names(entities: list[Entity]) -> dict[str, tuple[str, str]]:
    """For each entity what one row and several are called."""
    out: dict[str, tuple[str, str]] = {}
    taken: set[str] = set(_TAKEN)
    for entity in entities:
        words = snake(entity.name, "thing").split("_")
        one = "_".join([*words[:-1], singular(words[-1])])
        many = _plural(one)
        if many in taken or one == many:
            many = f"{one}_rows"
        taken.add(many)
        out[entity.name] = (one, many)
    return out


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def cents_in(field: Field) -> int:
    """How many cents one of a money field's own units is: 1 where it counts cents or other whole numbers, 100 where it has decimals."""
    return 1 if not field.form or "whole" in field.form or "cents" in field.unit else 100


def column_name(entity: Entity, name: str) -> str:
    """What a field is called as a column: money says that it is in cents."""
    field = next(one for one in entity.fields if one.name == name)
    return f"{name}_cents" if field.type == "money" and not name.endswith("_cents") else name


def _column(model: DomainModel, entity: Entity, field: Field, names: dict[str, tuple[str, str]]) -> Column:
    relation = next((one for one in model.relations if one.from_ == entity.name and one.fields == [field.name] and one.to in names), None)
    kind = field.type
    if kind == "reference":
        target = next((one for one in model.entities if relation is not None and one.name == relation.to), None)
        key = next((one for one in target.fields if one.name == target.key[0]), None) if target is not None else None
        kind = (
            key.type if key is not None and key.type != "reference" else "integer" if field.declared.upper().startswith("INT") else "text"
        )
    is_key = entity.key == [field.name]
    values = tuple(field.values) if field.type in ("text", "integer", "boolean") and not is_key else ()
    return Column(
        column_name(entity, field.name),
        kind,
        field.nullable and not is_key,
        values,
        names[relation.to][1] if relation is not None else "",
        f"{entity.name}.{field.name}",
    )


def label_of(entity: Entity) -> str:
    """The field that people call a row by; "" if there is none."""
    texts = {one.name: one for one in entity.fields if one.type == "text" and not one.values and [one.name] != entity.key}
    found = next((name for name in _LABELS if name in texts), "")
    return found or next((name for name in texts if name.endswith("_name")), "")
