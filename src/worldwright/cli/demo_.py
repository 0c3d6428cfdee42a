"""`worldwright demo`: the main job on built-in material: forge a pack, audit it, attempt it, train a policy and examine it."""

from __future__ import annotations

import time
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from worldwright.audit.policy import read_policy
from worldwright.cli.explain_ import trajectory_lines
from worldwright.cli.forge_ import forged, funnel_lines, pages
from worldwright.cli.output import BAD, GOOD, note, say
from worldwright.cli.rollout_ import print_matrix
from worldwright.cli.transfer_ import print_report, write_results
from worldwright.forge.run import Plan
from worldwright.report.transfer import write_transfer_page
from worldwright.rollout import Trajectory, tabulate
from worldwright.rollout.engine import cores
from worldwright.transfer.analysis import analysed
from worldwright.transfer.run import carried_out, register
from worldwright.verifier import Status

__all__ = ["POLICY", "TASKS", "TRADES", "demo"]

POLICY = "quick"
"""The demo's policy: a third of the instances of `default`, by which `forge` admits, so that it takes two minutes."""

TASKS = 62
"""How many tasks are tried."""

TRADES = ("equipment-hire", "insurance-claims", "it-service-desk")
"""Shipped trades that the demo forges from, beside the Chinook database."""


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the pack and the pages go.")] = Path("demo-out"),
    tasks: Annotated[int, typer.Option(help="Tasks that are tried at most (0: all).", min=0)] = TASKS,
    workers: Annotated[int, typer.Option(help="Processes (0: one a core).", min=0, max=256)] = 0,
) -> int:
    """Forge a pack from a real database and three trades, audit and attempt it, train on it, and write a report. No model, no key."""
    started = time.monotonic()
    say(f"1. forge: the Chinook database and {', '.join(TRADES)}")
    with resources.as_file(resources.files("worldwright.forge").joinpath("samples/chinook.sqlite")) as database:
        plan = Plan((str(database), *TRADES), "demo", policy=POLICY, tasks=tasks, mutants=False)
        pack, dossier, funnel = forged(plan, out / "pack", workers, force=True)
    for line in funnel_lines(funnel):
        say(f"   {line}")
    if pack is None or dossier is None:
        return BAD
    say(f"2. certificate: {dossier.certificate.verdict}, {len(dossier.certificate.cases)} tasks ({out / 'pack' / 'certificate.json'})")
    here, usual = (f"{one.admission} + {one.certification}" for one in (read_policy(POLICY), read_policy("default")))
    say(f"   under policy {POLICY}, {here} instances a task; `worldwright forge` admits by default on {usual}")
    page, done = pages(pack, dossier, funnel, out / "pack", out / "report")
    say("3. attempts by solvers that know the way and solvers that don't, the first ten tasks")
    first = list(dict.fromkeys(_task(one) for one in done))[:10]
    print_matrix(tabulate([one for one in done if _task(one) in first]))
    say("4. one failed episode, explained")
    for text in trajectory_lines(_telling(done), calls=False):
        say(f"   {text}")
    say("5. training and transfer: a small policy learns from two offices' tasks and is examined on two other offices'")
    if tasks and tasks < TASKS:
        say(f"   left out: it takes the tasks that {TASKS} tried ones give (--tasks)")
    else:
        say(f"   its page: {_transferred(out, workers)}")
    say(f"6. report: {page}")
    say(f"   try one: worldwright play {out / 'pack'}/{funnel.outcomes[0].world}/{funnel.outcomes[0].task}@7")
    note(f"   {time.monotonic() - started:.0f} s")
    right = all(one.verdict.status == Status.PASS for one in done if one.trace.solver.startswith(("reference", "alternative")))
    return GOOD if right and dossier.certificate.verdict == "accepted" else BAD


def _transferred(out: Path, workers: int) -> Path:
    """The registered experiment of the demo, before and after training, with its controls; gives where its page is."""
    plan, folder = out / "transfer.yaml", out / "transfer"
    plan.write_bytes(resources.files("worldwright.transfer").joinpath("demo.yaml").read_bytes())
    made = register(plan, folder, force=True)
    results = carried_out(made, folder, workers or cores(), lambda _text: None)
    report = analysed(made.plan, results)
    write_results(folder, results, report)
    print_report(made.plan, report)
    return write_transfer_page(made, report, plan.read_text(encoding="utf-8"), folder, f"worldwright transfer {plan} -o {folder}")


def _task(one: Trajectory) -> str:
    """The task that was attempted, as world/task."""
    return one.trace.instance.rpartition("@")[0]


def _telling(done: list[Trajectory]) -> Trajectory:
    """The failed attempt that shows most: several kinds of broken checks, with changes of its own."""
    failed = [one for one in done if one.verdict.status == Status.FAIL and one.changes]
    return max(failed or done, key=lambda one: (len({check.kind for check in one.verdict.failed()}), -len(one.changes)))
