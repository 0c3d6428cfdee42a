"""The diagram shows every table and column once, and every reference as a line."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from worldwright.report.diagram import diagram
from worldwright.world.records.schema import read_schema

SCHEMA = """
CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), boss INTEGER REFERENCES b(id));
CREATE TABLE c (a_id INTEGER NOT NULL REFERENCES a, b_id INTEGER NOT NULL REFERENCES b(id), PRIMARY KEY (a_id, b_id));
CREATE TABLE d (id INTEGER PRIMARY KEY, e_id INTEGER REFERENCES e(id));
CREATE TABLE e (id INTEGER PRIMARY KEY, d_id INTEGER REFERENCES d(id));
CREATE TABLE alone (id INTEGER PRIMARY KEY);
"""


def boxes(svg: str) -> dict[str, tuple[int, int, int, int]]:
    """(x, y, width, height) of each table."""
    found = re.findall(
        r'<g class="table"><rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)".*?<text class="name"[^>]*>([^<]*)</text>', svg
    )
    return {name: (int(x), int(y), int(w), int(h)) for x, y, w, h, name in found}


def test_tables_columns_and_references():
    svg = diagram(read_schema(SCHEMA), frozenset({"a.name"}), frozenset({"c"}))
    assert set(boxes(svg)) == {"a", "b", "c (journal)", "d", "e", "alone"}
    assert svg.count('class="ref"') == 5  # a reference to the own table has no line
    assert len(re.findall(r'<text class="(?:key|refers|plain)[^"]*"', svg)) == 2 + 3 + 2 + 2 + 2 + 1
    assert '<text class="plain hid"' in svg
    assert ">hidden</text>" in svg
    HTMLParser().feed(svg)
    assert svg == diagram(read_schema(SCHEMA), frozenset({"a.name"}), frozenset({"c"}))


@pytest.mark.parametrize("tables", [1, 7, 40])
def test_boxes_do_not_overlap_and_lie_inside(tables):
    sql = "".join(
        f"CREATE TABLE t{n} (id INTEGER PRIMARY KEY, {', '.join(f'c{k} TEXT' for k in range(n % 9))}{', ' if n % 9 else ''}up INTEGER REFERENCES t{n // 2}(id));"
        for n in range(tables)
    )
    svg = diagram(read_schema(sql), frozenset(), frozenset())
    placed = list(boxes(svg).values())
    assert len(placed) == tables
    view = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert view is not None
    for n, (x, y, w, h) in enumerate(placed):
        assert 0 <= x <= x + w <= int(view.group(1))
        assert 0 <= y <= y + h <= int(view.group(2))
        for ox, oy, ow, oh in placed[:n]:
            assert x + w <= ox or ox + ow <= x or y + h <= oy or oy + oh <= y
