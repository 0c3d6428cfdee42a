"""A small shop: orders, refunds, letters and a journal, and a way to grade calls made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from worldwright.task import Task
from worldwright.verifier import FUNCTIONS, Verdict, Verifier
from worldwright.world.records import RecordsWorld

SCHEMA = b"""
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total_cents INTEGER NOT NULL, status TEXT NOT NULL, due DATE NOT NULL, weight REAL, note TEXT);
CREATE TABLE refunds (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, amount_cents INTEGER NOT NULL, reason TEXT NOT NULL DEFAULT 'none', memo TEXT);
CREATE TABLE letters (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, body TEXT NOT NULL);
CREATE TABLE seats (row_no INTEGER NOT NULL, seat TEXT NOT NULL, holder TEXT, PRIMARY KEY (row_no, seat)) WITHOUT ROWID;
CREATE TABLE audit_log (id INTEGER PRIMARY KEY, what TEXT NOT NULL);
CREATE VIEW open_orders AS SELECT * FROM orders WHERE status = 'open';
CREATE TRIGGER logs AFTER INSERT ON refunds BEGIN INSERT INTO audit_log (what) VALUES ('refund ' || new.order_id); END;
"""

SCENARIO = b"""
def scenario(seed):
    orders = [{"id": i, "customer": "c" + str(i % 3), "total_cents": 1000 * i + seed % 2, "status": "open" if i % 2 else "paid",
               "due": "2026-05-0" + str(i), "weight": 1.5 * i, "note": None} for i in range(1, 7)]
    seats = [{"row_no": r, "seat": s, "holder": None} for r in (1, 2) for s in ("a", "b")]
    return {"orders": orders, "seats": seats}
"""

WORLD = b"""
kind: records
title: Shop
clock: 2026-05-04T09:00:00
free: [refunds.memo]
tools:
  refund:
    doc: r
    args: {order_id: {type: integer}, amount_cents: {type: integer}, reason: {type: string, default: none}, memo: {type: string, optional: true}}
    effect: ["INSERT INTO refunds (order_id, amount_cents, reason, memo) VALUES (:order_id, :amount_cents, :reason, :memo)"]
  unrefund:
    doc: r
    args: {order_id: {type: integer}}
    effect: ["DELETE FROM refunds WHERE order_id = :order_id"]
  set_status:
    doc: s
    args: {order_id: {type: integer}, status: {type: string}}
    effect: ["UPDATE orders SET status = :status WHERE id = :order_id"]
  set_note:
    doc: s
    args: {order_id: {type: integer}, note: {type: string, optional: true, max_length: 1000000}}
    effect: ["UPDATE orders SET note = :note WHERE id = :order_id"]
  set_weight:
    doc: s
    args: {order_id: {type: integer}, weight: {type: number}}
    effect: ["UPDATE orders SET weight = :weight WHERE id = :order_id"]
  drop_order:
    doc: d
    args: {order_id: {type: integer}}
    effect: ["DELETE FROM orders WHERE id = :order_id"]
  write_letter:
    doc: l
    args: {order_id: {type: integer}, body: {type: string, max_length: 1000000}}
    effect: ["INSERT INTO letters (order_id, body) VALUES (:order_id, :body)"]
  take_seat:
    doc: t
    args: {row_no: {type: integer}, seat: {type: string}, holder: {type: string}}
    effect: ["UPDATE seats SET holder = :holder WHERE row_no = :row_no AND seat = :seat"]
  look:
    doc: l
    args: {order_id: {type: integer}}
    row: SELECT * FROM orders WHERE id = :order_id
  junk:
    doc: j
    args: {n: {type: integer}, text: {type: string, default: x}}
    effect: ["INSERT INTO refunds (order_id, amount_cents, memo) WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < :n) SELECT i, i, :text FROM c"]
"""

BRIEF = """
title: t
bind: SELECT id AS order_id FROM orders WHERE id = 3
show: [order_id]
instruction: Do {{ order_id }}.
limits: {calls: 10000}
"""

Calls = Sequence[tuple[str, dict[str, Any]]]


class Shop:
    """Grades calls on the small shop."""

    def __init__(self, verifier: str, answer: str = "") -> None:
        self.world = RecordsWorld("shop", {"world.yaml": WORLD, "schema.sql": SCHEMA, "scenario.py": SCENARIO}, FUNCTIONS)
        self.task = Task("t", self.world, BRIEF + answer)
        self.verifier = Verifier(self.task, "written_by: {kind: hand}\n" + verifier)
        self.instance = self.task.instance(0)

    def grade(self, calls: Calls = (), answer: Any = None) -> Verdict:
        with self.task.start(self.instance) as episode:
            for tool, args in calls:
                episode.call(tool, args)
            return self.verifier.grade(self.instance, episode.finish(answer))

    def passes(self, calls: Calls = (), answer: Any = None) -> bool:
        verdict = self.grade(calls, answer)
        assert verdict.status in ("pass", "fail"), verdict
        return verdict.reward == 1


@pytest.fixture
def shop() -> Callable[..., Shop]:
    return Shop
