"""Material from a database: its real rows as the tables of a world, and policies proposed from what stands in them.

Takes a SQLite file; gives a `Reading`, and of it material for as many worlds as wanted. Dates become ISO, money whole cents, flags 0
and 1; whatever can't be is dropped with a reason. Rows are a sample in which no reference leads nowhere; each seed of a world takes a
part of it in the same way. The policies are ours, not the source's: what they turn on are its columns and values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw
import msgspec

from worldwright.domain.mine.sqlite import Mined, mine
from worldwright.domain.mine.sqlite.dates import read_dates
from worldwright.domain.model import DomainModel, Entity, Field, Policy
from worldwright.errors import UsageError
from worldwright.synthesis.draft import Table, quoted
from worldwright.synthesis.material import Dropped, Material, cents_in, column_name, tables_of
from worldwright.synthesis.proposed import propose, why_none
from worldwright.synthesis.ruling import group_of

__all__ = ["POOL", "Reading", "material_of", "read_database"]

POOL = 4_000
"""Rows of the source that the worlds of it draw from."""
_MOST_TABLES = 12
_GROUPS = 12
_SMALL = 40


class Reading(msgspec.Struct):
    """A database that was read: the model, its rows by entity in the world's forms, and why fields and entities are left out."""

    model: DomainModel
    rows: dict[str, list[dict[str, Any]]]
    left_out: dict[tuple[str, str], str]
    without: dict[str, str]
    totals: dict[str, dict[str, int]]
    digest: str

    def pool_rows(self, material: Material) -> int:
        """How many rows of the source a world of this material draws from."""
        return sum(len(self.rows.get(name, ())) for name in material.tables)

    def dropped(self, material: Material) -> tuple[tuple[str, str], ...]:
        """Entities that aren't in the world, with the reason."""
        return tuple((name, why) for name, why in self.without.items()) + tuple(
            (one.name, "no pattern needs it, and the world has tables enough")
            for one in self.model.entities
            if one.name not in material.tables and one.name not in self.without
        )


def read_database(path: Path) -> Reading:
    """Mine a file and read its rows. Raises UsageError where it can't be read, or where mining lost something silently."""
    mined = mine(path, rows=POOL)
    if mined.account.missing:
        raise UsageError(f"{path}: mining lost something silently ({mined.account.missing[0]}), so that nothing is built of it")
    rows: dict[str, list[dict[str, Any]]] = {}
    left_out: dict[tuple[str, str], str] = {}
    without: dict[str, str] = {}
    for entity in mined.model.entities:
        if len(entity.key) != 1:
            without[entity.name] = (
                f"its key has {len(entity.key)} columns, and a tool names a row by one" if entity.key else "nothing tells its rows apart"
            )
        elif not mined.sample.rows.get(entity.name):
            without[entity.name] = "no row of it is in the sample"
        else:
            rows[entity.name] = _converted(entity, mined, left_out)
    model, rows = _closed(_typed(mined.model, left_out), rows, without)
    return Reading(model, rows, left_out, without, mined.account.totals(), mined.account.digest)


def _converted(entity: Entity, mined: Mined, left_out: dict[tuple[str, str], str]) -> list[dict[str, Any]]:
    """The sample's rows of an entity in the world's forms."""
    raw = mined.sample.rows[entity.name]
    out: list[dict[str, Any]] = [{} for _ in raw]
    for field in entity.fields:
        values = [row[field.column] for row in raw]
        made, why = _column(field, values, is_key=entity.key == [field.name])
        if why:
            left_out[entity.name, field.name] = why
            continue
        for row, value in zip(out, made, strict=True):
            row[column_name(entity, field.name)] = value
    key = column_name(entity, entity.key[0])
    seen: dict[Any, dict[str, Any]] = {}
    for row in out:
        if row.get(key) is not None:
            seen.setdefault(row[key], row)
    return list(seen.values())


def _column(field: Field, values: Sequence[Any], is_key: bool) -> tuple[list[Any], str]:
    """A column's values in the world's form, or why it can't have one."""
    filled = [one for one in values if one is not None]
    if any(isinstance(one, bytes) for one in filled):
        return [], "bytes, which no tool shows"
    if not filled and not is_key:
        return [], "no value in any row of the sample"
    if field.type in ("date", "datetime"):
        read = read_dates(Counter(filled), may_be_numbers=True)
        if read is None:
            return [], "its values don't read as dates"
        return [read.iso.get(one) if one is not None else None for one in values], ""
    if field.type == "integer" and not all(isinstance(one, int) or (isinstance(one, float) and one.is_integer()) for one in filled):
        return [None if one is None else str(one) for one in values], ""
    form = _forms(field).get(field.type)
    return [one if one is None or form is None else form(one) for one in values], ""


def _forms(field: Field) -> dict[str, Callable[[Any], Any]]:
    """What a value becomes, by type; nothing where it stays as it is."""
    factor = cents_in(field)
    return {
        "money": lambda one: _cents(one, factor),
        "boolean": lambda one: int(str(one).strip().lower() in ("1", "true", "t", "yes", "y")),
        "integer": int,
        "number": lambda one: float(one) if isinstance(one, (int, float)) else None,
        "text": str,
    }


def _cents(value: Any, factor: int) -> int | None:
    if isinstance(value, str):
        digits = "".join(sign for sign in value if sign.isdigit() or sign in ".-")
        try:
            value = float(digits)
        except ValueError:
            return None
    return int(float(value) * factor + (0.5 if value >= 0 else -0.5))


def _typed(model: DomainModel, left_out: Mapping[tuple[str, str], str]) -> DomainModel:
    """The model without the fields that are left out, and relations over them."""
    entities = [
        msgspec.structs.replace(one, fields=[field for field in one.fields if (one.name, field.name) not in left_out])
        for one in model.entities
    ]
    relations = [
        one
        for one in model.relations
        if not any((one.from_, name) in left_out for name in one.fields) and not any((one.to, name) in left_out for name in one.to_fields)
    ]
    return msgspec.structs.replace(model, entities=entities, relations=relations)


def _closed(
    model: DomainModel, rows: dict[str, list[dict[str, Any]]], without: Mapping[str, str]
) -> tuple[DomainModel, dict[str, list[dict[str, Any]]]]:
    """Only entities with rows, and only relations to their keys whose every value is there."""
    entities = {one.name: one for one in model.entities if one.name in rows and one.name not in without}
    kept = []
    for one in model.relations:
        if one.from_ not in entities or one.to not in entities or len(one.fields) != 1 or one.to_fields != entities[one.to].key:
            continue
        column = column_name(entities[one.from_], one.fields[0])
        target = column_name(entities[one.to], one.to_fields[0])
        there = {row[target] for row in rows[one.to]}
        if all(row.get(column) is None or row[column] in there for row in rows[one.from_]):
            kept.append(one)
    fields = {name: _nullable(one, rows[name]) for name, one in entities.items()}
    return msgspec.structs.replace(model, entities=list(fields.values()), relations=kept), {name: rows[name] for name in entities}


def _nullable(entity: Entity, rows: Sequence[Mapping[str, Any]]) -> Entity:
    """The entity with fields as the rows have them: nullable where a value is missing, listed values only where they are all there is."""
    fields = []
    for field in entity.fields:
        values = [row.get(column_name(entity, field.name)) for row in rows]
        listed = field.values if field.values and all(one is None or one in field.values for one in values) else []
        kind = field.type
        if kind in ("integer", "money", "boolean") and any(isinstance(one, str) for one in values):
            kind = "text"
        if kind == "reference":
            kind = "integer" if all(one is None or isinstance(one, int) for one in values) else "text"
        fields.append(msgspec.structs.replace(field, nullable=None in values, values=list(listed), type=kind))
    return msgspec.structs.replace(entity, fields=fields)


# ---- a world of it


def material_of(reading: Reading, variant: int) -> Material:
    """Material for a world: the tables around what its policies decide on. Raises UsageError where no policy can be proposed at all."""
    policies = propose(reading.model, reading.rows, variant)
    model = msgspec.structs.replace(reading.model, policies=policies)
    chosen = _chosen(model, policies)
    tables, dropped = tables_of(model, [one for one in model.entities if one.name in chosen])
    dropped += [Dropped(f"{entity}.{field}", why) for (entity, field), why in reading.left_out.items()]
    material = Material(model, tables, dropped)
    material.why_no_norm = why_none(reading.model, reading.rows)
    material.database = _database(material, reading.rows)
    material.selects = {
        one.name: f"SELECT {', '.join(quoted(column.name) for column in one.columns)} FROM {quoted(one.name)}" for one in tables.values()
    }
    material.keep = _keep(material, reading.rows)
    return material


def _chosen(model: DomainModel, policies: Sequence[Policy]) -> set[str]:
    """The entities that policies decide on and look at, what these refer to, and others around them."""
    wanted = {policy.norm.on for policy in policies if policy.norm is not None} or {one.name for one in model.entities[:3]}
    order = sorted(model.entities, key=lambda one: -one.rows)
    for _ in range(3):
        wanted |= {one.to for one in model.relations if one.from_ in wanted}
    for entity in order:
        near = any(
            (one.from_ == entity.name and one.to in wanted) or (one.to == entity.name and one.from_ in wanted) for one in model.relations
        )
        if near and len(wanted) < _MOST_TABLES:
            wanted.add(entity.name)
            wanted |= {one.to for one in model.relations if one.from_ == entity.name}
    return wanted


def _database(material: Material, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """The pool as a SQLite file; the same bytes for the same rows."""
    db = apsw.Connection(":memory:")
    try:
        db.execute("BEGIN")
        for table in material.tables.values():
            columns = ", ".join(f"{quoted(one.name)} {one.sql}" for one in table.columns)
            db.execute(f"CREATE TABLE {quoted(table.name)} ({columns})")
            marks = ", ".join("?" for _ in table.columns)
            for row in rows[table.entity]:
                db.execute(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", tuple(row.get(one.name) for one in table.columns))
        db.execute("COMMIT")
        return bytes(db.serialize("main"))
    finally:
        db.close()


def _keep(material: Material, rows: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Which rows a seed sees: some of what things are gathered by, what hangs on these, and small tables whole."""
    keep: dict[str, Any] = {}
    for policy in material.model.policies:
        if policy.norm is None or policy.norm.on not in material.tables:
            continue
        group = group_of(material, policy.norm.on)
        if group is None:
            continue
        at = policy.norm.on
        chain = [at] + [hop.entity for hop in group.hops]
        keep.setdefault(material.tables[chain[-1]].name, _GROUPS)
        for child, parent in zip(reversed(chain[:-1]), reversed(chain[1:]), strict=True):
            if material.tables[child].name not in keep:
                keep[material.tables[child].name] = {"of": material.tables[parent].name}
    for table in material.tables.values():
        if table.name not in keep and (len(rows[table.entity]) <= _SMALL or not _is_named(material, table)):
            keep[table.name] = "all" if len(rows[table.entity]) <= _SMALL else _SMALL
    return keep


def _is_named(material: Material, table: Table) -> bool:
    """Whether rows of another table name rows of this one, so that some come along."""
    return any(column.refers == table.name for other in material.tables.values() for column in other.columns if other.name != table.name)
