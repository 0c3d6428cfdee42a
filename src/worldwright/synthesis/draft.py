"""Drafts: a world and its tasks while they are written, before they are files.

`Table` and `Column` say what the world's base tables are; `Draft` collects what patterns add to them: tables, tools, pages,
parameters, planting; `TaskDraft` is a brief together with what its pattern's two authors need to know of it. Holds no
solution and no check: those are written apart (`author_reference`, `author_verifier`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from worldwright.domain.model import DomainModel, FieldType
from worldwright.errors import UsageError
from worldwright.task.brief import Brief
from worldwright.world.spec import ArgSpec, EventSpec, FaultSpec, PartySpec, ToolSpec

__all__ = ["CLOCK", "PAGE", "Column", "Draft", "Range", "Table", "TaskDraft", "quoted", "text_of"]

CLOCK = "2026-03-30T09:00:00"
PAGE = 20
"""Rows on a page of a list."""


class Column(msgspec.Struct, frozen=True):
    """A column of a table. `field` is the model's `entity.field` ("" where the forge planted it); `refers` the table it names."""

    name: str
    type: FieldType
    nullable: bool = False
    values: tuple[Any, ...] = ()
    refers: str = ""
    field: str = ""

    @property
    def sql(self) -> str:
        """Its type in SQL."""
        return {"integer": "INTEGER", "money": "INTEGER", "boolean": "INTEGER", "number": "REAL"}.get(self.type, "TEXT")

    @property
    def argument(self) -> ArgSpec:
        """As an argument of a tool."""
        kind = {"INTEGER": "integer", "REAL": "number"}.get(self.sql, "string")
        return ArgSpec(type=kind)  # type: ignore[arg-type]


class Table(msgspec.Struct, frozen=True):
    """A base table: one entity of the model. `label` is the column that people call a row by ("" if none)."""

    name: str
    entity: str
    singular: str
    plural: str
    key: str
    columns: tuple[Column, ...]
    facet: str = "other"
    label: str = ""
    status: str = ""

    def column(self, name: str) -> Column:
        """The column of that name."""
        return next(one for one in self.columns if one.name == name)

    @property
    def key_argument(self) -> str:
        """What tools call its key."""
        return self.key if self.key.startswith(self.singular) else f"{self.singular}_{self.key}"

    @property
    def words(self) -> str:
        """What people call a row."""
        return self.singular.replace("_", " ")

    @property
    def many(self) -> str:
        """What people call several rows."""
        return self.plural.replace("_", " ")


class Range(msgspec.Struct, frozen=True):
    """Where a parameter is drawn from: whole numbers from `least` to `most` in steps."""

    least: int
    most: int
    step: int = 1


class TaskDraft(msgspec.Struct):
    """A task: its folder's name, its brief, its pattern, template and knobs, and what the pattern's authors need (`given`).

    For a part of a longer task: `loose` is its `bind` without the choice of what hangs on the page's figures ("": the same); `ways` is that
    with the column `alike`, by which a choice is made ("": it makes none).
    """

    name: str
    pattern: str
    template: str
    brief: Brief
    given: Any
    knobs: dict[str, Any] = {}
    loose: str = ""
    ways: str = ""


class Draft:
    """A world under construction. `seed` is that of draws that belong to no pattern's own stream.

    A `plain` one has fewer kinds of hidden state, and no faults: that is how worlds were when runs in them were judged by hand.
    """

    def __init__(self, name: str, title: str, model: DomainModel, tables: dict[str, Table], seed: int, plain: bool = False) -> None:
        self.name, self.title, self.model, self.tables, self.seed, self.plain = name, title, model, tables, seed, plain
        self.declared: list[str] = []
        self.columns: dict[str, list[str]] = {}
        self.shown: dict[str, list[str]] = {}
        """By table, columns that patterns added to it and that its reads show."""
        self.unlisted: dict[str, set[str]] = {}
        """By table, columns that only the detail view shows."""
        self.veiled: dict[str, set[str]] = {}
        """By table, columns that no read shows."""
        self.tools: dict[str, ToolSpec] = {}
        self.pages: dict[str, str] = {}
        self.ranges: dict[str, Range] = {}
        self.hidden: dict[str, str] = {"policy.value": "read_handbook"}
        self.free: list[str] = []
        self.events: list[EventSpec] = []
        self.parties: dict[str, PartySpec] = {}
        self.faults: dict[str, FaultSpec] = {}
        self.planting: list[str] = []
        self.last: list[str] = []
        """Planting that is done after the policy's values are drawn."""
        self.aims: dict[str, list[list[dict[str, Any]]]] = {}
        """By entity, what its made rows are drawn for (see `aims`)."""
        self.tasks: list[TaskDraft] = []
        self.refused: dict[str, str] = {}
        """By pattern, why it isn't in this world."""

    def table(self, entity: str) -> Table:
        """The base table of an entity. Raises UsageError if the world has none."""
        if entity not in self.tables:
            raise UsageError(f"the world {self.name} has no table for '{entity}'")
        return self.tables[entity]

    def add_column(self, table: Table, name: str, declaration: str) -> None:
        """A column more on a base table, which reads show."""
        self.columns.setdefault(table.entity, []).append(f"{quoted(name)} {declaration}")
        self.shown.setdefault(table.entity, []).append(name)

    def add_tool(self, name: str, tool: ToolSpec) -> None:
        """A tool. Raises UsageError if its name is taken."""
        if name in self.tools:
            raise UsageError(f"the world {self.name} has a tool '{name}' already")
        self.tools[name] = tool

    def has_name(self, name: str) -> bool:
        """Whether a name is taken by a table, page or tool."""
        tables = {one.name for one in self.tables.values()}
        return name in self.tools or name in self.pages or name in tables or any(f'"{name}"' in text for text in self.declared)


def quoted(name: str) -> str:
    """A name as SQL text."""
    return '"' + name.replace('"', '""') + '"'


def text_of(value: Any) -> str:
    """A value as SQL text."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"
