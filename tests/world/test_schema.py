"""What `schema.sql` may declare, and what is read back from it."""

import pytest

from worldwright.errors import PackError
from worldwright.world.records.schema import ForeignKey, read_schema

KEY = "id INTEGER PRIMARY KEY"


@pytest.mark.parametrize(
    "sql, why",
    [
        ("CREATE TABLE t (a TEXT)", "no primary key"),
        ("CREATE TABLE t AS SELECT 1 AS a", "no primary key"),
        ("", "no table"),
        ("-- CREATE TABLE t (id INTEGER PRIMARY KEY)", "no table"),
        ("CREATE VIEW v AS SELECT 1", "no table"),
        ("CREATE TABL t (a)", "syntax error"),
        (f"CREATE TABLE t ({KEY}); CREATE TABLE t ({KEY})", "already exists"),
        (f"CREATE TABLE p ({KEY}); CREATE TABLE t ({KEY}, p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)", "never enforced"),
        (f"CREATE TABLE p ({KEY}); CREATE TABLE t ({KEY}, p REFERENCES p deferrable)", "never enforced"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)", "AUTOINCREMENT"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY ON CONFLICT ROLLBACK)", "end the episode's transaction"),
        (
            f"CREATE TABLE t ({KEY}); CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT RAISE (ROLLBACK, 'no'); END",
            "end the episode's transaction",
        ),
        (
            f"CREATE TABLE t ({KEY}); CREATE TRIGGER g BEFORE INSERT ON t BEGIN INSERT OR ROLLBACK INTO t VALUES (1); END",
            "end the episode's",
        ),
        (
            f"CREATE TABLE t ({KEY}, a DEFAULT '--'); CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT RAISE(ROLLBACK, 'x'); END",
            "transaction",
        ),
        (f"CREATE TABLE t ({KEY}); CREATE VIRTUAL TABLE f USING fts5(x)", "virtual"),
        (f"CREATE TABLE t ({KEY}); CREATE TEMP TABLE x ({KEY})", "temporary"),
        (f"CREATE TABLE t ({KEY}); CREATE TABLE temp.x ({KEY})", "is not allowed here"),
        (f"CREATE TABLE t ({KEY}); INSERT INTO t VALUES (1)", "INSERT t is not allowed here"),
        (f"CREATE TABLE t ({KEY}); DROP TABLE t", "is not allowed here"),
        (f"PRAGMA foreign_keys = ON; CREATE TABLE t ({KEY})", "PRAGMA ON is not allowed here"),
        (f"BEGIN; CREATE TABLE t ({KEY}); COMMIT", "TRANSACTION BEGIN is not allowed here"),
        (f"CREATE TABLE t ({KEY}); SELECT random()", "not authorized to use function: random"),
        (f"CREATE TABLE t ({KEY}, p INTEGER REFERENCES nowhere (id))", r"refers to nowhere\(id\), which isn't there"),
        (f"CREATE TABLE p ({KEY}); CREATE TABLE t ({KEY}, p INTEGER REFERENCES p (nr))", r"refers to p\(nr\), which isn't there"),
        (f"CREATE TABLE p ({KEY}, a TEXT); CREATE TABLE t ({KEY}, p TEXT REFERENCES p (a))", "foreign key mismatch"),
        (f"CREATE TABLE t ({KEY}, a TEXT UNIQUE ON CONFLICT REPLACE)", "deletes rows that no statement names"),
        ('CREATE TABLE "two words" (id INTEGER PRIMARY KEY)', "got the name 'two words'"),
        ('CREATE TABLE t (id INTEGER PRIMARY KEY, "two words" TEXT)', "got the column name 'two words'"),
        ('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> "x"))', "SQLite refuses"),
    ],
)
def test_refused(sql, why):
    with pytest.raises(PackError, match=why) as caught:
        read_schema(sql, "w/schema.sql")
    assert caught.value.file == "w/schema.sql"
    assert caught.value.line >= 1


@pytest.mark.parametrize("name", ["calls", "changes", "answer", "messages", "event_log", "new", "before", "Calls", "MESSAGES"])
@pytest.mark.parametrize("kind", [f"TABLE {{}} ({KEY})", "VIEW {} AS SELECT 1 AS a"])
def test_names_of_the_evidence_are_taken(name, kind):
    with pytest.raises(PackError, match=f"'{name}' is taken by the evidence"):
        read_schema(f"CREATE TABLE t ({KEY}); CREATE {kind.format(name)}")


def test_the_line_is_that_of_the_fault():
    with pytest.raises(PackError) as caught:
        read_schema(
            f"CREATE TABLE a ({KEY});\n\n/* DEFERRABLE\n*/\nCREATE TABLE b (\n  {KEY},\n  a INTEGER REFERENCES a (id) DEFERRABLE\n);"
        )
    assert caught.value.line == 7
    with pytest.raises(PackError) as caught:
        read_schema(f"CREATE TABLE a ({KEY});\n\ncreate table if not exists b (x TEXT)")
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "sql",
    [
        f"CREATE TABLE t ({KEY}, a TEXT DEFAULT 'AUTOINCREMENT') -- DEFERRABLE\n;",
        f'/* OR ROLLBACK */ CREATE TABLE t ({KEY}, "or rollback" TEXT);'.replace('"or rollback"', "a"),
        f"CREATE TABLE t ({KEY}); CREATE TABLE sqlitedata ({KEY})",
        f"CREATE TABLE IF NOT EXISTS t ({KEY}); CREATE INDEX i ON t (id)",
        "CREATE TABLE t (a TEXT NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (b, a)) WITHOUT ROWID, STRICT",
    ],
)
def test_accepted(sql):
    assert "t" in read_schema(sql).tables


def test_a_file_is_never_written(tmp_path):
    for text in (f"ATTACH '{tmp_path}/a.db' AS x; CREATE TABLE x.t (id INTEGER PRIMARY KEY)", f"VACUUM INTO '{tmp_path}/b.db'"):
        with pytest.raises(PackError, match="is not allowed here"):
            read_schema(text)
    assert list(tmp_path.iterdir()) == []


def test_an_endless_statement_is_stopped():
    with pytest.raises(PackError, match="interrupted"):
        read_schema(f"CREATE TABLE t ({KEY}); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")


# ---- keys that a change log can follow


@pytest.mark.parametrize(
    "table, nullable",
    [
        ("(id INTEGER PRIMARY KEY)", None),
        ("(id INTEGER, a, PRIMARY KEY (id))", None),
        ("(id INTEGER PRIMARY KEY DESC)", "id"),
        ("(id INT PRIMARY KEY)", "id"),
        ("(id TEXT PRIMARY KEY)", "id"),
        ("(id TEXT PRIMARY KEY NOT NULL)", None),
        ("(a TEXT NOT NULL, b TEXT, PRIMARY KEY (a, b))", "b"),
        ("(a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID", None),
    ],
)
def test_which_keys_may_be_null(make, table, nullable):
    """Nothing may write a table whose key may be NULL: the row would not be seen. Filling it by the scenario is checked."""
    schema = f"CREATE TABLE t {table}; CREATE TABLE other (id INTEGER PRIMARY KEY)"
    assert read_schema(schema).tables["t"].nullable_key == nullable
    make.world(schema, {"put": make.write("INSERT INTO other VALUES (1)"), "drop": make.write("DELETE FROM t")}, {"t": []})
    key = read_schema(schema).tables["t"].key[0]
    for effect in (f"INSERT INTO t ({key}) VALUES ('1')", f"UPDATE t SET {key} = '1'"):
        if nullable is None:
            make.world(schema, {"put": make.write(effect)}, {"t": []})
        else:
            with pytest.raises(PackError, match=rf"'t\.{nullable}' may be NULL"):
                make.world(schema, {"put": make.write(effect)}, {"t": []})


def test_a_trigger_that_writes_a_nullable_key_is_found(make):
    schema = """CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE log (what TEXT PRIMARY KEY);
    CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END"""
    with pytest.raises(PackError, match=r"log\.what"):
        make.world(schema, {"put": make.write("INSERT INTO t VALUES (1)")}, {"t": []})
    with pytest.raises(PackError, match=r"log\.what"):
        make.world(
            schema, rows={"t": []}, events=[{"name": "e", "due": "SELECT 1 AS key, 'x' AS at", "effect": ["INSERT INTO t VALUES (1)"]}]
        )


# ---- what is read back


def test_columns_and_their_meaning():
    table = read_schema(
        """CREATE TABLE t (id INTEGER PRIMARY KEY, paid_cents BIGINT NOT NULL DEFAULT 5, due DATE, at DATETIME, seen TIMESTAMP, ok BOOLEAN,
        name VARCHAR(20), note CLOB, data BLOB, share REAL, rate DOUBLE PRECISION, any_value, amount NUMERIC,
        up TEXT AS (upper(name)) STORED)"""
    ).tables["t"]
    families = {column.name: column.family for column in table.columns}
    assert families == {
        "id": "integer",
        "paid_cents": "integer",
        "due": "date",
        "at": "datetime",
        "seen": "datetime",
        "ok": "boolean",
        "name": "text",
        "note": "text",
        "data": "blob",
        "share": "real",
        "rate": "real",
        "any_value": "blob",
        "amount": "real",
        "up": "text",
    }
    paid, up = table.column("paid_cents"), table.column("up")
    assert (paid.notnull, paid.default, paid.generated) == (True, "5", False)
    assert up.generated
    assert table.stored() == table.names()[:-1]
    assert table.column("nothing") is None


def test_references_are_spelt_as_they_are_declared():
    """PRAGMA gives them in the spelling of the one who refers, and sampling must find the table."""
    schema = read_schema(
        """CREATE TABLE People (Id INTEGER PRIMARY KEY, Nr TEXT UNIQUE);
        CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES PEOPLE (ID), keeper INTEGER REFERENCES people,
          nr TEXT REFERENCES People (nr));
        CREATE TABLE pairs (a TEXT NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (b, a));
        CREATE TABLE uses (id INTEGER PRIMARY KEY, x INTEGER, y TEXT, FOREIGN KEY (x, y) REFERENCES PAIRS)"""
    )
    assert sorted(schema.tables["pets"].foreign, key=lambda one: one.columns) == [
        ForeignKey(("keeper",), "People", ("Id",)),
        ForeignKey(("nr",), "People", ("Nr",)),
        ForeignKey(("owner",), "People", ("Id",)),
    ]
    assert schema.tables["uses"].foreign == (ForeignKey(("x", "y"), "pairs", ("b", "a")),)
    assert schema.tables["People"].unique == (("Nr",),)


@pytest.mark.parametrize(
    "act", ["ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE", "ON UPDATE SET DEFAULT", "ON DELETE RESTRICT", ""]
)
def test_references_that_act_are_told_apart(act):
    schema = read_schema(f"CREATE TABLE p ({KEY}); CREATE TABLE t ({KEY}, p INTEGER REFERENCES p (id) {act})")
    (link,) = schema.links()
    assert link.acts == (act not in ("ON DELETE RESTRICT", ""))


def test_a_reference_to_unique_columns_is_fine():
    read_schema(
        "CREATE TABLE p (id INTEGER PRIMARY KEY, nr TEXT UNIQUE); CREATE TABLE t (id INTEGER PRIMARY KEY, nr TEXT REFERENCES p (nr))"
    )


def test_triggers_and_views_are_named():
    schema = read_schema(
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT 1 AS a; CREATE TRIGGER g AFTER DELETE ON t BEGIN SELECT 1; END"
    )
    assert (schema.triggers, schema.views) == (("g",), ("v",))
