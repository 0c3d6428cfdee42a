"""Solvers that need a language model, as commands open them: model, limits, ledger and recording in one place.

Takes what the command line says; gives a solver and its connection, and closes the model at the end. Says what was spent on stderr.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from worldwright.cli.output import note, unless_there
from worldwright.errors import UsageError
from worldwright.ledger import Ledger
from worldwright.solver import Solver
from worldwright.solver.registry import MODEL_SOLVERS

__all__ = ["CONFIG", "HELP_LEVEL", "LEDGER", "MODEL", "RECORD", "Opened", "connected", "opened"]

MODEL: Any = typer.Option(
    "--model", "-m", help="A name in worldwright.toml, openai:MODEL, anthropic:MODEL, local[:FILE], scripted:FILE, recorded:FILE."
)
CONFIG: Any = typer.Option("--config", help="The configuration to use instead of ./worldwright.toml.")
RECORD: Any = typer.Option("--record", help="Keep all requests and completions in this JSONL file, to be replayed as recorded:FILE.")
LEDGER: Any = typer.Option("--ledger", help="Add the cost of every request to this JSONL file.")
HELP_LEVEL: Any = typer.Option(
    "--help-level", help="What the agent is told: 0 the brief, 1 + the handbook's pages, 2 + the tools, 3 + an outline.", min=0, max=3
)


class Opened:
    """Solvers of one connection, by their name."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def solver(self, name: str) -> Solver:
        """The solver of that name."""
        return MODEL_SOLVERS[name](self.connection.model, self.connection.settings, self.connection.most)

    @property
    def is_over(self) -> bool:
        """Whether a budget is used up, so that nothing more can be asked."""
        return bool(self.connection.budget.is_spent)


@contextmanager
def connected(role: str, model: str, config: Path | None, ledger: Path | None, record: Path | None) -> Iterator[Any]:
    """The connection of a role. Raises UsageError."""
    from worldwright.model.config import read_configuration
    from worldwright.model.connect import connect

    if record is not None:
        unless_there(record, force=False)
    written = Ledger(ledger) if ledger is not None else None
    connection = connect(read_configuration(config), role, model, ledger=written, record=record)
    try:
        yield connection
    finally:
        connection.close()
        used = connection.budget.used
        if connection.access is not None:
            faults = "".join(f", {number} {kind}" for kind, number in sorted(connection.access.faults.items()))
            note(f"{connection.model.name}: {used.tokens:,} tokens, {used.cents:.2f} cents{faults}")


@contextmanager
def opened(
    role: str, names: list[str], model: str, config: Path | None, ledger: Path | None, record: Path | None
) -> Iterator[Opened | None]:
    """The solvers that need a model, if any of the names is one. Raises UsageError."""
    if not any(name in MODEL_SOLVERS for name in names):
        if model or record:
            raise UsageError(f"--model and --record are for the solvers {', '.join(MODEL_SOLVERS)} (say --solver chat)")
        yield None
        return
    with connected(role, model, config, ledger, record) as connection:
        yield Opened(connection)
