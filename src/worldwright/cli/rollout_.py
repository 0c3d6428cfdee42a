"""`worldwright rollout TARGET`: attempts by solvers, as trajectories and a table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.model_solvers import CONFIG, HELP_LEVEL, LEDGER, MODEL, RECORD, Opened, opened
from worldwright.cli.output import GOOD, emit, note, say, show_table, unless_there
from worldwright.errors import UsageError
from worldwright.pack.read import PackTask, Target, resolve
from worldwright.rollout import Job, Line, Trajectory, collect, tabulate, write_trajectories
from worldwright.rollout.table import INTERVAL, UNIT
from worldwright.solver import SOLVERS, Solver
from worldwright.solver.plan import PlanSolver
from worldwright.solver.registry import HARNESS, MODEL_SOLVERS

__all__ = ["NAMES", "jobs", "print_lines", "print_matrix", "rollout", "tasks_of"]

NAMES = ("reference", "alternatives", *(name for name in SOLVERS if name != "human"))
"""What --solver may say without a model: `all` of them."""


_KNOWN = ", ".join((*NAMES, *MODEL_SOLVERS, HARNESS, "all"))
_DEFAULT = ["reference"]
_SOLVER = typer.Option("--solver", "-s", help=f"One of {', '.join((*NAMES, *MODEL_SOLVERS, HARNESS))}, all; may stand several times.")


def tasks_of(target: Target) -> list[PackTask]:
    """The tasks that a target names. Raises UsageError if there is none."""
    tasks = [target.task] if target.task else list(target.world.tasks.values()) if target.world else target.pack.tasks()
    if not tasks:
        raise UsageError(f"{target.pack.meta.name} has no task there")
    return tasks


def solvers_for(entry: PackTask, names: Sequence[str], models: Opened | None = None) -> Iterator[Solver]:
    """The solvers of these names for a task; a task without a reference has none of that name."""
    for name in names:
        if name == "reference":
            if entry.reference is not None:
                yield PlanSolver(entry.reference, name="reference")
        elif name == "alternatives":
            for plan in entry.alternatives:
                yield PlanSolver(plan, name=plan.name.removesuffix(".py"))
        elif name in NAMES:
            yield SOLVERS[name]()
        elif models is not None and name in (*MODEL_SOLVERS, HARNESS):
            yield models.solver(name)
        else:
            raise UsageError(f"there is no solver '{name}' (there are: {_KNOWN})")


def jobs(
    tasks: Sequence[PackTask],
    names: Sequence[str],
    seeds: Sequence[int],
    k: int,
    wording: int = 0,
    rung: int = 0,
    models: Opened | None = None,
) -> Iterator[Job]:
    """Every attempt to be made, in order."""
    for entry in tasks:
        for solver in solvers_for(entry, names, models):
            for seed in seeds:
                for index in range(k):
                    yield Job(entry, solver, seed, index, wording, rung)


def rollout(
    targets: Annotated[list[str], typer.Argument(help="PACK, PACK/world, PACK/world/task or PACK/world/task@seed.")],
    solver: Annotated[list[str], _SOLVER] = _DEFAULT,
    seeds: Annotated[int, typer.Option(help="How many seeds, from 0 (a target's own @seed counts more).", min=1, max=1_000_000)] = 8,
    wording: Annotated[int, typer.Option(help="0 the instruction, 1 and on its paraphrases in turn.", min=0, max=1_000)] = 0,
    k: Annotated[int, typer.Option("-k", help="Attempts at each instance.", min=1, max=100_000)] = 1,
    model: Annotated[str, MODEL] = "",
    help_level: Annotated[int, HELP_LEVEL] = 0,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The JSONL file to write (default: a new rollout-N.jsonl here).")] = None,
    record: Annotated[Path | None, RECORD] = None,
    ledger: Annotated[Path | None, LEDGER] = None,
    config: Annotated[Path | None, CONFIG] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Let solvers attempt tasks; every attempt is graded and stored as chat messages with its changes and verdict."""
    names = list(NAMES) if "all" in solver else solver
    for name in names:
        if name not in (*NAMES, *MODEL_SOLVERS, HARNESS):
            raise UsageError(f"there is no solver '{name}' (there are: {_KNOWN})")
    read = [resolve(target) for target in dict.fromkeys(targets)]
    path = out or next(one for n in itertools.count(1) if not (one := Path(f"rollout-{n}.jsonl")).exists())
    unless_there(path, force)
    done: list[Trajectory] = []
    with opened("solver", names, model, config, ledger, record, path) as models:
        try:
            done.extend(write_trajectories(path, _attempts(read, names, seeds, k, wording, help_level, models)))
        except KeyboardInterrupt:
            note(f"interrupted: what was finished is kept in {path}")
            raise
        if models is not None and models.is_over:
            note("a budget is used up: no more was attempted; what the last attempt spent is in its line")
    if not done:
        raise UsageError("nothing was attempted: no solver of that name there, or every seed is unusable (worldwright lint says which)")
    lines = tabulate(done, k)
    if as_json:
        emit({"out": str(path), "unit": f"{UNIT}; {INTERVAL}", "lines": lines})
    else:
        print_lines(lines)
        say(f"{len(done)} trajectories: {path}")
        note(f"explain one: worldwright explain {path}:1")
    return GOOD


def _attempts(
    read: Sequence[Target], names: Sequence[str], seeds: int, k: int, wording: int, rung: int, models: Opened | None
) -> Iterator[Trajectory]:
    """Every attempt, until a budget is used up."""
    for target in read:
        chosen = [target.seed] if target.seed is not None else range(seeds)
        planned = jobs(tasks_of(target), names, list(chosen), k, wording, rung, models)
        yield from collect(itertools.takewhile(lambda _: models is None or not models.is_over, planned), target.pack.digest)


def print_lines(lines: Sequence[Line]) -> None:
    """The table of pass rates."""
    k, has_cost = max((line.k for line in lines), default=1), any(line.tokens for line in lines)
    rows = [
        (
            line.task,
            line.solver,
            f"{line.passed}/{line.n}",
            f"{line.low:.2f}-{line.high:.2f}",
            *((_rate(line.any_k), _rate(line.all_k)) if k > 1 else ()),
            ", ".join(f"{number} {kind}" for kind, number in line.ended.items()),
            f"{line.calls:.1f}",
            *((f"{line.tokens:,.0f}", f"{line.cents:.2f}") if has_cost else ()),
        )
        for line in lines
    ]
    columns = ["task", "solver", "passed", "95 %", *((f"pass@{k}", f"pass^{k}") if k > 1 else ()), "no verdict", "calls"]
    columns += ["tokens", "cents"] if has_cost else []
    show_table("", columns, rows, right=[n for n, name in enumerate(columns) if n > 1 and name != "no verdict"])
    say(f"{UNIT}; {INTERVAL}")


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def print_matrix(lines: Sequence[Line]) -> None:
    """The same by task, a column a solver; of several alternatives the worst."""
    columns: list[str] = []
    cells: dict[str, dict[str, Line]] = {}
    for line in lines:
        column = "alternatives" if line.solver.startswith("alternative") else line.solver
        columns += [] if column in columns else [column]
        row = cells.setdefault(line.task, {})
        if column not in row or line.passed * row[column].n < row[column].passed * line.n:
            row[column] = line
    rows = [(task, *(f"{row[one].passed}/{row[one].n}" if one in row else "-" for one in columns)) for task, row in cells.items()]
    show_table("", ("task", *columns), rows, right=range(1, len(columns) + 1))
    masked = sum(line.masked for line in lines)
    say(f"passed/n; {UNIT}; of several alternatives the worst; {masked} attempts had no verdict")
