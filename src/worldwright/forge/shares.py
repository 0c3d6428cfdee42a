"""How much of what a verifier looks at comes from the source: columns that it reads, and rows of tables that it touches.

Takes a task, the source's columns by table, and a seed; gives a Share. Columns are those in the read sets of the verifier's statements,
as the engine proved them; rows are all those of the tables that it reads, in this instance's start state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from worldwright.forge.records import Share
from worldwright.pack import PackTask

__all__ = ["share_of"]

_OWN = frozenset({"changes", "calls", "answer", "messages", "new"})


def share_of(entry: PackTask, source: Mapping[str, Sequence[str]], seed: int) -> Share:
    """The share on one instance."""
    read: set[tuple[str, str]] = set()
    for query in entry.verifier.queries():
        read |= {(table, column) for _, table, column in query.statement.reads if column and table not in _OWN}
    world = entry.world.world
    known = {(name, column) for name, table in world.schema.tables.items() for column in table.names()}
    read &= known
    mine = {(table, column) for table, column in read if column in source.get(table, ())}
    image = world.image(seed)
    rows = {table: int(image.query(f'SELECT count(*) FROM "{table}"')[0][0]) for table in {table for table, _ in read}}
    own = {table for table, _ in mine}
    return Share(len(read), len(mine), sum(rows.values()), sum(n for table, n in rows.items() if table in own))
