"""Where a start state comes from: a scenario, a sampled part of a database, or both."""

import json
import re
import sqlite3

import pytest

from worldwright.errors import PackError

SCHEMA = """
CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss INTEGER REFERENCES people (id),
  region_id INTEGER REFERENCES Regions (ID));
CREATE TABLE shops (region_id INTEGER NOT NULL, nr INTEGER NOT NULL, keeper INTEGER REFERENCES people, PRIMARY KEY (region_id, nr),
  FOREIGN KEY (region_id) REFERENCES regions (id));
CREATE TABLE sales (id INTEGER PRIMARY KEY, region_id INTEGER, shop_nr INTEGER,
  seller INTEGER REFERENCES people (id), buyer INTEGER REFERENCES people (id),
  FOREIGN KEY (region_id, shop_nr) REFERENCES shops);
"""
TABLES = {
    "regions": "SELECT Id AS id, Title AS name FROM Region",
    "people": "SELECT Id AS id, Name AS name, Boss AS boss, Region AS region_id FROM Person",
    "shops": "SELECT Region AS region_id, Nr AS nr, Keeper AS keeper FROM Shop",
    "sales": "SELECT Id AS id, Region AS region_id, Shop AS shop_nr, Seller AS seller, Buyer AS buyer FROM Sale",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A chain of bosses, shops with a composite key, and sales that refer to all of them or to nothing."""
    path = tmp_path_factory.mktemp("source") / "source.sqlite"
    db = sqlite3.connect(path)
    db.executescript(
        """CREATE TABLE Region (Id INTEGER, Title TEXT); CREATE TABLE Person (Id INTEGER, Name TEXT, Boss INTEGER, Region INTEGER);
        CREATE TABLE Shop (Region INTEGER, Nr INTEGER, Keeper INTEGER);
        CREATE TABLE Sale (Id INTEGER, Region INTEGER, Shop INTEGER, Seller INTEGER, Buyer INTEGER);"""
    )
    db.executemany("INSERT INTO Region VALUES (?, ?)", [(n, f"r{n}") for n in range(1, 6)])
    db.executemany(
        "INSERT INTO Person VALUES (?, ?, ?, ?)", [(n, f"p{n}", n // 2 or None, None if n % 7 == 0 else 1 + n % 5) for n in range(1, 41)]
    )
    db.executemany("INSERT INTO Shop VALUES (?, ?, ?)", [(1 + n % 5, n, None if n % 3 == 0 else n) for n in range(1, 31)])
    db.executemany(
        "INSERT INTO Sale VALUES (?, ?, ?, ?, ?)",
        [
            (
                n,
                None if n % 4 == 0 else 1 + n % 30 % 5,
                None if n % 5 == 0 else n % 30 or 30,
                1 + n % 40,
                None if n % 6 == 0 else 1 + n * 7 % 40,
            )
            for n in range(1, 101)
        ],
    )
    db.commit()
    db.close()
    return path.read_bytes()


@pytest.fixture
def sampled(make, source):
    def build(keep, tables=TABLES, code=None, schema=SCHEMA, data=source):
        files = {"scenario.sqlite": data, "sample.yaml": json.dumps({"tables": tables, "keep": keep}), "scenario.py": code}
        tools = {name: make.read(f"SELECT * FROM {name}") for name in ("regions", "people", "shops", "sales")}
        return make.world(schema, tools, files=files)

    return build


def kept(world, seed=1):
    with world.start(seed) as episode:
        return {name: episode.call(name, {}).value for name in ("regions", "people", "shops", "sales")}


def check_closed(tables):
    """Whatever a kept row refers to is kept; a reference that is NULL in part refers to nothing."""
    people = {row["id"] for row in tables["people"]} | {None}
    regions = {row["id"] for row in tables["regions"]} | {None}
    shops = {(row["region_id"], row["nr"]) for row in tables["shops"]}
    for row in tables["people"]:
        assert {row["boss"]} <= people
        assert {row["region_id"]} <= regions
    for row in tables["shops"]:
        assert {row["keeper"]} <= people
        assert {row["region_id"]} <= regions
    for row in tables["sales"]:
        assert {row["seller"], row["buyer"]} <= people
        assert None in (row["region_id"], row["shop_nr"]) or (row["region_id"], row["shop_nr"]) in shops


# ---- sampling


@pytest.mark.parametrize("seed", range(6))
def test_references_are_closed(sampled, seed):
    tables = kept(sampled({"sales": 10}), seed)
    check_closed(tables)
    assert len(tables["sales"]) == 10
    assert 1 < len(tables["people"]) < 40
    assert any(row["boss"] for row in tables["people"])


def test_so_many_rows_are_drawn_and_what_they_need_is_added(sampled):
    tables = kept(sampled({"people": 3}))
    assert tables["sales"] == tables["shops"] == []
    ids = {row["id"] for row in tables["people"]}
    assert len(ids) >= 3
    assert all(not row["boss"] or row["boss"] in ids for row in tables["people"])
    assert {row["region_id"] for row in tables["people"]} - {None} == {row["id"] for row in tables["regions"]}


def test_the_same_seed_gives_the_same_rows_and_another_one_others(sampled):
    one, again = sampled({"sales": 10}), sampled({"sales": 10})
    digests = [one.state_digest(seed) for seed in range(8)]
    assert digests == [again.state_digest(seed) for seed in range(8)]
    assert len(set(digests)) == 8


def test_a_draw_depends_on_seed_and_key_alone(sampled, source):
    """Rows that are drawn from more are still drawn from fewer, and the order of the source doesn't matter."""
    few, many = kept(sampled({"sales": 5})), kept(sampled({"sales": 20}))
    assert {row["id"] for row in few["sales"]} < {row["id"] for row in many["sales"]}
    turned = TABLES | {"sales": TABLES["sales"] + " ORDER BY Id DESC"}
    assert {row["id"] for row in kept(sampled({"sales": 5}, turned))["sales"]} == {row["id"] for row in few["sales"]}


def test_all_and_none(sampled):
    assert len(kept(sampled({"people": "all"}))["people"]) == 40
    assert kept(sampled({"people": 0})) == {"regions": [], "people": [], "shops": [], "sales": []}
    assert len(kept(sampled({"people": 1000}))["people"]) == 40
    assert kept(sampled({})) == {"regions": [], "people": [], "shops": [], "sales": []}


def test_those_that_refer_to_a_kept_row(sampled):
    """Whichever of several references it is; and whatever they need in turn is kept."""
    tables = kept(sampled({"shops": 4, "sales": {"of": "shops"}}))
    check_closed(tables)
    drawn = {(row["region_id"], row["nr"]) for row in tables["shops"]}
    every = kept(sampled({"sales": "all"}))["sales"]
    assert {row["id"] for row in tables["sales"]} == {row["id"] for row in every if (row["region_id"], row["shop_nr"]) in drawn}
    tables = kept(sampled({"people": 2, "sales": {"of": "people"}}))
    people = {row["id"] for row in tables["people"]}
    assert {row["id"] for row in tables["sales"]} == {row["id"] for row in every if {row["seller"], row["buyer"]} & people}


def test_the_order_in_the_file_does_not_matter(sampled):
    keep = {"regions": 2, "shops": {"of": "regions"}, "sales": {"of": "shops"}}
    forwards, backwards = sampled(keep), sampled(dict(reversed(keep.items())))
    tables = kept(forwards)
    assert tables["shops"]
    assert tables["sales"]
    assert [forwards.state_digest(seed) for seed in range(4)] == [backwards.state_digest(seed) for seed in range(4)]


def test_those_that_refer_to_a_row_kept_later_are_kept_too(sampled):
    """A boss brings subordinates, whose subordinates come as well."""
    tables = kept(sampled({"people": {"of": "people"}, "regions": "all", "shops": 1}), 2)
    people = {row["id"] for row in tables["people"]}
    every = kept(sampled({"people": "all"}))["people"]
    assert all(row["id"] in people for row in every if row["boss"] in people)


def test_a_long_chain_of_references_is_followed_in_one_go(make, tmp_path):
    """Each kept row brings the next one along: nothing is looked through again for each of them."""
    with sqlite3.connect(tmp_path / "chain.sqlite") as source:
        source.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER)")
        source.executemany("INSERT INTO t VALUES (?, ?)", [(n, n - 1 or None) for n in range(1, 20_001)])
    source.close()
    sample = {"tables": {"t": "SELECT id, up FROM t", "first": "SELECT 1 AS id"}, "keep": {"first": "all", "t": {"of": "first"}}}
    schema = "CREATE TABLE first (id INTEGER PRIMARY KEY REFERENCES t (id)); CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t (id), of INTEGER REFERENCES first (id))"
    files = {"scenario.sqlite": (tmp_path / "chain.sqlite").read_bytes(), "sample.yaml": json.dumps(sample), "scenario.py": None}
    count = {"t": make.read("SELECT count(*) AS n FROM t")}
    with make.world(schema, count, files=files).start(1) as episode:
        assert episode.call("t", {}).value == [{"n": 1}]
    sample["keep"] = {"t": {"of": "t"}, "first": "all"}
    with make.world(schema, count, files=files | {"sample.yaml": json.dumps(sample)}).start(1) as episode:
        assert episode.call("t", {}).value == [{"n": 20_000}]


def test_a_table_that_is_not_sampled_is_the_scenarios(sampled):
    code = "def scenario(seed, given):\n    return {'sales': [{'id': 1, 'seller': p['id']} for p in given['people'][:1]]}"
    tables = {name: sql for name, sql in TABLES.items() if name != "sales"}
    found = kept(sampled({"people": 3}, tables, code))
    assert [row["seller"] for row in found["sales"]] == [found["people"][0]["id"]]


def test_both_the_scenario_changes_what_it_was_given(sampled):
    code = """
def scenario(seed, given):
    people = [dict(row, name=row['name'] + '!' * seed) for row in given['people']]
    return {'people': people, 'shops': []}
"""
    found = kept(sampled({"shops": 3, "people": 2}, code=code), 2)
    assert found["shops"] == []
    assert {row["name"][-2:] for row in found["people"]} == {"!!"}
    assert found["regions"], "what the scenario doesn't return stays"


def test_a_scenario_may_be_given_more_columns_than_the_table_has(sampled):
    tables = {"people": "SELECT Id AS id, Name AS name, length(Name) AS letters FROM Person"}
    code = "def scenario(seed, given):\n    return {'people': [{'id': r['id'], 'name': r['name'] * r['letters']} for r in given['people']]}"
    assert len(kept(sampled({"people": 1}, tables, code))["people"][0]["name"]) in (4, 9)


def test_a_database_with_a_write_ahead_log_can_be_read(sampled, tmp_path, source):
    path = tmp_path / "wal.sqlite"
    path.write_bytes(source)
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    db.execute("UPDATE Region SET Title = Title")
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    data = path.read_bytes()
    assert data[18:20] == b"\x02\x02"
    assert sampled({"sales": 5}, data=data).state_digest(1) == sampled({"sales": 5}).state_digest(1)


def test_the_source_is_read_at_the_worlds_time(sampled):
    tables = {"regions": "SELECT 1 AS id, strftime('%Y-%m-%dT%H:%M:%S', 'now') AS name"}
    assert kept(sampled({"regions": "all"}, tables))["regions"] == [{"id": 1, "name": "2026-03-30T09:00:00"}]


ENDLESS = "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'x' AS name FROM n"


@pytest.mark.parametrize(
    "tables, keep, field, why",
    [
        ({"shelves": "SELECT 1 AS id"}, {}, "tables.shelves", "not a table of schema.sql"),
        ({"regions": "SELECT 1 AS id, Name FROM Region"}, {}, "tables.regions", "no such column"),
        ({"regions": 'SELECT Id AS id, "Titel" AS name FROM Region'}, {}, "tables.regions", "no such column"),
        ({"regions": "SELECT Title AS name FROM Region"}, {}, "tables.regions", "it gives name .*with the key id"),
        ({"regions": "SELECT Title AS name FROM Region WHERE 0"}, {}, "tables.regions", "it gives name"),
        ({"regions": "SELECT Id AS id, Title AS title FROM Region"}, {}, "tables.regions", "it gives id, title"),
        ({"regions": "SELECT Id AS id, Id AS id FROM Region"}, {}, "tables.regions", "it gives id, id"),
        ({"regions": "SELECT 1 AS id; SELECT 2 AS id"}, {}, "tables.regions", "not one SELECT"),
        ({"regions": ""}, {}, "tables.regions", "not one SELECT"),
        ({"regions": "DELETE FROM Region RETURNING Id AS id"}, {}, "tables.regions", "DELETE Region is not allowed here"),
        ({"regions": "ATTACH ':memory:' AS x"}, {}, "tables.regions", "ATTACH :memory: is not allowed here"),
        ({"regions": "VACUUM INTO '/tmp/worldwright-must-not-exist.db'"}, {}, "tables.regions", "is not allowed here"),
        ({"regions": "PRAGMA table_info(Region)"}, {}, "tables.regions", "PRAGMA .* is not allowed here"),
        ({"regions": "SELECT Id AS id, random() AS name FROM Region"}, {}, "tables.regions", "random"),
        ({"regions": ENDLESS}, {}, "tables.regions", "too many rows"),
        ({"regions": ENDLESS.replace("SELECT id, 'x' AS name FROM n", "SELECT max(id) AS id FROM n")}, {}, "tables.regions", "interrupted"),
        (TABLES, {"shelves": 3}, "keep.shelves", "not under tables"),
        (TABLES, {"people": -1}, "keep.people", "got -1"),
        (TABLES, {"people": "some"}, "keep.people", "got 'some'"),
        (TABLES, {"regions": {"of": "people"}}, "keep.regions", "'regions' has no reference to 'people'"),
        (TABLES, {"sales": {"of": "shelves"}}, "keep.sales", "'shelves' is not under tables"),
    ],
)
def test_faults_name_file_and_field(sampled, tables, keep, field, why):
    with pytest.raises(PackError, match=why) as caught:
        sampled(keep, tables)
    assert caught.value.file == "w/sample.yaml"
    assert caught.value.field == field


def test_faults_of_yaml_name_the_line(make, source):
    with pytest.raises(PackError, match="unknown key 'keeps'") as caught:
        make.world(
            SCHEMA, files={"scenario.sqlite": source, "sample.yaml": "tables:\n  regions: SELECT 1 AS id\nkeeps: {}\n", "scenario.py": None}
        )
    assert (caught.value.file, caught.value.line) == ("w/sample.yaml", 3)


@pytest.mark.parametrize("data", [b"", b"not a database", b"SQLite format 3\0" + b"x" * 200])
def test_what_is_no_database_is_refused(sampled, data):
    with pytest.raises(PackError, match=r"sample\.yaml|scenario\.sqlite"):
        sampled({}, data=data)


def test_a_source_with_a_dangling_reference_is_refused_with_its_seed_state(sampled):
    tables = {"people": "SELECT 1 AS id, 'x' AS name, 99 AS boss"}
    world = sampled({"people": "all"}, tables)
    with pytest.raises(PackError, match="'people' refers to a row of 'people' that isn't there") as caught:
        world.state_digest(1)
    assert caught.value.file == "w/sample.yaml"


@pytest.mark.parametrize("left_out", ["sample.yaml", "scenario.sqlite"])
def test_a_database_and_its_rule_belong_together(make, source, left_out):
    files = {"scenario.sqlite": source, "sample.yaml": "tables: {}\n"}
    files[left_out] = None
    with pytest.raises(PackError, match="belong together"):
        make.world(SCHEMA, files=files)


# ---- scenario.py


def test_no_scenario_at_all(make):
    with pytest.raises(PackError, match="no scenario"):
        make.world(SCHEMA, files={"scenario.py": None})


@pytest.mark.parametrize(
    "code, line, why",
    [
        ("def scenario(seed):\n    return 1 +", 2, r"scenario\(seed=1\) failed"),
        ("def scenario(seed):\n    x = {}\n    return x['a']", 3, "KeyError"),
        ("def other(seed):\n    return {}", 0, "NameError"),
        ("def scenario():\n    return {}", 0, "TypeError"),
        ("def scenario(seed):\n    return [1]", 0, "gave list"),
        ("def scenario(seed):\n    return None", 0, "gave NoneType"),
        ("import os\ndef scenario(seed):\n    return {'regions': os.listdir('/')}", None, "failed"),
        ("def scenario(seed):\n    return {'regions': open('/etc/passwd').read()}", None, "failed"),
    ],
)
def test_faults_of_the_code_name_file_and_line(make, code, line, why):
    with pytest.raises(PackError, match=why) as caught:
        make.world(SCHEMA, rows=code).state_digest(1)
    assert caught.value.file == "w/scenario.py"
    if line is not None:
        assert caught.value.line in (line, line or 1)


def test_a_seed_without_a_state_is_tried_once(make):
    """A scenario that runs into its limit takes long; each who asks for the state would wait for it."""
    world = make.world(SCHEMA, rows="def scenario(seed):\n    return {'regions': [{'id': 1, 'name': None if seed else 'x'}]}\n")
    for _ in range(2):
        with pytest.raises(PackError, match="NOT NULL constraint") as caught:
            world.image(1)
        assert (caught.value.file, caught.value.field) == ("w/scenario.py", "regions")
    assert list(world._broken) == [1]
    assert world.image(0).query("SELECT name FROM regions") == [("x",)]


def test_code_that_is_not_text(make):
    with pytest.raises(PackError, match="not UTF-8"):
        make.world(SCHEMA, files={"scenario.py": b"\xff"})


def test_chance_is_seeded(make):
    code = "import random\ndef scenario(seed):\n    return {'regions': [{'id': random.randint(1, 10**9), 'name': str(random.random())}]}"
    one, other = make.world(SCHEMA, rows=code), make.world(SCHEMA, rows=code)
    digests = [one.state_digest(seed) for seed in range(5)]
    assert digests == [other.state_digest(seed) for seed in range(5)]
    assert len(set(digests)) == 5
    assert re.fullmatch("[0-9a-f]{64}", digests[0])
