"""A pack of one small world with a clock, an event and a person, written where a test wants it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FILES = {
    "pack.toml": """\
name = "counter"
version = "1.0.0"
format = 1
licence = "CC0-1.0"
about = "Orders to pack."
""",
    "worlds/counter/world.yaml": """\
kind: records
title: Counter
clock: {start: 2026-03-30T09:00:00, tick: 60}
tools:
  list_orders:
    doc: All orders.
    rows: SELECT id, status, note FROM orders ORDER BY id
  set_status:
    doc: Change an order.
    args:
      order_id: {type: integer, minimum: 1, doc: The order.}
      status: {type: string, enum: [open, packed], doc: The new status.}
      note: {type: string, default: ""}
    require:
      - that: SELECT 1 FROM orders WHERE id = :order_id
        otherwise: There is no order {{ order_id }}.
    effect:
      - UPDATE orders SET status = :status, note = :note WHERE id = :order_id
    row: SELECT id, status, note FROM orders WHERE id = :order_id
""",
    "worlds/counter/schema.sql": "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT NOT NULL, note TEXT NOT NULL);\n",
    "worlds/counter/scenario.py": """\
def scenario(seed):
    return {"orders": [{"id": n, "status": "open", "note": ""} for n in range(1, 4)]}
""",
    "worlds/counter/events.yaml": """\
- name: a lorry comes
  due: SELECT 1 AS key, '2026-03-30T10:00:00' AS at
  effect: [UPDATE orders SET note = 'lorry' WHERE id = 3]
""",
    "worlds/counter/parties.yaml": """\
buyer:
  about: The buyer of an order.
  needs: [order_id]
  opens: Please pack my order {{ order_id }}.
  fields:
    topic: {type: string, enum: [price, day], doc: What it is about.}
  rules:
    - name: sees the lorry
      on: moved
      when: SELECT note FROM orders WHERE id = 3 AND note = 'lorry'
      say: The lorry is here.
      act: inform
      fields: {topic: day}
""",
    "worlds/counter/tasks/packing/brief.yaml": """\
title: Pack an order
bind: SELECT id AS order_id FROM orders WHERE id < 2
show: [order_id]
instruction: Pack order {{ order_id }}.
answer:
  done: {type: boolean}
  note: {type: string, optional: true}
limits: {calls: 5, output: 100}
parties: [buyer]
""",
    "worlds/counter/tasks/packing/verifier.yaml": """\
written_by: {kind: hand, sees: []}
expect:
  - name: the order is packed
    update: orders
    rows: SELECT :order_id AS id, 'packed' AS status
answer:
  done: SELECT 1
""",
}


def counter_pack(folder: Path, brief: Mapping[str, str] | None = None) -> Path:
    """Write the pack; `brief` replaces texts of the brief."""
    for name, text in FILES.items():
        changed = text
        for old, new in (brief or {}).items() if name.endswith("brief.yaml") else ():
            assert old in changed
            changed = changed.replace(old, new)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed, encoding="utf-8")
    return folder
