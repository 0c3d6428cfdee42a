"""Solvers that need a language model, as commands open them: model, limits, ledger and recording in one place.

Takes what the command line says; gives a solver and its connection, and closes the model at the end. Says what was spent on stderr.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from worldwright.cli.output import note
from worldwright.errors import UsageError
from worldwright.ledger import Ledger
from worldwright.model.budget import Use
from worldwright.solver import Solver
from worldwright.solver.harness import Endpoint, HarnessSolver
from worldwright.solver.registry import HARNESS, MODEL_SOLVERS

__all__ = ["CONFIG", "HELP_LEVEL", "LEDGER", "MODEL", "RECORD", "Opened", "connected", "opened"]

MODEL: Any = typer.Option(
    "--model", "-m", help="A name in worldwright.toml, openai:MODEL, anthropic:MODEL, local[:FILE], scripted:FILE, recorded:FILE."
)
CONFIG: Any = typer.Option("--config", help="The configuration to use instead of ./worldwright.toml.")
RECORD: Any = typer.Option(
    "--record", help="Keep requests and completions in this file, to replay as recorded:FILE; one there is gone on with."
)
LEDGER: Any = typer.Option("--ledger", help="Where the cost of every request is added (default: beside --out, NAME.ledger.jsonl).")
HELP_LEVEL: Any = typer.Option(
    "--help-level", help="What the agent is told: 0 the brief, 1 + the handbook's pages, 2 + the tools, 3 + an outline.", min=0, max=3
)


class Opened:
    """Solvers of one connection, by their name; and the harness, which asks by itself."""

    def __init__(self, connection: Any = None, harness: HarnessSolver | None = None) -> None:
        self.connection, self.harness = connection, harness

    def solver(self, name: str) -> Solver:
        """The solver of that name."""
        if name == HARNESS:
            assert self.harness is not None
            return self.harness
        return MODEL_SOLVERS[name](self.connection.model, self.connection.settings, self.connection.most)

    @property
    def is_over(self) -> bool:
        """Whether a budget is used up, so that nothing more can be asked."""
        spent = self.connection is not None and bool(self.connection.is_over)
        return spent or (self.harness is not None and self.harness.is_over)


@contextmanager
def connected(role: str, model: str, config: Path | None, ledger: Path | None, record: Path | None) -> Iterator[Any]:
    """The connection of a role. Raises UsageError."""
    from worldwright.model.config import read_configuration
    from worldwright.model.connect import connect

    written = Ledger(ledger) if ledger is not None else None
    connection = connect(read_configuration(config), role, model, ledger=written, record=record)
    try:
        yield connection
    finally:
        connection.close()
        used = connection.budget.used
        if connection.access is not None:
            faults = "".join(f", {number} {kind}" for kind, number in sorted(connection.access.faults.items()))
            cents = "no price is known" if connection.access.price is None else f"{used.cents:.2f} cents"
            note(f"{connection.model.name}: {used.tokens:,} tokens, {cents}{faults}")


@contextmanager
def opened(
    role: str, names: list[str], model: str, config: Path | None, ledger: Path | None, record: Path | None, out: Path
) -> Iterator[Opened | None]:
    """The solvers that need a model, if any of the names is one; the ledger is beside `out` unless it is named. Raises UsageError."""
    harness = _harness(role, model, config) if HARNESS in names else None
    if harness is not None and (record or ledger):
        raise UsageError(f"--record and --ledger don't see what the solver {HARNESS} asks (what it spends is in each trajectory)")
    if not any(name in MODEL_SOLVERS for name in names):
        if record or (model and harness is None):
            raise UsageError(f"--model and --record are for the solvers {', '.join(MODEL_SOLVERS)} (say --solver chat)")
        yield None if harness is None else Opened(harness=harness)
        return
    with connected(role, model, config, ledger or out.with_suffix(".ledger.jsonl"), record) as connection:
        yield Opened(connection, harness)


def _harness(role: str, name: str, config: Path | None) -> HarnessSolver:
    """The harness over the endpoint of a model of Anthropic's form. Raises UsageError."""
    from worldwright.model.config import LONGEST, read_configuration
    from worldwright.model.connect import address_of, price_for, spec_of
    from worldwright.model.secrets import Secrets

    configuration = read_configuration(config)
    limits = configuration.role(role)
    name = name or limits.model
    if not name:
        raise UsageError(f"the solver {HARNESS} needs --model, or [roles.{role}] model = ... in worldwright.toml (anthropic:MODEL)")
    spec = spec_of(configuration, name)
    if spec.provider != "anthropic":
        raise UsageError(f"{name}: the solver {HARNESS} asks Anthropic's form of endpoint only (expected anthropic:MODEL)")
    missing = [package for package in ("claude_agent_sdk", "mcp") if importlib.util.find_spec(package) is None]
    if missing:
        raise UsageError(
            f"the solver {HARNESS} needs packages that aren't installed ({', '.join(missing)}): pip install 'worldwright[harness]'"
        )
    if limits.tokens == 0 or limits.cents == 0:
        raise UsageError(f"the budget of the role {role} is 0, so nothing can be asked")
    secrets = Secrets()
    address, price = address_of(spec, name, os.environ, secrets), price_for(spec, limits, name, os.environ)
    return HarnessSolver(
        Endpoint(spec.model, address.key, address.url or "", spec.tries, price),
        most=Use(limits.tokens_per_attempt, limits.cents_per_attempt),
        in_all=Use(limits.tokens or 0, limits.cents or 0.0),
        patience=min(spec.timeout * spec.tries, LONGEST),
        name=f"{HARNESS}:{name}",
        secrets=secrets,
    )
