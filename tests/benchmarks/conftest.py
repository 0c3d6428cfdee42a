"""Modules of the side-by-side benchmark, which is no package: each is loaded under a name of its own."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "side_by_side"


@pytest.fixture(scope="session")
def side_by_side() -> Callable[[str], ModuleType]:
    """Load a module by its name."""

    def loaded(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"side_by_side_{name}", FOLDER / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

    return loaded
