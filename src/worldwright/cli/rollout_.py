"""`worldwright rollout TARGET`: attempts by solvers, as trajectories and a table."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from worldwright.cli.carrying_out import Means, account, carry_out
from worldwright.cli.model_solvers import CONFIG, HELP_LEVEL, LEDGER, MODEL, RECORD, Opened, opened
from worldwright.cli.output import GOOD, emit, note, say, show_table, unless_there
from worldwright.errors import UsageError
from worldwright.pack.read import PackTask, Target, resolve
from worldwright.rollout import Job, Line
from worldwright.rollout.schedule import CHUNK, Batch, Schedule
from worldwright.rollout.table import INTERVAL, UNIT
from worldwright.rollout.workplace import PYTHON
from worldwright.solver import SOLVERS, Solver
from worldwright.solver.plan import PlanSolver
from worldwright.solver.registry import HARNESS, MODEL_SOLVERS

__all__ = ["NAMES", "batches", "jobs", "print_lines", "print_matrix", "rollout", "tasks_of"]

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


def batches(place: int, target: Target, names: Sequence[str], seeds: int, k: int, wording: int = 0, rung: int = 0) -> Iterator[Batch]:
    """What a target asks for, as parts of a schedule; the target's pack has this place there."""
    first, many = (0, seeds) if target.seed is None else (target.seed, 1)
    for entry in tasks_of(target):
        for name in names:
            for one in _meant(entry, name):
                yield Batch(place, f"{entry.world.name}/{entry.name}", one, first, many, k, wording, rung)


def _meant(entry: PackTask, name: str) -> list[str]:
    """What a name on the command line means for a task; a task without a reference has none of that name."""
    if name == "reference":
        return [name] if entry.reference is not None else []
    if name == "alternatives":
        return [plan.name.removesuffix(".py") for plan in entry.alternatives]
    return [name]


_PROBE = "probe:"
"""Before the path of a checkpoint of `worldwright train`, or `fresh`."""


def _probed(name: str) -> str:
    """`probe:CHECKPOINT` as the function that makes that solver, so that every process and machine can make it."""
    if not name.startswith(_PROBE):
        return name
    path = name.removeprefix(_PROBE)
    return f"{PYTHON}worldwright.training.agent:probe:{path if path == 'fresh' else Path(path).resolve()}"


def rollout(
    targets: Annotated[list[str], typer.Argument(help="PACK, PACK/world, PACK/world/task or PACK/world/task@seed.")],
    solver: Annotated[list[str], _SOLVER] = _DEFAULT,
    seeds: Annotated[int, typer.Option(help="How many seeds, from 0 (a target's own @seed counts more).", min=1, max=1_000_000)] = 8,
    wording: Annotated[int, typer.Option(help="0 the instruction, 1 and on its paraphrases in turn.", min=0, max=1_000)] = 0,
    k: Annotated[int, typer.Option("-k", help="Attempts at each instance.", min=1, max=100_000)] = 1,
    model: Annotated[str, MODEL] = "",
    help_level: Annotated[int, HELP_LEVEL] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The run to write: .jsonl, .jsonl.gz or .jsonl.zst (default: a new rollout-N.jsonl here)."),
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes; 0: a core each, as far as there is enough to do.", min=0, max=1_024)] = 0,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="local: processes of this machine; ray: the machines of a Ray cluster.")
    ] = "local",
    address: Annotated[str, typer.Option(help="The Ray cluster (empty: the one that RAY_ADDRESS names, or one of its own here).")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was interrupted.")] = False,
    record: Annotated[Path | None, RECORD] = None,
    ledger: Annotated[Path | None, LEDGER] = None,
    config: Annotated[Path | None, CONFIG] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Let solvers attempt tasks; every attempt is graded and stored as chat messages with its changes and verdict."""
    names = list(NAMES) if "all" in solver else [_probed(one) for one in solver]
    for name in names:
        if name not in (*NAMES, *MODEL_SOLVERS, HARNESS) and not name.startswith(PYTHON):
            raise UsageError(f"there is no solver '{name}' (there are: {_KNOWN})")
        if name.startswith(PYTHON) and "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))  # modules are looked for in the folder that the command is run in
    read = [resolve(target) for target in dict.fromkeys(targets)]
    if resume and out is None:
        raise UsageError("--resume needs --out: the run to go on with")
    path = out or next(one for n in itertools.count(1) if not (one := Path(f"rollout-{n}.jsonl")).exists())
    unless_there(path, force or resume)
    with opened("solver", names, model, config, ledger, record, path) as models:
        packs = tuple({target.pack.digest: target.pack for target in read}.values())
        places = {pack.digest: place for place, pack in enumerate(packs)}
        parts = [one for target in read for one in batches(places[target.pack.digest], target, names, seeds, k, wording, help_level)]
        asked = models is not None
        told = ",".join(models.solver(name).name for name in names if name in (*MODEL_SOLVERS, HARNESS)) if models is not None else ""
        schedule = Schedule(tuple(places), tuple(dict.fromkeys(parts)), 1 if asked else CHUNK, told)
        if asked and (engine == "ray" or workers > 1):
            raise UsageError("solvers that ask a language model run in this process (leave out --engine and --workers)")
        carry_out(schedule, packs, path, Means(workers, engine, address), resume, models)
        if models is not None and models.is_over:
            note("a budget is used up: no more was attempted; what the last attempt spent is in its line")
    made = account(schedule, path, k)
    if as_json:
        emit({"out": str(path), "unit": f"{UNIT}; {INTERVAL}", "lines": made.lines, "unusable": made.unusable, "odd": made.leads})
        return GOOD
    print_lines(made.lines)
    said = [f"{made.n} trajectories: {path}", *([f"{made.masked} without a verdict"] if made.masked else [])]
    say("; ".join([*said, *([f"{made.unusable} on unusable seeds left out"] if made.unusable else [])]))
    if made.leads:
        counts = Counter(lead.kind for lead in made.leads)
        say(f"to look at: {', '.join(f'{number} {kind}' for kind, number in sorted(counts.items()))} (worldwright review {path})")
    note(f"explain one: worldwright explain {path}:1")
    return GOOD


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
