"""What patterns that apply a norm have in common: the record tools of a ruling, and where its tasks find their rows."""

from __future__ import annotations

import random

import msgspec

from worldwright.domain.norms import norms
from worldwright.errors import UsageError
from worldwright.synthesis.aims import aims_of
from worldwright.synthesis.draft import Draft, quoted
from worldwright.synthesis.material import Material
from worldwright.synthesis.patterns import NoMotif
from worldwright.synthesis.ruling import Group, Ruling, bind, choice, furnish
from worldwright.synthesis.strata import alike_groups, group_key, joined, telling_groups
from worldwright.world.spec import ArgSpec, Requirement, ToolSpec

__all__ = ["GroupShown", "RulingTask", "add_record_tool", "add_reopen_tool", "group_bind", "group_shown", "rulings_of"]


class RulingTask(msgspec.Struct, frozen=True):
    """What the authors of a ruling's task are given: the ruling, the template, and the parameter that names the row or the group."""

    ruling: Ruling
    shows: str
    counted: str = ""
    """The outcome whose rows the answer counts."""


def rulings_of(draft: Draft, material: Material, rng: random.Random, kind: str, most: int) -> list[Ruling]:
    """The rulings of a kind, furnished; in a trade with a fact that the desk may have wrong. Raises NoMotif if there is none."""
    out: list[Ruling] = []
    reasons: list[str] = []
    for policy, norm in norms(material.model):
        if norm.kind != kind or len(out) == most:
            continue
        try:
            ruling = bind(material, policy, norm, draft_names(draft))
        except UsageError as fault:
            reasons.append(str(fault))
            continue
        if ruling.group is None:
            reasons.append(f"{policy.id}: nothing gathers the rows of '{ruling.entity}'")
            continue
        ruling = furnish(draft, material, ruling, rng, checked=not material.is_real and (not draft.plain or len(out) % 2 == 0))
        for entity, aims in aims_of(draft, ruling).items():
            draft.aims.setdefault(entity, []).extend(aims)
        out.append(ruling)
    if not out:
        raise NoMotif(
            "; ".join(reasons)
            or material.why_no_norm
            or f"no policy has a norm of kind {kind} (it decides on the rows of an entity by a list of clauses)"
        )
    return out


def draft_names(draft: Draft) -> set[str]:
    """Slugs that are taken: those of pages and tables."""
    return {page.replace("-", "_") for page in draft.pages} | {one.name for one in draft.tables.values()}


def add_record_tool(draft: Draft, ruling: Ruling, doc: str) -> None:
    """The tool that decides an open row."""
    table = draft.table(ruling.entity)
    key = table.key_argument
    args = {
        key: msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}."),
        "outcome": choice(ruling.outcomes, f"What the page '{ruling.page}' says."),
    }
    columns, values = f"{quoted(key)}, outcome", f":{key}, :outcome"
    if ruling.amount is not None:
        args["amount_cents"] = ArgSpec("integer", "The amount in cents; 0 where nothing is due.", minimum=0)
        columns, values = f"{columns}, amount_cents", f"{values}, :amount_cents"
    state = quoted(ruling.state)
    row = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{key}"
    draft.add_tool(
        ruling.tool,
        ToolSpec(
            doc,
            args,
            require=[
                Requirement(row, f"There is no {table.words} {{{{ {key} }}}}."),
                Requirement(f"{row} AND {state} <> 'decided'", f"The {table.words} {{{{ {key} }}}} is decided already."),
            ],
            effect=[
                f"DELETE FROM {quoted(ruling.made)} WHERE {quoted(key)} = :{key}",
                f"INSERT INTO {quoted(ruling.made)} ({columns}) VALUES ({values})",
                f"UPDATE {quoted(table.name)} SET {state} = 'decided' WHERE {quoted(table.key)} = :{key}",
            ],
            row=f"SELECT {columns} FROM {quoted(ruling.made)} WHERE {quoted(key)} = :{key}",
        ),
    )
    draft.add_tool(
        f"get_{ruling.slug}_record",
        ToolSpec(
            f"What was decided on a {table.words} under '{ruling.title}'.",
            {key: args[key]},
            row=f"SELECT {columns} FROM {quoted(ruling.made)} WHERE {quoted(key)} = :{key}",
            missing=f"Nothing was decided on the {table.words} {{{{ {key} }}}}.",
        ),
    )


def add_reopen_tool(draft: Draft, ruling: Ruling) -> str:
    """The tool that opens a decided row again; its name."""
    table = draft.table(ruling.entity)
    key = table.key_argument
    name = f"reopen_{ruling.slug}"
    row = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{key}"
    draft.add_tool(
        name,
        ToolSpec(
            f"Open a decided {table.words} again, so that '{ruling.title}' is decided anew; the old record stays until then.",
            {key: msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}.")},
            require=[
                Requirement(row, f"There is no {table.words} {{{{ {key} }}}}."),
                Requirement(f"{row} AND {quoted(ruling.state)} = 'decided'", f"The {table.words} {{{{ {key} }}}} isn't decided."),
            ],
            effect=[f"UPDATE {quoted(table.name)} SET {quoted(ruling.state)} = 'reopened' WHERE {quoted(table.key)} = :{key}"],
            row=f"SELECT {quoted(table.key)}, {quoted(ruling.state)} FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{key}",
        ),
    )
    return name


class GroupShown(msgspec.Struct, frozen=True):
    """How a brief names a group: the parameter, the column that it is, and the words before it."""

    parameter: str
    column: str
    words: str


def group_shown(draft: Draft, group: Group) -> GroupShown:
    """A group's name where its rows have one, else its key."""
    table = draft.table(group.entity)
    if table.label:
        return GroupShown(table.singular if table.singular not in ("group", "page") else f"the_{table.singular}", table.label, table.words)
    return GroupShown(table.key_argument, table.key, table.words)


def group_bind(draft: Draft, ruling: Ruling, where: str, having: str, differs: str = "") -> tuple[str, str]:
    """A row for each group: its key, and what the brief shows of it, where that is nobody else's.

    Gives the query for groups that hang on the page's figures (`differs`: see `alike_groups`), and the one for all.
    """
    assert ruling.group is not None
    table = draft.table(ruling.group.entity)
    alias, key = group_key(draft, ruling.group)
    shown = group_shown(draft, ruling.group)
    names = [table.key_argument]
    columns = f"{alias}.{quoted(key)} AS {table.key_argument}"
    alone = ""
    if shown.parameter != table.key_argument:
        names.append(shown.parameter)
        columns += f", {alias}.{quoted(shown.column)} AS {shown.parameter}"
        name = f"{alias}.{quoted(shown.column)}"
        alone = f" AND (SELECT count(*) FROM {quoted(table.name)} x WHERE x.{quoted(shown.column)} LIKE '%' || {name} || '%') = 1"
    end = f"WHERE {where}{alone} GROUP BY {alias}.{quoted(key)} HAVING {having}"
    rows = joined(draft, ruling)
    ways = f"SELECT {columns}, same.alike AS alike FROM {rows} {alike_groups(draft, ruling, where, differs)} {end}"
    return telling_groups(names, ways), f"SELECT {columns} FROM {rows} {end}"
