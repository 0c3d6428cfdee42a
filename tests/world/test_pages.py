"""One connection over one start state after another: what it sees, and what it doesn't prepare again."""

import apsw
import pytest

from worldwright.errors import UsageError
from worldwright.world.records.connection import Connection
from worldwright.world.records.image import build_image
from worldwright.world.records.pages import PageFile, Pages
from worldwright.world.records.schema import read_schema

NOW = "2026-03-30T09:00:00"
SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a); CREATE TABLE u (k INTEGER PRIMARY KEY)"
BOTH = "SELECT (SELECT group_concat(a) FROM t WHERE id < 4), (SELECT count(*) FROM t), (SELECT count(*) FROM before.t), (SELECT count(*) FROM u)"


def image(rows, word="x", schema=SCHEMA):
    return build_image(read_schema(schema), {"t": [{"id": n, "a": f"{word}{n}"} for n in range(1, rows + 1)]}, NOW, "w/scenario.py")


@pytest.fixture
def connection():
    made = Connection({})
    yield made
    made.close()


def seen(connection):
    connection.begin(NOW)
    try:
        return connection.db.execute(BOTH).fetchall()
    finally:
        connection.end()


def dirtied(connection):
    connection.begin(NOW)
    connection.db.execute("UPDATE t SET a = 'changed'")
    connection.db.execute("INSERT INTO t (id, a) SELECT id + 100000, a || a FROM t")
    connection.db.execute("INSERT INTO u VALUES (1)")
    assert connection.db.execute("SELECT count(*), count(DISTINCT a) FROM t").fetchone()[1] == 2
    connection.end()


def test_each_start_state_is_seen_whatever_was_there_before(connection):
    states = [image(3, "a"), image(5_000, "b"), image(1, "c"), image(3, "d"), image(20_000, "e")]
    for one in [*states, *reversed(states)]:
        connection.load(one)
        rows = one.query("SELECT count(*) FROM t")[0][0]
        expected = [(one.query("SELECT group_concat(a) FROM t WHERE id < 4")[0][0], rows, rows, 0)]
        assert seen(connection) == expected
        dirtied(connection)
        assert seen(connection) == expected


def test_what_is_prepared_stays_good_over_another_start_state(connection):
    asked = []
    allowed = connection.db.authorizer
    connection.db.authorizer = lambda *what: asked.append(what) or allowed(*what)
    one, other = image(3), image(4_000, "y")
    assert one.layout == other.layout
    connection.load(one)
    seen(connection)
    assert asked
    asked.clear()
    connection.load(other)
    assert seen(connection) == [("y1,y2,y3", 4_000, 4_000, 0)]
    assert not [what for what in asked if what[0] == apsw.SQLITE_READ]


def test_a_schema_that_lies_elsewhere_is_read_anew(connection):
    turned = "CREATE TABLE u (k INTEGER PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a)"
    one, other = image(3), image(7, "z", turned)
    assert one.layout != other.layout
    for chosen, expected in [(one, ("x1,x2,x3", 3, 3, 0)), (other, ("z1,z2,z3", 7, 7, 0)), (one, ("x1,x2,x3", 3, 3, 0))]:
        connection.load(chosen)
        assert seen(connection) == [expected]


def test_a_start_state_that_is_being_read_is_not_replaced(connection):
    connection.load(image(3_000))
    connection.begin(NOW)
    cursor = connection.db.execute("SELECT a FROM t")
    assert next(cursor) == ("x1",)
    with pytest.raises(UsageError, match="another start state"):
        connection.load(image(1))
    assert len(cursor.fetchall()) == 2_999
    connection.end()


def test_no_other_database_is_opened(connection, tmp_path):
    path = tmp_path / "other.sqlite"
    apsw.Connection(str(path)).execute("CREATE TABLE secret (x)")
    connection.load(image(1))
    connection.db.authorizer = None
    with pytest.raises(apsw.CantOpenError):
        connection.db.execute("ATTACH ? AS other", (str(path),))


def test_nothing_can_be_written_into_a_start_state():
    pages = Pages()
    file = PageFile(pages)
    assert (file.xFileSize(), file.xRead(16, 24)) == (0, b"")
    data = image(1).data
    pages.put(data, 7)
    assert file.xRead(len(data), 0)[100:] == data[100:]
    assert file.xRead(4, 40) == (7).to_bytes(4, "big")
    for write in (lambda: file.xWrite(b"x", 0), lambda: file.xTruncate(0)):
        with pytest.raises(apsw.ReadOnlyError):
            write()
