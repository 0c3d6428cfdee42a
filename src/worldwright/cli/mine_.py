"""`worldwright mine FILE.sqlite -o model.yaml`: a domain model, and an account of everything in the file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table, unless_there
from worldwright.domain.lint import lint
from worldwright.domain.mine.sqlite import Mined
from worldwright.domain.mine.sqlite import mine as mine_sqlite
from worldwright.domain.mine.sqlite.part import MOST_TABLES
from worldwright.domain.mine.sqlite.sample import ROWS
from worldwright.domain.model import DomainModel
from worldwright.errors import UsageError
from worldwright.files import encode_yaml

__all__ = ["mine"]


def mine(
    source: Annotated[Path, typer.Argument(help="A SQLite file. It is only read.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write the model (default: nowhere).")] = None,
    account: Annotated[Path | None, typer.Option(help="Where to write the account of every table, column and row, as JSON.")] = None,
    seed: Annotated[int, typer.Option(help="Which sample of the rows the account counts.", min=0)] = 0,
    rows: Annotated[int, typer.Option(help="Rows in a sample at most.", min=1, max=1_000_000)] = ROWS,
    tables: Annotated[int, typer.Option(help="Tables in the model at most.", min=1, max=200)] = MOST_TABLES,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Mine a SQLite file. Exit code 1 if the account doesn't explain everything in it, 2 if it can't be read."""
    _may_write(source, out, account, force)
    mined = mine_sqlite(source, seed=seed, rows=rows, tables=tables)
    text = encode_yaml(mined.model)
    if out is not None:
        out.write_text(text, encoding="utf-8")
    if account is not None:
        account.write_bytes(msgspec.json.format(msgspec.json.encode(_plain(mined)), indent=2) + b"\n")
    if as_json:
        emit({"model": mined.model, "account": _plain(mined), "findings": lint(mined.model, str(out or ""), text)})
    else:
        _print(mined, str(out or ""), text)
    for line in mined.account.missing:
        note(f"worldwright: lost silently: {line}")
    return BAD if mined.account.missing else GOOD


def _may_write(source: Path, out: Path | None, account: Path | None, force: bool) -> None:
    """Refuse to write over the source, or over what is there."""
    paths = [one for one in (out, account) if one is not None]
    if len({one.resolve() for one in (source, *paths)}) <= len(paths):
        raise UsageError("the source, the model and the account must be different files (expected a new name for each)")
    for path in paths:
        unless_there(path, force)


def _plain(mined: Mined) -> dict[str, Any]:
    return {**msgspec.to_builtins(mined.account), "totals": mined.account.totals()}


def _print(mined: Mined, out: str, text: str) -> None:
    account, model = mined.account, mined.model
    by_table = {one.table: one for one in model.entities}
    rows = []
    for table in account.tables:
        entity = by_table.get(table.name)
        what = entity.facet if entity is not None else table.reason
        rows.append(
            (table.name, "kept" if table.kept else "dropped", _columns(table.columns), _count(table.rows), f"{table.rows_kept:,}", what)
        )
    show_table("", ("table", "", "columns", "rows", "in the sample", "facet, or why it is dropped"), rows, right=(2, 3, 4))
    totals = account.totals()
    say(", ".join(f"{totals[what]['kept']:,} of {totals[what]['all']:,} {what} kept" for what in ("tables", "columns", "rows")))
    say(_summary(model))
    findings = lint(model, out, text)
    errors = sum(one.level == "error" for one in findings)
    say(f"lint: {errors} errors, {len(findings) - errors} warnings" + (f" (worldwright domain lint {out})" if out else ""))
    if out:
        say(f"written: {out}")


def _columns(columns: Any) -> str:
    kept = sum(one.kept for one in columns)
    return f"{kept}/{len(columns)}"


def _count(rows: int | None) -> str:
    return "?" if rows is None else f"{rows:,}"


def _summary(model: DomainModel) -> str:
    inferred = sum(not one.declared for one in model.relations)
    lives = [one.lifecycle for one in model.entities if one.lifecycle is not None]
    known = sum(one.order != "unknown" for one in lives)
    return (
        f"{model.name}: {len(model.entities)} entities, {len(model.relations)} relations ({inferred} inferred), "
        f"{len(lives)} lifecycles ({known} with a known order), {len(model.policies)} policies"
    )
