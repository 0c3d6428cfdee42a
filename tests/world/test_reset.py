"""Reset is exact: whatever an episode did, and however it ended, the next one starts from the same state."""

import random

import apsw
import pytest

from worldwright.errors import BudgetSpent, StateLost, TemplateFault, UsageError
from worldwright.world import StopReason

FLOOD = """INSERT INTO audit (order_id, status, at)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'x', 'x' FROM n"""


def dirty(episode, chance):
    """Some writes, refused ones among them."""
    for _ in range(chance.randint(0, 4)):
        number = chance.randint(1, 6)
        episode.call("set_status", {"id": number, "status": "s" * chance.randint(0, 50)})
        episode.call("set_total", {"id": number, "cents": chance.randint(-5, 5)})
        episode.call("place", {"customer": chance.randint(1, 3), "cents": 5})
        episode.call("join", {"name": chance.choice(["Ada", "Cy", "Di"])})
        episode.call(chance.choice(["cancel", "leave"]), {"id": number})


def bytes_of(world):
    """The state that lies in the pool, as SQLite has it, but for the two figures in its header that `pages` sets."""
    (connection,) = world.pool._idle.values()
    authorizer, connection.db.authorizer = connection.db.authorizer, None
    data, image = connection.db.serialize("main"), connection.image.data
    connection.db.authorizer = authorizer
    return data[:24] + image[24:28] + data[28:40] + image[40:44] + data[44:]


def test_two_thousand_dirty_episodes_leave_the_image_byte_for_byte(shop):
    chance, data, digest = random.Random(1), shop.image(7).data, shop.state_digest(7)
    for n in range(2000):
        episode = shop.start(7)
        dirty(episode, chance)
        if chance.random() < 0.5:
            episode.finish({"a": n}).changes  # noqa: B018 - looked at, as a grader does
        episode.close()
        assert bytes_of(shop) == data, n
    assert len(shop.pool._idle) == 1
    with shop.start(7) as episode:
        assert episode.state_digest() == digest


def test_results_are_the_same_on_a_used_connection(shop):
    def story():
        with shop.start(3) as episode:
            calls = [("place", {"customer": 2, "cents": 9}), ("set_status", {"id": 4, "status": "sent"}), ("orders", {}), ("audit", {})]
            results = [episode.call(*call) for call in calls]
            return results, episode.finish(None).changes, episode.state_digest()

    fresh = story()
    for n in range(30):
        with shop.start(3) as episode:
            dirty(episode, random.Random(n))
    assert story() == fresh


def test_closing_without_finishing_leaves_nothing_to_follow(shop):
    first = shop.start(1)
    first.call("place", {"customer": 1, "cents": 1})
    first.close()
    assert first.changes._session is None, "a session that outlives ROLLBACK sees the next episode's writes"
    with shop.start(1) as second:
        assert list(second.finish(None).changes) == []


def test_evidence_tables_are_empty_at_the_start(shop, make):
    every = {name: make.statement(f"SELECT count(*) FROM temp.{name}") for name in ("calls", "messages", "event_log", "changes", "answer")}
    looked = shop.bench.prove(
        "SELECT (SELECT count(*) FROM calls) + (SELECT count(*) FROM changes) + (SELECT count(*) FROM answer) AS n", "verifier"
    )
    for _ in range(3):
        with shop.start(1) as episode:
            assert [episode.connection.run(one, {}) for one in every.values()] == [[(0,)]] * 5
            episode.call("join", {"name": "Cy"})
            assert episode.finish({"x": 1}).run(looked, {}) == [(1 + 3 + 1,)]


def test_before_is_attached_once_whatever_the_seed(shop, make):
    attached = make.statement("SELECT name FROM pragma_database_list ORDER BY seq")
    for seed in (1, 2, 1, 3, 3):
        with shop.start(seed) as episode:
            episode.connection.db.authorizer = None
            assert episode.connection.run(attached, {}) == [("main",), ("temp",), ("before",)]
    assert len(shop.pool._idle) == 1


def test_before_stays_the_start_state(shop):
    both = shop.bench.prove("SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM before.orders)", "verifier")
    with shop.start(1) as episode:
        episode.call("place", {"customer": 1, "cents": 1})
        episode.call("leave", {"id": 2})
        assert episode.finish(None).run(both, {}) == [(3, 3)]
    with shop.start(1) as episode:
        assert episode.finish(None).run(both, {}) == [(3, 3)]


@pytest.mark.parametrize("forked", [False, True])
@pytest.mark.parametrize(
    "sql", ["UPDATE before.orders SET status = 'x'", "DELETE FROM before.orders", "INSERT INTO before.audit VALUES (1, 1, 'x', 'x')"]
)
def test_before_is_never_written_at_run_time(shop, make, sql, forked):
    with shop.start(1) as episode:
        episode.call("place", {"customer": 1, "cents": 1})
        ours = episode.fork() if forked else episode
        with pytest.raises(apsw.AuthError):
            ours.connection.run(make.statement(sql), {})
        assert ours.call("place", {"customer": 1, "cents": 1}).ok
        ours.close()
    assert shop.image(1).query("SELECT count(*) FROM orders WHERE status = 'new'") == [(3,)]


def test_seeds_share_nothing(make):
    code = "def scenario(seed):\n    return {'t': [{'id': n} for n in range(seed)]}"
    world = make.world(
        "CREATE TABLE t (id INTEGER PRIMARY KEY)", {"all": make.read("SELECT id FROM t"), "clear": make.write("DELETE FROM t")}, code
    )
    for seed in (3, 1, 2, 3, 0, 1):
        with world.start(seed) as episode:
            assert len(episode.call("all", {}).value) == seed
            assert episode.call("clear", {}).ok
    assert len({world.state_digest(seed) for seed in range(4)}) == 4


def test_a_start_that_fails_gives_its_connection_back(shop_with):
    people = {"bo": {"about": "-", "needs": ["n"], "opens": "{{ 10 // n }}"}}
    world = shop_with(parties=people)
    for _ in range(3):
        with pytest.raises(TemplateFault):
            world.start(1, {"n": 0}, ["bo"])
    assert len(world.pool._idle) == 1
    with world.start(1, {"n": 5}, ["bo"]) as episode:
        assert episode.messages[0].text == "2"


def test_questions_to_the_start_state_leave_no_trace(shop):
    count = shop.bench.prove("SELECT count(*) FROM orders", "bind")
    data = shop.image(1).data
    assert shop.ask_start(1, count, {}) == [(3,)]
    assert bytes_of(shop) == data


# ---- the transaction is lost


def flooded(world):
    """An episode whose last call used up its budget while it wrote."""
    episode = world.start(1)
    assert episode.call("place", {"customer": 1, "cents": 1}).ok
    result = episode.call("flood", {})
    return episode, result


def test_a_write_that_spends_its_budget_ends_the_episode_and_nothing_else(shop_with, make):
    world = shop_with({"flood": make.write(FLOOD)})
    data = world.image(1).data
    episode, result = flooded(world)
    used = episode.connection
    assert (result.ok, result.ended) == (False, StopReason.STATE_LOST)
    assert "400,000" in episode.lost or "transaction" in episode.lost
    assert episode.call("orders", {}).ended is StopReason.STATE_LOST
    evidence = episode.finish({"x": 1})
    assert evidence.lost == episode.lost
    assert [call.tool for call in evidence.calls] == ["place", "flood"]
    episode.close()
    assert used.broken
    assert used not in world.pool._idle.values()
    with world.start(1) as after:
        assert after.connection is not used
        assert after.state_digest() == world.state_digest(1)
        assert after.call("place", {"customer": 1, "cents": 1}).ok
    assert bytes_of(world) == data


def test_a_lost_state_can_not_be_branched(shop_with, make):
    world = shop_with({"flood": make.write(FLOOD)})
    fresh = world.start(1)
    mark = fresh.mark()
    fresh.call("flood", {})
    for step in (fresh.fork, fresh.mark, lambda: fresh.back(mark)):
        with pytest.raises(UsageError, match="start another"):
            step()
    fresh.close()


@pytest.mark.parametrize(
    "sql", ["INSERT OR ROLLBACK INTO customers (id, name) VALUES (1, 'x')", "UPDATE OR ROLLBACK customers SET name = 'Ada'"]
)
def test_or_rollback_that_slipped_through_is_noticed(shop, make, sql):
    """Refused when a world is loaded; should one pass all the same, the connection is not used again."""
    episode = shop.start(1)
    episode.call("join", {"name": "Cy"})
    used = episode.connection
    with pytest.raises(StateLost):
        used.run(make.statement(sql), {})
    episode.close()
    assert used.broken
    assert used not in shop.pool._idle.values()
    with shop.start(1) as after:
        assert after.state_digest() == shop.state_digest(1)


def test_a_trigger_that_rolls_back_is_noticed(shop, make):
    episode = shop.start(1)
    used = episode.connection
    used.db.authorizer = None
    used.db.execute("CREATE TEMP TRIGGER bad BEFORE INSERT ON main.customers BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
    result = episode.call("join", {"name": "Cy"})
    assert result.ended is StopReason.STATE_LOST
    episode.close()
    assert used not in shop.pool._idle.values()
    with shop.start(1) as after:
        assert after.call("join", {"name": "Cy"}).ok


def test_a_trigger_that_spends_the_budget_is_noticed(make):
    schema = """CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER);
    CREATE TRIGGER slow AFTER INSERT ON t BEGIN
      UPDATE t SET n = (WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < new.n) SELECT max(i) FROM c)
      WHERE id = new.id;
    END;"""
    world = make.world(
        schema, {"put": make.write("INSERT INTO t (n) VALUES (:n)", n="integer"), "all": make.read("SELECT * FROM t")}, {"t": []}
    )
    with world.start(1) as episode:
        assert episode.call("put", {"n": 10}).ok
        assert episode.call("put", {"n": 10_000_000}).ended is StopReason.STATE_LOST
    with world.start(1) as episode:
        assert episode.call("all", {}).value == []
        assert episode.state_digest() == world.state_digest(1)


def test_lost_while_an_event_happens(shop_with):
    world = shop_with(events=[{"name": "flood", "due": "SELECT 1 AS key, '2026-03-30T10:00:00' AS at", "effect": [FLOOD]}])
    with world.start(1) as episode:
        result = episode.call("wait", {"until": "2026-03-30T11:00:00"})
        assert result.ended is StopReason.STATE_LOST
        assert episode.finish(None).lost.startswith("the world could not go on")
    with world.start(1) as episode:
        assert episode.call("orders", {}).ended is None
        assert episode.state_digest() == world.state_digest(1)


def test_lost_while_a_person_acts(shop_with):
    people = {"bo": {"about": "-", "rules": [{"name": "r", "on": "ask", "say": "ok", "effect": [FLOOD]}]}}
    world = shop_with(parties=people)
    with world.start(1, parties=["bo"]) as episode:
        assert episode.call("say", {"to": "bo", "act": "ask"}).ended is StopReason.STATE_LOST
    with world.start(1, parties=["bo"]) as episode:
        assert episode.state_digest() == world.state_digest(1)
        assert episode.call("audit", {}).value == []


def test_lost_while_the_clock_runs_on_at_the_end(shop_with):
    world = shop_with(events=[{"name": "flood", "due": "SELECT 1 AS key, '2026-03-30T10:00:00' AS at", "effect": [FLOOD]}])
    with world.start(1) as episode:
        assert episode.finish(None, "2026-03-30T12:00:00").lost is not None
    with world.start(1) as episode:
        assert episode.finish(None).lost is None


# ---- use in a wrong order


def test_closing_twice_is_safe_and_keeps_one_connection(shop):
    episode = shop.start(1)
    episode.close()
    with shop.start(1) as other:
        episode.close()
        assert other.call("orders", {}).ok
    assert len(shop.pool._idle) == 1


def test_a_closed_episode_touches_nothing(shop):
    episode = shop.start(1)
    mark = episode.mark()
    episode.close()
    with shop.start(1) as other:
        steps = (
            lambda: episode.call("orders", {}),
            episode.fork,
            episode.mark,
            lambda: episode.back(mark),
            lambda: episode.finish(None),
            episode.state_digest,
        )
        for step in steps:
            with pytest.raises(UsageError, match="closed"):
                step()
        other.call("join", {"name": "Cy"})
        assert len(other.finish(None).changes) == 1
    assert episode.changes._session is None


def test_a_finished_episode_is_over(shop):
    with shop.start(1) as episode:
        mark = episode.mark()
        episode.finish(None)
        for step in (
            lambda: episode.call("orders", {}),
            episode.fork,
            episode.mark,
            lambda: episode.back(mark),
            lambda: episode.finish(None),
        ):
            with pytest.raises(UsageError, match="finished"):
                step()


def test_evidence_is_gone_with_the_episode(shop):
    count = shop.bench.prove("SELECT count(*) FROM calls", "verifier")
    with shop.start(1) as episode:
        evidence = episode.finish(None)
        assert evidence.run(count, {}) == [(0,)]
    with pytest.raises(UsageError, match="closed"):
        evidence.run(count, {})


def test_an_end_that_is_foreseen_is_the_end_and_leaves_the_episode_as_it_was(shop):
    def end(evidence):
        return evidence.changes, evidence.ended, evidence.calls, evidence.answer

    with shop.start(1) as episode, shop.start(1) as other:
        for one in (episode, other):
            assert one.call("place", {"customer": 1, "cents": 5}).ok
        mark = episode.mark()
        before = episode.state_digest()
        seen = end(episode.foreseen({"x": 1}, "2026-03-30T18:00:00"))
        assert episode.now() == "2026-03-30T18:00:00"
        episode.back(mark)
        assert (episode.now(), episode.state_digest()) == ("2026-03-30T09:00:00", before)
        assert seen == end(other.finish({"x": 1}, "2026-03-30T18:00:00"))
        assert episode.call("place", {"customer": 1, "cents": 6}).ok
        assert len(episode.finish(None).changes) == len(seen[0]) + 1


def test_another_answer_to_the_same_end_is_told_from_the_first(shop):
    said = shop.bench.prove("SELECT field, value FROM answer ORDER BY field", "verifier")
    made = shop.bench.prove("SELECT total_cents FROM orders WHERE total_cents = :cents", "verifier")
    with shop.start(1) as episode:
        assert episode.call("place", {"customer": 1, "cents": 5}).ok
        first = episode.finish({"a": 1})
        assert (first.run(said, {}), first.run(made, {"cents": 5}), first.run(made, {"cents": 6})) == ([("a", 1)], [(5,)], [])
        second = first.answered({"a": 2, "b": None})
        assert (second.run(said, {}), second.run(made, {"cents": 5})) == ([("a", 2), ("b", None)], [(5,)])
        third = second.answered(None)
        assert (third.run(said, {}), third.answer, third.changes) == ([], None, first.changes)


def test_an_end_keeps_questions_apart_by_type_and_by_what_they_may_cost(shop):
    kind = shop.bench.prove("SELECT typeof(:value)", "verifier", params=frozenset({"value"}))
    with shop.start(1) as episode:
        evidence = episode.finish(None)
        assert [evidence.run(kind, {"value": value}) for value in (1, 1.0, "1", True)] == [
            [("integer",)],
            [("real",)],
            [("text",)],
            [("integer",)],
        ]
        long = shop.bench.prove(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT max(i) FROM n", "verifier"
        )
        assert evidence.run(long, {}) == [(20_000,)]
        evidence.steps = 1_000
        with pytest.raises(BudgetSpent):
            evidence.run(long, {})
