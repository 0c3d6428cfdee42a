"""Forges every database of the tests (ordinary offices and odd files) and files that are no databases: one table.

`python benchmarks/forge_databases.py [--tasks 8] [--workers 2]`: for each file the source's tables, columns and rows in its worlds,
tasks certified of those tried, the median share of the verifier's columns that come from the source, or the reason why there is nothing.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "forge"), str(ROOT / "tests" / "domain")]

from databases import OFFICES, office  # noqa: E402 - the tests' own builders
from odd import ODD, build  # noqa: E402

from worldwright.errors import WorldwrightError  # noqa: E402
from worldwright.forge.finish import funnel_of  # noqa: E402
from worldwright.forge.run import Plan, forge  # noqa: E402


def made(folder: Path) -> dict[str, Path]:
    """All files by name."""
    out = {name: office(folder / f"{name}.sqlite", name) for name in OFFICES}
    out |= {name: build(folder / f"{name}.sqlite", name) for name in ODD}
    (folder / "letter.sqlite").write_text("Dear Sir or Madam,\n" * 300, encoding="utf-8")
    whole = office(folder / "whole.sqlite", "library").read_bytes()
    (folder / "truncated.sqlite").write_bytes(whole[: len(whole) // 2])
    return out | {"not a database": folder / "letter.sqlite", "truncated": folder / "truncated.sqlite", "locked": _locked(folder)}


_held: list[sqlite3.Connection] = []


def _locked(folder: Path) -> Path:
    path = office(folder / "locked.sqlite", "school")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    _held.append(db)
    return path


def line(name: str, path: Path, folder: Path, args: argparse.Namespace) -> str:
    """What became of one file."""
    plan = Plan((str(path),), "bench", tasks=args.tasks, mutants=False)
    try:
        funnel = funnel_of(forge(plan, folder / f"{name}.pieces", args.workers))
    except WorldwrightError as fault:
        return f"| {name} | - | - | - | - | - | exit code 2: {str(fault).removeprefix(str(path)).lstrip(': ')[:110]} |"
    built = [one for one in funnel.worlds if not one.fault]
    certified = [one for one in funnel.outcomes if one.is_certified]
    if not built:
        why = sorted({f"{one.pattern}: {one.why}" for one in funnel.refusals}) or [one.fault for one in funnel.worlds]
        return f"| {name} | 0 | - | - | - | - | {why[0][:150]} |"
    best = max(built, key=lambda one: one.source_columns[0])
    shares = [one.share.columns_from_source / one.share.columns for one in certified if one.share is not None and one.share.columns]
    reasons = ", ".join(f"{reason} ({n})" for reason, n in funnel.rejected().items()) or "-"
    tables, columns, rows = (f"{some[0]:,} of {some[1]:,}" for some in (best.source_tables, best.source_columns, best.source_rows))
    share = f"{median(shares):.2f}" if shares else "-"
    return f"| {name} | {len(certified)} of {len(funnel.outcomes)} | {tables} | {columns} | {rows} | {share} | {reasons} |"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tasks", type=int, default=8, help="tasks tried of each file at most (default: 8)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    print("| file | certified of tried | tables | columns | rows | from the source | rejected, or why not |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, path in made(folder).items():
            print(line(name, path, folder, args), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
