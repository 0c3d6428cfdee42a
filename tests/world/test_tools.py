"""A world's own tools: what they return, what they refuse, and that a refused call changes nothing."""

import json

import pytest

from worldwright.errors import PackError, TemplateFault
from worldwright.world import StopReason

NUMBERED = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT NOT NULL DEFAULT '-')"


def refused(result):
    assert not result.ok
    assert result.value is None
    assert result.ended is None
    return result.error


# ---- reads


def test_rows_are_objects_in_order(shop):
    with shop.start(1) as episode:
        result = episode.call("customers", {})
    assert result.value == [{"id": 1, "name": "Ada", "level": "basic"}, {"id": 2, "name": "Bo", "level": "gold"}]
    assert result.ok
    assert result.error is None


def test_one_row_or_the_words_for_none(shop):
    with shop.start(1) as episode:
        assert episode.call("order", {"id": 3}).value["total_cents"] == 300
        assert refused(episode.call("order", {"id": 77})) == "There is no order 77."


def test_no_row_without_words_of_its_own(make):
    world = make.world(NUMBERED, {"get": {"doc": "-", "row": "SELECT id FROM t"}}, {"t": []})
    with world.start(1) as episode:
        assert refused(episode.call("get", {})) == "Nothing was found."


def test_the_most_rows(make):
    rows = {"t": [{"id": n, "a": n} for n in range(501)]}
    world = make.world(NUMBERED, {"some": make.read("SELECT id FROM t LIMIT :n", n="integer")}, rows)
    with world.start(1) as episode:
        assert len(episode.call("some", {"n": 500}).value) == 500
        assert refused(episode.call("some", {"n": 501})).startswith("More than 500 records match.")


@pytest.mark.parametrize(
    "sql, value",
    [
        ("x'00ff'", "00ff"),
        ("9e999", None),
        ("-9e999", None),
        ("NULL", None),
        ("1.0", 1.0),
        ("9223372036854775807", 2**63 - 1),
        ("'a' || char(0) || 'b'", "a\0b"),
        ("'\N{GRINNING FACE}'", "\N{GRINNING FACE}"),
    ],
)
def test_values_are_jsons_own(make, sql, value):
    world = make.world(NUMBERED, {"get": {"doc": "-", "row": f"SELECT {sql} AS v"}}, {"t": []})
    with world.start(1) as episode:
        result = episode.call("get", {})
        assert result.value == {"v": value}
        assert type(result.value["v"]) is type(value)
        assert json.loads(episode.calls[0].result) == {"v": value}


def test_text_that_is_not_unicode_is_refused(make):
    world = make.world(
        NUMBERED, {"get": {"doc": "-", "row": "SELECT CAST(x'ff' AS TEXT) AS v"}, "ok": make.read("SELECT 1 AS one")}, {"t": []}
    )
    with world.start(1) as episode:
        assert refused(episode.call("get", {})) == "The request could not be carried out."
        assert episode.call("ok", {}).ok


# ---- writes


def test_a_write_says_that_it_is_done(shop):
    with shop.start(1) as episode:
        assert episode.call("place", {"customer": 1, "cents": 5}).value == {"done": True}


def test_a_write_can_return_its_row(make):
    tools = {
        "put": {
            "doc": "-",
            "args": {"a": {}},
            "effect": ["INSERT INTO t (a) VALUES (:a)"],
            "row": "SELECT id, a FROM t WHERE id = last_insert_rowid()",
        },
        "quiet": {"doc": "-", "effect": ["DELETE FROM t WHERE id = 99"], "row": "SELECT id FROM t WHERE id = 99"},
        "loud": {"doc": "-", "effect": ["DELETE FROM t"], "row": "SELECT id FROM t WHERE id = 99", "missing": "It is gone."},
        "all": make.read("SELECT id FROM t"),
    }
    with make.world(NUMBERED, tools, {"t": [{"id": 5, "a": 1}]}).start(1) as episode:
        assert episode.call("put", {"a": "x"}).value == {"id": 6, "a": "x"}
        assert episode.call("quiet", {}).value == {"done": True}
        assert refused(episode.call("loud", {})) == "It is gone."
        assert episode.call("all", {}).value == [{"id": 5}, {"id": 6}]


def test_requirements_are_asked_in_order_before_anything_is_written(make):
    tools = {
        "put": {
            "doc": "-",
            "args": {"id": {"type": "integer"}},
            "require": [
                {"that": "SELECT 1 WHERE :id > 0", "otherwise": "{{ id }} is not above zero."},
                {"that": "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE id = :id)", "otherwise": "{{ id }} is taken at {{ now }}."},
            ],
            "effect": ["INSERT INTO t (id) VALUES (:id)"],
        }
    }
    with make.world(NUMBERED, tools, {"t": [{"id": 1}]}).start(1) as episode:
        start = episode.state_digest()
        assert refused(episode.call("put", {"id": -1})) == "-1 is not above zero."
        assert refused(episode.call("put", {"id": 1})) == "1 is taken at 2026-03-30T09:00:00."
        assert episode.state_digest() == start
        assert episode.call("put", {"id": 2}).ok


@pytest.mark.parametrize(
    "second, words",
    [
        ("INSERT INTO t (id) VALUES (1)", "There is already a record with the same id."),
        ("INSERT INTO u VALUES (9, 77)", "The request refers to a record that doesn't exist, or removes one that others refer to."),
        ("DELETE FROM t WHERE id = 1", "The request refers to a record that doesn't exist, or removes one that others refer to."),
        ("UPDATE t SET b = NULL WHERE id = 1", "A value for b is required."),
        ("INSERT INTO checked VALUES (1, -5)", "The record would break a rule of the system: price is positive."),
        ("INSERT INTO pairs VALUES ('a', 1)", "There is already a record with the same left part, right part."),
        ("INSERT INTO guarded VALUES (1)", "The shop is closed."),
        ("UPDATE t SET a = abs(-9223372036854775807 - 1)", "A number is too large."),
        ("UPDATE t SET a = zeroblob(9000000)", "The text is too long."),
        ("UPDATE t SET a = json('{')", "The request could not be carried out."),
    ],
)
def test_an_effect_is_all_or_nothing_and_fails_in_plain_words(make, second, words):
    schema = f"""{NUMBERED};
    CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id));
    CREATE TABLE checked (id INTEGER PRIMARY KEY, price INTEGER, CONSTRAINT "price is positive" CHECK (price > 0));
    CREATE TABLE pairs (left_part TEXT NOT NULL, right_part INTEGER NOT NULL, PRIMARY KEY (left_part, right_part));
    CREATE TABLE guarded (id INTEGER PRIMARY KEY);
    CREATE TRIGGER closed BEFORE INSERT ON guarded BEGIN SELECT RAISE(ABORT, 'the shop is closed.'); END"""
    rows = {"t": [{"id": 1}], "u": [{"id": 1, "t_id": 1}], "pairs": [{"left_part": "a", "right_part": 1}]}
    tools = {"both": make.write("INSERT INTO t (id) VALUES (5)", second), "put": make.write("INSERT INTO t (id) VALUES (6)")}
    with make.world(schema, tools, rows).start(1) as episode:
        start = episode.state_digest()
        assert refused(episode.call("both", {})) == words
        assert episode.state_digest() == start
        assert episode.call("put", {}).ok
        assert [change.key for change in episode.finish(None).changes] == [(6,)]


def test_a_trigger_that_fails_without_undoing_is_undone(make):
    schema = f"{NUMBERED}; CREATE TRIGGER g AFTER INSERT ON t WHEN new.id = 7 BEGIN SELECT RAISE(FAIL, 'seven'); END"
    with make.world(schema, {"put": make.write("INSERT INTO t (id) VALUES (6), (7), (8)")}, {"t": []}).start(1) as episode:
        assert refused(episode.call("put", {})) == "Seven"
        assert episode.finish(None).changes == []


def test_a_result_too_long_undoes_the_write(make):
    """What the agent is told is an error must not have happened."""
    tools = {
        "rows": {"doc": "-", "effect": ["UPDATE t SET b = 'touched'"], "rows": "SELECT id, a FROM t"},
        "row": {"doc": "-", "effect": ["UPDATE t SET b = 'touched'"], "row": "SELECT group_concat(a) AS a FROM t"},
        "many": {"doc": "-", "effect": ["UPDATE t SET b = 'touched'"], "rows": "SELECT x.id FROM t AS x, t AS y, t AS z, t AS w, t AS v"},
    }
    world = make.world(NUMBERED, tools, {"t": [{"id": n, "a": "x" * 300_000} for n in range(4)]})
    with world.start(1) as episode:
        for tool in tools:
            assert refused(episode.call(tool, {})).endswith(("Narrow the request.", "ask for a page."))
        assert episode.state_digest() == world.state_digest(1)
        assert episode.finish(None).changes == []


# ---- last_insert_rowid() belongs to one call


def test_last_insert_rowid_is_zero_at_the_start_of_a_call(make):
    tools = {
        "put": make.write("INSERT INTO t (a) VALUES (last_insert_rowid())"),
        "twice": make.write("INSERT INTO t (a) VALUES ('first')", "INSERT INTO t (a) VALUES (last_insert_rowid())"),
        "fails": make.write("INSERT INTO t (id) VALUES (50)", "INSERT INTO t (id) VALUES (50)"),
        "all": make.read("SELECT a FROM t ORDER BY id"),
    }
    effect = ["INSERT INTO t (a) VALUES (last_insert_rowid())", "INSERT INTO t (a) VALUES (last_insert_rowid())"]
    events = [{"name": "e", "due": "SELECT 1 AS key, '2026-03-30T10:00:00' AS at", "effect": effect}]
    people = {"bo": {"about": "-", "rules": [{"name": "r", "on": "ask", "say": "done", "effect": effect}]}}
    world = make.world(NUMBERED, tools, {"t": [{"id": 40, "a": "start"}]}, events=events, parties=people)
    for _ in range(2):
        with world.start(1, parties=["bo"]) as episode:
            for tool, args in [
                ("put", {}),
                ("put", {}),
                ("twice", {}),
                ("fails", {}),
                ("put", {}),
                ("say", {"to": "bo", "act": "ask"}),
                ("wait", {"until": "2026-03-30T10:00:00"}),
                ("put", {}),
            ]:
                assert episode.call(tool, args).ok is (tool != "fails")
            values = [row["a"] for row in episode.call("all", {}).value]
        assert values == ["start", 0, 0, "first", 43, 0, 0, 46, 0, 48, 0]


# ---- failures of the world itself are not the agent's


def test_an_unexpected_exception_comes_out_of_the_call(make):
    """Only what a tool is known to refuse with becomes data; the rest is the world's failure and must not look like a refusal."""

    def broken(value):
        raise RuntimeError("the world is broken") if value == "run" else ValueError("so is this")

    tools = {
        "read": make.read("SELECT upper(:a) AS x", a="string"),
        "write": make.write("INSERT INTO t (id) VALUES (7)", "INSERT INTO t (a) VALUES (upper(:a))", a="string"),
    }
    world = make.world(NUMBERED, tools, {"t": []}, functions={"upper": broken})
    with world.start(1) as episode:
        for tool in tools:
            with pytest.raises(RuntimeError, match="the world is broken"):
                episode.call(tool, {"a": "run"})
            with pytest.raises(ValueError, match="so is this"):
                episode.call(tool, {"a": "value"})
        assert episode.finish(None).changes == []
    assert len(world.pool._idle) == 1


def test_a_handbook_page_that_can_not_be_rendered_is_the_worlds_failure(make):
    schema = f"{NUMBERED}; CREATE TABLE policy (name TEXT PRIMARY KEY, value)"
    world = make.world(schema, rows={"t": []}, files={"handbook/a.md": "# A\n1. Within {{ policy.days }} days."})
    with world.start(1) as episode, pytest.raises(TemplateFault, match="days"):
        episode.call("read_handbook", {"page": "a"})


def test_words_that_can_not_be_rendered_are_plain(make):
    tool = {"doc": "-", "args": {"n": {"type": "integer"}}, "row": "SELECT 1 AS one WHERE 0", "missing": "{{ 10 // n }} left."}
    with make.world(NUMBERED, {"get": tool}, {"t": []}).start(1) as episode:
        assert refused(episode.call("get", {"n": 5})) == "2 left."
        assert refused(episode.call("get", {"n": 0})) == "The request was refused."


# ---- arguments as SQL sees them


def test_an_absent_optional_argument_is_null_and_a_default_is_itself(make):
    args = {
        "a": {"optional": True},
        "b": {"type": "integer", "default": "5"},
        "c": {"type": "boolean", "default": "true"},
        "d": {"type": "list", "items": {"type": "integer"}, "default": ["1", "2"]},
        "e": {"type": "number", "default": "0.5"},
    }
    world = make.world(
        NUMBERED, {"show": {"doc": "-", "args": args, "row": "SELECT :a AS a, :b AS b, :c AS c, :d AS d, :e AS e"}}, {"t": []}
    )
    with world.start(1) as episode:
        assert episode.call("show", {}).value == {"a": None, "b": 5, "c": 1, "d": "[1, 2]", "e": 0.5}
        assert episode.call("show", {"a": None, "b": None}).value["b"] == 5
        assert episode.call("show", {"a": "x", "b": 0, "c": False, "d": [3]}).value == {"a": "x", "b": 0, "c": 0, "d": "[3]", "e": 0.5}


def test_a_list_is_json_for_json_each(make):
    tool = make.read("SELECT value FROM json_each(:names) ORDER BY key", names={"type": "list"})
    with make.world(NUMBERED, {"echo": tool}, {"t": []}).start(1) as episode:
        assert [row["value"] for row in episode.call("echo", {"names": ["é", 'a"b', ""]}).value] == ["é", 'a"b', ""]


# ---- calls as they are kept


def test_calls_are_recorded_as_they_came(shop):
    with shop.start(1) as episode:
        episode.call("order", {"id": 1})
        episode.call("order", {"id": 99})
        episode.call("nothing", {"x": [1, {"y": None}]})
        first, second, third = episode.finish(None).calls
    assert (first.n, first.at, first.tool, first.args, first.ok, first.error) == (1, "2026-03-30T09:00:00", "order", '{"id":1}', True, None)
    assert json.loads(first.result)["total_cents"] == 100
    assert (second.n, second.ok, second.result, second.error) == (2, False, None, "There is no order 99.")
    assert (third.tool, third.args) == ("nothing", '{"x":[1,{"y":null}]}')


@pytest.mark.parametrize("name", ["nothing", "", "orders ", "clock\0", "\ud800", "x" * 100_000, None, 5, ["orders"], {"a": 1}, b"orders"])
def test_an_unknown_tool_is_an_error_that_lists_the_tools(shop, name):
    with shop.start(1) as episode:
        error = refused(episode.call(name, {}))
        assert error.startswith("There is no tool ")
        assert error.endswith("cancel, leave, join, clock.")
        assert len(error) < 300
        assert len(episode.calls[0].tool) <= 200
        error.encode()


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def looped():
    value = []
    value.append(value)
    return value


ODD = {
    "deep": lambda: {"id": nested(100_000)},
    "looped": lambda: {"id": looped()},
    "huge": lambda: {"id": "x" * 10_000_000},
    "bytes": lambda: {"id": b"\xff"},
    "object": lambda: {"id": object()},
    "big": lambda: {"id": 10**400},
    "nan": lambda: {"id": float("nan")},
    "surrogate": lambda: {"id": "\ud800"},
    "odd keys": lambda: {5: 1, None: 2, ("a",): 3},
    "a list": lambda: [1],
    "nothing": lambda: None,
    "text": lambda: "id=1",
    "number": lambda: 7,
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_odd_arguments_are_refused_and_kept_in_bounds(shop, odd):
    every = shop.bench.prove("SELECT n, tool, args FROM calls", "verifier")
    with shop.start(1) as episode:
        for tool in ("order", "nothing", "set_status"):
            assert len(refused(episode.call(tool, odd()))) < 300
        assert episode.call("order", {"id": 1}).ok
        rows = episode.finish(None).run(every, {})
    assert [row[:2] for row in rows] == [(1, "order"), (2, "nothing"), (3, "set_status"), (4, "order")]
    assert all(len(row[2]) <= 1_000_000 for row in rows)
    assert all(json.loads(row[2]) is not False for row in rows)


ANSWERS = {"deep": nested(100_000), "huge": "x" * 10_000_000, "big": 10**400, "edge": -(2**63), "nul": "a\0b", "odd": "\ud800", "\ud800": 1}


def test_an_odd_answer_is_still_evidence(shop):
    every = shop.bench.prove("SELECT field, value FROM answer", "verifier")
    with shop.start(1) as episode:
        found = dict(episode.finish(ANSWERS | {"plain": "x", "list": [1, "a"], "yes": True, "none": None}).run(every, {}))
    assert (found["plain"], found["list"], found["yes"], found["none"], found["edge"]) == ("x", '[1,"a"]', 1, None, -(2**63))
    assert found["deep"] == found["huge"] == '{"unrecordable": true}'
    assert found["big"] == "1" + "0" * 400
    assert len(found) == 11


@pytest.mark.parametrize("answer", ["text", 5, ["list"], None, {}])
def test_an_answer_that_is_no_object_has_no_fields(shop, answer):
    count = shop.bench.prove("SELECT count(*) FROM answer", "verifier")
    with shop.start(1) as episode:
        assert episode.finish(answer).run(count, {}) == [(0,)]


def test_no_call_beyond_the_limit(shop):
    with shop.start(1, call_limit=2) as episode:
        assert episode.call("orders", {}).ended is None
        assert episode.call("nothing", {}).ended is None
        beyond = episode.call("join", {"name": "Cy"})
        assert (beyond.ok, beyond.ended) == (False, StopReason.CALL_LIMIT)
        evidence = episode.finish(None)
        assert len(evidence.calls) == 2
        assert evidence.changes == []


# ---- tools that fail now and then


def test_faults_are_seeded_and_change_nothing(shop_with):
    world = shop_with(faults={"join": {"rate": 0.5, "error": "Try again later."}})

    def story(seed):
        with world.start(seed) as episode:
            results = [episode.call("join", {"name": f"n{n}"}) for n in range(60)]
            assert all(episode.call("orders", {}).ok for _ in range(5))
            return (
                [result.ok for result in results],
                len(episode.finish(None).changes),
                {result.error for result in results if not result.ok},
            )

    kept, changes, words = story(1)
    assert 15 < sum(kept) < 45
    assert changes == sum(kept)
    assert words == {"Try again later."}
    assert story(1)[0] == kept
    assert story(2)[0] != kept


def test_a_fault_does_not_hide_wrong_arguments(shop_with):
    world = shop_with(faults={"join": {"rate": 1.0, "error": "Try again later."}})
    with world.start(1) as episode:
        assert "name" in refused(episode.call("join", {}))
        assert refused(episode.call("join", {"name": "Cy"})) == "Try again later."


# ---- what a tool may be


@pytest.mark.parametrize(
    "tool, why",
    [
        ({"doc": "-"}, "either rows or row"),
        ({"doc": "-", "rows": "SELECT 1 AS a", "row": "SELECT 1 AS a"}, "either rows or row"),
        ({"doc": "-", "rows": "SELECT 1 AS a, 2 AS a"}, "two columns of one name"),
        ({"doc": "-", "rows": "SELECT id FROM t WHERE id = :id"}, "unknown parameter :id"),
        ({"doc": "-", "rows": "DELETE FROM t RETURNING id"}, "it writes t"),
        ({"doc": "-", "effect": ["SELECT 1"]}, "it writes nothing"),
        ({"doc": "-", "effect": ["DELETE FROM t"], "require": [{"that": "DELETE FROM t", "otherwise": "x"}]}, "it writes t"),
        ({"doc": "-", "effect": ["DELETE FROM t"], "require": [{"that": "SELECT 1", "otherwise": "{{ who }}"}]}, "'who' is undefined"),
        ({"doc": "-", "row": "SELECT 1 AS a", "missing": "{{ oops"}, "not a template"),
        ({"doc": "-", "row": "SELECT 1 AS a", "args": {"now": {}}}, "taken by the clock"),
        ({"doc": "-", "row": "SELECT 1 AS a", "args": {"x-y": {}}}, "got the name 'x-y'"),
        ({"doc": "-", "row": "SELECT 1 AS a", "args": {"x": {"type": "object"}}}, "can't be an object"),
        ({"doc": "-", "row": "SELECT 1 AS a", "args": {"x": {"type": "list", "items": {"type": "object"}}}}, "list of objects"),
        ({"doc": "-", "row": "SELECT 1 AS a", "args": {"x": {"type": "list", "items": {"type": "list"}}}}, "list of lists"),
        ({"doc": "-", "row": "SELECT 1 AS a", "args": {"x": {"type": "integer", "enum": ["a"]}}}, "doesn't fit the type integer"),
        ({"doc": "-", "row": "SELECT 1 AS a", "args": {"x": {"pattern": "("}}}, "the pattern can.t be compiled"),
        ({"doc": "-", "row": "SELECT 1 AS a", "unknown": 1}, "unknown key 'unknown'"),
    ],
)
def test_refused_at_load(make, tool, why):
    with pytest.raises(PackError, match=why) as caught:
        make.world(NUMBERED, {"do": tool}, {"t": []})
    assert caught.value.file == "w/world.yaml"
    assert caught.value.field.startswith("tools.do")


@pytest.mark.parametrize("name", ["two words", "x-y", "1st", ""])
def test_names_of_tools(make, name):
    with pytest.raises(PackError, match="got the name"):
        make.world(NUMBERED, {name: make.read("SELECT 1 AS a")}, {"t": []})


def test_built_in_names_are_taken(make):
    with pytest.raises(PackError, match="'clock' is a built-in tool"):
        make.world(NUMBERED, {"clock": make.read("SELECT 1 AS a")}, {"t": []})


def test_a_fault_names_a_tool_and_a_rate(shop_with):
    for faults in ({"nothing": {"rate": 0.5, "error": "x"}}, {"join": {"rate": 1.5, "error": "x"}}, {"join": {"rate": -1, "error": "x"}}):
        with pytest.raises(PackError, match="a rate from 0 to 1"):
            shop_with(faults=faults)


def test_what_an_agent_is_told(shop):
    docs = {tool.name: tool for tool in shop.tools()}
    assert [*docs][-1] == "clock"
    assert docs["place"].writes
    assert not docs["orders"].writes
    assert [*docs["set_total"].args] == ["id", "cents"]
