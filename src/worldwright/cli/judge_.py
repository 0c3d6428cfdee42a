"""`worldwright judge TARGET`: what a solver's attempts say about tasks: solved, hard, under-specified or broken."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from worldwright.cli.model_solvers import CONFIG, LEDGER, MODEL, RECORD, Opened, opened
from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table, unless_there
from worldwright.cli.rollout_ import solvers_for, tasks_of
from worldwright.errors import UsageError
from worldwright.pack.read import Target, resolve
from worldwright.rollout import Trajectory
from worldwright.rollout.judge import Judgement, Rule
from worldwright.rollout.judge import judge as judge_all
from worldwright.solver.registry import MODEL_SOLVERS

__all__ = ["judge"]

_NAMES = (*MODEL_SOLVERS, "reference", "random", "shotgun", "noop")
_CREDIBLE = "rate: 95 % credible, uniform prior; attempts stop once the floor is decided; attempts without a verdict are in no rate"


def judge(
    targets: Annotated[list[str], typer.Argument(help="PACK, PACK/world or PACK/world/task.")],
    solver: Annotated[str, typer.Option("--solver", "-s", help=f"One of {', '.join(_NAMES)}.")] = "chat",
    model: Annotated[str, MODEL] = "",
    floor: Annotated[float, typer.Option(help="The pass rate that counts as solved.")] = 0.25,
    sure: Annotated[float, typer.Option(help="With which probability the rate must be above or below the floor.")] = 0.9,
    most: Annotated[int, typer.Option(help="Attempts on a rung of the information ladder at most.", min=1, max=10_000)] = 16,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The trajectories' JSONL file (default: a new judge-N.jsonl here).")
    ] = None,
    record: Annotated[Path | None, RECORD] = None,
    ledger: Annotated[Path | None, LEDGER] = None,
    config: Annotated[Path | None, CONFIG] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Judge tasks by attempts, with more help where the brief alone doesn't do. Exit code 1 if one is broken or under-specified."""
    if solver not in _NAMES:
        raise UsageError(f"there is no solver '{solver}' (there are: {', '.join(_NAMES)})")
    read = [resolve(target) for target in dict.fromkeys(targets)]
    path = out or next(one for n in itertools.count(1) if not (one := Path(f"judge-{n}.jsonl")).exists())
    unless_there(path, force)
    rule, found = Rule(floor, sure, most), list[Judgement]()
    with opened("judge", [solver], model, config, ledger, record, path) as models, _kept(path) as keep:
        for target in read:
            found += _judged(target, solver, rule, models, keep)
        if models is not None and models.is_over:
            note("a budget is used up: no more was attempted")
    if as_json:
        emit({"out": str(path), "rule": rule, "rates": _CREDIBLE, "judgements": found})
    else:
        _print(found)
        note(f"trajectories: {path}")
    return BAD if any(one.word in ("broken", "under-specified") for one in found) else GOOD


def _judged(target: Target, solver: str, rule: Rule, models: Opened | None, keep: Callable[[Trajectory], object]) -> list[Judgement]:
    tasks = [(entry, one) for entry in tasks_of(target) for one in solvers_for(entry, [solver], models)]
    return judge_all(tasks, target.pack.digest, rule, keep=keep, is_over=lambda: models is not None and models.is_over)


@contextmanager
def _kept(path: Path) -> Iterator[Callable[[Trajectory], object]]:
    """A function that writes a trajectory at once."""
    encoder = msgspec.json.Encoder()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:

        def keep(one: Trajectory) -> None:
            file.write(encoder.encode(one) + b"\n")
            file.flush()

        yield keep


def _print(found: Sequence[Judgement]) -> None:
    rows = [
        (
            one.task,
            one.solver,
            one.word,
            one.reason,
            ", ".join(f"{rung.rung} {rung.passed}/{rung.n} ({rung.low:.2f}-{rung.high:.2f})" for rung in one.rungs),
        )
        for one in found
    ]
    show_table("", ("task", "solver", "judged", "why", "rungs"), rows)
    say(_CREDIBLE)
