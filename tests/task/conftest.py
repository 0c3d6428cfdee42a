"""A world of a few orders, and tasks in it that differ in a few words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from worldwright.task import Task
from worldwright.world.records import RecordsWorld

SCHEMA = "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, due TEXT, weight REAL, tag BLOB);"
SCENARIO = """
def scenario(seed):
    if seed == 4000:
        return {"orders": []}
    return {"orders": [
        {"id": 3, "name": None, "due": "2026-03-30T18:00:00", "weight": 1.5},
        {"id": 10, "name": "b", "due": "2026-03-31", "weight": 2},
        {"id": 2, "name": "a", "due": "soon", "weight": None},
        {"id": 1, "name": "b", "due": None, "weight": 1},
    ]}
"""
PARTIES = """
buyer:
  about: Who has ordered.
  needs: [order_id]
  opens: Where is order {{ order_id }}?
carrier:
  about: Who brings it.
"""
BRIEF = {"title": "T", "bind": "SELECT id AS order_id, name FROM orders", "show": ["order_id"], "instruction": "Find order {{ order_id }}."}


@pytest.fixture(scope="session")
def orders() -> RecordsWorld:
    spec = {
        "kind": "records",
        "title": "Orders",
        "clock": "2026-03-30T09:00:00",
        "tools": {"all": {"doc": "All.", "rows": "SELECT * FROM orders"}},
    }
    files = {"world.yaml": json.dumps(spec), "schema.sql": SCHEMA, "scenario.py": SCENARIO, "parties.yaml": PARTIES}
    return RecordsWorld("orders", {path: text.encode() for path, text in files.items()})


@pytest.fixture(scope="session")
def task_with(orders) -> Callable[..., Task]:
    """A task in the world of orders; keywords replace parts of its brief (None takes a part away)."""

    def make(called: str = "find", /, **parts: Any) -> Task:
        brief = {key: value for key, value in (BRIEF | parts).items() if value is not None}
        return Task(called, orders, json.dumps(brief, ensure_ascii=False))

    return make
