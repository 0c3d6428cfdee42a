"""The agent among the world's own changes: what an event did is not its fault, what it then did to that is."""

from __future__ import annotations

from typing import Any

import pytest

from worldwright.task import Task
from worldwright.verifier import FUNCTIONS, Verifier
from worldwright.world.records import RecordsWorld

SCHEMA = b"CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT NOT NULL DEFAULT 'open', note TEXT);"
SCENARIO = b"def scenario(seed):\n    return {'jobs': [{'id': 1}, {'id': 2}]}"
WORLD = b"""
kind: records
title: Jobs
clock: 2026-05-04T09:00:00
tools:
  do: {doc: d, args: {id: {type: integer}}, effect: [UPDATE jobs SET state = 'done' WHERE id = :id]}
  reopen: {doc: d, args: {id: {type: integer}}, effect: [UPDATE jobs SET state = 'open' WHERE id = :id]}
  note: {doc: d, args: {id: {type: integer}}, effect: [UPDATE jobs SET note = 'x' WHERE id = :id]}
  drop: {doc: d, args: {id: {type: integer}}, effect: [DELETE FROM jobs WHERE id = :id]}
"""
EVENTS = b"""
- name: night
  due: SELECT 1 AS key, '2026-05-04T20:00:00' AS at
  effect: ["INSERT INTO jobs (id) VALUES (3)", "UPDATE jobs SET state = 'late' WHERE id = 2"]
"""
BRIEF = "title: t\nbind: SELECT 1 AS id\nshow: [id]\ninstruction: Do {{ id }}.\nuntil: '2026-05-04T22:00:00'\n"
EXPECT = "written_by: {kind: hand}\nexpect: [{name: done, update: jobs, rows: \"SELECT 1 AS id, 'done' AS state\"}]\n"
NIGHT = ("wait", {"until": "2026-05-04T21:00:00"})
DONE = ("do", {"id": 1})


def passes(calls: list[tuple[str, dict[str, Any]]], more: str = "") -> bool:
    world = RecordsWorld("w", {"world.yaml": WORLD, "schema.sql": SCHEMA, "scenario.py": SCENARIO, "events.yaml": EVENTS}, FUNCTIONS)
    task = Task("t", world, BRIEF)
    verifier, instance = Verifier(task, EXPECT + more), task.instance(0)
    with task.start(instance) as episode:
        for tool, args in calls:
            assert episode.call(tool, args).ok
        verdict = verifier.grade(instance, episode.finish(None, instance.until))
    assert verdict.status in ("pass", "fail"), verdict
    return verdict.reward == 1


@pytest.mark.parametrize("calls", [[DONE], [DONE, NIGHT], [NIGHT, DONE]])
def test_what_an_event_did_is_not_the_agents_fault(calls: list[Any]) -> None:
    assert passes(calls)


@pytest.mark.parametrize(
    "fault",
    [("note", {"id": 3}), ("do", {"id": 3}), ("drop", {"id": 3}), ("reopen", {"id": 2}), ("drop", {"id": 2}), ("note", {"id": 2})],
)
def test_what_the_agent_did_to_it_is(fault: Any) -> None:
    """A row that an event made, or a column that it set, belongs to the frame like any other."""
    assert not passes([DONE, NIGHT, fault])


def test_unless_it_is_allowed() -> None:
    allow = "allow: [{update: jobs, columns: [note]}]\n"
    assert passes([DONE, NIGHT, ("note", {"id": 3})], allow)
    assert not passes([DONE, NIGHT, ("do", {"id": 3})], allow)
    assert passes([DONE, NIGHT, ("drop", {"id": 3})], "allow: [{delete: jobs}]\n")


def test_or_called_for() -> None:
    also = "any_of: [{name: new, expect: [{name: other, update: jobs, rows: \"SELECT 3 AS id, 'done' AS state\"}]}]\n"
    assert passes([DONE, NIGHT, ("do", {"id": 3})], also)
    assert not passes([DONE, NIGHT], also)
