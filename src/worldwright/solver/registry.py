"""The solvers by name: what `--solver NAME` may say, apart from plans; some need nothing else, some a language model."""

from __future__ import annotations

from collections.abc import Callable

from worldwright.model import Model, Settings, Use
from worldwright.solver.chat import ChatSolver
from worldwright.solver.code import CodeSolver
from worldwright.solver.human import HumanSolver
from worldwright.solver.noop import NoopSolver
from worldwright.solver.protocol import Solver
from worldwright.solver.random_calls import RandomSolver
from worldwright.solver.shotgun import ShotgunSolver

__all__ = ["HARNESS", "MODEL_SOLVERS", "SOLVERS"]

HARNESS = "harness"
"""The solver that is a program with a loop of its own; it is given an endpoint rather than a model."""

SOLVERS: dict[str, Callable[[], Solver]] = {
    "human": HumanSolver,
    "noop": NoopSolver,
    "random": RandomSolver,
    "shotgun": ShotgunSolver,
}
"""Makes a solver by its name."""

MODEL_SOLVERS: dict[str, Callable[[Model, Settings, Use], Solver]] = {
    "chat": lambda model, settings, most: ChatSolver(model, settings=settings, most=most),
    "code": lambda model, settings, most: CodeSolver(model, settings=settings, most=most),
}
"""Makes a solver of a language model by its name; `most` is what one attempt may use."""
