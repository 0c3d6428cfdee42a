"""Entities and relations of the chosen tables, from all that was found about them.

Takes a Mine; gives the parts of a DomainModel. Names are snake_case and told apart within the model; the source's own stay beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from worldwright.domain.mine.sqlite.facets import facet_of
from worldwright.domain.mine.sqlite.guards import Around
from worldwright.domain.mine.sqlite.joins import Join
from worldwright.domain.mine.sqlite.keys import Key
from worldwright.domain.mine.sqlite.kinds import Typed
from worldwright.domain.mine.sqlite.layout import Column, Layout, Table
from worldwright.domain.mine.sqlite.lifecycles import find_lifecycle
from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.mine.sqlite.part import Part
from worldwright.domain.mine.sqlite.profile import Profile, quantiles, scalar, spread
from worldwright.domain.mine.sqlite.states import Status
from worldwright.domain.model import Entity, Evidence, Field, FieldType, Lifecycle, Relation
from worldwright.domain.names import distinct

__all__ = ["Mine", "entities", "relations"]

_RANGED = ("integer", "number", "money", "date", "datetime", "time")


class Mine(msgspec.Struct, frozen=True):
    """All that was found in a file; `part` says which tables make the model."""

    file: Opened
    layout: Layout
    profiles: dict[str, dict[str, Profile]]
    kinds: dict[str, dict[str, Typed]]
    keys: dict[str, Key]
    joins: list[Join]
    statuses: dict[str, Status]
    part: Part

    def tables(self) -> list[Table]:
        """The chosen tables."""
        return [one for one in self.layout.tables if one.name in self.part.tables]

    def entity_of(self, table: str) -> str:
        """The entity's name of a chosen table."""
        return distinct([one.name for one in self.tables()], "table")[table]

    def field_of(self, table: str, column: str) -> str:
        """The field's name of a column."""
        return distinct([one.name for one in self.layout.table(table).columns], "column")[column]

    def joined(self) -> list[Join]:
        """The joins between chosen tables whose columns can be read."""
        return [
            one
            for one in self.joins
            if {one.table, one.to} <= set(self.part.tables)
            and not any(self.profiles[one.table][name].fault for name in one.columns)
            and not any(self.profiles[one.to][name].fault for name in one.to_columns)
        ]


def entities(work: Mine) -> list[Entity]:
    """The chosen tables as entities."""
    around = Around(work.file, work.layout, work.joins, work.profiles, work.kinds, work.field_of)
    lives = {name: find_lifecycle(around, work.layout.table(name), one) for name, one in work.statuses.items() if name in work.part.tables}
    histories = {one.where for life in lives.values() if life.order == "history" for one in life.evidence}
    lives = {name: life for name, life in lives.items() if name not in histories or life.order != "unknown"}
    return [_entity(work, table, lives.get(table.name)) for table in work.tables()]


def _entity(work: Mine, table: Table, life: Lifecycle | None) -> Entity:
    key = work.keys[table.name]
    facet, why = facet_of(table, work.kinds[table.name], work.joins, life is not None)
    readable = [one for one in table.columns if not work.profiles[table.name][one.name].fault]
    return Entity(
        name=work.entity_of(table.name),
        facet=facet,
        table=table.name,
        key=[work.field_of(table.name, one) for one in key.columns],
        fields=[_field(work, table, one) for one in readable],
        rows=table.rows or 0,
        key_confidence=key.confidence,
        about=table.about,
        lifecycle=life,
        evidence=[key.why, *why],
    )


def _field(work: Mine, table: Table, column: Column) -> Field:
    profile, kind = work.profiles[table.name][column.name], work.kinds[table.name][column.name]
    key = work.keys[table.name].columns
    leads = next((one for one in work.joins if one.table == table.name and column.name in one.columns), None)
    is_reference = any(one.table == table.name and column.name in one.columns for one in work.joined())
    name_only = is_reference or column.name in key or kind.type == "reference"
    type_: FieldType = "reference" if is_reference else kind.type
    has_range = kind.type in _RANGED and not name_only
    values = list(kind.values) or _state_values(work, table, column)
    return Field(
        name=work.field_of(table.name, column.name),
        column=column.name,
        type=type_,
        nullable=_is_nullable(table, column, key, profile),
        unique=(column.name,) in (key, *table.unique),
        values=values,
        least=scalar(kind.least) if has_range and kind.least is not None else None,
        most=scalar(kind.most) if has_range and kind.most is not None else None,
        unit=kind.unit,
        form=kind.form,
        declared=column.declared,
        default=column.default,
        generated=column.generated,
        about=column.about,
        distribution=spread(profile, {} if name_only else kind.measured, kind.type != "blob" and column.name not in key),
        evidence=[*kind.evidence, *_left_out(work, leads), *_dangling(work, table, column)],
    )


def _state_values(work: Mine, table: Table, column: Column) -> list[Any]:
    """The states, as the values of their field."""
    status = work.statuses.get(table.name)
    return list(status.values) if status is not None and status.column == column.name else []


def _is_nullable(table: Table, column: Column, key: Sequence[str], profile: Profile) -> bool:
    if column.notnull or (column.name in key and not profile.nulls):
        return False
    return not (len(table.key) == 1 and column.place == 1 and column.declared.upper() == "INTEGER")


def _left_out(work: Mine, leads: Join | None) -> Iterator[Evidence]:
    """A reference to a table that isn't in the model."""
    if leads is not None and leads.to not in work.part.tables:
        where = f"{leads.table}({', '.join(leads.columns)})"
        yield Evidence(where, f"refers to {leads.to}({', '.join(leads.to_columns)}), which is left out of the model", leads.filled)


def _dangling(work: Mine, table: Table, column: Column) -> Iterator[Evidence]:
    """A declared reference that leads to no table or column of the file."""
    joined = {one.columns for one in work.joins if one.table == table.name and one.declared}
    for key in table.foreign:
        if column.name in key.columns and key.columns not in joined:
            to = f"{key.table}({', '.join(key.to_columns)})"
            yield Evidence(f"{table.name}({', '.join(key.columns)})", f"declared to refer to {to}, which isn't there", table.rows or 0)


def relations(work: Mine) -> list[Relation]:
    """The joins between chosen tables as relations."""
    return [_relation(work, one) for one in work.joined()]


def _relation(work: Mine, one: Join) -> Relation:
    shown = ", ".join(map(quoted, one.columns))
    filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in one.columns)
    sql = f"SELECT n, count(*) FROM (SELECT count(*) AS n FROM main.{quoted(one.table)} WHERE {filled} GROUP BY {shown}) GROUP BY n"
    return Relation(
        from_=work.entity_of(one.table),
        fields=[work.field_of(one.table, name) for name in one.columns],
        to=work.entity_of(one.to),
        to_fields=[work.field_of(one.to, name) for name in one.to_columns],
        kind="one-to-one" if one.is_single else "many-to-one",
        declared=one.declared,
        confidence=one.confidence,
        fan=quantiles(dict(work.file.rows(sql))),
        evidence=list(one.evidence),
    )
