"""Budgets and limits: what an agent can ask for is bounded, and asking too much is an answer, not an accident."""

import pytest

from worldwright.errors import BudgetSpent, PackError
from worldwright.world.records.connection import GRADE_STEPS, TOOL_STEPS

SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n"
COUNT = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :to) SELECT count(*) AS c FROM n"


@pytest.fixture
def limited(make):
    tools = {
        "endless": make.read(ENDLESS),
        "endless_row": {"doc": "-", "row": ENDLESS},
        "endless_check": {"doc": "-", "require": [{"that": ENDLESS, "otherwise": "no"}], "effect": ["DELETE FROM t"]},
        "endless_result": {"doc": "-", "effect": ["DELETE FROM t"], "row": ENDLESS},
        "count": make.read(COUNT, to="integer"),
        "cross": make.read("SELECT count(*) AS c FROM t AS a, t AS b, t AS c, t AS d"),
        "like": make.read("SELECT id FROM t WHERE a LIKE :a", a={"max_length": 9000}),
        "blob": make.read("SELECT length(zeroblob(:n)) AS n", n="integer"),
        "text": make.read("SELECT length(printf('%.*c', :n, 'x')) AS n", n="integer"),
        "doubled": make.read("SELECT length(replace(:a, 'a', :a)) AS n", a={"max_length": 9000}),
        "glued": make.read("SELECT length(group_concat(:a, '')) AS n FROM t AS x, t AS y", a={"max_length": 9000}),
        "ids": make.read("SELECT count(*) AS c FROM t"),
    }
    return make.world(SCHEMA, tools, {"t": [{"id": n, "a": "ab" * 20} for n in range(60)]})


@pytest.mark.parametrize("tool", ["endless", "endless_row", "endless_check", "endless_result", "cross"])
def test_an_endless_query_of_a_tool_is_refused(limited, tool):
    with limited.start(1) as episode:
        result = episode.call(tool, {})
        assert (result.ok, result.ended) == (False, None)
        assert result.error == "The request is too broad to be answered. Narrow it."
        assert episode.call("ids", {}).value == [{"c": 60}]
        assert episode.finish(None).changes == []


def test_each_statement_has_its_own_budget(limited):
    """What earlier calls used is not counted against later ones."""
    with limited.start(1) as episode:
        results = [episode.call("count", {"to": 20_000}) for _ in range(60)]
        assert all(result.ok for result in results)
        assert not episode.call("count", {"to": 2_000_000}).ok


def test_grading_has_a_larger_budget_and_is_stopped_too(limited):
    assert GRADE_STEPS > 5 * TOOL_STEPS
    count = limited.bench.prove(COUNT, "verifier")
    endless = limited.bench.prove(ENDLESS, "verifier")
    with limited.start(1) as episode:
        assert not episode.call("count", {"to": 100_000}).ok
        evidence = episode.finish(None)
        assert evidence.run(count, {"to": 100_000}) == [(100_000,)]
        with pytest.raises(BudgetSpent, match="4,000,000 steps"):
            evidence.run(endless, {})
        assert evidence.run(count, {"to": 3}) == [(3,)]
    bind = limited.bench.prove(ENDLESS, "bind")
    with pytest.raises(BudgetSpent):
        limited.ask_start(1, bind, {})
    assert limited.ask_start(1, limited.bench.prove("SELECT count(*) FROM t", "bind"), {}) == [(60,)]


@pytest.mark.parametrize(
    "tool, args, words",
    [
        ("like", {"a": "%" * 2_101}, "The text to look for is too long."),
        ("blob", {"n": 9_000_000}, "The text is too long."),
        ("text", {"n": 9_000_000}, "The text is too long."),
        ("doubled", {"a": "a" * 9_000}, "The text is too long."),
        ("glued", {"a": "x" * 9_000}, "The text is too long."),
    ],
)
def test_one_step_that_allocates_is_bounded_by_length(limited, tool, args, words):
    with limited.start(1) as episode:
        result = episode.call(tool, args)
        assert (result.ok, result.error, result.ended) == (False, words, None)
        assert episode.call("ids", {}).ok


def test_a_like_pattern_of_bearable_length_is_fine(limited):
    with limited.start(1) as episode:
        assert len(episode.call("like", {"a": "%ab%" * 10}).value) == 60


@pytest.mark.parametrize(
    "sql",
    [
        " UNION ALL ".join(["SELECT 1 AS n"] * 61),
        f"SELECT {' + '.join(['1'] * 500)} AS n",
        f"SELECT '{'x' * 200_000}' AS n",
        f"SELECT {', '.join(f'{n} AS c{n}' for n in range(501))}",
        f"SELECT {'abs(' * 500}1{')' * 500} AS n",
    ],
)
def test_a_text_beyond_the_limits_is_refused_at_load(make, sql):
    """The bench has the limits of those who run: what is proven can be run."""
    with pytest.raises(PackError, match="SQLite refuses it"):
        make.world(SCHEMA, {"do": make.read(sql)}, {"t": []})


def test_compounds_within_the_limit_are_fine(make):
    sql = " UNION ALL ".join(f"SELECT {n} AS n" for n in range(60))
    with make.world(SCHEMA, {"do": make.read(sql)}, {"t": []}).start(1) as episode:
        assert len(episode.call("do", {}).value) == 60


@pytest.mark.parametrize("deep", [10, 25])
def test_triggers_that_call_triggers_end(make, deep):
    """Found when the world is loaded, not by the agent."""
    tables = "".join(f"CREATE TABLE t{n} (id INTEGER PRIMARY KEY);" for n in range(deep + 1))
    steps = "".join(f"CREATE TRIGGER g{n} AFTER INSERT ON t{n} BEGIN INSERT INTO t{n + 1} VALUES (new.id); END;" for n in range(deep))
    build = lambda: make.world(tables + steps, {"put": make.write("INSERT INTO t0 VALUES (1)")}, {"t0": []})  # noqa: E731
    if deep > 16:
        with pytest.raises(PackError, match="triggers nested too deep"):
            build()
    else:
        with build().start(1) as episode:
            assert episode.call("put", {}).ok
            assert len(episode.finish(None).changes) == deep + 1


def test_a_cascade_that_goes_too_deep_is_refused(make):
    schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t (id) ON DELETE CASCADE)"
    rows = {"t": [{"id": n, "parent": n - 1 or None} for n in range(1, 41)]}
    world = make.world(schema, {"drop": make.write("DELETE FROM t WHERE id = :id", id="integer")}, rows)
    with world.start(1) as episode:
        assert episode.call("drop", {"id": 1}).error == "The request could not be carried out."
        assert episode.state_digest() == world.state_digest(1)
        assert episode.call("drop", {"id": 30}).ok
        assert len(episode.finish(None).changes) == 11


def test_a_pool_keeps_no_more_than_it_should(limited):
    episodes = [limited.start(1) for _ in range(12)]
    for episode in episodes:
        assert episode.call("ids", {}).ok
    for episode in episodes:
        episode.close()
    assert len(limited.pool._idle) == 8
    limited.pool.close()
    assert len(limited.pool._idle) == 0
    with limited.start(1) as episode:
        assert episode.call("ids", {}).ok


def test_world_keeps_a_bounded_number_of_images(make):
    world = make.world(SCHEMA, {"ids": make.read("SELECT count(*) AS c FROM t")}, "def scenario(seed):\n    return {'t': [{'id': seed}]}")
    with world.start(0) as early:
        digests = [world.state_digest(seed) for seed in range(102)]
        assert len(world._images) == 96
        assert early.state_digest() == digests[0]
    assert world.state_digest(0) == digests[0]
