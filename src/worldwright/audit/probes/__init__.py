"""The battery: one file a kind of probe. The order is that of cost and of what is worth knowing first."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any

from worldwright.audit.records import Probe

__all__ = ["BATTERY", "battery", "probe_named"]

BATTERY: tuple[str, ...] = (
    "reference", "untouched", "start_state", "answer_alone", "wrong_answer", "prefix", "dropped", "argument", "collateral", "doubled",
    "visible", "recorded",
    "answer_form", "harmless", "reordered", "reworded", "unseen", "grounding", "route", "as_written",
    "program", "planted", "leak", "tells", "injection", "dodge", "search", "constant", "positional", "reproducible", "episodes",
    "surroundings", "breakdown",
    "text_data", "text_junk", "text_hedge", "text_spray", "text_number", "text_list", "text_fields", "text_hints", "text_forms",
    "text_order", "text_mention",
    "text_verdict", "text_code", "text_floor", "text_repeat", "text_search",
)  # fmt: skip
"""Modules of this folder, in the order in which they are run."""


@cache
def battery() -> Mapping[str, ModuleType]:
    """Every probe's module by the probe's id, in order."""
    modules = [importlib.import_module(f"worldwright.audit.probes.{name}") for name in BATTERY]
    return {module.PROBE.id: module for module in modules}


def probe_named(name: str) -> Probe | None:
    """The probe of that id."""
    module: Any = battery().get(name)
    return module.PROBE if module is not None else None


def probes() -> Iterator[Probe]:
    """Every probe."""
    for module in battery().values():
        yield module.PROBE
