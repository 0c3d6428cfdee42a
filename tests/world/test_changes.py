"""What changed, and who changed it: rows, columns, and the agent told apart from the world."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

T = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)"
ROWS = {"t": [{"id": 1, "a": 10, "b": "x"}, {"id": 2, "a": 20, "b": "y"}]}


def spelt(change):
    """A change without what an assertion rarely needs."""
    return change.table, change.op, change.key, change.old, change.new, change.by, set(change.agent)


def after(world, *calls, until=None):
    """The changes that these calls leave; each must succeed."""
    with world.start(1) as episode:
        for tool, args in calls:
            result = episode.call(tool, args)
            assert result.ok, result.error
        return [spelt(change) for change in episode.finish(None, until).changes]


@pytest.fixture
def plain(make):
    """A table with a tool for every kind of write; `a` and `b` may hold anything."""

    def build(events=None, schema=T, rows=ROWS):
        tools = {
            "put": make.write(
                "INSERT INTO t (id, a, b) VALUES (:id, :a, :b)", id="integer", a="integer", b={"type": "string", "default": "new"}
            ),
            "set_a": make.write("UPDATE t SET a = :a WHERE id = :id", id="integer", a="integer"),
            "set_b": make.write("UPDATE t SET b = :b WHERE id = :id", id="integer", b="string"),
            "drop": make.write("DELETE FROM t WHERE id = :id", id="integer"),
            "renumber": make.write("UPDATE t SET id = :to WHERE id = :id", id="integer", to="integer"),
            "replace": make.write("REPLACE INTO t (id, a, b) VALUES (:id, :a, 'replaced')", id="integer", a="integer"),
        }
        return make.world(schema, tools, rows, events=events)

    return build


def at(hour, *effect, name=None):
    """An event at this hour of the first day."""
    return {"name": name or f"h{hour}", "due": f"SELECT 1 AS key, '2026-03-30T{hour:02}:00:00' AS at", "effect": list(effect)}


def wait(hour):
    return "wait", {"until": f"2026-03-30T{hour:02}:00:00"}


# ---- the agent alone


def test_nothing_done_is_no_change(plain):
    assert after(plain()) == []


def test_insert_update_delete(plain):
    assert after(plain(), ("put", {"id": 3, "a": 1}), ("set_a", {"id": 1, "a": 11}), ("drop", {"id": 2})) == [
        ("t", "update", (1,), {"a": 10}, {"a": 11}, "agent", {"a"}),
        ("t", "delete", (2,), {"id": 2, "a": 20, "b": "y"}, {}, "agent", {"id", "a", "b"}),
        ("t", "insert", (3,), {}, {"id": 3, "a": 1, "b": "new"}, "agent", {"id", "a", "b"}),
    ]


@pytest.mark.parametrize(
    "calls",
    [
        [("put", {"id": 3, "a": 1}), ("drop", {"id": 3})],
        [("set_a", {"id": 1, "a": 11}), ("set_a", {"id": 1, "a": 10})],
        [("drop", {"id": 1}), ("put", {"id": 1, "a": 10, "b": "x"})],
        [("set_a", {"id": 1, "a": 10})],
        [("set_a", {"id": 9, "a": 10})],
        [("renumber", {"id": 1, "to": 5}), ("renumber", {"id": 5, "to": 1})],
    ],
)
@pytest.mark.parametrize("interrupted", [False, True])
def test_what_is_undone_nets_to_nothing(plain, calls, interrupted):
    """Also when an event elsewhere comes between."""
    events = [at(10, "INSERT INTO log VALUES (1)")]
    world = plain(events, T + "; CREATE TABLE log (id INTEGER PRIMARY KEY)", ROWS)
    if interrupted:
        calls = [calls[0], wait(11), *calls[1:]]
    assert [change for change in after(world, *calls) if change[0] == "t"] == []


def test_a_row_deleted_and_made_again_is_an_update_of_what_differs(plain):
    expected = [("t", "update", (1,), {"b": "x"}, {"b": "z"}, "agent", {"b"})]
    assert after(plain(), ("drop", {"id": 1}), ("put", {"id": 1, "a": 10, "b": "z"})) == expected


def test_a_new_key_is_a_row_gone_and_a_row_made(plain):
    assert [change[:3] for change in after(plain(), ("renumber", {"id": 1, "to": 7}))] == [("t", "delete", (1,)), ("t", "insert", (7,))]


def test_replace_is_the_agents(plain):
    assert after(plain(), ("replace", {"id": 1, "a": 10}), ("replace", {"id": 4, "a": 4})) == [
        ("t", "update", (1,), {"b": "x"}, {"b": "replaced"}, "agent", {"b"}),
        ("t", "insert", (4,), {}, {"id": 4, "a": 4, "b": "replaced"}, "agent", {"id", "a", "b"}),
    ]


@pytest.mark.parametrize(
    "sql", ["UPDATE t SET a = 10.0 WHERE id = 1", "UPDATE t SET a = '10' WHERE id = 1", "UPDATE t SET a = NULL WHERE id = 1"]
)
def test_another_type_is_another_value(make, sql):
    ((_, op, _, old, new, _, _),) = after(make.world(T, {"do": make.write(sql)}, ROWS), ("do", {}))
    assert (op, old) == ("update", {"a": 10})
    assert type(new["a"]) is not int


def test_blobs_and_nulls(make):
    world = make.world(T, {"do": make.write("INSERT INTO t VALUES (3, x'00ff', NULL)")}, ROWS)
    ((_, _, _, _, new, _, _),) = after(world, ("do", {}))
    assert new == {"id": 3, "a": b"\x00\xff", "b": None}


def test_a_composite_key_is_given_in_column_order(make):
    schema = "CREATE TABLE t (v TEXT, b INTEGER NOT NULL, a TEXT NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID"
    tools = {"set": make.write("UPDATE t SET v = 'new' WHERE a = 'k'"), "drop": make.write("DELETE FROM t WHERE a = 'k'")}
    world = make.world(schema, tools, {"t": [{"a": "k", "b": 7, "v": "old"}]})
    assert world.schema.tables["t"].key == ("b", "a")
    assert after(world, ("set", {})) == [("t", "update", (7, "k"), {"v": "old"}, {"v": "new"}, "agent", {"v"})]
    assert after(world, ("drop", {}))[0][2] == (7, "k")


@pytest.mark.parametrize("without", ["", "WITHOUT ROWID"])
def test_generated_columns_shift_nothing(make, without):
    """They stand before the key, between stored columns and behind them; a changeset leaves them out."""
    schema = f"""CREATE TABLE t (
      up TEXT AS (upper(a)) VIRTUAL, a TEXT, twice INTEGER AS (n * 2) STORED,
      k TEXT NOT NULL, n INTEGER NOT NULL, b TEXT, last TEXT AS (a || b) STORED,
      PRIMARY KEY (n, k)) {without}"""
    tools = {
        "put": make.write("INSERT INTO t (a, k, n, b) VALUES ('p', 'q', 4, 'r')"),
        "set": make.write("UPDATE t SET b = 'B' WHERE n = 3"),
        "drop": make.write("DELETE FROM t WHERE n = 2"),
    }
    rows = {"t": [{"a": "u", "k": "v", "n": 2, "b": "w"}, {"a": "x", "k": "y", "n": 3, "b": "z"}]}
    assert after(make.world(schema, tools, rows), ("put", {}), ("set", {}), ("drop", {})) == [
        ("t", "insert", ("q", 4), {}, {"a": "p", "k": "q", "n": 4, "b": "r"}, "agent", {"a", "k", "n", "b"}),
        ("t", "delete", ("v", 2), {"a": "u", "k": "v", "n": 2, "b": "w"}, {}, "agent", {"a", "k", "n", "b"}),
        ("t", "update", ("y", 3), {"b": "z"}, {"b": "B"}, "agent", {"b"}),
    ]


def test_tables_with_awkward_names_are_followed(make):
    """`_` is a wildcard of LIKE: a table called sqlitedata is not one of SQLite's own. And `order` is a keyword."""
    schema = 'CREATE TABLE sqlitedata (id INTEGER PRIMARY KEY, "group" TEXT); CREATE TABLE "order" ("select" INTEGER PRIMARY KEY)'
    tools = {"do": make.write("INSERT INTO sqlitedata VALUES (1, 'g')", 'INSERT INTO "order" VALUES (5)')}
    world = make.world(schema, tools, {"sqlitedata": []})
    assert [(table, new) for table, _, _, _, new, _, _ in after(world, ("do", {}))] == [
        ("order", {"select": 5}),
        ("sqlitedata", {"id": 1, "group": "g"}),
    ]


def test_a_refused_call_changes_nothing(plain):
    with plain().start(1) as episode:
        assert not episode.call("put", {"id": 1, "a": 5}).ok
        assert not episode.call("put", {"id": "x", "a": 5}).ok
        assert list(episode.finish(None).changes) == []


# ---- triggers and cascades are the world's


def test_rows_of_triggers_and_cascades_are_the_worlds(shop):
    changes = after(shop, ("set_status", {"id": 3, "status": "sent"}), ("leave", {"id": 1}))
    assert [(table, op, key, by, bool(mine)) for table, op, key, _, _, by, mine in changes] == [
        ("audit", "insert", (1,), "world", False),
        ("customers", "delete", (1,), "agent", True),
        ("orders", "delete", (1,), "world", False),
        ("orders", "delete", (2,), "world", False),
        ("orders", "update", (3,), "agent", True),
    ]


def test_what_a_trigger_writes_into_the_agents_own_row_is_the_worlds(make):
    schema = """CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, version INTEGER NOT NULL DEFAULT 1);
    CREATE TRIGGER v AFTER UPDATE OF a ON t BEGIN UPDATE t SET version = version + 1 WHERE id = new.id; END"""
    tools = {
        "set_a": make.write("UPDATE t SET a = :a WHERE id = 1", a="integer"),
        "set_both": make.write("UPDATE t SET a = 0, version = 9 WHERE id = 1"),
    }
    world = make.world(schema, tools, {"t": [{"id": 1, "a": 0}]})
    assert after(world, ("set_a", {"a": 5})) == [("t", "update", (1,), {"a": 0, "version": 1}, {"a": 5, "version": 2}, "agent", {"a"})]
    assert after(world, ("set_both", {}), ("set_a", {"a": 1}))[0][6] == {"a", "version"}


def test_a_row_that_a_trigger_made_and_the_agent_then_changed(make):
    schema = """CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE ledger (id INTEGER PRIMARY KEY, note TEXT);
    CREATE TRIGGER l AFTER INSERT ON t BEGIN INSERT INTO ledger VALUES (new.id, 'made'); END"""
    tools = {"put": make.write("INSERT INTO t VALUES (1)"), "note": make.write("UPDATE ledger SET note = 'mine' WHERE id = 1")}
    changes = after(make.world(schema, tools, {"t": []}), ("put", {}), ("note", {}))
    assert changes[0] == ("ledger", "insert", (1,), {}, {"id": 1, "note": "mine"}, "world", {"note"})


# ---- the agent and an event on one row


def test_columns_of_one_row_are_told_apart(plain):
    world = plain([at(10, "UPDATE t SET b = 'event' WHERE id = 1")])
    expected = [("t", "update", (1,), {"a": 10, "b": "x"}, {"a": 11, "b": "event"}, "agent", {"a"})]
    assert after(world, ("set_a", {"id": 1, "a": 11}), wait(11)) == expected
    assert after(world, wait(11), ("set_a", {"id": 1, "a": 11})) == expected
    assert after(world, wait(11)) == [("t", "update", (1,), {"b": "x"}, {"b": "event"}, "world", set())]


def test_a_column_that_both_wrote_is_the_agents_too(plain):
    world = plain([at(10, "UPDATE t SET a = 99 WHERE id = 1")])
    assert after(world, ("set_a", {"id": 1, "a": 11}), wait(11)) == [("t", "update", (1,), {"a": 10}, {"a": 99}, "agent", {"a"})]
    assert after(world, wait(11), ("set_a", {"id": 1, "a": 12})) == [("t", "update", (1,), {"a": 10}, {"a": 12}, "agent", {"a"})]


def test_the_agents_insert_that_an_event_went_on_with(plain):
    """The column is no longer what the agent made it."""
    world = plain([at(10, "UPDATE t SET b = 'sent' WHERE id = 3")])
    assert after(world, ("put", {"id": 3, "a": 1}), wait(11)) == [
        ("t", "insert", (3,), {}, {"id": 3, "a": 1, "b": "sent"}, "agent", {"id", "a"})
    ]
    assert after(world, ("put", {"id": 3, "a": 1}), wait(11), ("set_b", {"id": 3, "b": "mine"}))[0][6] == {"id", "a", "b"}


def test_an_events_insert_that_the_agent_went_on_with(plain):
    world = plain([at(10, "INSERT INTO t VALUES (3, 30, 'event')")])
    assert after(world, wait(11)) == [("t", "insert", (3,), {}, {"id": 3, "a": 30, "b": "event"}, "world", set())]
    assert after(world, wait(11), ("set_a", {"id": 3, "a": 1})) == [
        ("t", "insert", (3,), {}, {"id": 3, "a": 1, "b": "event"}, "world", {"a"})
    ]


def test_an_event_deletes(plain):
    world = plain([at(10, "DELETE FROM t WHERE id IN (1, 3)")])
    gone = {"id": 1, "a": 10, "b": "x"}
    assert after(world, wait(11)) == [("t", "delete", (1,), gone, {}, "world", set())]
    assert after(world, ("set_a", {"id": 1, "a": 11}), wait(11)) == [("t", "delete", (1,), gone, {}, "world", {"a"})]
    assert after(world, ("put", {"id": 3, "a": 1}), wait(11)) == [("t", "delete", (1,), gone, {}, "world", set())]


def test_the_agent_deletes_what_an_event_changed(plain):
    world = plain([at(10, "UPDATE t SET b = 'event' WHERE id = 1")])
    expected = [("t", "delete", (1,), {"id": 1, "a": 10, "b": "x"}, {}, "agent", {"id", "a", "b"})]
    assert after(world, wait(11), ("drop", {"id": 1})) == expected


# ---- the agent undoes what the world did: start and end are alike, and it is a change all the same


def test_deleting_an_events_row_is_a_change(plain):
    world = plain([at(10, "INSERT INTO t VALUES (3, 30, 'event')")])
    expected = [("t", "delete", (3,), {"id": 3, "a": 30, "b": "event"}, {}, "agent", {"id", "a", "b"})]
    assert after(world, wait(11), ("drop", {"id": 3})) == expected


def test_setting_a_column_back_is_a_change(plain):
    world = plain([at(10, "UPDATE t SET a = 99, b = 'event' WHERE id = 1")])
    assert after(world, wait(11), ("set_a", {"id": 1, "a": 10})) == [
        ("t", "update", (1,), {"a": 99, "b": "x"}, {"a": 10, "b": "event"}, "agent", {"a"})
    ]


def test_making_again_what_an_event_deleted_is_a_change(plain):
    world = plain([at(10, "DELETE FROM t WHERE id = 1")])
    expected = [("t", "insert", (1,), {}, {"id": 1, "a": 10, "b": "x"}, "agent", {"id", "a", "b"})]
    assert after(world, wait(11), ("put", {"id": 1, "a": 10, "b": "x"})) == expected


def test_leaving_a_column_as_the_world_had_made_it_is_no_change_of_the_agents(plain):
    world = plain([at(10, "UPDATE t SET a = 99 WHERE id = 1"), at(12, "UPDATE t SET b = 'later' WHERE id = 2")])
    changes = after(world, wait(11), ("set_a", {"id": 1, "a": 5}), wait(13), ("set_a", {"id": 1, "a": 99}))
    assert changes[0] == ("t", "update", (1,), {"a": 10}, {"a": 99}, "world", set())


def test_the_world_undoing_the_agent_nets_to_nothing(plain):
    world = plain([at(10, "UPDATE t SET a = 10 WHERE id = 1", "DELETE FROM t WHERE id = 3")])
    assert after(world, ("set_a", {"id": 1, "a": 11}), ("put", {"id": 3, "a": 1}), wait(11)) == []


def test_events_after_the_agent_is_gone_are_the_worlds(plain):
    world = plain([at(18, "UPDATE t SET b = 'closed'")])
    changes = after(world, ("set_a", {"id": 1, "a": 11}), until="2026-03-30T20:00:00")
    assert [(key, by, mine) for _, _, key, _, _, by, mine in changes] == [((1,), "agent", {"a"}), ((2,), "world", set())]


# ---- as a verifier sees it


def test_the_changes_table_tells_by_column(plain):
    world = plain([at(10, "UPDATE t SET b = 'event' WHERE id = 1", "INSERT INTO t VALUES (5, 50, 'event')", "DELETE FROM t WHERE id = 2")])
    every = world.bench.prove('SELECT n, table_name, op, key, column_name, old, new, "by" FROM changes ORDER BY n', "verifier")
    with world.start(1) as episode:
        episode.call("set_a", {"id": 1, "a": 11})
        episode.call(*wait(11))
        episode.call("set_a", {"id": 5, "a": 51})
        episode.call("put", {"id": 6, "a": 6})
        rows = episode.finish(None).run(every, {})
    assert [row[0] for row in rows] == list(range(1, 12))
    assert [row[1:] for row in rows] == [
        ("t", "update", "[1]", "a", 10, 11, "agent"),
        ("t", "update", "[1]", "b", "x", "event", "world"),
        ("t", "delete", "[2]", "id", 2, None, "world"),
        ("t", "delete", "[2]", "a", 20, None, "world"),
        ("t", "delete", "[2]", "b", "y", None, "world"),
        ("t", "insert", "[5]", "id", None, 5, "world"),
        ("t", "insert", "[5]", "a", None, 51, "agent"),
        ("t", "insert", "[5]", "b", None, "event", "world"),
        ("t", "insert", "[6]", "id", None, 6, "agent"),
        ("t", "insert", "[6]", "a", None, 6, "agent"),
        ("t", "insert", "[6]", "b", None, "new", "agent"),
    ]


def test_keys_in_the_changes_table_are_json(make):
    world = make.world(
        "CREATE TABLE t (k TEXT PRIMARY KEY NOT NULL, v)", {"put": make.write("INSERT INTO t VALUES (:k, 1)", k="string")}, {"t": []}
    )
    keys = world.bench.prove("SELECT key, json_extract(key, '$[0]') FROM changes WHERE column_name = 'k'", "verifier")
    with world.start(1) as episode:
        episode.call("put", {"k": 'é"\\'})
        ((text, value),) = episode.finish(None).run(keys, {})
    assert json.loads(text) == ['é"\\']
    assert value == 'é"\\'


# ---- a law: the start state and the changes give the end state

WRITES = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.fixed_dictionaries({"id": st.integers(1, 4), "a": st.integers(0, 2)})),
        st.tuples(st.just("set_a"), st.fixed_dictionaries({"id": st.integers(1, 4), "a": st.integers(0, 2)})),
        st.tuples(st.just("drop"), st.fixed_dictionaries({"id": st.integers(1, 4)})),
        st.tuples(st.just("replace"), st.fixed_dictionaries({"id": st.integers(1, 4), "a": st.integers(0, 2)})),
        st.tuples(st.just("clock"), st.just({})),
    ),
    max_size=12,
)


def state(episode):
    """Read beside the tools: a call would let time pass."""
    return {row[0]: dict(zip(("id", "a", "b"), row, strict=True)) for row in episode.connection.db.execute("SELECT id, a, b FROM t")}


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=WRITES, tick=st.sampled_from([0, 3600]))
def test_the_start_and_the_changes_give_the_end(law_worlds, calls, tick):
    """With a tick, an event of the world's follows each call; without one the agent is alone."""
    with law_worlds[tick].start(1) as episode:
        start = state(episode)
        for tool, args in calls:
            episode.call(tool, args)
        end = state(episode)
        changes = list(episode.finish(None).changes)
    rebuilt = {key: dict(row) for key, row in start.items()}
    for change in changes:
        (key,) = change.key
        if change.op == "delete":
            rebuilt.pop(key, None)
        else:
            rebuilt[key] = rebuilt.get(key, {}) | change.new
        assert change.agent <= {*change.old, *change.new}
        assert tick or change.by == "agent"
        assert tick or change.old == {name: start.get(key, {}).get(name) for name in change.old}
    assert rebuilt == end
    if not tick:
        differ = {key for key in start.keys() | end.keys() if start.get(key) != end.get(key)}
        assert {change.key[0] for change in changes} == differ
