"""`worldwright demo`: the whole of what there is, on the example packs: lint, attempts, a table, one episode, one page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.explain_ import trajectory_lines
from worldwright.cli.output import BAD, GOOD, note, say
from worldwright.cli.rollout_ import NAMES, jobs, print_matrix
from worldwright.errors import UsageError
from worldwright.pack import Pack, read_pack
from worldwright.pack.lint import lint
from worldwright.report import write_report
from worldwright.rollout import Trajectory, collect, tabulate, write_trajectories
from worldwright.verifier import Status

__all__ = ["demo", "example_packs"]


def example_packs(root: Path) -> list[Pack]:
    """The packs in a folder of packs. Raises UsageError if there is none."""
    found = [root] if (root / "pack.toml").is_file() else sorted(path.parent for path in root.glob("*/pack.toml"))
    if not found:
        raise UsageError(f"{root}: no pack there (run this in a checkout, or say --examples with a pack or a folder of packs)")
    return [read_pack(path) for path in found]


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the page and the trajectories go.")] = Path("demo-out"),
    examples: Annotated[Path, typer.Option(help="A pack, or a folder of packs.")] = Path("examples"),
    seeds: Annotated[int, typer.Option(help="Seeds for each task and solver.", min=1)] = 3,
) -> int:
    """Lint the example packs, let every solver attempt every task, explain one episode, write a page."""
    started = time.monotonic()
    packs = example_packs(examples)
    say(f"1. lint: {len(packs)} packs")
    clean = True
    for pack in packs:
        note(f"   {pack.meta.name}")
        report = lint(pack, range(seeds))
        clean = clean and report.is_clean
        say(f"   {pack.meta.name}: {len(pack.tasks())} tasks, {'clean' if report.is_clean else 'NOT CLEAN'} ({pack.digest[:12]})")
        for one in report.findings:
            say(f"   {one}")
    say(f"   every rule, on {seeds} seeds; on 40: worldwright lint examples/*")
    say(f"2. attempts: every task, every solver, {seeds} seeds")
    path = out / "trajectories.jsonl"

    def attempts() -> Iterator[Trajectory]:
        for pack in packs:
            note(f"   {pack.meta.name}")
            yield from collect(jobs(pack.tasks(), NAMES, range(seeds), 1), pack.digest)

    done = list(write_trajectories(path, attempts()))
    print_matrix(tabulate(done))
    say("3. one episode, explained")
    for text in trajectory_lines(_telling(done), calls=False):
        say(f"   {text}")
    page = write_report(packs, done, out, seed=0)
    say(f"4. page: {page}")
    say(f"   trajectories: {path} ({len(done)}); explain any: worldwright explain {path}:1")
    note(f"   {time.monotonic() - started:.0f} s")
    right = all(one.verdict.status == Status.PASS for one in done if one.trace.solver.startswith(("reference", "alternative")))
    return GOOD if clean and right else BAD


def _telling(done: list[Trajectory]) -> Trajectory:
    """The failed attempt that shows most: several kinds of broken checks, with changes of its own."""
    failed = [one for one in done if one.verdict.status == Status.FAIL and one.changes]
    return max(failed or done, key=lambda one: (len({check.kind for check in one.verdict.failed()}), -len(one.changes)))
