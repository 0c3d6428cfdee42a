"""What tests of the audit's results share: subjects in this process, and audits of them under a small policy."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from worldwright.audit.dossier import Dossier, examine
from worldwright.audit.lock import Request
from worldwright.audit.policy import Policy

HERE = Path(__file__).parent
SMALL = Policy(
    "small", 1, "for tests", 6, 4, first_wave=3, required=["untouched", "collateral", "reference", "episodes"], search=4, digest="0" * 64
)

PLAIN = Request()


def load(name: str) -> Any:
    """A module beside this file."""
    spec = importlib.util.spec_from_file_location(f"audit_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def in_process() -> Callable[..., Any]:
    """The class of subjects in this process: give it a function's name in desks.py."""
    return load("fake").InProcess


@pytest.fixture(scope="session")
def small() -> Policy:
    return SMALL


@pytest.fixture(scope="session")
def examined(in_process) -> Callable[..., Dossier]:
    """The dossier of a desk under the small policy; each is made once."""

    @cache
    def made(name: str, request: Request = PLAIN, policy: str = "small") -> Dossier:
        chosen = SMALL if policy == "small" else Policy(**{**{f: getattr(SMALL, f) for f in SMALL.__struct_fields__}, **POLICIES[policy]})
        return examine(in_process(name), chosen, seed=0, request=request)

    return made


POLICIES: dict[str, dict[str, Any]] = {
    "every kind": {"required": ["*"]},
    "forgiving": {"required": ["*"], "unknown_allowed": ["folder"]},
    "harsh": {"reject_errors": True},
    "no certificate": {"certifies": False},
    "unheard of": {"required": ["telepathy"]},
}
