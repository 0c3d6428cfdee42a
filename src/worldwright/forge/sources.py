"""Sources: what a forge is given, and the material it makes of each.

A source is the name of a shipped trade, a domain model (YAML), or a SQLite file. Gives material for a world; raises UsageError for
what can't be read, with one clear line.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from worldwright.domain.model import DomainModel, read_model
from worldwright.domain.norms import norms
from worldwright.domain.trades import TRADES, trade
from worldwright.errors import PackError, UsageError
from worldwright.forge.records import WorldAccount
from worldwright.synthesis.material import Material, tables_of
from worldwright.synthesis.mined import Reading, material_of, read_database

__all__ = ["Source", "sources_of"]

_ROWS = {"party": 10, "staff": 10, "location": 8, "resource": 8, "schedule": 24}
_DECIDED = 96
_OTHERS = 24


class Source(msgspec.Struct):
    """A source: what it was called, its kind (trade, model, sqlite), its model; of a database what was read."""

    given: str
    kind: str
    model: DomainModel
    reading: Reading | None = None

    def material(self, variant: int) -> Material:
        """Material for a world. Each variant of a database decides on other things; a trade's rules stay what they are."""
        if self.reading is not None:
            return material_of(self.reading, variant)
        return _made(self.model)

    def account(self, name: str, material: Material, tools: int) -> WorldAccount:
        """How much of the source is in the world."""
        fields = sum(len(one.fields) for one in self.model.entities)
        kept = sum(len(one.columns) for one in material.tables.values())
        dropped = tuple((one.what, one.why) for one in material.dropped)
        account = WorldAccount(name, self.given, self.kind, len(material.tables), tools, sum(material.rows.values()), dropped=dropped)
        if self.reading is None:
            return msgspec.structs.replace(
                account, source_tables=(len(material.tables), len(self.model.entities)), source_columns=(kept, fields)
            )
        totals = self.reading.totals
        return msgspec.structs.replace(
            account,
            rows=self.reading.pool_rows(material),
            source_tables=(len(material.tables), totals["tables"]["all"]),
            source_columns=(kept, totals["columns"]["all"]),
            source_rows=(self.reading.pool_rows(material), totals["rows"]["all"]),
            dropped=(*dropped, *self.reading.dropped(material)),
        )


def sources_of(given: list[str]) -> list[Source]:
    """The sources of what was given; every shipped trade if nothing was. Raises UsageError."""
    return [_source(one) for one in given or list(TRADES)]


def _source(given: str) -> Source:
    if given in TRADES:
        return Source(given, "trade", trade(given))
    path = Path(given)
    if not path.exists():
        raise UsageError(
            f"{given}: neither a file nor a shipped trade (expected a SQLite file, a domain model in YAML, or one of {', '.join(TRADES)})"
        )
    try:
        if path.suffix in (".yaml", ".yml"):
            return Source(given, "model", read_model(path))
        reading = read_database(path)
    except (UsageError, PackError) as fault:
        raise UsageError(f"{fault}; forge takes SQLite files, domain models (YAML) and shipped trades") from fault
    return Source(given, "sqlite", reading.model, reading)


def _made(model: DomainModel) -> Material:
    """A trade's entities as tables, rows to be made. Entities without a key of one field are left out."""
    entities = [one for one in model.entities if len(one.key) == 1]
    tables, dropped = tables_of(model, entities)
    decided = {norm.on for _, norm in norms(model)}
    rows = {one.name: _DECIDED if one.name in decided else _ROWS.get(one.facet, _OTHERS) for one in entities}
    return Material(model, tables, dropped, rows)
