"""`worldwright transfer PLAN.yaml -o RUN`: the pre-registered experiment, its verdicts and its page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table
from worldwright.errors import UsageError
from worldwright.report.transfer import write_transfer_page
from worldwright.transfer.analysis import TransferReport, analysed
from worldwright.transfer.records import Plan, Results
from worldwright.transfer.run import CONDUCT, PLAN, Registration, carried_out, register
from worldwright.transfer.words import INSTRUMENT, RATES, interval, power_sentence, sentences

__all__ = ["print_report", "transfer", "write_results"]

RESULTS = "results.json"


def transfer(
    plan: Annotated[Path, typer.Argument(help="The plan (YAML): arms, budget, seeds, what is held out, what will be judged.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The folder of the run.")] = None,
    workers: Annotated[int, typer.Option(help="Processes; the figures don't depend on how many.", min=1, max=256)] = 2,
    check: Annotated[bool, typer.Option("--check", help="Only read the plan and hold the border to held-out work.")] = False,
    conduct: Annotated[str, typer.Option(help="What makes a run: MODULE:FUNCTION of a plan, an arm and a seed.")] = CONDUCT,
    force: Annotated[bool, typer.Option("--force", help="Start anew: the runs that are in the folder are gone.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Train arms under one budget, measure them on families that none of them saw, and judge what the plan said would be judged.

    The plan is copied into the folder before anything runs, and can't be changed after that. The same command goes on with a run that
    was interrupted. Exit code 1 if arms with a known order come out in another one.
    """
    if out is None and not check:
        raise UsageError("where to? (expected --out: the folder of the run; or --check to only read the plan)")
    made = register(plan, None if check else out, force=force)
    for text in made.guard.said:
        note(text)
    if check or out is None:
        return _checked(made, as_json)
    note(f"registered: {out / PLAN}, sha256 {made.plan.digest}; {len(made.plan.schedule())} runs")
    results = carried_out(made, out, workers, lambda text: note(f"   {text}"), conduct)
    report = analysed(made.plan, results)
    write_results(out, results, report)
    page = write_transfer_page(made, report, (out / PLAN).read_text(encoding="utf-8"), out, f"worldwright transfer {plan} -o {out}")
    if as_json:
        emit({"out": str(out), "page": str(page), "report": report})
    else:
        print_report(made.plan, report)
        say(f"written: {page}, {out / RESULTS}")
    return BAD if report.order.verdict == "fail" else GOOD


def _checked(made: Registration, as_json: bool) -> int:
    """What a plan comes to, without running it."""
    if as_json:
        emit(made)
        return GOOD
    plan = made.plan
    rows = [(arm.name, arm.role, len(made.trained[arm.name]), "-" if arm.kind == "none" else arm.reward) for arm in plan.arms]
    show_table("", ("arm", "role", "tasks", "paid by"), rows, right=(2,))
    held = sum(map(len, made.held_out.values()))
    say(f"{len(plan.arms)} arms, {plan.seeds} seeds each; {held} held-out tasks in {len(made.held_out)} families; sha256 {plan.digest}")
    return GOOD


def write_results(out: Path, results: Results, report: TransferReport) -> None:
    """All figures in one file, written whole."""
    temporary = out / f"{RESULTS}.new"
    encoded = msgspec.json.encode({"results": results, "report": report}, order="deterministic")
    temporary.write_bytes(msgspec.json.format(encoded, indent=1) + b"\n")
    temporary.replace(out / RESULTS)


def print_report(plan: Plan, report: TransferReport) -> None:
    """The verdicts, the arms, the power line and what the figures mean, on the terminal."""
    for sentence in sentences(plan, report):
        say(sentence)
    rows = [
        (
            one.arm,
            one.role,
            one.seeds,
            interval(one.end),
            interval(one.area),
            "-" if one.paid is None else f"{one.paid.mean:.2f} / {one.right.mean if one.right else 0:.2f}",
            interval(one.per_calls),
        )
        for one in report.arms
    ]
    columns = ("arm", "role", "seeds", "success at the end", "area", "paid / right", "gain per 1,000 calls")
    show_table("", columns, rows, right=(2,))
    for judged in report.judged:
        if judged.difference is not None:
            say(f"power: {judged.comparison.better} against {judged.comparison.than}: {power_sentence(plan, judged.difference)}")
    for flag in (flag for one in report.arms for flag in one.flags):
        say(f"flagged: {flag}")
    say(RATES.format(labelled_by=report.labelled_by, selection=report.selection))
    say(INSTRUMENT)
