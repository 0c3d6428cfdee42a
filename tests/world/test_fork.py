"""Branches: a fork is the same state on its own, a mark is a point to come back to."""

import random

import pytest

from worldwright.errors import UsageError

EVENTS = [
    {"name": "hourly", "due": "SELECT strftime('%H', 'now') AS key, 'now' AS at WHERE 0", "effect": ["DELETE FROM audit"]},
    {
        "name": "late",
        "due": "SELECT id AS key, '2026-03-30T1' || (id % 10) || ':00:00' AS at FROM orders WHERE status = 'new'",
        "effect": ["UPDATE orders SET status = 'late at ' || :now WHERE id = :key"],
    },
]
PEOPLE = {
    "bo": {
        "about": "-",
        "opens": "Hello.",
        "fields": {"n": {"type": "integer"}},
        "rules": [
            {"name": "first", "on": "ask", "once": True, "say": "first", "effect": ["UPDATE customers SET level = 'gold' WHERE id = 1"]},
            {"name": "again", "on": "ask", "say": "again {{ said_n }}"},
            {"name": "uneasy", "on": "moved", "say": "What was that?"},
        ],
    }
}
STEPS = [
    ("place", {"customer": 2, "cents": 9}),
    ("set_status", {"id": 1, "status": "sent"}),
    ("say", {"to": "bo", "act": "ask", "fields": {"n": 1}}),
    ("cancel", {"id": 2}),
    ("wait", {"until": "2026-03-30T11:30:00"}),
    ("join", {"name": "Cy"}),
    ("join", {"name": "Cy"}),
    ("leave", {"id": 1}),
    ("say", {"to": "bo", "act": "ask"}),
    ("place", {"customer": 3, "cents": 1}),
    ("wait", {"until": "2026-03-30T15:00:00"}),
    ("orders", {}),
    ("audit", {}),
    ("customers", {}),
    ("read_messages", {}),
    ("clock", {}),
]


@pytest.fixture
def busy(shop_with):
    return shop_with(events=EVENTS, parties=PEOPLE, faults={"join": {"rate": 0.3, "error": "Not now."}})


def start(world):
    return world.start(1, parties=["bo"])


def play(episode, steps):
    return [episode.call(tool, args) for tool, args in steps]


def everything(episode, world):
    """All that an episode is: state, clock, calls, messages, evidence tables, changes. Ends it."""
    fired = world.bench.prove("SELECT n, at, event, key FROM event_log ORDER BY n", "verifier")
    said = world.bench.prove("SELECT * FROM messages ORDER BY n", "verifier")
    digest, now, unheard = episode.state_digest(), episode.now(), [message.text for message in episode.turns()]
    evidence = episode.finish({"a": 1}, "2026-03-30T18:00:00")
    return (
        digest,
        episode.state_digest(),
        now,
        unheard,
        evidence.calls,
        evidence.messages,
        list(evidence.changes),
        evidence.run(fired, {}),
        evidence.run(said, {}),
    )


# ---- forks


@pytest.mark.parametrize("at", range(len(STEPS) + 1))
def test_a_fork_goes_on_as_the_original_would(busy, at):
    """Whenever it branches off: same results, same evidence, and the original isn't disturbed."""
    with start(busy) as plain:
        expected = play(plain, STEPS)
        whole = everything(plain, busy)
    with start(busy) as original:
        assert play(original, STEPS[:at]) == expected[:at]
        with original.fork() as fork:
            assert (fork.state_digest(), fork.now()) == (original.state_digest(), original.now())
            assert play(fork, STEPS[at:]) == expected[at:]
            assert everything(fork, busy) == whole
        assert play(original, STEPS[at:]) == expected[at:]
        assert everything(original, busy) == whole


def test_branches_do_not_touch_each_other(busy):
    with start(busy) as original:
        play(original, STEPS[:5])
        digest, messages, calls = original.state_digest(), list(original.messages), list(original.calls)
        forks = [original.fork() for _ in range(4)]
        for n, fork in enumerate(forks):
            assert fork.call("set_total", {"id": 1, "cents": n}).ok
            assert fork.call("say", {"to": "bo", "act": "ask", "fields": {"n": n}}).value["text"] == f"again {n}"
        assert [fork.call("order", {"id": 1}).value["total_cents"] for fork in forks] == [0, 1, 2, 3]
        assert (original.state_digest(), original.messages, original.calls) == (digest, messages, calls)
        grandchild = forks[2].fork()
        assert grandchild.call("order", {"id": 1}).value["total_cents"] == 2
        for fork in [grandchild, *forks]:
            fork.close()
        assert original.state_digest() == digest
    with start(busy) as fresh:
        assert fresh.state_digest() == busy.state_digest(1)


def test_a_fork_outlives_the_original(busy):
    original = start(busy)
    play(original, STEPS[:3])
    fork = original.fork()
    original.close()
    assert fork.call("orders", {}).ok
    assert [call.tool for call in fork.finish(None).calls] == ["place", "set_status", "say", "orders"]
    fork.close()


def test_references_are_held_and_triggers_fire_after_a_fork(busy):
    with start(busy) as original:
        play(original, STEPS[:2])
        with original.fork() as fork:
            assert "doesn't exist" in fork.call("place", {"customer": 99, "cents": 1}).error
            audits = len(fork.call("audit", {}).value)
            assert fork.call("set_status", {"id": 3, "status": "x"}).ok
            assert len(fork.call("audit", {}).value) == audits + 1
            assert fork.call("leave", {"id": 1}).ok
            assert {row["customer_id"] for row in fork.call("orders", {}).value} == {2}


def test_a_cascade_survives_a_fork(shop):
    """A changeset would delete the orders twice: with their customer, and by themselves."""
    with shop.start(1) as original:
        original.call("leave", {"id": 1})
        with original.fork() as fork:
            assert fork.state_digest() == original.state_digest()
            assert fork.finish(None).changes == original.finish(None).changes


def test_swapped_unique_values_survive_a_fork(make):
    """A changeset can't be applied: whichever row comes first, its value is still taken."""
    tools = {
        name: make.write(f"UPDATE t SET u = '{u}' WHERE id = {key}")
        for name, u, key in (("one", "tmp", 1), ("two", "a", 2), ("three", "b", 1))
    }
    world = make.world("CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE)", tools, {"t": [{"id": 1, "u": "a"}, {"id": 2, "u": "b"}]})
    with world.start(1) as original:
        play(original, [("one", {}), ("two", {}), ("three", {})])
        with original.fork() as fork:
            assert fork.state_digest() == original.state_digest() != world.state_digest(1)


@pytest.mark.parametrize(
    "columns", ["k TEXT PRIMARY KEY NOT NULL, v", "k TEXT PRIMARY KEY NOT NULL, v, rowid TEXT", "k INT PRIMARY KEY NOT NULL, v"]
)
def test_rows_come_in_the_same_order_after_a_fork(make, columns):
    """Without ORDER BY rows come by row number, which is no column and in no changeset."""
    tools = {
        "put": make.write("INSERT INTO t (k) VALUES (:k)", k="string"),
        "replace": make.write("REPLACE INTO t (k) VALUES (:k)", k="string"),
        "drop": make.write("DELETE FROM t WHERE k = :k", k="string"),
        "all": make.read("SELECT k FROM t NOT INDEXED"),
    }
    world = make.world(f"CREATE TABLE t ({columns})", tools, {"t": [{"k": str(n)} for n in (5, 3, 8, 1)]})
    with world.start(1) as original:
        for k in (44, 22, 99, 11, 33):
            original.call("put", {"k": str(k)})
        original.call("replace", {"k": "3"})
        original.call("drop", {"k": "99"})
        with original.fork() as fork:
            assert fork.call("all", {}).value == original.call("all", {}).value
            for episode in (fork, original):
                episode.call("put", {"k": "7"})
            assert fork.call("all", {}).value == original.call("all", {}).value
            assert [str(row["k"]) for row in fork.call("all", {}).value] == ["5", "8", "1", "44", "22", "11", "33", "3", "7"]


def test_any_values_survive_a_fork(make):
    values = ["NULL", "1", "1.0", "'1'", "x'31'", "9223372036854775807", "1e300", "''", "'a' || char(0)", "'\N{GRINNING FACE}'"]
    schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, v, up AS (typeof(v)) STORED)"
    tools = {
        "put": make.write("INSERT INTO t (v) VALUES " + ", ".join(f"({value})" for value in values)),
        "all": make.read("SELECT id, quote(v) AS v, up FROM t"),
    }
    with make.world(schema, tools, {"t": []}).start(1) as original:
        original.call("put", {})
        with original.fork() as fork:
            assert fork.call("all", {}) == original.call("all", {})
            assert fork.finish(None).changes == original.finish(None).changes


def test_a_fork_right_at_its_budget(make):
    """A call that used up nearly all its steps leaves none for the fork's own reading."""
    tools = {
        "count": make.read(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :to) SELECT max(i) AS m FROM n", to="integer"
        )
    }
    world = make.world("CREATE TABLE t (id INTEGER PRIMARY KEY)", tools, {"t": []})
    with world.start(1) as episode:
        most = next(to for to in range(40_000, 10_000, -500) if episode.call("count", {"to": to}).ok)
        assert most < 40_000, "the largest was refused, so this is near the budget"
        for _ in range(20):
            episode.fork().close()
            episode.back(episode.mark())


def test_many_forks_share_a_few_connections(busy):
    with start(busy) as original:
        play(original, STEPS[:5])
        for _ in range(50):
            with original.fork() as fork:
                fork.call("orders", {})
    assert len(busy.pool._idle) == 2


# ---- marks


def test_going_back_undoes_everything(busy):
    with start(busy) as plain:
        play(plain, STEPS)
        whole = everything(plain, busy)
    with start(busy) as episode:
        expected = play(episode, STEPS[:4])
        mark = episode.mark()
        for n in range(6):
            play(episode, STEPS[4 : 6 + 2 * n])
            episode.back(mark)
        assert [call.tool for call in episode.calls] == [tool for tool, _ in STEPS[:4]]
        assert len(expected) == episode.calls[-1].n == 4
        play(episode, STEPS[4:])
        assert everything(episode, busy) == whole


def test_depth_first_search_with_nested_marks(busy):
    """Every leaf is what the same calls give from the start."""
    moves = [("set_total", {"id": 1, "cents": 1}), ("wait", {"until": "2026-03-30T12:00:00"}), ("leave", {"id": 1})]

    def straight(path):
        with start(busy) as episode:
            play(episode, path)
            return episode.state_digest(), episode.now(), list(episode.messages), list(episode.calls)

    leaves = {}

    def search(episode, path):
        if len(path) == 3:
            leaves[tuple(tool for tool, _ in path)] = episode.state_digest(), episode.now(), list(episode.messages), list(episode.calls)
            return
        for move in moves:
            mark = episode.mark()
            play(episode, [move])
            search(episode, [*path, move])
            episode.back(mark)

    with start(busy) as episode:
        search(episode, [])
        assert episode.state_digest() == busy.state_digest(1)
        assert episode.finish(None).changes == []
    assert len(leaves) == 27
    by_name = {tool: (tool, args) for tool, args in moves}
    for names in random.Random(1).sample(sorted(leaves), 9):
        assert leaves[names] == straight([by_name[name] for name in names])


def test_changes_across_marks_and_segments(shop_with):
    """Going back behind an event takes its segment away, and the agent's own before it stays."""
    event = {
        "name": "e",
        "due": "SELECT 1 AS key, '2026-03-30T10:00:00' AS at",
        "effect": ["UPDATE orders SET total_cents = 77 WHERE id = 2"],
    }
    with shop_with(events=[event]).start(1) as episode:
        episode.call("set_total", {"id": 1, "cents": 5})
        mark = episode.mark()
        episode.call("wait", {"until": "2026-03-30T11:00:00"})
        episode.call("set_total", {"id": 2, "cents": 6})
        episode.back(mark)
        episode.call("set_total", {"id": 3, "cents": 7})
        episode.call("wait", {"until": "2026-03-30T11:00:00"})
        changes = [(change.key, change.new, change.by) for change in episode.finish(None).changes]
    assert changes == [((1,), {"total_cents": 5}, "agent"), ((2,), {"total_cents": 77}, "world"), ((3,), {"total_cents": 7}, "agent")]


def test_a_mark_is_good_until_one_goes_back_behind_it(shop):
    with shop.start(1) as episode:
        outer = episode.mark()
        episode.call("join", {"name": "Cy"})
        inner = episode.mark()
        episode.back(inner)
        episode.back(inner)
        episode.back(outer)
        assert len(episode.call("customers", {}).value) == 2
        with pytest.raises(UsageError, match="undone by going back behind it"):
            episode.back(inner)
        episode.back(outer)


def test_a_forgotten_mark_keeps_what_was_done(shop):
    with shop.start(1) as episode:
        outer = episode.mark()
        episode.call("join", {"name": "Cy"})
        middle = episode.mark()
        episode.call("join", {"name": "Di"})
        inner = episode.mark()
        episode.forget(middle)
        assert len(episode.call("customers", {}).value) == 4
        for gone in (middle, inner):
            for step in (episode.back, episode.forget):
                with pytest.raises(UsageError, match="undone by going back behind it"):
                    step(gone)
        episode.back(outer)
        assert len(episode.call("customers", {}).value) == 2
        assert episode.finish(None).changes == []


def test_a_mark_is_of_one_episode(shop):
    with shop.start(1) as episode, shop.start(1) as other:
        mark = episode.mark()
        other.mark()
        with pytest.raises(UsageError, match="another episode"):
            other.back(mark)
        with episode.fork() as fork, pytest.raises(UsageError, match="another episode"):
            fork.back(mark)
        episode.back(mark)


def test_forking_inside_a_marked_stretch(shop):
    with shop.start(1) as episode:
        mark = episode.mark()
        episode.call("join", {"name": "Cy"})
        with episode.fork() as fork:
            episode.back(mark)
            assert len(fork.call("customers", {}).value) == 3
            assert len(episode.call("customers", {}).value) == 2
            assert [change.new["name"] for change in fork.finish(None).changes] == ["Cy"]
        assert episode.finish(None).changes == []


def test_the_limit_of_calls_is_counted_from_the_mark(shop):
    with shop.start(1, call_limit=2) as episode:
        mark = episode.mark()
        for _ in range(3):
            assert [episode.call("orders", {}).ended is None for _ in range(3)] == [True, True, False]
            episode.back(mark)
        episode.call("orders", {})
        with episode.fork() as fork:
            assert [fork.call("orders", {}).ended is None for _ in range(2)] == [True, False]
