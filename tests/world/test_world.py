"""A world as a whole: its files, its identity, and that loading one leaves nothing behind."""

import apsw
import pytest

from worldwright.errors import PackError
from worldwright.world.records import RecordsWorld

FILES = {
    "world.yaml": b"kind: records\ntitle: T\nclock: 2026-03-30T09:00:00\ntools:\n  all: {doc: -, rows: SELECT id FROM t}\n",
    "schema.sql": b"CREATE TABLE t (id INTEGER PRIMARY KEY);",
    "scenario.py": b"def scenario(seed):\n    return {'t': [{'id': seed}]}\n",
}


def test_the_least_world():
    world = RecordsWorld("least", FILES)
    with world.start(7) as episode:
        assert episode.call("all", {}).value == [{"id": 7}]
    assert [tool.name for tool in world.tools()] == ["all", "clock"]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_missing_or_no_text_is_named(name):
    with pytest.raises(PackError, match=r"the file is missing|no scenario") as caught:
        RecordsWorld("w", {path: data for path, data in FILES.items() if path != name}, where="pack/worlds/w")
    assert caught.value.file.startswith("pack/worlds/w")
    with pytest.raises(PackError, match="not UTF-8 text") as caught:
        RecordsWorld("w", FILES | {name: b"# first\n\xff"})
    assert (caught.value.file, caught.value.line) == (f"w/{name}", 2)


@pytest.mark.parametrize(
    "text, line, field, why",
    [
        (b"kind: records\ntitle: T\nclock: 2026-03-30T09:00:00\n", 1, "", "the key 'tools' is missing"),
        (b"kind: recordss\ntitle: T\nclock: x\ntools: {}\n", 1, "kind", "got 'recordss'"),
        (b"kind: records\ntitle: T\ntitle: U\nclock: x\ntools: {}\n", 3, "", "'title' stands twice"),
        (b"kind: records\ntitle: T\nclock: x\ntools:\n  a: {doc: -, rows: SELECT 1, cost: 5}\n", 5, "tools.a", "unknown key 'cost'"),
        (b"kind: records\ntitle: T\nclock: {start: 2026-03-30T09:00:00, tick: soon}\ntools: {}\n", 3, "clock.tick", "got 'soon'"),
    ],
)
def test_faults_of_the_spec_name_line_and_field(text, line, field, why):
    with pytest.raises(PackError, match=why) as caught:
        RecordsWorld("w", FILES | {"world.yaml": text})
    assert (caught.value.file, caught.value.line, caught.value.field) == ("w/world.yaml", line, field)


def test_identity_is_content():
    world = RecordsWorld("one", FILES)
    assert world.digest == RecordsWorld("another name", dict(reversed(FILES.items()))).digest
    assert world.digest == RecordsWorld("w", FILES | {"certificate.json": b"{}", "ledger.jsonl": b"", "built.toml": b""}).digest
    for name, data in FILES.items():
        assert world.digest != RecordsWorld("w", FILES | {name: data + b"\n"}).digest
    assert world.digest != RecordsWorld("w", FILES | {"notes.md": b""}).digest


def test_two_worlds_of_one_name_are_two_worlds():
    one = RecordsWorld("w", FILES)
    other = RecordsWorld("w", FILES | {"scenario.py": b"def scenario(seed):\n    return {'t': [{'id': 100 + seed}]}\n"})
    with one.start(1) as first, other.start(1) as second:
        assert (first.call("all", {}).value, second.call("all", {}).value) == ([{"id": 1}], [{"id": 101}])


def test_worlds_come_and_go_without_leaving_clocks_behind():
    """Each database has a file system of its own for the sake of its clock; it goes with the database."""
    before = len(apsw.vfs_names())
    for _ in range(5):
        world = RecordsWorld("w", FILES)
        world.start(1).close()
        world.pool.close()
        del world
    assert len(apsw.vfs_names()) <= before + 1


def test_memory_has_an_end(shop):
    """One operation that allocates can't be counted in steps."""
    with shop.start(1):
        assert 0 < apsw.hard_heap_limit(-1) <= 16 * 2**30
