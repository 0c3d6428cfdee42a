"""What the world does by itself: in which order, at what time, how often, and what becomes of it when it goes wrong."""

import re
from collections import Counter

import pytest

from worldwright.errors import PackError
from worldwright.world import StopReason

SCHEMA = """
CREATE TABLE jobs (id INTEGER PRIMARY KEY, due TEXT, state TEXT NOT NULL DEFAULT 'open');
CREATE TABLE log (n INTEGER PRIMARY KEY, what TEXT NOT NULL, key, at TEXT NOT NULL, now TEXT NOT NULL, sql_now TEXT NOT NULL);
"""
NOTE = "INSERT INTO log (what, key, at, now, sql_now) VALUES ('{}', :key, :at, :now, strftime('%Y-%m-%dT%H:%M:%S', 'now'))"


def event(name, due, *effect):
    return {"name": name, "due": due, "effect": list(effect) or [NOTE.format(name)]}


def once(name, at, key=1, *effect):
    return event(name, f"SELECT {key!r} AS key, '2026-03-30T{at}' AS at", *effect)


@pytest.fixture
def busy(make):
    def build(*events, jobs=(), clock="2026-03-30T09:00:00", **more):
        tools = {
            "log": make.read("SELECT what, key, at, now, sql_now FROM log ORDER BY n"),
            "happened": make.read("SELECT n, at, event, key FROM event_log ORDER BY n"),
            "add": make.write("INSERT INTO jobs (id, due) VALUES (:id, :due)", id="integer", due={"optional": True}),
            "bad": {"doc": "-", "row": "SELECT 1 AS one WHERE 0"},
        }
        return make.world(SCHEMA, tools, {"jobs": list(jobs), "log": []}, events=list(events), clock=clock, **more)

    return build


def wait(episode, at):
    return episode.call("wait", {"until": f"2026-03-30T{at}"})


def told(episode):
    return [(row["what"], row["key"], row["now"][11:16]) for row in episode.call("log", {}).value]


JOBS = event("job", "SELECT id AS key, due AS at FROM jobs")


# ---- order


def test_by_time_then_file_then_key(busy):
    jobs = [
        {"id": n, "due": f"2026-03-30T{at}"}
        for n, at in ((10, "10:00:00"), (9, "10:00:00"), (1, "11:00:00"), (-5, "10:00:00"), (-7, "10:00:00"))
    ]
    world = busy(once("late", "12:00:00"), JOBS, once("early", "09:30:00"), once("same", "10:00:00", 0), jobs=jobs)
    with world.start(1) as episode:
        assert wait(episode, "12:00:00").ok
        names = [(what, key) for what, key, _ in told(episode)]
    assert names == [("early", 1), ("job", -7), ("job", -5), ("job", 9), ("job", 10), ("same", 0), ("job", 1), ("late", 1)]


def test_keys_of_any_type_have_one_order(busy):
    keys = ["'b'", "10", "2.5", "'10'", "-1", "x'00'", "'a'", "9", "10.5"]
    due = " UNION ALL ".join(f"SELECT {key} AS key, '2026-03-30T10:00:00' AS at" for key in keys)
    with busy(event("e", due)).start(1) as episode:
        wait(episode, "10:00:00")
        assert [key for _, key, _ in told(episode)] == [-1, 2.5, 9, 10, 10.5, "10", "a", "b", "00"]


def test_each_sees_its_own_time(busy):
    jobs = [{"id": 1, "due": "2026-03-30 10:00"}, {"id": 2, "due": "2026-03-30T10:30:30"}, {"id": 3, "due": "2026-03-31"}]
    with busy(JOBS, jobs=jobs).start(1) as episode:
        episode.call("wait", {"until": "2026-03-31T08:00:00"})
        rows = episode.call("log", {}).value
        assert [(row["at"], row["now"], row["sql_now"]) for row in rows] == [
            ("2026-03-30T10:00:00",) * 3,
            ("2026-03-30T10:30:30",) * 3,
            ("2026-03-31T00:00:00",) * 3,
        ]
        assert episode.now() == "2026-03-31T08:00:00"


def test_what_was_due_before_happens_now_at_its_turn(busy):
    """After the first call: `at` is when it was due, `now` when it happens."""
    with busy(JOBS, jobs=[{"id": 1, "due": "2026-03-29T08:00:00"}, {"id": 2, "due": "2026-03-28"}]).start(1) as episode:
        assert told(episode) == []
        rows = episode.call("log", {}).value
        assert [(row["key"], row["at"], row["now"]) for row in rows] == [
            (2, "2026-03-28T00:00:00", "2026-03-30T09:00:00"),
            (1, "2026-03-29T08:00:00", "2026-03-30T09:00:00"),
        ]


def test_just_at_and_just_after(busy):
    with busy(once("e", "10:00:00")).start(1) as episode:
        wait(episode, "09:59:59")
        assert told(episode) == []
        wait(episode, "10:00:00")
        assert told(episode) == [("e", 1, "10:00")]


# ---- how often


def test_once_a_key(busy):
    with busy(JOBS, jobs=[{"id": 1, "due": "2026-03-30T10:00:00"}]).start(1) as episode:
        for at in ("10:00:00", "11:00:00", "12:00:00"):
            wait(episode, at)
        assert told(episode) == [("job", 1, "10:00")]
        episode.call("add", {"id": 2, "due": "2026-03-30T10:00:00"})
        assert told(episode) == [("job", 1, "10:00"), ("job", 2, "12:00")]


def test_two_events_may_have_one_key(busy):
    with busy(once("a", "10:00:00"), once("b", "10:00:00")).start(1) as episode:
        wait(episode, "10:00:00")
        assert told(episode) == [("a", 1, "10:00"), ("b", 1, "10:00")]


def test_nothing_is_due_without_key_or_time(busy):
    jobs = [{"id": 1, "due": None}]
    with busy(JOBS, event("nameless", "SELECT NULL AS key, '2026-03-30T08:00:00' AS at"), jobs=jobs).start(1) as episode:
        wait(episode, "12:00:00")
        assert told(episode) == []
        assert episode.finish(None).lost is None


def test_events_schedule_events(busy):
    """A chain within one wait, each link at its own time; one for a time that has passed comes at once."""
    follow = """INSERT INTO jobs (id, due)
    SELECT :key + 1, strftime('%Y-%m-%dT%H:%M:%S', :at, CASE WHEN :key = 3 THEN '-5 hours' ELSE '+1 hour' END) WHERE :key < 5"""
    with busy(event("job", JOBS["due"], NOTE.format("job"), follow), jobs=[{"id": 1, "due": "2026-03-30T10:00:00"}]).start(1) as episode:
        wait(episode, "20:00:00")
        assert told(episode) == [("job", 1, "10:00"), ("job", 2, "11:00"), ("job", 3, "12:00"), ("job", 4, "12:00"), ("job", 5, "12:00")]


def test_an_event_can_call_another_off(busy):
    world = busy(once("stop", "10:00:00", 1, "UPDATE jobs SET due = NULL"), JOBS, jobs=[{"id": 1, "due": "2026-03-30T11:00:00"}])
    with world.start(1) as episode:
        wait(episode, "12:00:00")
        assert told(episode) == []


def test_after_every_call_also_a_refused_one(busy):
    clock = {"start": "2026-03-30T09:00:00", "tick": 600}
    with busy(once("e", "09:10:00"), once("f", "09:20:00"), clock=clock).start(1) as episode:
        episode.call("bad", {})
        episode.call("nothing", {})
        assert told(episode) == [("e", 1, "09:10"), ("f", 1, "09:20")]


def test_the_log_of_events_can_be_read_by_events_and_tools(busy):
    chained = event("second", "SELECT key, at FROM event_log WHERE event = 'first'")
    with busy(once("first", "10:00:00"), chained).start(1) as episode:
        wait(episode, "11:00:00")
        assert episode.call("happened", {}).value == [
            {"n": 1, "at": "2026-03-30T10:00:00", "event": "first", "key": 1},
            {"n": 2, "at": "2026-03-30T10:00:00", "event": "second", "key": 1},
        ]


def test_two_episodes_are_the_same(busy):
    def story():
        jobs = [{"id": n, "due": f"2026-03-30T{10 + n % 5}:00:00"} for n in range(20)]
        with busy(JOBS, jobs=jobs).start(1) as episode:
            wait(episode, "13:00:00")
            return told(episode), episode.finish(None, "2026-03-30T23:00:00").changes

    assert story() == story()


# ---- the end


def test_the_clock_runs_on_with_the_agent_gone(busy):
    with busy(once("e", "18:00:00"), once("never", "23:00:00")).start(1) as episode:
        episode.call("add", {"id": 1})
        evidence = episode.finish(None, "2026-03-30T20:00:00")
        rows = [(change.table, change.by) for change in evidence.changes]
    assert rows == [("jobs", "agent"), ("log", "world")]
    assert evidence.ended == "2026-03-30T20:00:00"


def test_the_verifier_sees_what_happened(busy):
    world = busy(once("e", "18:00:00", "k"))
    seen = world.bench.prove("SELECT event, key, at FROM event_log", "verifier")
    with world.start(1) as episode:
        assert episode.finish(None, "2026-03-30T20:00:00").run(seen, {}) == [("e", "k", "2026-03-30T18:00:00")]


# ---- going wrong is data


@pytest.mark.parametrize(
    "events, why",
    [
        ([event("ever", "SELECT (SELECT count(*) FROM log) AS key, '2026-03-30T10:00:00' AS at")], "more than 1000 events"),
        ([once("e", "10:00:00", 1, "INSERT INTO jobs (id) VALUES (1)", "INSERT INTO jobs (id) VALUES (1)")], "UNIQUE constraint"),
        ([once("e", "10:00:00", 1, "UPDATE log SET what = abs(-9223372036854775807 - 1)", "INSERT INTO log (n) VALUES (1)")], "NOT NULL"),
        ([event("e", "SELECT 1 AS key, 'soon' AS at")], "'e' is due at 'soon', which is no time"),
        ([event("e", "SELECT 1 AS key, '2026-03-30T10:00:00Z' AS at")], "which is no time"),
        ([event("e", "SELECT 1 AS key, 20260330 AS at")], "which is no time"),
        (
            [event("e", "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, NULL AS at FROM n")],
            "too many keys",
        ),
        ([event("e", "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS key, 1 AS at FROM n")], "steps"),
    ],
)
def test_a_world_that_can_not_go_on_is_lost_without_an_exception(busy, events, why):
    world = busy(*events)
    with world.start(1) as episode:
        result = wait(episode, "12:00:00")
        assert result.ended is StopReason.STATE_LOST
        assert episode.call("log", {}).ended is StopReason.STATE_LOST
        assert why in episode.finish(None).lost
    with world.start(1) as episode:
        assert episode.state_digest() == world.state_digest(1)


def test_lost_at_the_end(busy):
    with busy(event("ever", "SELECT (SELECT count(*) FROM log) AS key, '2026-03-30T10:00:00' AS at")).start(1) as episode:
        assert episode.call("log", {}).ended is None
        assert "more than 1000" in episode.finish({"a": 1}, "2026-03-30T12:00:00").lost


def test_an_effect_that_fails_leaves_no_half(busy):
    world = busy(once("e", "10:00:00", 1, "INSERT INTO jobs (id) VALUES (1)", "INSERT INTO jobs (id) VALUES (1)"))
    with world.start(1) as episode:
        wait(episode, "12:00:00")
        assert episode.finish(None).changes == []


def test_a_thousand_events_are_fine(busy):
    jobs = [{"id": n, "due": "2026-03-30T10:00:00"} for n in range(300)]
    with busy(JOBS, jobs=jobs).start(1) as episode:
        assert wait(episode, "12:00:00").ended is None
        assert len(episode.call("log", {}).value) == 300
        assert len(episode.finish(None).changes) == 300


def keys(count, at="'2026-03-30T10:00:00'"):
    return f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) SELECT i AS key, {at} AS at FROM n"


def test_many_rows_may_be_due_as_long_as_few_happen_at_once(busy):
    with busy(event("later", keys(5_000, "'2026-04-30'")), event("now", keys(20))).start(1) as episode:
        assert wait(episode, "12:00:00").ended is None
        assert len(told(episode)) == 20


@pytest.mark.parametrize(
    "events, why",
    [
        ([event("e", keys(5_001, "'2026-04-30'"))], "'e' is due for too many keys"),
        ([event("now", keys(900)), *(event(f"e{n}", keys(2_500, "'2026-04-30'")) for n in range(2))], "'e[01]' is due for too many keys"),
        ([event("now", keys(900), f"INSERT INTO jobs (id) SELECT max(key) FROM ({keys(10_000)}) HAVING count(*) < 0")], "interrupted"),
    ],
)
def test_one_move_of_the_clock_has_a_budget(busy, events, why):
    with busy(*events).start(1) as episode:
        assert wait(episode, "12:00:00").ended is StopReason.STATE_LOST
        assert re.search(why, episode.finish(None).lost)


# ---- at load


@pytest.mark.parametrize(
    "events, field, why",
    [
        ([event("e", "SELECT id FROM jobs")], "e.due", "due gives id"),
        ([event("e", "SELECT due AS at, id AS key FROM jobs")], "e.due", "due gives at, key"),
        ([event("e", "SELECT 1 AS key, :at AS at")], "e.due", "unknown parameter :at"),
        ([event("e", "DELETE FROM jobs RETURNING id AS key, due AS at")], "e.due", "it writes jobs"),
        ([event("e", "SELECT 1 AS key, 2 AS at FROM calls")], "e.due", "it reads calls"),
        ([once("e", "10:00:00", 1, "SELECT 1")], r"e.effect\[0\]", "it writes nothing"),
        ([once("e", "10:00:00", 1, "DELETE FROM jobs", "DELETE FROM jobs WHERE id = :id")], r"e.effect\[1\]", "unknown parameter :id"),
        ([once("e", "10:00:00"), once("e", "11:00:00")], r"\[1\].name", "two events are called 'e'"),
        ([{"name": "e"}], "", "the key 'due' is missing"),
    ],
)
def test_refused_at_load(busy, events, field, why):
    with pytest.raises(PackError, match=rf"^w/events.yaml.*{field}.*{why}"):
        busy(*events)


def test_waiting_is_offered_where_something_can_happen(busy, make):
    assert "wait" in [tool.name for tool in busy(once("e", "10:00:00")).tools()]
    assert "wait" not in [tool.name for tool in make.world(SCHEMA, rows={"jobs": []}).tools()]


# ---- what is remembered between moves


def test_what_is_due_is_looked_for_again_after_a_write_and_after_going_back(busy):
    world = busy(JOBS, jobs=[{"id": 1, "due": "2026-03-30T11:00:00"}])
    assert world.settled
    with world.start(1) as episode:
        wait(episode, "09:30:00")
        mark = episode.mark()
        episode.call("add", {"id": 2, "due": "2026-03-30T09:45:00"})
        wait(episode, "10:00:00")
        assert told(episode) == [("job", 2, "09:45")]
        episode.back(mark)
        wait(episode, "10:00:00")
        assert told(episode) == []
        episode.call("add", {"id": 1, "due": "2026-03-30T10:15:00"})  # refused: the key is taken
        wait(episode, "10:30:00")
        assert told(episode) == []
        episode.call("add", {"id": 3, "due": "2026-03-30T10:45:00"})
        wait(episode, "12:00:00")
        assert told(episode) == [("job", 3, "10:45"), ("job", 1, "11:00")]


def asked(episode):
    """How often each statement has run since, by its text."""
    texts = Counter()

    def note(_, sql, __):
        texts[sql] += 1
        return True

    episode.connection.db.exec_trace = note
    return texts


def test_only_events_that_read_what_was_written_are_asked_again(busy):
    other = event("other", "SELECT n AS key, at FROM log WHERE what = 'never'")
    world = busy(JOBS, other, jobs=[{"id": 1, "due": "2026-03-30T11:00:00"}])
    with world.start(1) as episode:
        wait(episode, "09:10:00")
        texts = asked(episode)
        episode.call("add", {"id": 2, "due": "2026-03-30T09:45:00"})
        wait(episode, "09:30:00")
        assert (texts[JOBS["due"]], texts[other["due"]]) == (1, 0)
        wait(episode, "10:00:00")
        assert told(episode) == [("job", 2, "09:45")]
        episode.connection.db.exec_trace = None


def test_after_going_back_what_was_due_then_needs_no_asking(busy):
    with busy(JOBS, jobs=[{"id": 1, "due": "2026-03-30T11:00:00"}]).start(1) as episode:
        wait(episode, "09:30:00")
        mark = episode.mark()
        wait(episode, "09:40:00")
        episode.back(mark)
        texts = asked(episode)
        wait(episode, "10:00:00")
        assert texts[JOBS["due"]] == 0
        wait(episode, "12:00:00")
        assert told(episode) == [("job", 1, "11:00")]
        episode.connection.db.exec_trace = None


FOLLOWING = """
CREATE TABLE sites (id INTEGER PRIMARY KEY);
CREATE TABLE jobs (id INTEGER PRIMARY KEY, due TEXT, site REFERENCES sites ON DELETE CASCADE);
CREATE TABLE copies (id INTEGER PRIMARY KEY, due TEXT);
CREATE TABLE log (n INTEGER PRIMARY KEY, what TEXT);
CREATE TRIGGER copy AFTER INSERT ON jobs BEGIN INSERT INTO copies VALUES (new.id, new.due); END;
"""


def following(make, table):
    tools = {
        "add": make.write("INSERT INTO jobs (id, due) VALUES (:id, :due)", id="integer", due={}),
        "close": make.write("DELETE FROM sites WHERE id = :id", id="integer"),
    }
    due = event("e", f"SELECT id AS key, due AS at FROM {table}", "INSERT INTO log (what) VALUES (:key)")
    rows = {"sites": [{"id": 1}], "jobs": [{"id": 5, "due": "2026-03-30T11:00:00", "site": 1}]}
    return make.world(FOLLOWING, tools, rows, events=[due], clock="2026-03-30T09:00:00")


def happened(episode):
    return [row.new["what"] for row in episode.finish(None).changes if row.table == "log"]


def test_what_a_trigger_writes_is_due(make):
    world = following(make, "Copies")
    assert world.settled
    with world.start(1) as episode:
        wait(episode, "09:30:00")
        assert episode.call("add", {"id": 7, "due": "2026-03-30T10:00:00"}).ok
        wait(episode, "12:00:00")
        assert happened(episode) == ["7"]


def test_what_a_reference_deletes_is_due_no_more(make):
    with following(make, "jobs").start(1) as episode:
        wait(episode, "09:30:00")
        assert episode.call("close", {"id": 1}).ok
        wait(episode, "12:00:00")
        assert happened(episode) == []


@pytest.mark.parametrize(
    "due",
    [
        "SELECT 1 AS key, :now AS at WHERE :now >= '2026-03-30T10:00:00'",
        "SELECT 1 AS key, '2026-03-30T10:00:00' AS at WHERE datetime('now') >= '2026-03-30 10:00:00'",
        "SELECT 1 AS key, '2026-03-30T10:00:00' AS at WHERE time() >= '10:00:00'",
        "SELECT 1 AS key, '2026-03-30T10:00:00' AS at WHERE CURRENT_TIME >= '10:00:00'",
        "SELECT 1 AS key, '2026-03-30T10:00:00' AS at WHERE strftime /* so */ ('%H', 'n' || 'ow') >= '10'",
    ],
)
def test_what_is_due_by_the_time_is_looked_for_at_each_move(busy, due):
    world = busy(event("late", due))
    assert not world.settled
    with world.start(1) as episode:
        for at in ("09:30:00", "10:00:00", "10:05:00"):
            wait(episode, at)
        assert [what for what, _, _ in told(episode)] == ["late"]
