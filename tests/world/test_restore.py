"""What an episode left is brought back row for row: swaps, cascades, triggers, blobs, row numbers, and what the world did itself."""

from __future__ import annotations

import pytest

from worldwright.world.records.restore import keep, restore

ROWS = {"items": [{"code": code, "place": n, "data": bytes([n])} for n, code in enumerate("abcd")], "parts": [{"code": "p", "item": "a"}]}
SCHEMA = """
CREATE TABLE items (code TEXT PRIMARY KEY NOT NULL, place INTEGER NOT NULL UNIQUE, data BLOB, seen INTEGER NOT NULL DEFAULT 0);
CREATE TABLE parts (code TEXT PRIMARY KEY NOT NULL, item TEXT NOT NULL REFERENCES items (code) ON DELETE CASCADE);
CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TRIGGER noted AFTER UPDATE OF place ON items BEGIN INSERT INTO notes (text) VALUES (new.code || new.place); END;
"""
EVENTS = [
    {
        "name": "fresh",
        "due": "SELECT 'x' AS key, '2026-03-30T10:00:00' AS at",
        "effect": ["INSERT INTO items (code, place) VALUES ('x', 99)"],
    }
]


@pytest.fixture
def shelf(make):
    text, number = {"type": "string"}, {"type": "integer"}
    tools = {
        "move": make.write("UPDATE items SET place = :place WHERE code = :code", code=text, place=number),
        "drop": make.write("DELETE FROM items WHERE code = :code", code=text),
        "make": make.write("INSERT INTO items (code, place, data) VALUES (:code, :place, x'00ff')", code=text, place=number),
        "make_a": make.write("INSERT INTO items (code, place, data) VALUES ('a', 0, x'00')"),
        "part": make.write("INSERT INTO parts (code, item) VALUES (:code, :item)", code=text, item=text),
        "look": make.read("SELECT code FROM items"),
    }
    return make.world(SCHEMA, tools, ROWS, events=EVENTS)


def told(evidence):
    """All that a verifier could read, rows in the order in which they come."""
    evidence.episode.connection.grant(1_000_000_000)
    tables = [f"main.{name}" for name in ("items", "parts", "notes")] + ["temp.messages", "temp.event_log"]
    rows = {table: evidence.episode.connection.db.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    return rows, list(evidence.changes), list(evidence.calls), list(evidence.messages), evidence.answer, evidence.ended, evidence.lost


STEPS = {
    "nothing": [],
    "places swapped over a third": [
        ("move", {"code": "a", "place": 50}),
        ("move", {"code": "b", "place": 0}),
        ("move", {"code": "a", "place": 1}),
    ],
    "a row gone with its parts": [("drop", {"code": "a"})],
    "a row made again as it was comes last": [("drop", {"code": "a"}), ("make_a", {})],
    "rows made in another order than their keys": [
        ("make", {"code": "z", "place": 30}),
        ("make", {"code": "m", "place": 31}),
        ("look", {}),
    ],
    "a row made in the place of another": [
        ("drop", {"code": "d"}),
        ("make", {"code": "e", "place": 3}),
        ("part", {"code": "q", "item": "e"}),
    ],
    "what the world made, taken away": [("wait", {"until": "2026-03-30T11:00:00"}), ("drop", {"code": "x"})],
    "what the world made, changed": [("wait", {"until": "2026-03-30T11:00:00"}), ("move", {"code": "x", "place": 7})],
    "refused calls": [("move", {"code": "a", "place": 1}), ("part", {"code": "q", "item": "nowhere"}), ("fly", {})],
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_the_end_comes_back(shelf, steps):
    with shelf.start(3) as episode, shelf.start(3) as other:
        for tool, args in steps:
            episode.call(tool, args)
        evidence = episode.finish({"done": True}, "2026-03-30T12:00:00")
        again = restore(other, keep(evidence), {"done": True})
        assert told(again) == told(evidence)


def test_row_numbers_are_kept_only_where_they_differ(shelf):
    with shelf.start(3) as episode:
        for tool, args in STEPS["a row made again as it was comes last"]:
            episode.call(tool, args)
        left = keep(episode.finish(None))
        assert [(table, key) for table, key, _ in left.numbers] == [("items", ("a",))]
        assert not [change for change in left.changes if change.table == "items"]


def test_a_lost_state_stays_lost(shelf):
    with shelf.start(3) as episode, shelf.start(3) as other:
        episode.call("drop", {"code": "b"})
        episode.lost = "the disk is full"
        left = keep(episode.finish(None))
        assert (left.lost, left.events, left.numbers) == ("the disk is full", (), ())
        assert restore(other, left, None).lost == "the disk is full"


def test_another_start_state_is_noticed_where_rows_are_missing(shelf, make):
    with shelf.start(3) as episode:
        episode.call("move", {"code": "a", "place": 70})
        left = keep(episode.finish(None))
    empty = make.world(SCHEMA, {}, {})
    with empty.start(3) as other, pytest.raises(ValueError, match=r"no row \['a'\] in items"):
        restore(other, left, None)
