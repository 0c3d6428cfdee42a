"""The reading tools of a world's base tables: find by name, list by page, show one.

Takes a draft; gives tools. A list shows keys, references, the status, dates and what patterns say it shows; everything else of a
row that may be seen is in the detail view. `Reads` says what the tools of a table are called, for whoever writes plans.
"""

from __future__ import annotations

import msgspec

from worldwright.synthesis.draft import PAGE, Draft, Table, quoted
from worldwright.world.spec import ArgSpec, ToolSpec

__all__ = ["Reads", "add_reads", "reads_of", "visible"]

_FILTERS = 4


class Reads(msgspec.Struct, frozen=True):
    """The tools that read a table: names and arguments. `find` is "" where rows have no name."""

    get: str
    key: str
    list: str
    filters: tuple[str, ...]
    find: str


def reads_of(table: Table) -> Reads:
    """What a table's tools are called."""
    filters = [one.name for one in table.columns if one.refers and one.name != table.key][:_FILTERS]
    if table.status:
        filters.append(table.status)
    find = f"find_{table.plural}" if table.label else ""
    return Reads(f"get_{table.singular}", table.key_argument, f"list_{table.plural}", tuple(filters), find)


def visible(draft: Draft, table: Table) -> list[str]:
    """The columns of a row that its detail view shows."""
    veiled = draft.veiled.get(table.entity, set())
    return [one.name for one in table.columns if one.name not in veiled] + draft.shown.get(table.entity, [])


def add_reads(draft: Draft) -> None:
    """Add the tools of every base table."""
    tools = {}
    for table in draft.tables.values():
        reads = reads_of(table)
        source = quoted(table.name)
        key = quoted(table.key)
        if reads.find:
            tools[reads.find] = ToolSpec(
                f"{table.many.capitalize()} whose {table.label.replace('_', ' ')} contains the text; the first {PAGE}.",
                {"text": ArgSpec("string", f"Part of the {table.label.replace('_', ' ')}.")},
                rows=f"SELECT {key}, {quoted(table.label)} FROM {source} WHERE {quoted(table.label)} LIKE '%' || :text || '%' ORDER BY {key} LIMIT {PAGE}",
            )
        tools[reads.list] = _list(draft, table, reads)
        columns = ", ".join(quoted(name) for name in visible(draft, table))
        tools[reads.get] = ToolSpec(
            f"All that the desk has on one {table.words}.",
            {
                reads.key: msgspec.structs.replace(
                    table.column(table.key).argument, doc=f"The {table.words}'s {table.key.replace('_', ' ')}."
                )
            },
            row=f"SELECT {columns} FROM {source} WHERE {key} = :{reads.key}",
            missing=f"There is no {table.words} {{{{ {reads.key} }}}}.",
        )
    draft.tools = {**tools, **draft.tools}


def _list(draft: Draft, table: Table, reads: Reads) -> ToolSpec:
    args: dict[str, ArgSpec] = {}
    tests = []
    for name in reads.filters:
        column = table.column(name)
        args[name] = msgspec.structs.replace(column.argument, doc=f"Only those with this {name.replace('_', ' ')}.", optional=True)
        tests.append(f"(:{name} IS NULL OR {quoted(name)} = :{name})")
    args["page"] = ArgSpec("integer", "Which page, from 1.", minimum=1, default="1")
    columns = ", ".join(quoted(name) for name in _listed(draft, table))
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    return ToolSpec(
        f"{table.many.capitalize()}, {PAGE} a page.",
        args,
        rows=f"SELECT {columns} FROM {quoted(table.name)}{where} ORDER BY {quoted(table.key)} LIMIT {PAGE} OFFSET {PAGE} * (:page - 1)",
    )


def _listed(draft: Draft, table: Table) -> list[str]:
    unlisted = draft.unlisted.get(table.entity, set()) | draft.veiled.get(table.entity, set())
    dates = [one.name for one in table.columns if one.type in ("date", "datetime")][:2]
    wanted = {table.key, table.label, table.status, *dates, *(one.name for one in table.columns if one.refers)}
    own = [one.name for one in table.columns if one.name in wanted and (one.name not in unlisted or one.name == table.key)]
    return own + draft.shown.get(table.entity, [])
