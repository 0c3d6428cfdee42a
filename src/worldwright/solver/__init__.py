"""The one agent loop, and every solver."""

from worldwright.solver.loop import Attempt, attempt
from worldwright.solver.protocol import Action, Agent, Answer, Call, GiveUp, Observation, Returned, Solver, Spent
from worldwright.solver.registry import SOLVERS
from worldwright.solver.trace import Trace

__all__ = [
    "SOLVERS",
    "Action",
    "Agent",
    "Answer",
    "Attempt",
    "Call",
    "GiveUp",
    "Observation",
    "Returned",
    "Solver",
    "Spent",
    "Trace",
    "attempt",
]
