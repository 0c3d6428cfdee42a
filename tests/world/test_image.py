"""A start state: its bytes, its digest, and what rows it accepts."""

import apsw
import pytest

from worldwright.errors import PackError
from worldwright.world.records.image import build_image, rows_digest
from worldwright.world.records.schema import read_schema

NOW = "2026-03-30T09:00:00"
SCHEMA = """CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT NOT NULL DEFAULT '-' CHECK (b <> 'bad'), c TEXT UNIQUE, twice AS (id * 2));
CREATE TABLE u (k TEXT PRIMARY KEY, t_id INTEGER REFERENCES t (id));
CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET b = 'triggered'; END"""


def image(tables, schema=SCHEMA):
    return build_image(read_schema(schema), tables, NOW, "w/scenario.py")


def test_rows_are_as_they_were_given_and_triggers_are_silent():
    built = image({"t": [{"id": 2, "a": b"\x00"}, {"id": 1, "a": None, "b": "x"}], "u": [{"k": "é", "t_id": 2}]})
    assert built.query("SELECT id, a, b, twice FROM t ORDER BY id") == [(1, None, "x", 2), (2, b"\x00", "-", 4)]
    assert built.query("SELECT k FROM u WHERE t_id = ?", (2,)) == [("é",)]


def test_the_order_of_tables_does_not_matter_for_references():
    assert image({"u": [{"k": "a", "t_id": 1}], "t": [{"id": 1}]}).digest == image({"t": [{"id": 1}], "u": [{"k": "a", "t_id": 1}]}).digest


def test_the_digest_is_of_the_rows_not_of_the_bytes():
    rows = [{"id": n, "a": n * 1.5, "c": f"c{n}"} for n in range(50)]
    one, turned = image({"t": rows}), image({"t": rows[::-1]})
    assert one.digest == turned.digest
    assert one.digest == image({"t": rows, "u": []}).digest
    db = apsw.Connection(":memory:")
    db.deserialize("main", one.data)
    assert rows_digest(db, one.schema) == one.digest
    db.close()


DIGESTS = {
    "nothing": {},
    "a row": {"t": [{"id": 1}]},
    "another key": {"t": [{"id": 2}]},
    "an integer": {"t": [{"id": 1, "a": 1}]},
    "a float": {"t": [{"id": 1, "a": 1.0}]},
    "a text": {"t": [{"id": 1, "a": "1"}]},
    "a blob": {"t": [{"id": 1, "a": b"1"}]},
    "the text of a blob": {"t": [{"id": 1, "a": '{"blob": "31"}'}]},
    "another column": {"t": [{"id": 1, "c": "1"}]},
    "two rows": {"t": [{"id": 1}, {"id": 2}]},
    "another table": {"t": [{"id": 1}], "u": [{"k": "1", "t_id": None}]},
}


def test_every_difference_is_another_digest():
    assert len({image(tables).digest for tables in DIGESTS.values()}) == len(DIGESTS)


def test_the_digest_is_fixed():
    """Another machine, SQLite or Python must give the same: this is what it gave here."""
    tables = {"t": [{"id": 1, "a": 0.1, "b": "é", "c": None}, {"id": -5, "a": b"\xff"}, {"id": 3, "a": 2**53 + 1}], "u": [{"k": "x"}]}
    assert image(tables).digest == "4806ae6dc76c2d94e92689ff881e152c5c0cdb09efb51e80cbc9036fb2236c5a"


@pytest.mark.parametrize(
    "tables, why",
    [
        ([1], "scenario gave list"),
        ({"v": []}, "a table 'v' that schema.sql doesn't declare"),
        ({"T": []}, "a table 'T' that schema.sql doesn't declare"),
        ({5: []}, "a table '5'"),
        ({"t": {"id": 1}}, "t: got dict"),
        ({"t": [[1]]}, "row 0 is list"),
        ({"t": [{"id": 1}, {}]}, "row 1 is dict"),
        ({"t": [{"id": 1, "d": 1}]}, "row 0 has an unknown column 'd'"),
        ({"t": [{"id": 1, "twice": 1}]}, "unknown column 'twice'"),
        ({"t": [{"id": 1, "a": [1]}]}, "column 'a': list is not a value SQL can hold"),
        ({"t": [{"id": 1, "a": {"x": 1}}]}, "column 'a': dict is not a value"),
        ({"t": [{"id": 1, "a": float("nan")}]}, "column 'a': float is not a value"),
        ({"t": [{"id": 1, "a": float("inf")}]}, "column 'a': float is not a value"),
        ({"t": [{"id": 1, "a": 2**63}]}, "row 0: "),
        ({"t": [{"id": 1, "a": "\ud800"}]}, "row 0: "),
        ({"t": [{"id": 1, "a": 1}, {"id": 2, "a": 2**63}, {"id": 3, "a": 1}]}, "row 1: "),
        ({"t": [{"id": 1}, {"id": 2, "a": 1}, {"a": 1, "id": 2}]}, "row 2: UNIQUE constraint failed: t.id"),
        ({"t": [{"id": "x"}]}, "row 0: datatype mismatch"),
        ({"t": [{"id": 1}, {"id": 1}]}, "row 1: UNIQUE constraint failed: t.id"),
        ({"t": [{"id": 1, "c": "x"}, {"id": 2, "c": "x"}]}, "row 1: UNIQUE constraint failed: t.c"),
        ({"t": [{"id": 1, "b": None}]}, "row 0: NOT NULL constraint failed: t.b"),
        ({"t": [{"id": 1, "b": "bad"}]}, "row 0: CHECK constraint failed"),
        ({"u": [{"k": "x", "t_id": 9}]}, "'u' refers to a row of 't' that isn't there"),
        ({"u": [{"k": None}]}, "u.k: a row has NULL in its key"),
    ],
)
def test_rows_that_do_not_fit_are_refused(tables, why):
    with pytest.raises(PackError, match=why) as caught:
        image(tables)
    assert caught.value.file == "w/scenario.py"


def test_every_column_of_a_key_is_looked_at():
    schema = "CREATE TABLE t (a TEXT, b TEXT, c TEXT, PRIMARY KEY (a, c))"
    for row in ({"a": None, "c": "x"}, {"a": "x", "c": None}):
        with pytest.raises(PackError, match="NULL in its key"):
            image({"t": [row]}, schema)
    image({"t": [{"a": "x", "c": "x"}]}, schema)


def test_chance_in_a_default_is_refused_while_the_image_is_built():
    with pytest.raises(PackError, match="random"):
        image({"t": [{"id": 1}]}, "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER DEFAULT (random()))")


def test_images_do_not_see_each_other():
    one, other = image({"t": [{"id": 1}]}), image({"t": [{"id": 2}]})
    assert (one.query("SELECT id FROM t"), other.query("SELECT id FROM t")) == ([(1,)], [(2,)])
