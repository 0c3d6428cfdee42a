"""A small world with a clock, an event and a person, and an agent that follows a script."""

from __future__ import annotations

import pytest

from worldwright.solver import Answer, Observation
from worldwright.task import Task
from worldwright.world.records import RecordsWorld

WORLD = b"""\
kind: records
title: Counter
clock: {start: 2026-03-30T09:00:00, tick: 60}
tools:
  list_orders:
    doc: All orders.
    args: {status: {type: string, optional: true, doc: Only those.}}
    rows: SELECT id, status, note FROM orders WHERE :status IS NULL OR status = :status ORDER BY id
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
    row: SELECT id, status FROM orders WHERE id = :order_id
"""
SCHEMA = b"""\
CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT NOT NULL, note TEXT NOT NULL, CHECK (status <> 'broken'));
"""
SCENARIO = b"""\
def scenario(seed):
    return {"orders": [{"id": n, "status": "open", "note": ""} for n in range(1, 4)]}
"""
EVENTS = b"""\
- name: a lorry comes
  due: SELECT 1 AS key, '2026-03-30T10:00:00' AS at
  effect: [UPDATE orders SET note = 'lorry' WHERE id = 3]
- name: a curse works
  due: SELECT id AS key, '2026-03-30T09:00:00' AS at FROM orders WHERE note = 'curse'
  effect: [UPDATE orders SET status = 'broken' WHERE id = :key]
"""
PARTIES = b"""\
buyer:
  about: The buyer of an order.
  needs: [order_id]
  opens: Please pack my order {{ order_id }}.
  fields:
    topic: {type: string, enum: [price, day], doc: What it is about.}
    order_id: {type: integer, doc: The order.}
  rules:
    - {name: answers, on: ask, say: 'It is about {{ said_topic }}.', act: inform, fields: {topic: '{{ said_topic }}'}}
    - name: sees the lorry
      on: moved
      when: SELECT note FROM orders WHERE id = 3 AND note = 'lorry'
      say: The lorry is here.
      act: inform
      fields: {topic: day}
"""
BRIEF = """\
title: Pack an order
bind: SELECT id AS order_id FROM orders WHERE id < 3
show: [order_id]
instruction: Pack order {{ order_id }}.
paraphrases: ['Order {{ order_id }} is to be packed.']
answer:
  done: {type: boolean}
  note: {type: string, optional: true}
limits: {calls: 5, output: 100}
until: 2026-03-30T12:00:00
parties: [buyer]
"""


def counter_world(scenario: bytes = SCENARIO) -> RecordsWorld:
    files = {"world.yaml": WORLD, "schema.sql": SCHEMA, "scenario.py": scenario, "events.yaml": EVENTS, "parties.yaml": PARTIES}
    return RecordsWorld("counter", files)


@pytest.fixture(scope="session")
def counter() -> RecordsWorld:
    return counter_world()


@pytest.fixture(scope="session")
def broken_counter() -> RecordsWorld:
    """The same world, but no start state can be made."""
    return counter_world(b"def scenario(seed):\n    return 1 // 0\n")


@pytest.fixture(scope="session")
def brief_text() -> str:
    return BRIEF


@pytest.fixture(scope="session")
def packing(counter) -> Task:
    return Task("packing", counter, BRIEF)


class Script:
    """A solver and its own agent: gives the acts of a list one after another; an exception in the list is raised."""

    name = "script"

    def __init__(self, *acts: object) -> None:
        self.acts = list(acts)
        self.seen: list[Observation] = []
        self.started: list[tuple] = []
        self.closed = 0

    def start(self, prompt, seed, shown):
        self.started.append((prompt, seed, shown))
        return self

    def act(self, observation):
        self.seen.append(observation)
        act = self.acts.pop(0) if self.acts else Answer()
        if isinstance(act, BaseException):
            raise act
        return act

    def close(self):
        self.closed += 1


@pytest.fixture(scope="session")
def script() -> type[Script]:
    return Script
