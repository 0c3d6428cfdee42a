"""Small worlds for the engine's tests, built from inline texts."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from worldwright.world.records import RecordsWorld
from worldwright.world.records.policy import Statement

START = "2026-03-30T09:00:00"


class Maker:
    """Builds worlds; JSON is YAML, so a tool is a dict."""

    def world(
        self,
        schema: str,
        tools: dict[str, Any] | None = None,
        rows: dict[str, Any] | str | None = None,
        *,
        events: list[dict[str, Any]] | None = None,
        parties: dict[str, Any] | None = None,
        files: dict[str, str | bytes] | None = None,
        functions: dict[str, Callable[..., Any]] | None = None,
        **top: Any,
    ) -> RecordsWorld:
        """`rows` is what the scenario gives: tables of rows, or its source text."""
        spec = {"kind": "records", "title": "T", "clock": START, "tools": tools or {}} | top
        code = rows if isinstance(rows, str) else f"def scenario(seed):\n    return {rows or {}!r}\n"
        texts: dict[str, Any] = {"world.yaml": as_yaml(spec), "schema.sql": schema, "scenario.py": code}
        if events is not None:
            texts["events.yaml"] = as_yaml(events)
        if parties is not None:
            texts["parties.yaml"] = as_yaml(parties)
        texts |= files or {}
        found = {path: text.encode() if isinstance(text, str) else text for path, text in texts.items() if text is not None}
        return RecordsWorld("w", found, functions=functions)

    @staticmethod
    def read(sql: str, **args: Any) -> dict[str, Any]:
        """A tool that lists rows; an argument is a type, or a whole spec."""
        return {"doc": "-", "args": spelt(args), "rows": sql}

    @staticmethod
    def write(*effect: str, **args: Any) -> dict[str, Any]:
        """A tool that writes."""
        return {"doc": "-", "args": spelt(args), "effect": list(effect)}

    @staticmethod
    def statement(sql: str, *params: str) -> Statement:
        """A text that no role has proven."""
        return Statement(sql, params, (), frozenset(), frozenset(), frozenset())


def as_yaml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def spelt(args: dict[str, Any]) -> dict[str, Any]:
    return {name: {"type": arg} if isinstance(arg, str) else arg for name, arg in args.items()}


@pytest.fixture(scope="session")
def make() -> Maker:
    return Maker()


SHOP = """
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  level TEXT NOT NULL DEFAULT 'basic' CHECK (level IN ('basic', 'gold'))
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  status TEXT NOT NULL DEFAULT 'new',
  total_cents INTEGER NOT NULL DEFAULT 0 CHECK (total_cents >= 0),
  placed TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE audit (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, status TEXT NOT NULL, at TEXT NOT NULL);
CREATE TRIGGER watched AFTER UPDATE OF status ON orders
BEGIN INSERT INTO audit (order_id, status, at) VALUES (new.id, new.status, datetime('now')); END;
"""

SHOP_ROWS = {
    "customers": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bo", "level": "gold"}],
    "orders": [
        {"id": 1, "customer_id": 1, "total_cents": 100, "placed": "2026-03-29 10:00:00"},
        {"id": 2, "customer_id": 1, "total_cents": 200, "placed": "2026-03-29 11:00:00"},
        {"id": 3, "customer_id": 2, "total_cents": 300, "placed": "2026-03-29 12:00:00"},
    ],
}


@pytest.fixture
def shop_tools(make: Maker) -> dict[str, Any]:
    """Tools over the shop."""
    return {
        "orders": make.read("SELECT * FROM orders ORDER BY id"),
        "customers": make.read("SELECT * FROM customers ORDER BY id"),
        "audit": make.read("SELECT * FROM audit ORDER BY id"),
        "order": {
            "doc": "-",
            "args": {"id": {"type": "integer"}},
            "row": "SELECT * FROM orders WHERE id = :id",
            "missing": "There is no order {{ id }}.",
        },
        "place": make.write(
            "INSERT INTO orders (customer_id, total_cents) VALUES (:customer, :cents)", customer="integer", cents="integer"
        ),
        "set_status": make.write("UPDATE orders SET status = :status WHERE id = :id", id="integer", status="string"),
        "set_total": make.write("UPDATE orders SET total_cents = :cents WHERE id = :id", id="integer", cents="integer"),
        "cancel": make.write("DELETE FROM orders WHERE id = :id", id="integer"),
        "leave": make.write("DELETE FROM customers WHERE id = :id", id="integer"),
        "join": make.write("INSERT INTO customers (name) VALUES (:name)", name="string"),
    }


@pytest.fixture
def shop(make: Maker, shop_tools: dict[str, Any]) -> Iterator[RecordsWorld]:
    """Customers with orders, a cascade, and a trigger that keeps an audit."""
    made = make.world(SHOP, shop_tools, SHOP_ROWS)
    yield made
    made.pool.close()


@pytest.fixture
def shop_with(make: Maker, shop_tools: dict[str, Any]) -> Callable[..., RecordsWorld]:
    """The shop with more tools, events, people or settings."""

    def build(tools: dict[str, Any] | None = None, **more: Any) -> RecordsWorld:
        return make.world(SHOP, shop_tools | (tools or {}), SHOP_ROWS, **more)

    return build


@pytest.fixture(scope="session")
def law_worlds(make: Maker) -> dict[int, RecordsWorld]:
    """By tick: a table that the agent alone writes, and one where an event follows each call."""
    tools = {
        "put": make.write("INSERT INTO t (id, a, b) VALUES (:id, :a, 'new')", id="integer", a="integer"),
        "set_a": make.write("UPDATE t SET a = :a WHERE id = :id", id="integer", a="integer"),
        "drop": make.write("DELETE FROM t WHERE id = :id", id="integer"),
        "replace": make.write("REPLACE INTO t (id, a, b) VALUES (:id, :a, 'replaced')", id="integer", a="integer"),
    }
    due = "SELECT strftime('%H', 'now') AS key, strftime('%Y-%m-%dT%H:00:00', 'now') AS at"
    effect = [
        "UPDATE t SET a = (a + 1) % 3 WHERE id = 1 + CAST(:key AS INTEGER) % 4",
        "DELETE FROM t WHERE id = 1 + CAST(:key AS INTEGER) % 3 AND a = 0",
        "INSERT OR IGNORE INTO t VALUES (1 + CAST(:key AS INTEGER) % 5, 2, 'event')",
    ]
    rows = {"t": [{"id": 1, "a": 1, "b": "x"}, {"id": 2, "a": 2, "b": "y"}]}
    schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)"
    busy = make.world(schema, tools, rows, events=[{"name": "hourly", "due": due, "effect": effect}], clock={"start": START, "tick": 3600})
    return {0: make.world(schema, tools, rows), 3600: busy}
