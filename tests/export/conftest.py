"""The trajectories that every export is tried on can be imported by tests and by frameworks.py, and are made once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from worldwright.rollout import Trajectory

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def material() -> list[Trajectory]:
    from material import trajectories

    return trajectories()
