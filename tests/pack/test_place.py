"""The line of a field, in each language that a pack's files are written in."""

from __future__ import annotations

import pytest

from worldwright.errors import PackError
from worldwright.pack.place import line_in, placing

TOML = b"""name = "format"
"version" = "1"
format = 1

[splits]
train = ["a"]
[provenance.source]
url = "x"
"""
SQL = b"""-- CREATE TABLE fake
create table if not exists "loans" (
  id INTEGER PRIMARY KEY,
  due TEXT,
  due_cents INTEGER
);
CREATE TABLE due (id INTEGER PRIMARY KEY);
CREATE VIEW late AS SELECT id FROM loans;
CREATE UNIQUE INDEX by_due ON loans (due);
"""
MARKDOWN = b"""# Fines

1. First {{ policy.days }}.
2) Second.
10. Tenth {{ other }}.
"""
PYTHON = b"""import random
NAMES = ["loans"]

def scenario(seed):
    loans = [{"id": 1, "due": "x"}]
    return {'loans': loans, "fines": []}
"""


@pytest.mark.parametrize(
    "file, data, field, line",
    [
        ("pack.toml", TOML, "format", 3),
        ("pack.toml", TOML, "version", 2),
        ("pack.toml", TOML, "splits.train[0]", 6),
        ("pack.toml", TOML, "splits[...][1]", 5),
        ("pack.toml", TOML, "provenance.source.url", 8),
        ("pack.toml", TOML, "source", 7),
        ("pack.toml", TOML, "licence", 1),
        ("pack.toml", TOML, "", 1),
        ("w/schema.sql", SQL, "loans", 2),
        ("w/schema.sql", SQL, "loans.due", 4),
        ("w/schema.sql", SQL, "loans.due_cents", 5),
        ("w/schema.sql", SQL, "loans.gone", 2),
        ("w/schema.sql", SQL, "due", 7),
        ("w/schema.sql", SQL, "late", 8),
        ("w/schema.sql", SQL, "by_due", 9),
        ("w/schema.sql", SQL, "gone", 1),
        ("w/schema.sql", SQL, "", 1),
        ("handbook/a.md", MARKDOWN, "clause 1", 3),
        ("handbook/a.md", MARKDOWN, "clause 2", 4),
        ("handbook/a.md", MARKDOWN, "policy.days", 3),
        ("handbook/a.md", MARKDOWN, "other", 5),
        ("handbook/a.md", MARKDOWN, "", 1),
        ("scenario.py", PYTHON, "loans", 5 + 1),
        ("scenario.py", PYTHON, "fines.id", 6),
        ("scenario.py", PYTHON, "gone", 4),
        ("scenario.py", PYTHON, "", 4),
        ("reference.py", b"x = 1\ndef solve():\n    pass\n", "", 2),
        ("world.yaml", b"a: 1\nb: 2\n", "b", 2),
        ("world.yaml", b"a: [\n", "b", 1),
        ("world.yaml", b"\xff\n", "", 1),
        ("scenario.sqlite", b"SQLite format 3", "loans", 0),
    ],
)
def test_line_in(file, data, field, line):
    assert line_in(file, data, field) == line


def test_placing_adds_what_is_missing_and_nothing_else():
    files = {"w/world.yaml": b"a: 1\nb: 2\n"}
    for line, expected in ((0, 2), (7, 7)):
        with pytest.raises(PackError) as caught, placing(lambda: files):
            raise PackError("no", file="w/world.yaml", line=line, field="b", expected="yes")
        assert str(caught.value) == f"w/world.yaml:{expected}: b: no (expected yes)"
    with pytest.raises(PackError) as caught, placing(lambda: files):
        raise PackError("the file is missing", file="w/schema.sql")
    assert (caught.value.line, str(caught.value)) == (0, "w/schema.sql: the file is missing")
