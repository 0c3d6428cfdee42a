"""Attempts at the small pack's task, made once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from worldwright.pack import PackTask
from worldwright.rollout import Job, Trajectory, collect
from worldwright.solver import SOLVERS
from worldwright.solver.plan import PlanSolver

sys.path.insert(0, str(Path(__file__).parent))  # for `runs`, here and in the processes that tests start


@pytest.fixture(scope="session")
def settle_fine(loan_desk_pack) -> PackTask:
    return loan_desk_pack.tasks()[0]


@pytest.fixture(scope="session")
def attempts(settle_fine, loan_desk_pack) -> list[Trajectory]:
    """The reference, nothing and everything at once, on four seeds."""
    solvers = [PlanSolver(settle_fine.reference, name="reference"), SOLVERS["noop"](), SOLVERS["shotgun"]()]
    return list(collect([Job(settle_fine, solver, seed) for solver in solvers for seed in range(4)], loan_desk_pack.digest))
