"""`worldwright forge [SOURCE...] -o PACK`: from databases, domain models and shipped trades to a pack of certified tasks."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import BAD, GOOD, emit, note, say
from worldwright.errors import UsageError
from worldwright.forge import run as forging
from worldwright.forge.finish import finished, may_write
from worldwright.forge.records import Funnel
from worldwright.forge.run import PATTERNS, Plan, checked
from worldwright.knowledge import read_profile

__all__ = ["forge", "funnel_lines"]


def forge(
    sources: Annotated[
        list[str], typer.Argument(help="SQLite files, domain models (YAML), names of shipped trades (default: all ten).")
    ] = [],
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
    workers: Annotated[int, typer.Option(help="Processes (0: one a core).", min=0, max=256)] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Mine, build worlds, write tasks, references and verifiers apart, audit, and keep what is certified.

    A run that was killed goes on where it stood when it is started again. Exit code 1 if no task was certified.
    """
    may_write(out)
    chosen = tuple(one.strip() for one in patterns.split(",") if one.strip()) or PATTERNS
    held = tuple(one.strip() for one in held_out.split(",") if one.strip())
    wanted = tuple(read_profile(profile).items()) if profile is not None else ()
    plan = Plan(tuple(sources), _name(out), seed, n, chosen, policy, tasks, wanted, held)
    checked(plan)
    scratch = out.with_name(f"{out.name}.pieces")
    forged = forging.forge(plan, scratch, workers or os.cpu_count() or 1, lambda text: note(f"  {text}"))
    _, dossier, funnel = finished(forged, out)
    shutil.rmtree(scratch, ignore_errors=True)
    if as_json:
        emit(funnel)
    else:
        for line in funnel_lines(funnel):
            say(line)
        if dossier is not None:
            say(f"certificate: {dossier.certificate.verdict} under policy {funnel.policy}, {len(dossier.certificate.cases)} tasks")
        say(f"written: {out} (forge.json says what became of everything; worldwright show {out})")
    return GOOD if any(one.is_certified for one in funnel.outcomes) else BAD


def _name(out: Path) -> str:
    name = out.name.lower()
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign == "-") else "-" for sign in name).strip("-")
    if not plain:
        raise UsageError(f"{out}: its last part has no letter or digit (expected a name for the pack)")
    return plain


def funnel_lines(funnel: Funnel) -> list[str]:
    """The funnel, what was refused, and what it cost."""
    counts = funnel.counted()
    out = [f"{counts['proposed']} tasks proposed, {counts['built']} built, {counts['solvable']} solvable, {counts['certified']} certified"]
    for one in funnel.worlds:
        done = [each for each in funnel.outcomes if each.world == one.world]
        what = (
            one.fault or f"{one.tables} tables, {one.tools} tools; {sum(each.is_certified for each in done)} of {len(done)} tasks certified"
        )
        out.append(f"  {one.world} ({one.kind}): {what}")
    for refusal in funnel.refusals:
        out.append(f"  {refusal.world}: no {refusal.pattern}, {refusal.why}")
    for reason, times in funnel.rejected().items():
        out.append(f"  rejected {times} times: {reason}")
    certified = counts["certified"]
    plans = {one.plan for one in funnel.outcomes if one.is_certified}
    each = f", {funnel.cost.cpu / certified:.1f} CPU s a certified task" if certified else ""
    out.append(f"{len(plans)} distinct plans; {funnel.cost.cpu:.0f} CPU s in all{each}")
    return out
