"""Mining: a SQLite file becomes a domain model, an account of everything in it, and a sample of its rows.

Takes a path; gives a Mined. The steps: what the file declares (`layout`), what stands in it (`profile`, `kinds`), keys and
references (`keys`, `joins`), status columns (`states`, `lifecycles`), the coherent part (`part`), then entities and rules
(`entities`, `rules`), and the account with its recount. Deterministic: the same file, seed and bounds give the same model. Raises
UsageError if the file can't be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from worldwright.domain.mine.sqlite.account import Account, ColumnAccount, OtherAccount, TableAccount, recount
from worldwright.domain.mine.sqlite.checks import Limits, limits_of
from worldwright.domain.mine.sqlite.entities import Mine, entities, relations
from worldwright.domain.mine.sqlite.joins import find_joins
from worldwright.domain.mine.sqlite.keys import find_key
from worldwright.domain.mine.sqlite.kinds import typed
from worldwright.domain.mine.sqlite.layout import Layout, Table, read_layout
from worldwright.domain.mine.sqlite.opening import Opened, opened
from worldwright.domain.mine.sqlite.part import MOST_TABLES, Part, choose, worth
from worldwright.domain.mine.sqlite.profile import Profile, table_profiles
from worldwright.domain.mine.sqlite.rules import policies, vocabulary
from worldwright.domain.mine.sqlite.sample import ROWS, Sample, draw
from worldwright.domain.mine.sqlite.states import find_status
from worldwright.domain.model import DomainModel, Evidence, Source
from worldwright.domain.names import snake
from worldwright.errors import UsageError

__all__ = ["Mined", "mine", "sample"]

_APART = {
    "virtual": "a virtual table: its rows are computed from elsewhere, or kept in its shadow tables",
    "shadow": "a shadow table: the inside of a virtual table",
    "internal": "SQLite's own bookkeeping",
}


class Mined(msgspec.Struct, frozen=True):
    """What mining gives; with anything under `account.missing` something was lost silently."""

    model: DomainModel
    account: Account
    sample: Sample


def mine(path: Path, *, seed: int = 0, rows: int = ROWS, tables: int = MOST_TABLES) -> Mined:
    """The model of a SQLite file, with the account and a sample. Raises UsageError."""
    with opened(path) as file:
        layout = read_layout(file)
        usable = [one for one in layout.tables if one.kind == "table" and one.rows is not None and one.columns]
        if not usable:
            raise UsageError(f"{path}: a SQLite file without tables of its own (expected at least one table)")
        work = _look(file, layout, usable)
        values = {one.name: worth(one, work.kinds[one.name], work.profiles[one.name], one.name in work.statuses) for one in usable}
        part = choose(usable, values, work.joins, work.profiles, tables)
        work = msgspec.structs.replace(work, part=part)
        model = _model(work, path)
        drawn = draw(model, file, seed, rows)
        account = _account(work, model, drawn, path)
        account = msgspec.structs.replace(account, missing=recount(file, account, model))
    return Mined(model, account, drawn)


def sample(model: DomainModel, source: Path, seed: int, rows: int = ROWS) -> Sample:
    """A sample of the source's rows for a model of it (as mined, or edited by hand). Raises UsageError."""
    with opened(source) as file:
        return draw(model, file, seed, rows)


def _look(file: Opened, layout: Layout, usable: Sequence[Table]) -> Mine:
    """Everything that is found table by table, and between the tables."""
    profiles = {one.name: table_profiles(file, one) for one in usable}
    limits = {one.name: _limits(one) for one in usable}
    kinds = {
        table.name: {
            column.name: typed(table.name, column, profiles[table.name][column.name], limits[table.name].get(column.name, Limits()))
            for column in table.columns
        }
        for table in usable
    }
    found = {one.name: find_key(file, one, profiles[one.name], kinds[one.name]) for one in usable}
    keys = {name: key.columns for name, key in found.items()}
    joins = find_joins(file, layout, usable, profiles, kinds, keys)
    statuses = {}
    for one in usable:
        status = find_status(file, layout, one, profiles[one.name], kinds[one.name], limits[one.name], joins)
        if status is not None:
            statuses[one.name] = status
    return Mine(file, layout, profiles, kinds, found, joins, statuses, Part((), {}))


def _limits(table: Table) -> dict[str, Limits]:
    """What the table's CHECKs say of single columns; the first of several lists counts."""
    out: dict[str, Limits] = {}
    names = [one.name for one in table.columns]
    for check in table.checks:
        for name, limits in (limits_of(check, names) or {}).items():
            known = out.get(name, Limits())
            out[name] = Limits(
                known.values or limits.values,
                limits.least if known.least is None else known.least,
                limits.most if known.most is None else known.most,
                known.above or limits.above,
                known.below or limits.below,
            )
    return out


def _model(work: Mine, path: Path) -> DomainModel:
    layout = work.layout
    made = entities(work)
    total = sum(one.rows or 0 for one in layout.tables)
    about = f"Mined from {path.name}: {len(made)} of {len(layout.tables)} tables, as entities with {sum(one.rows for one in made):,} rows."
    notes = [Evidence(name, f"left out: {reason}", layout.table(name).rows or 0) for name, reason in work.part.dropped.items()]
    return DomainModel(
        name=snake(path.stem, "domain"),
        about=about,
        source=Source("sqlite", path.name, work.file.digest, work.file.size, len(layout.tables), total),
        entities=made,
        relations=relations(work),
        policies=policies(work),
        vocabulary=vocabulary(made),
        evidence=notes,
    )


def _account(work: Mine, model: DomainModel, drawn: Sample, path: Path) -> Account:
    by_table = {one.table: one.name for one in model.entities}
    tables = tuple(_told(work, table, by_table.get(table.name), drawn) for table in work.layout.tables)
    others = [OtherAccount("view", one.name, False, "a view: its rows are those of the tables it reads") for one in work.layout.views]
    for trigger in work.layout.triggers:
        kept = any(one.source.where.endswith(f"trigger {trigger.name}") for one in model.policies)
        others.append(OtherAccount("trigger", trigger.name, kept, "a policy" if kept else "it states no rule for a kept table"))
    for (name,) in work.file.rows("SELECT name FROM sqlite_master WHERE type = 'index'"):
        others.append(OtherAccount("index", name, False, "an index: what it holds unique is kept in the fields and keys"))
    return Account(path.name, work.file.digest, drawn.seed, tables, tuple(others))


def _told(work: Mine, table: Table, entity: str | None, drawn: Sample) -> TableAccount:
    if entity is None:
        reason = _why(work, table)
        columns = tuple(ColumnAccount(one.name, False, "its table is left out") for one in table.columns)
        gone = {"their table is left out": table.rows} if table.rows else {}
        return TableAccount(table.name, table.kind, False, reason, table.rows, 0, 0, gone, columns)
    profiles = work.profiles[table.name]
    columns = tuple(ColumnAccount(one.name, not profiles[one.name].fault, _fault(profiles[one.name])) for one in table.columns)
    looked_at = max((one.n for one in profiles.values()), default=0)
    kept = len(drawn.rows[entity])
    return TableAccount(table.name, table.kind, True, "", table.rows, looked_at, kept, drawn.dropped[entity], columns)


def _why(work: Mine, table: Table) -> str:
    """Why a table is left out."""
    if table.kind in _APART:
        return _APART[table.kind] + (f" (SQLite here: {table.fault})" if table.fault else "")
    if table.rows is None:
        return f"it can't be read here: {table.fault}"
    reasons: Mapping[str, str] = work.part.dropped
    return reasons.get(table.name, "")


def _fault(profile: Profile) -> str:
    return f"it can't be computed here: {profile.fault}" if profile.fault else ""
