"""An entity-relationship diagram as SVG text: tables as boxes, what refers to what as lines.

Takes a schema; gives SVG with a title and a description. Tables stand in columns by how far they are from tables that
refer to nothing; the diagram is the same each time.
"""

from __future__ import annotations

from html import escape

import msgspec

from worldwright.world.records.schema import Schema, Table

__all__ = ["diagram"]

_WIDTH, _ROW, _HEAD, _GAP_X, _GAP_Y = 196, 17, 24, 74, 22
_MOST_HIGH = 620


class _Box(msgspec.Struct):
    table: Table
    x: int
    y: int

    def height(self) -> int:
        return _HEAD + _ROW * len(self.table.columns) + 6

    def port(self, column: str) -> int:
        return self.y + _HEAD + _ROW * self.table.names().index(column) + _ROW // 2


def diagram(schema: Schema, hidden: frozenset[str], journal: frozenset[str]) -> str:
    """SVG of the schema; hidden columns and journals are marked."""
    boxes = _placed(schema)
    width = max(box.x for box in boxes.values()) + _WIDTH + 8
    height = max(box.y + box.height() for box in boxes.values()) + 8
    parts = [
        f'<svg class="er" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="Tables and references">',
        *(
            _line(boxes, box, link.columns[0], link.table, link.targets[0])
            for box in boxes.values()
            for link in box.table.foreign
            if link.table in boxes
        ),
        *(_drawn(box, hidden, journal) for box in boxes.values()),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _rank(schema: Schema, name: str, above: tuple[str, ...] = ()) -> int:
    parents = {link.table for link in schema.tables[name].foreign if link.table in schema.tables and link.table not in (*above, name)}
    return 1 + max((_rank(schema, parent, (*above, name)) for parent in parents), default=-1)


def _placed(schema: Schema) -> dict[str, _Box]:
    ranks: dict[int, list[str]] = {}
    referred = {link.table for table in schema.tables.values() for link in table.foreign}
    alone = [name for name, table in schema.tables.items() if not table.foreign and name not in referred]
    for name in schema.tables:
        if name not in alone:
            ranks.setdefault(_rank(schema, name), []).append(name)
    boxes: dict[str, _Box] = {}
    x = 4
    for names in [*(ranks[rank] for rank in sorted(ranks)), alone]:
        y = 4
        for name in names:
            box = _Box(schema.tables[name], x, y)
            if y > 4 and y + box.height() > _MOST_HIGH:
                x, y = x + _WIDTH + _GAP_X, 4
                box = _Box(schema.tables[name], x, y)
            boxes[name] = box
            y += box.height() + _GAP_Y
        x += _WIDTH + _GAP_X if names else 0
    return boxes


def _line(boxes: dict[str, _Box], child: _Box, column: str, parent: str, target: str) -> str:
    """From a reference to what it refers to, leaving and arriving at the nearer sides."""
    other = boxes[parent]
    if other is child:
        return ""
    left = other.x < child.x
    x1, x2 = (child.x, other.x + _WIDTH) if left else (child.x + _WIDTH, other.x)
    if other.x == child.x:
        x1 = x2 = child.x + _WIDTH
    y1, y2 = child.port(column), other.port(target)
    bend = 40 if other.x == child.x else max(24, abs(x2 - x1) // 2)
    c1, c2 = (x1 - bend, x2 + bend) if left and other.x != child.x else (x1 + bend, x2 - bend if other.x != child.x else x2 + bend)
    return f'<path class="ref" d="M{x1} {y1} C{c1} {y1} {c2} {y2} {x2} {y2}"/><circle class="ref-end" cx="{x2}" cy="{y2}" r="3"/>'


def _drawn(box: _Box, hidden: frozenset[str], journal: frozenset[str]) -> str:
    table = box.table
    mark = " (journal)" if table.name in journal else ""
    out = [
        f'<g class="table"><rect x="{box.x}" y="{box.y}" width="{_WIDTH}" height="{box.height()}" rx="4"/>',
        f'<rect class="head" x="{box.x}" y="{box.y}" width="{_WIDTH}" height="{_HEAD}" rx="4"/>',
        f'<text class="name" x="{box.x + 8}" y="{box.y + 16}">{escape(table.name + mark)}</text>',
    ]
    refers = {column for link in table.foreign for column in link.columns}
    for n, column in enumerate(table.columns):
        y = box.y + _HEAD + _ROW * n + 13
        is_hidden = f"{table.name}.{column.name}" in hidden
        kind = "key" if column.name in table.key else "refers" if column.name in refers else "plain"
        kind += " hid" if is_hidden else ""
        right = "hidden" if is_hidden else column.declared.lower()[:10]
        out.append(f'<text class="{kind}" x="{box.x + 8}" y="{y}">{escape(column.name)}</text>')
        out.append(
            f'<text class="type{" hid" if is_hidden else ""}" x="{box.x + _WIDTH - 8}" y="{y}" text-anchor="end">{escape(right)}</text>'
        )
    return "".join(out) + "</g>"
