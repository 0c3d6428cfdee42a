"""The solvers that need nothing but a name: what `--solver NAME` may say, apart from plans and models."""

from __future__ import annotations

from collections.abc import Callable

from worldwright.solver.human import HumanSolver
from worldwright.solver.noop import NoopSolver
from worldwright.solver.protocol import Solver
from worldwright.solver.random_calls import RandomSolver
from worldwright.solver.shotgun import ShotgunSolver

__all__ = ["SOLVERS"]

SOLVERS: dict[str, Callable[[], Solver]] = {
    "human": HumanSolver,
    "noop": NoopSolver,
    "random": RandomSolver,
    "shotgun": ShotgunSolver,
}
"""Makes a solver by its name."""
