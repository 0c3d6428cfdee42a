"""The world's clock: part of the state, and the only time there is."""

import datetime

import pytest

from worldwright.errors import PackError, UsageError

SCHEMA = """
CREATE TABLE t (id INTEGER PRIMARY KEY, what TEXT, made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, day TEXT NOT NULL DEFAULT CURRENT_DATE,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%S', 'now')));
CREATE TABLE log (id INTEGER PRIMARY KEY, at TEXT NOT NULL);
CREATE TRIGGER logged AFTER INSERT ON t BEGIN INSERT INTO log (at) VALUES (datetime('now')); END;
"""
NOW = """SELECT :now AS now, strftime('%Y-%m-%dT%H:%M:%S', 'now') AS sql_now, datetime() AS bare, CURRENT_TIMESTAMP AS stamp,
  CURRENT_DATE AS day, CURRENT_TIME AS time, unixepoch('now') AS epoch, julianday('now') AS julian"""


@pytest.fixture
def clocked(make):
    def build(clock="2026-03-30T09:00:00", **more):
        tools = {
            "now": {"doc": "-", "row": NOW},
            "put": make.write("INSERT INTO t (what) VALUES (:now)"),
            "all": make.read("SELECT * FROM t ORDER BY id"),
            "log": make.read("SELECT at FROM log ORDER BY id"),
            "refuse": {"doc": "-", "row": "SELECT 1 AS one WHERE 0"},
        }
        return make.world(SCHEMA, tools, {"t": []}, clock=clock, **more)

    return build


def shown(moment):
    """What every way of asking must give at this moment."""
    when = datetime.datetime.fromisoformat(moment)
    seconds = int((when - datetime.datetime(1970, 1, 1)).total_seconds())
    spaced = moment.replace("T", " ")
    return {
        "now": moment,
        "sql_now": moment,
        "bare": spaced,
        "stamp": spaced,
        "day": moment[:10],
        "time": moment[11:],
        "epoch": seconds,
        "julian": pytest.approx(seconds / 86_400 + 2_440_587.5, abs=1e-6),
    }


@pytest.mark.parametrize(
    "start", ["1969-12-31T23:59:59", "1999-12-31T23:59:59", "2026-03-30T09:00:00", "2100-02-28T12:00:00", "9999-12-31T23:59:59"]
)
def test_every_now_is_the_worlds_whatever_the_machines(clocked, start):
    with clocked(start).start(1) as episode:
        assert episode.now() == start
        assert episode.call("clock", {}).value == {"now": start}
        assert episode.call("now", {}).value == shown(start)


def test_defaults_and_triggers_follow(clocked):
    with clocked({"start": "2026-03-30T09:00:00", "tick": 90}).start(1) as episode:
        for _ in range(2):
            assert episode.call("put", {}).ok
        rows = [[row[name] for name in ("what", "made", "day", "at")] for row in episode.call("all", {}).value]
        assert rows == [
            ["2026-03-30T09:00:00", "2026-03-30 09:00:00", "2026-03-30", "2026-03-30T09:00:00"],
            ["2026-03-30T09:01:30", "2026-03-30 09:01:30", "2026-03-30", "2026-03-30T09:01:30"],
        ]
        assert [row["at"] for row in episode.call("log", {}).value] == ["2026-03-30 09:00:00", "2026-03-30 09:01:30"]


def test_the_start_state_is_made_at_the_worlds_time(make):
    """A default that the scenario leaves out would otherwise be this machine's time, and the digest another each second."""
    world = make.world(SCHEMA, {"all": make.read("SELECT made, at FROM t")}, {"t": [{"id": 1, "what": "x"}]}, clock="2031-05-06T07:08:09")
    with world.start(1) as episode:
        assert episode.call("all", {}).value == [{"made": "2031-05-06 07:08:09", "at": "2031-05-06T07:08:09"}]


def test_scenario_code_sees_the_worlds_time_too(make):
    code = "import datetime\ndef scenario(seed):\n    return {'t': [{'id': 1, 'what': datetime.datetime.now().isoformat()}]}"
    world = make.world(SCHEMA, {"all": make.read("SELECT what FROM t")}, code, clock="2031-05-06T07:08:09")
    with world.start(1) as episode:
        assert episode.call("all", {}).value[0]["what"].startswith("2031-05-06T07:08:09")


def test_every_call_takes_its_tick_a_refused_one_too(clocked):
    with clocked({"start": "2026-03-30T09:00:00", "tick": 60}).start(1) as episode:
        for tool in ("now", "refuse", "nothing", "put", "clock"):
            episode.call(tool, {})
        evidence = episode.finish(None)
    assert [call.at[11:16] for call in evidence.calls] == ["09:00", "09:01", "09:02", "09:03", "09:04"]
    assert (evidence.started, evidence.ended) == ("2026-03-30T09:00:00", "2026-03-30T09:05:00")


def test_without_a_tick_time_stands_still(clocked):
    with clocked().start(1) as episode:
        for _ in range(5):
            episode.call("put", {})
        assert episode.finish(None).ended == "2026-03-30T09:00:00"


def test_waiting(clocked):
    with clocked({"start": "2026-03-30T09:00:00", "tick": 1}).start(1) as episode:
        assert episode.call("wait", {"until": "2026-03-30T14:30"}).value == {"now": "2026-03-30T14:30:00"}
        assert episode.call("now", {}).value == shown("2026-03-30T14:30:01")
        assert episode.call("wait", {"until": "2026-03-30T09:00:00"}).error == "It is 2026-03-30T14:30:02 already."
        assert episode.call("wait", {"until": "2027-04-30T00:00:00"}).error == "That is more than a year away."
        assert episode.call("wait", {"until": "2026-03-31 00:00:00.5"}).value == {"now": "2026-03-31T00:00:00"}


@pytest.mark.parametrize(
    "until",
    [
        "tomorrow",
        "2026-03-30",
        "2026-03-30T24:00:00",
        "2026-03-30T10:00:00Z",
        "2026-03-30T10:00:00+02:00",
        "2026-W14-1T10:00:00",
        5,
        None,
        "",
    ],
)
def test_waiting_for_what_is_no_time(clocked, until):
    with clocked({"start": "2026-03-30T09:00:00", "tick": 1}).start(1) as episode:
        assert not episode.call("wait", {"until": until}).ok
        assert episode.now() == "2026-03-30T09:00:01"


def test_time_ends_without_an_accident(clocked):
    with clocked({"start": "9999-12-31T23:59:30", "tick": 60}).start(1) as episode:
        assert episode.call("put", {}).ok
        assert episode.call("wait", {"until": "9999-12-31T23:59:59"}).ok
        assert episode.now() == "9999-12-31T23:59:59"


@pytest.mark.parametrize("until", ["2026-03-30T18:00:00", "2026-03-30T18:00", "2026-03-30 18:00:00"])
def test_the_clock_runs_on_at_the_end(clocked, until):
    with clocked().start(1) as episode:
        assert episode.finish(None, until).ended == "2026-03-30T18:00:00"


def test_the_clock_never_runs_back_at_the_end(clocked):
    with clocked().start(1) as episode:
        assert episode.finish(None, "2026-03-30T01:00:00").ended == "2026-03-30T09:00:00"
    with clocked().start(1) as episode, pytest.raises(UsageError, match="got 'soon'"):
        episode.finish(None, "soon")


def test_two_episodes_have_their_own_clocks(clocked):
    world = clocked({"start": "2026-03-30T09:00:00", "tick": 3600})
    with world.start(1) as one, world.start(1) as other:
        one.call("put", {})
        one.call("put", {})
        assert other.call("now", {}).value == shown("2026-03-30T09:00:00")
        assert one.call("now", {}).value == shown("2026-03-30T11:00:00")
        assert other.call("now", {}).value == shown("2026-03-30T10:00:00")


def test_the_next_episode_starts_at_the_start(clocked):
    world = clocked({"start": "2026-03-30T09:00:00", "tick": 3600})
    for _ in range(3):
        with world.start(1) as episode:
            assert episode.call("now", {}).value == shown("2026-03-30T09:00:00")
            episode.call("put", {})


@pytest.mark.parametrize(
    "clock",
    ["2026-03-30", "2026-03-30 09:00:00", "2026-03-30T09:00", "2026-03-30T09:00:00Z", "2026-13-30T09:00:00", "noon", "2026-03-30T24:00:00"],
)
def test_a_start_that_is_no_time_is_refused(clocked, clock):
    with pytest.raises(PackError, match=rf"clock: got '{clock}'"):
        clocked(clock)


def test_a_tick_below_zero_is_refused(clocked):
    with pytest.raises(PackError, match="got -5"):
        clocked({"start": "2026-03-30T09:00:00", "tick": -5})
