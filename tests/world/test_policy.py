"""What each kind of SQL may do is proven when a world is loaded, each text under its own role."""

import threading

import pytest

from worldwright.errors import PackError
from worldwright.world.records.policy import ROLES

SCHEMA = """
CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, secret TEXT);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id), n INTEGER);
CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT);
CREATE VIEW shown AS SELECT id, a FROM t;
CREATE TRIGGER logged AFTER DELETE ON u BEGIN INSERT INTO log (what) SELECT secret FROM t WHERE id = old.t_id; END;
"""

READERS = ["read", "result", "event", "rule", "bind", "verifier"]
WRITERS = ["write", "event-effect", "rule-effect"]


@pytest.fixture(scope="module")
def bench(make):
    return make.world(SCHEMA, rows={"t": []}).bench


def test_every_role_is_tested_here():
    assert sorted([*READERS, *WRITERS]) == sorted(ROLES)


# ---- what no role may do

NEVER = {
    "sqlite_master": "SELECT name FROM sqlite_master",
    "sqlite_schema": "SELECT sql FROM sqlite_schema",
    "SQLITE_MASTER": "SELECT count(*) FROM SQLITE_MASTER",
    "sqlite_temp_schema": "SELECT name FROM sqlite_temp_schema",
    "before.sqlite_master": "SELECT count(*) FROM before.sqlite_master",
    "pragma as a table": "SELECT name FROM pragma_table_info('t')",
    "dbstat": "SELECT sum(pgsize) FROM dbstat",
    "random": "SELECT id FROM t ORDER BY random()",
    "RANDOM": "SELECT RANDOM() AS n",
    "randomblob": "SELECT hex(randomblob(4)) AS x",
    "changes": "SELECT changes() AS n",
    "total_changes": "SELECT total_changes() AS n",
    "load_extension": "SELECT load_extension('x')",
    "sqlite_version": "SELECT sqlite_version() AS v",
    "sqlite_source_id": "SELECT sqlite_source_id() AS v",
    "compile options": "SELECT sqlite_compileoption_get(1) AS v",
    "localtime": "SELECT datetime('now', 'localtime') AS d",
    "LocalTime": "SELECT date('now', 'LocalTime') AS d",
    "utc": "SELECT datetime('now', 'utc') AS d",
    "a text in double quotes": "SELECT datetime('now', \"localtime\") AS d",
    "a misspelt column": 'SELECT "secert" AS s FROM t',
    "PRAGMA": "PRAGMA foreign_keys = OFF",
    "ATTACH": "ATTACH '/tmp/x.db' AS x",
    "DETACH": "DETACH before",
    "CREATE TABLE": "CREATE TABLE x (id INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE": "CREATE TEMP TABLE x (id INTEGER)",
    "CREATE INDEX": "CREATE INDEX i ON t (a)",
    "CREATE TRIGGER": "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END",
    "CREATE VIEW": "CREATE VIEW v AS SELECT 1",
    "DROP TABLE": "DROP TABLE t",
    "ALTER TABLE": "ALTER TABLE t ADD COLUMN x",
    "REINDEX": "REINDEX",
    "ANALYZE": "ANALYZE",
    "VACUUM": "VACUUM",
    "VACUUM INTO": "VACUUM INTO '/tmp/worldwright-must-not-exist.db'",
    "BEGIN": "BEGIN",
    "COMMIT": "COMMIT",
    "ROLLBACK": "ROLLBACK",
    "SAVEPOINT": "SAVEPOINT x",
    "RELEASE": "RELEASE x",
    "EXPLAIN": "EXPLAIN SELECT * FROM t",
    "EXPLAIN QUERY PLAN": "EXPLAIN QUERY PLAN SELECT * FROM t",
    "two statements": "SELECT 1 AS n; SELECT 2 AS n",
    "a second one behind a comment": "SELECT 1 AS n; -- harmless\nDELETE FROM t",
    "nothing": "",
    "blanks": "  \n\t ",
    "a semicolon": ";",
    "a comment": "-- SELECT 1",
    "an open comment": "/* SELECT 1",
    "half a statement": "SELECT FROM",
    "an unknown table": "SELECT * FROM nowhere",
    "an unknown function": "SELECT frobnicate(1) AS n",
    "a nameless parameter": "SELECT ? AS n",
    "a numbered parameter": "SELECT ?2 AS n",
    "a lone surrogate": "SELECT '\ud800' AS x",
    "temp write": "INSERT INTO temp.event_log (n) VALUES (1)",
    "before write": "UPDATE before.t SET a = 'x'",
    "own tables": "DELETE FROM sqlite_master",
    "OR ROLLBACK": "INSERT OR ROLLBACK INTO t (id) VALUES (1)",
    "or rollback": "update or  rollback t set a = 1",
    "OR comment ROLLBACK": "INSERT OR/**/ROLLBACK INTO t (id) VALUES (1)",
    "OR ROLLBACK behind a text with dashes": "WITH x AS (SELECT '--' AS y) INSERT OR ROLLBACK INTO t (a) SELECT y FROM x",
    "OR ROLLBACK behind a text like a comment": "WITH x AS (SELECT '/*' AS y) INSERT OR ROLLBACK INTO t (a) SELECT y || '*/' FROM x",
    "OR ROLLBACK behind a quoted name": 'WITH x AS (SELECT 1 AS "--") INSERT OR ROLLBACK INTO t (a) SELECT 1 FROM x',
}


@pytest.mark.parametrize("sql", NEVER.values(), ids=NEVER.keys())
def test_refused_in_every_role(bench, sql):
    for role in (*READERS, *WRITERS):
        with pytest.raises(PackError, match=r"x\.yaml: here: "):
            bench.prove(sql, role, file="x.yaml", field="here")


@pytest.mark.parametrize(
    "sql", ["INSERT INTO t (id) VALUES (1)", "DELETE FROM t", "UPDATE t SET a = 1 RETURNING a", "REPLACE INTO t (id) VALUES (1)"]
)
def test_who_reads_does_not_write(bench, sql):
    for role in READERS:
        with pytest.raises(PackError, match="it writes t"):
            bench.prove(sql, role)


@pytest.mark.parametrize("sql", ["SELECT 1 AS n", "WITH x AS (SELECT 1) SELECT * FROM x", "VALUES (1)"])
def test_an_effect_writes(bench, sql):
    for role in WRITERS:
        with pytest.raises(PackError, match="it writes nothing"):
            bench.prove(sql, role)


# ---- what some may read and others not

READS = {
    "SELECT state.n FROM {} AS state": "a column",
    "SELECT count(*) AS n FROM {}": "no column at all",
    "SELECT EXISTS (SELECT 1 FROM {}) AS n": "inside EXISTS",
    "WITH x AS (SELECT 1 AS one FROM {}) SELECT one FROM x": "inside a WITH",
    "SELECT id FROM t WHERE id IN (SELECT 1 FROM {})": "inside WHERE",
    "SELECT id FROM t ORDER BY (SELECT count(*) FROM {})": "inside ORDER BY",
}


def in_role(text, role):
    """A query, or for those who write an effect that holds it."""
    return f"INSERT INTO log (what) {text}" if role in WRITERS else text


@pytest.mark.parametrize("sql", READS, ids=READS.values())
@pytest.mark.parametrize("table", ["calls", "messages", "event_log", "changes", "CALLS", "Messages", "Event_Log"])
def test_evidence_is_read_by_those_who_may(bench, table, sql):
    for role in (*READERS, *WRITERS):
        text = in_role(sql.format(table), role)
        if table.lower() in ROLES[role].temp:
            assert {(database, name) for database, name, _ in bench.prove(text, role).reads} >= {("temp", table.lower())}
        else:
            with pytest.raises(PackError, match=f"it reads {table.lower()}"):
                bench.prove(text, role)


@pytest.mark.parametrize("place", ["before.u", "BEFORE.u", "Before.U", '"before"."u"'])
@pytest.mark.parametrize("sql", READS, ids=READS.values())
def test_the_state_before_is_the_verifiers_alone(bench, sql, place):
    for role in (*READERS, *WRITERS):
        text = in_role(sql.format(place), role)
        if role == "verifier":
            assert "before" in {database for database, _, _ in bench.prove(text, role).reads}
        else:
            with pytest.raises(PackError, match=r"it reads before\."):
                bench.prove(text, role)


@pytest.mark.parametrize(
    "function, roles",
    [
        ("last_insert_rowid()", {"write", "event-effect", "rule-effect", "result"}),
        ("states('x', 'text', 'x')", {"verifier"}),
        ("states_only('x', 'money', '[]')", {"verifier"}),
    ],
)
def test_special_functions_are_for_their_roles(bench, function, roles):
    for role in (*READERS, *WRITERS):
        text = in_role(f"SELECT {function} AS n", role)
        if role in roles:
            assert bench.prove(text, role).sql == text
        else:
            with pytest.raises(PackError, match="it calls "):
                bench.prove(text, role)


@pytest.mark.parametrize(
    "sql, allowed, refused",
    [
        ("SELECT count(*) AS n FROM calls", "verifier", "read"),
        ("SELECT count(*) AS n FROM before.t", "verifier", "bind"),
        ("SELECT text FROM messages", "rule", "read"),
        ("SELECT last_insert_rowid() AS id", "result", "read"),
        ("DELETE FROM t", "write", "read"),
        ("SELECT states('x', 'text', 'x') AS n", "verifier", "rule"),
    ],
)
def test_a_text_proven_under_one_role_is_not_proven_under_another(bench, sql, allowed, refused):
    for _ in range(2):
        assert bench.prove(sql, allowed).sql == sql
        with pytest.raises(PackError):
            bench.prove(sql, refused)


# ---- what is reported


def test_reads_are_seen_through_views_subqueries_and_order(bench):
    sql = """WITH x AS (SELECT t_id FROM u WHERE n > :n) SELECT a FROM shown WHERE id IN x AND EXISTS (SELECT 1 FROM log)
    ORDER BY (SELECT max(secret) FROM t)"""
    found = bench.prove(sql, "read")
    assert found.reads >= {
        ("main", "u", "t_id"),
        ("main", "u", "n"),
        ("main", "t", "a"),
        ("main", "t", "id"),
        ("main", "t", "secret"),
        ("main", "log", ""),
    }
    assert (found.params, found.columns, found.writes) == (("n",), ("a",), frozenset())


def test_writes_are_seen_through_triggers_and_told_from_the_statements_own(bench):
    found = bench.prove("DELETE FROM u WHERE id = :id AND id = :id", "write")
    assert found.writes == {("delete", "u", ""), ("insert", "log", "")}
    assert found.direct == {("delete", "u", "")}
    assert ("main", "t", "secret") in found.reads
    assert found.params == ("id",)


def test_updates_name_their_columns(bench):
    assert bench.prove("UPDATE t SET a = 1, secret = 2", "write").direct == {("update", "t", "a"), ("update", "t", "secret")}
    upsert = "INSERT INTO t (id, a) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET a = excluded.a"
    assert bench.prove(upsert, "write").direct == {("insert", "t", ""), ("update", "t", "a")}


def test_parameters_are_checked(bench):
    assert bench.prove("SELECT :a AS x, :b AS y, :a AS z", "read", params=frozenset({"a", "b", "c"})).params == ("a", "b")
    with pytest.raises(PackError, match=r"unknown parameter :b \(expected one of a, c\)"):
        bench.prove("SELECT :a AS x, :b AS y", "read", params=frozenset({"a", "c"}))
    with pytest.raises(PackError, match=r"unknown parameter :a \(expected no parameter\)"):
        bench.prove("SELECT :a AS x", "read", params=frozenset())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t;",
        "SELECT a FROM t ; -- by name\n",
        "SELECT a /* OR ROLLBACK */ FROM t",
        "SELECT a FROM t WHERE a = 'OR ROLLBACK'",
        "SELECT a FROM t WHERE a = 'one; two'",
        "SELECT a FROM t WHERE a = 'it''s -- fine'",
        "SELECT a FROM t -- not 'localtime'\n",
        "SELECT a FROM json_each('[]'), t",
        "\r\nSELECT a FROM t",
    ],
)
def test_harmless_texts_are_proven(bench, sql):
    assert bench.prove(sql, "read").columns == ("a",)


def test_a_view_is_not_written(make):
    schema = SCHEMA + "CREATE TRIGGER through INSTEAD OF INSERT ON shown BEGIN INSERT INTO t (id, a) VALUES (new.id, new.a); END;"
    with pytest.raises(PackError, match="writes the view 'shown'"):
        make.world(schema, {"put": make.write("INSERT INTO shown VALUES (1, 'a')")}, {"t": []})


def test_before_has_the_views_too(bench):
    assert ("before", "t", "a") in bench.prove("SELECT a FROM before.shown", "verifier").reads


def test_the_bench_can_be_used_by_threads(bench):
    failed = []

    def prove_many(n):
        try:
            for k in range(50):
                found = bench.prove(f"SELECT a AS c{n} FROM t WHERE id = {k}", "read")
                assert found.columns == (f"c{n}",)
                assert found.reads == {("main", "t", "a"), ("main", "t", "id")}
        except BaseException as fault:
            failed.append(fault)
            raise

    threads = [threading.Thread(target=prove_many, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


# ---- the schema's own texts run inside the statements of tools


@pytest.mark.parametrize(
    "schema, why",
    [
        ("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER DEFAULT (random()))", r"random"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT DEFAULT (hex(randomblob(4))))", r"randomblob"),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t WHERE id = random(); END",
            r"random",
        ),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO gone VALUES (1); END", r"gone"),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TRIGGER g AFTER DELETE ON t BEGIN UPDATE t SET id = total_changes(); END",
            r"total_changes",
        ),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT id, random() AS r FROM t", r"random"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT idd FROM t", r"idd"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT name FROM sqlite_master", r"sqlite_master"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY, d TEXT DEFAULT (datetime('now', 'localtime')))", r"time zone"),
    ],
)
def test_the_schemas_own_expressions_are_held_to_a_role(make, schema, why):
    with pytest.raises(PackError, match=why) as caught:
        make.world(schema, rows={"t": []})
    assert caught.value.file == "w/schema.sql"


def test_run_time_denies_what_load_time_refuses(shop, make):
    """The second line: a text that came past the proof."""
    with shop.start(1) as episode:
        for sql in (
            "SELECT random()",
            "SELECT total_changes()",
            "PRAGMA foreign_keys = OFF",
            "ATTACH ':memory:' AS x",
            "DROP TABLE orders",
        ):
            with pytest.raises(Exception, match=r"not authorized|prohibited"):
                episode.connection.run(make.statement(sql), {})
        assert episode.call("orders", {}).ok
