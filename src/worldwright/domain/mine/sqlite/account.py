"""The account: every table, column and row of a file is kept, or dropped with a reason.

Made while mining; `recount` then counts the file again by a way of its own and holds the account against it, and against the model. What
it gives is a list of what is missing: with anything in it, something was lost silently, and the caller must say so and fail.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.model import DomainModel

__all__ = ["Account", "ColumnAccount", "OtherAccount", "TableAccount", "recount"]


class ColumnAccount(msgspec.Struct, frozen=True):
    """A column: kept, or dropped with a reason."""

    name: str
    kept: bool
    reason: str = ""


class TableAccount(msgspec.Struct, frozen=True):
    """A table with its columns and rows.

    `rows` is None where SQLite itself can't count them, and `reason` says why; `looked_at` of them made the model's numbers;
    `rows_kept` are in the sample, `rows_dropped` says by reason how many aren't.
    """

    name: str
    kind: str
    kept: bool
    reason: str
    rows: int | None
    looked_at: int
    rows_kept: int
    rows_dropped: dict[str, int]
    columns: tuple[ColumnAccount, ...]


class OtherAccount(msgspec.Struct, frozen=True):
    """A view, trigger or index."""

    kind: str
    name: str
    kept: bool
    reason: str


class Account(msgspec.Struct, frozen=True):
    """What became of everything in a file; `missing` lists what the sums don't explain."""

    source: str
    digest: str
    seed: int
    tables: tuple[TableAccount, ...]
    others: tuple[OtherAccount, ...]
    missing: tuple[str, ...] = ()

    def totals(self) -> dict[str, dict[str, int]]:
        """How many tables, columns and rows there are, and how many of them are kept."""
        columns = [column for table in self.tables for column in table.columns]
        return {
            "tables": {"all": len(self.tables), "kept": sum(one.kept for one in self.tables)},
            "columns": {"all": len(columns), "kept": sum(one.kept for one in columns)},
            "rows": {"all": sum(one.rows or 0 for one in self.tables), "kept": sum(one.rows_kept for one in self.tables)},
        }


def recount(file: Opened, account: Account, model: DomainModel) -> tuple[str, ...]:
    """What the account doesn't explain, counted anew from the file and from the model."""
    return tuple([*_tables(file, account), *_others(file, account), *_model(account, model)])


def _tables(file: Opened, account: Account) -> Iterator[str]:
    known = {one.name: one for one in account.tables}
    if len(known) != len(account.tables):
        yield "a table stands twice in the account"
    there = [row[0] for row in file.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for name in there:
        if name not in known:
            yield f"table {name}: in the file, not in the account"
        else:
            yield from _table(file, known[name])
    yield from (f"table {name}: in the account, not in the file" for name in known if name not in there)


def _table(file: Opened, table: TableAccount) -> Iterator[str]:
    at = f"table {table.name}"
    try:
        rows = file.one(f"SELECT count(*) FROM {quoted(table.name)}")
        columns = [row[0] for row in file.rows("SELECT name FROM pragma_table_xinfo(?)", table.name)]
    except sqlite3.DatabaseError as fault:
        if table.rows is not None or not table.reason:
            yield f"{at}: can't be read ({fault}), and the account doesn't say so"
        return
    explained = table.rows_kept + sum(table.rows_dropped.values())
    if rows != table.rows or rows != explained:
        yield f"{at}: {rows} rows in the file, {explained} in the account ({table.rows_kept} kept)"
    told = [one.name for one in table.columns]
    yield from (f"column {table.name}.{name}: in the file, not in the account" for name in columns if name not in told)
    yield from (f"column {table.name}.{name}: in the account, not in the file" for name in told if name not in columns)
    if not table.kept and not table.reason:
        yield f"{at}: dropped without a reason"
    yield from (f"column {table.name}.{one.name}: dropped without a reason" for one in table.columns if not one.kept and not one.reason)
    yield from (f"{at}: {n} rows dropped without a reason" for reason, n in table.rows_dropped.items() if not reason)


def _others(file: Opened, account: Account) -> Iterator[str]:
    known = {(one.kind, one.name) for one in account.others}
    for kind, name in file.rows("SELECT type, name FROM sqlite_master WHERE type <> 'table'"):
        if (kind, name) not in known:
            yield f"{kind} {name}: in the file, not in the account"


def _model(account: Account, model: DomainModel) -> Iterator[str]:
    """What is told to be kept is in the model, and nothing else."""
    told = {(table.name, one.name) for table in account.tables for one in table.columns if table.kept and one.kept}
    held = {(entity.table, field.column) for entity in model.entities for field in entity.fields}
    yield from (f"column {table}.{column}: kept, but not in the model" for table, column in sorted(told - held))
    yield from (f"column {table}.{column}: in the model, but not kept" for table, column in sorted(held - told))
