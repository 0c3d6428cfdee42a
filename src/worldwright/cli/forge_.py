"""`worldwright forge [SOURCE...] -o PACK`: from databases, domain models and shipped trades to a pack of certified tasks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from worldwright.audit.dossier import Dossier, write_files
from worldwright.cli.output import BAD, GOOD, emit, note, say
from worldwright.cli.rollout_ import NAMES, jobs
from worldwright.errors import UsageError
from worldwright.forge import run as forging
from worldwright.forge.finish import finished, may_write
from worldwright.forge.novelty import cover_number
from worldwright.forge.records import Funnel
from worldwright.forge.run import PATTERNS, Plan, checked
from worldwright.knowledge import read_profile
from worldwright.ledger import Ledger, charged, read_ledger
from worldwright.pack import Pack
from worldwright.report import write_report
from worldwright.report.audit import write_audit_page
from worldwright.report.forge import write_forge_page
from worldwright.rollout import Trajectory, collect, write_trajectories

__all__ = ["forge", "forged", "funnel_lines", "pages"]

_ATTEMPTED = 1
"""Seeds on which every solver attempts every task, for the report; `worldwright rollout` makes more."""


def forge(
    sources: Annotated[list[str], typer.Argument(help="SQLite files, domain models (YAML), shipped trades (default: all ten).")] = [],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of the pack.")] = Path("forged"),
    n: Annotated[int, typer.Option("--worlds", "-n", help="Worlds of each source.", min=1, max=99)] = 1,
    tasks: Annotated[int, typer.Option(help="Tasks that are tried at most, sampled over domains and patterns (0: all).", min=0)] = 0,
    patterns: Annotated[str, typer.Option(help=f"Work patterns, separated by commas: {', '.join(PATTERNS)}.")] = "",
    held_out: Annotated[
        str, typer.Option(help="Domains, patterns or families (domain/pattern) that are held out, separated by commas.")
    ] = "",
    profile: Annotated[Path | None, typer.Option(help="What is wanted: CSV with domain, pattern, weight.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed, other worlds.", min=0)] = 0,
    policy: Annotated[str, typer.Option(help="By which policy a task is admitted.")] = "default",
    report: Annotated[bool, typer.Option(help="Attempt the tasks and write pages, to PACK-report.")] = True,
    workers: Annotated[int, typer.Option(help="Processes (0: one a core).", min=0, max=256)] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace the pack of an earlier run.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Mine, build worlds, write tasks, references and verifiers apart, audit, and keep what is certified.

    A run that was killed goes on where it stood when it is started again. Exit code 1 if no task was certified.
    """
    chosen = tuple(one.strip() for one in patterns.split(",") if one.strip()) or PATTERNS
    held = tuple(one.strip() for one in held_out.split(",") if one.strip())
    wanted = tuple(read_profile(profile).items()) if profile is not None else ()
    plan = Plan(tuple(sources), _name(out), seed, n, chosen, policy, tasks, wanted, held)
    pack, dossier, funnel = forged(plan, out, workers, force)
    if as_json:
        emit(funnel)
    else:
        for line in funnel_lines(funnel):
            say(line)
        if dossier is not None:
            say(f"certificate: {dossier.certificate.verdict} under policy {funnel.policy}, {len(dossier.certificate.cases)} tasks")
        say(f"written: {out} (forge.json says what became of everything)")
    if report and pack is not None and dossier is not None:
        page = pages(pack, dossier, funnel, out, out.with_name(f"{out.name}-report"))[0]
        note(f"report: {page}")
    return GOOD if any(one.is_certified for one in funnel.outcomes) else BAD


def _name(out: Path) -> str:
    name = out.name.lower()
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign == "-") else "-" for sign in name).strip("-")
    if not plain:
        raise UsageError(f"{out}: its last part has no letter or digit (expected a name for the pack)")
    return plain


def forged(plan: Plan, out: Path, workers: int, force: bool) -> tuple[Pack | None, Dossier | None, Funnel]:
    """Carry out a plan and write the pack. Raises UsageError."""
    may_write(out, force)
    checked(plan)
    scratch = out.with_name(f"{out.name}.pieces")
    done = forging.forge(plan, scratch, workers or os.cpu_count() or 1, lambda text: note(f"   {text}"))
    made = finished(done, out, force)
    shutil.rmtree(scratch, ignore_errors=True)
    return made


def pages(pack: Pack, dossier: Dossier, funnel: Funnel, out: Path, where: Path) -> tuple[Path, list[Trajectory]]:
    """Attempt the tasks, and write every page below `where`; gives the first and the attempts."""
    where.mkdir(parents=True, exist_ok=True)

    def attempts() -> Iterator[Trajectory]:
        yield from collect(jobs(pack.tasks(), NAMES, range(_ATTEMPTED), 1), pack.digest)

    with charged() as meter:
        done = list(write_trajectories(where / "trajectories.jsonl", attempts()))
        meter.runs, meter.calls = len(done), sum(one.trace.counts.calls for one in done)
    Ledger(out / "ledger.jsonl").add("solver", pack.digest, f"attempts by {len(NAMES)} solvers on {_ATTEMPTED} seeds", meter.cost)
    write_report([pack], done, where, seed=0, name="attempts.html")
    write_files(dossier, where / "audit")
    write_audit_page(dossier, where / "audit", f"worldwright audit {out}")
    titles = {(entry.world.name, entry.name): entry.task.brief.title for entry in pack.tasks()}
    return write_forge_page(funnel, titles, read_ledger(out / "ledger.jsonl"), where, str(out)), done


def funnel_lines(funnel: Funnel) -> list[str]:
    """The funnel, what was refused, and what it cost."""
    counts = funnel.counted()
    out = [f"{counts['proposed']} tasks proposed, {counts['built']} built, {counts['solvable']} solvable, {counts['certified']} certified"]
    for one in funnel.worlds:
        done = [each for each in funnel.outcomes if each.world == one.world]
        certified = sum(each.is_certified for each in done)
        short = "no pattern fits" if one.fault.startswith("no pattern fits") else one.fault
        what = short or f"{one.tables} tables, {one.tools} tools; {certified} of {len(done)} tasks certified"
        out.append(f"  {one.world} ({one.kind}): {what}")
    out += _refused(funnel)
    for reason, times in funnel.rejected().items():
        out.append(f"  rejected {times} times: {reason}")
    kept = [one for one in funnel.outcomes if one.is_certified]
    each = f", {funnel.cost.cpu / len(kept):.1f} CPU s a certified task" if kept else ""
    plans = [one.plan for one in kept]
    out.append(f"{len(set(plans))} distinct plans, {cover_number(plans)} of them for 90 % of the tasks")
    out.append(f"{funnel.cost.cpu:.0f} CPU s in all{each}")
    return out


def _refused(funnel: Funnel) -> Sequence[str]:
    """Patterns that don't fit, worlds with the same reason together."""
    by: dict[tuple[str, str], list[str]] = {}
    for one in funnel.refusals:
        by.setdefault((one.pattern, one.why), []).append(one.world)
    return [f"  no {pattern} in {', '.join(worlds)}: {why}" for (pattern, why), worlds in by.items()]
