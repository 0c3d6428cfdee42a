"""`worldwright conform PACKS | python:MODULE:FUNCTION`: whether worlds keep what the protocol promises.

With `--digest-only` no check is run: start states and verdicts come out as digests, to be compared between machines.
"""

from __future__ import annotations

import functools
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table
from worldwright.cli.packed_world import casts, open_world, told, usable
from worldwright.cli.rollout_ import jobs
from worldwright.errors import UsageError
from worldwright.pack import Pack, read_pack
from worldwright.rollout import collect
from worldwright.world.conformance import CHECKS, CheckResult, Status, Subject, known_checks, load_factory, run_check
from worldwright.world.protocol import World

__all__ = ["conform"]

DIGEST_SEEDS, VERDICT_SEEDS = range(5), range(3)
SOLVERS = ("reference", "alternatives", "noop")
_PYTHON = "python:"
_TRIED = 99
"""The seeds below this are tried for a task's people to be there."""


class Report(msgspec.Struct, frozen=True):
    """What was found of one world."""

    world: str
    digest: str
    seeds: tuple[int, ...]
    results: tuple[CheckResult, ...]


def conform(
    targets: Annotated[list[str], typer.Argument(help="Packs, folders of packs, or python:MODULE:FUNCTION.")],
    seeds: Annotated[int, typer.Option(help="How many seeds, from 0.", min=1)] = 3,
    check: Annotated[list[str], typer.Option("--check", help="Run this check alone; may stand several times.")] = [],
    digest_only: Annotated[bool, typer.Option("--digest-only", help="Digests of start states, and verdicts; no checks.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Run the conformance kit over worlds. Exit code 1 if a check fails."""
    if digest_only:
        return _digests(targets, as_json)
    wanted = known_checks(check or CHECKS)
    reports = [_report(name, subject, wanted) for target in targets for name, subject in _subjects(target, range(seeds))]
    if as_json:
        emit(reports)
    else:
        _print(reports)
    return BAD if any(one.status == Status.FAIL for report in reports for one in report.results) else GOOD


def _subjects(target: str, seeds: range) -> Iterator[tuple[str, Subject]]:
    """The worlds that a target names, each with what it is called."""
    if target.startswith(_PYTHON):
        yield target, Subject(_own(target), seeds)
        return
    for pack in packs(target):
        for name, entry in pack.worlds.items():
            for task, people in casts(entry).items():
                called = f"{pack.meta.name}/{name}{' with ' + ', '.join(people) if people else ''}"
                source = functools.partial(open_world, str(Path(pack.where).absolute()), name, task)
                chosen = usable(entry, task, range(_TRIED), len(seeds))
                yield called, Subject(source, chosen, known=told(entry, chosen))


def _own(target: str) -> str:
    """The spec of a world in Python, found from the folder that the command is run in. Raises UsageError."""
    spec = target.removeprefix(_PYTHON)
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    load_factory(spec)
    return spec


def packs(target: str) -> list[Pack]:
    """The pack at a path, or all packs of a folder. Raises UsageError if there is none."""
    path = Path(target)
    if (path / "pack.toml").is_file() or (path.is_file() and zipfile.is_zipfile(path)):
        return [read_pack(path)]
    found = sorted(one.parent for one in path.glob("*/pack.toml"))
    if not found:
        raise UsageError(f"{target}: no pack there (expected a pack, a folder of packs, or python:MODULE:FUNCTION)")
    return [read_pack(one) for one in found]


def _report(name: str, subject: Subject, checks: list[str]) -> Report:
    note(f"conform {name}")
    results = tuple(run_check(check, subject) for check in checks)
    return Report(name, str(getattr(subject.world, "digest", "")), subject.seeds, results)


def _print(reports: list[Report]) -> None:
    rows = []
    for report in reports:
        named = {status: [one.name for one in report.results if one.status == status] for status in Status}
        counts = f"{len(named[Status.OK])} of {len(report.results)}"
        rows.append((report.world, counts, ", ".join(named[Status.FAIL]) or "-", ", ".join(named[Status.UNSUPPORTED]) or "-"))
    show_table("", ("world", "ok", "failed", "not supported"), rows, right=(1,))
    for report in reports:
        for one in report.results:
            if one.detail:
                say(f"{report.world}: {one.name}: {one.status}: {one.detail}")


def _digests(targets: list[str], as_json: bool) -> int:
    digests: dict[str, str] = {}
    verdicts: dict[str, dict[str, Any]] = {}
    for target in targets:
        for pack in [] if target.startswith(_PYTHON) else packs(target):
            note(f"conform {pack.meta.name}")
            for entry in pack.worlds.values():
                _add(digests, _starts(entry.world))
            _add(verdicts, _verdicts(pack))
        if target.startswith(_PYTHON):
            _add(digests, _starts(load_factory(_own(target))()))
    if as_json:
        emit({"digests": digests, "verdicts": verdicts})
    else:
        for name, value in digests.items():
            say(f"{name} {value}")
        for name, solvers in verdicts.items():
            for solver, found in solvers.items():
                say(f"{name} {solver}: {found['status']} {found['trace']}")
    return GOOD


def _starts(world: World) -> dict[str, str]:
    return {f"{world.name}@{seed}": world.state_digest(seed) for seed in DIGEST_SEEDS}


def _add(known: dict[str, Any], more: dict[str, Any]) -> None:
    """Keep both; UsageError if two worlds have one name."""
    twice = sorted(known.keys() & more.keys())
    if twice:
        raise UsageError(f"'{twice[0]}' is there twice: look at one pack at a time")
    known.update(more)


def _verdicts(pack: Pack) -> dict[str, dict[str, Any]]:
    """By instance and solver, the verdict and the identity of the trace that got it; unusable seeds are left out."""
    out: dict[str, dict[str, Any]] = {}
    for one in collect(jobs(pack.tasks(), SOLVERS, list(VERDICT_SEEDS), 1), pack.digest):
        out.setdefault(one.trace.instance, {})[one.trace.solver] = {"status": one.verdict.status, "trace": one.id}
    return out
