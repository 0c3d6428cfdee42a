"""`worldwright lint PACK`: findings with the edit to make."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import BAD, GOOD, emit, note, say
from worldwright.errors import PackError, UsageError
from worldwright.pack import read_pack
from worldwright.pack.lint import LintReport
from worldwright.pack.lint import lint as lint_pack
from worldwright.pack.lint.blind import with_hashes
from worldwright.pack.lint.findings import from_error

__all__ = ["lint"]


def lint(
    packs: Annotated[list[Path], typer.Argument(help="Packs: folders or zips.")],
    seeds: Annotated[int, typer.Option(help="How many seeds to run, from 0.", min=1, max=1_000_000)] = 40,
    fast: Annotated[bool, typer.Option("--fast", help="Only what needs no long runs.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Fill in the hashes of what the verifiers' authors saw, then lint.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Hold packs to the format and to what a fair task needs. Exit code 1 if an error was found."""
    reports = []
    for path in packs:
        if write:
            _write(path)
        reports.append(_report(path, seeds, fast))
    if as_json:
        emit([{**_plain(report)} for report in reports])
    else:
        for report in reports:
            _print(report)
    return GOOD if all(report.is_clean for report in reports) else BAD


def _report(path: Path, seeds: int, fast: bool) -> LintReport:
    try:
        pack = read_pack(path)
    except PackError as fault:  # not even a pack's frame: still a report, as a machine expects one
        return LintReport(str(path), "", (from_error(fault),), {}, ())
    return lint_pack(pack, range(seeds), fast=fast, note=lambda text: note(f"lint {text}"))


def _plain(report: LintReport) -> dict[str, object]:
    return {
        "pack": report.pack,
        "digest": report.digest,
        "clean": report.is_clean,
        "findings": report.findings,
        "runs": {name: {"passed": passed, "n": n} for name, (passed, n) in report.runs.items()},
        "left_out": report.left_out,
    }


def _print(report: LintReport) -> None:
    for one in report.findings:
        say(str(one))
        say(f"    edit: {one.edit}")
    errors = sum(one.level == "error" for one in report.findings)
    say(f"{report.pack}: {errors} errors, {len(report.findings) - errors} warnings ({report.digest[:12]})")
    if report.left_out:
        say(f"    left out by --fast: {', '.join(report.left_out)}")


def _write(path: Path) -> None:
    if not path.is_dir():
        raise UsageError(f"{path}: --write needs a folder, not a zip")
    for entry in read_pack(path).tasks():
        file = path / "worlds" / entry.world.name / "tasks" / entry.name / "verifier.yaml"
        text = with_hashes(entry)
        if text != file.read_text(encoding="utf-8"):
            file.write_text(text, encoding="utf-8")
            note(f"wrote {file}")
