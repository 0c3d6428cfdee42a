"""`worldwright bench`: the engine's speed and memory against their bars."""

from __future__ import annotations

from typing import Annotated

import typer

from worldwright.cli.measures import Measure, measure_all
from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table
from worldwright.errors import UsageError
from worldwright.pack.read import resolve

__all__ = ["bench"]


def bench(
    target: Annotated[str, typer.Argument(help="A task with a reference.")] = "examples/tool-hire/tool-hire/credit-late-deliveries",
    live: Annotated[int, typer.Option(help="Episodes that live at once.", min=1)] = 1_000,
    many: Annotated[int, typer.Option(help="Episodes one after another.", min=100)] = 100_000,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Measure the engine in CPU time, as ratios in one run. Exit code 1 if a bar isn't met."""
    entry = resolve(target).task
    if entry is None or entry.reference is None:
        raise UsageError(f"{target}: name a task with a reference (PACK/world/task)")
    measured = measure_all(entry, live, many, lambda text: note(f"bench {text}"))
    if as_json:
        emit(
            [
                {
                    "name": one.name,
                    "value": one.value,
                    "unit": one.unit,
                    "bar": one.bar,
                    "met": one.is_met,
                    "n": one.n,
                    "beside": one.beside,
                }
                for one in measured
            ]
        )
    else:
        show_table("", ("figure", "measured", "bar", "ratio", "", "n", "beside"), [_row(one) for one in measured], right=(1, 2, 3, 5))
        say("CPU time of this process, the least of 9 rounds (verdicts: the median); ratio: measured / bar")
    return BAD if any(one.is_met is False for one in measured) else GOOD


def _row(one: Measure) -> tuple[str, ...]:
    bar = "" if one.bar is None else f"{one.bar:g} {one.unit}"
    ratio = "" if one.bar is None else f"{one.value / one.bar:.2f}"
    return (
        one.name,
        f"{one.value:.2f} {one.unit}",
        bar,
        ratio,
        {True: "met", False: "NOT MET", None: ""}[one.is_met],
        f"{one.n:,}",
        one.beside,
    )
