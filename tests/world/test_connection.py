"""What is kept prepared stays so, and is never run for it."""

from worldwright.world.records.policy import Statement


def query(sql, *params):
    return Statement(sql, params, (), frozenset(), frozenset(), frozenset())


def test_a_kept_statement_stays_prepared_however_many_others_are_run(shop):
    with shop.start(7) as episode:
        connection, cache = episode.connection, episode.connection.db.cache_stats
        kept = [query("SELECT 'kept'"), query("SELECT :id + :more", "id", "more")]
        for one in kept:
            connection.keep(one)
            connection.run(one, {"id": 1, "more": 2})
        for n in range(2_000):
            connection.run(query(f"SELECT {n}"), {})
        misses = cache()["misses"]
        assert [connection.run(one, {"id": 1, "more": 2}) for one in kept] == [[("kept",)], [(3,)]]
        assert cache()["misses"] == misses


def test_keeping_a_statement_takes_no_steps(shop):
    with shop.start(7) as episode:
        connection = episode.connection
        connection.keep(query("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"))
        for n in range(500):
            assert connection.run(query(f"SELECT {n}"), {}, steps=1_000) == [(n,)]


def test_only_so_many_statements_are_kept(shop):
    with shop.start(7) as episode:
        for n in range(1_000):
            episode.connection.keep(query(f"SELECT {n}"))
        before = episode.connection.db.cache_stats()["misses"]
        for _ in range(400):
            episode.connection.run(query("SELECT 'one'"), {})
        assert episode.connection.db.cache_stats()["misses"] - before <= 65
