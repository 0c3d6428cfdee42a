"""Checks: a fact that the desk's record may have wrong, and how its true value is had.

Takes a draft, a table and one of its columns; adds a hidden table with the true values, and what shows them: a tool at once, a person who
is asked, or a tool that has them only from a certain hour of the day on. Gives a `Check`, which says all that authors of plans and
verifiers need. What is right never depends on whether a value has come in. Draws from a stream of its own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from worldwright.synthesis.draft import CLOCK, Column, Draft, Table, quoted
from worldwright.synthesis.reads import reads_of
from worldwright.world.spec import ArgSpec, EventSpec, PartySpec, RuleSpec, ToolSpec

__all__ = ["KINDS", "Check", "checks_in", "clause_of", "plant", "settle"]

Kind = Literal["tool", "person", "later"]
KINDS: tuple[Kind, ...] = ("tool", "person", "later")
_OFFICES = ("records_office", "registry", "archive", "filing_room", "field_office")
_RIGHT = 0.65
"""So often the desk's entry is right."""
_THERE = 2
"""Of so many hours and `_COMING`, one is drawn for each row: those before the clock's start, and those of the day."""
_COMING = 3


class Check(msgspec.Struct, frozen=True):
    """Which fact may be wrong (`alias`, its name among the ruling's facts), and how the true value is had.

    The table `table` holds it, by the row's key. `by`: `tool`: the tool `tool` shows it. `person`: `party` gives it when asked (act
    "ask") with the row's key: in a field that is called like the column, as text. `later`: `tool` shows it once it has come in, at the
    latest at `last` (ISO, on the day of the clock). Before that, `tool` shows NULL and the hour in `comes_in_at` if `announced`;
    otherwise it refuses.
    """

    alias: str
    table: str
    tool: str
    by: Kind = "tool"
    party: str = ""
    announced: bool = False
    last: str = ""


def plant(draft: Draft, table: Table, slug: str, alias: str, column: Column, other: str) -> Check:
    """Add the true values of a column to the world, and what shows them. Draws by the draft's seed and name and the ruling's slug alone.

    `other` is the scenario's code for a true value where the desk's entry of `row` is wrong.
    """
    rng = random.Random(f"{draft.seed}:{draft.name}:{slug}:check")
    by: Kind = "tool" if draft.plain else rng.choice(KINDS)
    check = Check(alias, f"{slug}_sources", "" if by == "person" else f"inspect_{slug}", by)
    if by == "person":
        check = msgspec.structs.replace(check, party=rng.choice([one for one in _OFFICES if one not in draft.parties]))
    arrives = ""
    if by == "later":
        hours = sorted(rng.sample(range(9 * 60 + 40, 16 * 60 + 30, 5), _COMING))
        times = [f"{CLOCK[:10]}T{one // 60:02}:{one % 60:02}:00" for one in hours]
        check = msgspec.structs.replace(check, announced=rng.random() < 0.5, last=times[-1])
        arrives = ",\n  arrives_at TEXT NOT NULL"
        _plant_arrivals(draft, table, slug, column, times)
    draft.declared.append(_created(table, check.table, column, "the source itself, which the desk's entry may contradict", arrives))
    key, name = table.key_argument, column.name
    late = ', "arrives_at": ""' if arrives else ""
    draft.planting.append(
        f"    tables[{check.table!r}] = []\n"
        f"    for row in tables[{table.name!r}]:\n"
        f"        true = row[{name!r}] if random.random() < {_RIGHT} else {other}\n"
        f"        tables[{check.table!r}].append({{{key!r}: row[{table.key!r}], {name!r}: true{late}}})\n"
    )
    draft.hidden[f"{check.table}.{name}"] = check.tool or f"party:{check.party}"
    if by == "person":
        draft.parties[check.party] = _party(table, check, column)
    else:
        draft.add_tool(check.tool, _tool(table, slug, check, column))
    return check


def clause_of(check: Check, table: Table, column: Column) -> str:
    """What the handbook says of it."""
    fact = check.alias.replace("_", " ")
    start = f"The desk's entry of {fact} may be wrong: what counts is what"
    if check.by == "person":
        office = _words(check.party)
        return (
            f"{start} the {office} says of the {table.words}. Ask it: say to '{check.party}', act 'ask', "
            f"with the {table.words} in the field {table.key_argument}."
        )
    shown = f"{start} {check.tool} shows for the {table.words}."
    if check.by == "tool":
        return shown
    until = "until then it shows at what hour it comes in" if check.announced else f"until then {check.tool} has nothing to show"
    return (
        f"{shown} For some {table.many} that comes in only in the course of the day, the last at {check.last[11:16]}; {until}. "
        f"Wait for it, and decide by nothing else."
    )


def checks_in(given: Any) -> Iterator[Check]:
    """The checks that what a task's authors are given speaks of: that of its ruling; of a composed task, those of its parts."""
    for part in (getattr(given, name, None) for name in ("first", "second")):
        if part is not None:
            yield from checks_in(part.given)
    ruling = getattr(given, "ruling", None)
    if ruling is not None and ruling.check is not None and getattr(given, "first", None) is None:
        yield ruling.check


def settle(draft: Draft) -> None:
    """Put into each task's brief which people take part in it, and into its knobs by what its checks are shown."""
    for task in draft.tasks:
        checks = list(checks_in(task.given))
        people = list(dict.fromkeys(one.party for one in checks if one.party))
        if people:
            task.brief = msgspec.structs.replace(task.brief, parties=people)
        if checks:
            task.knobs = task.knobs | {"check": "+".join(dict.fromkeys(one.by for one in checks))}


# ---- what is added to a world


def _created(table: Table, name: str, column: Column, about: str, more: str = "") -> str:
    key = table.column(table.key)
    return (
        f"CREATE TABLE {quoted(name)} (  -- {about}\n"
        f"  {quoted(table.key_argument)} {key.sql} PRIMARY KEY NOT NULL REFERENCES {quoted(table.name)}({quoted(table.key)}),\n"
        f"  {quoted(column.name)} {column.sql}{more}\n)"
    )


def _plant_arrivals(draft: Draft, table: Table, slug: str, column: Column, times: list[str]) -> None:
    """When each source comes in, drawn after all else so that nothing else changes; the event that brings it; what is there already."""
    sources, received, key = f"{slug}_sources", f"{slug}_received", quoted(table.key_argument)
    before = f"{CLOCK[:10]}T08:00:00"
    columns = f"{key}, {quoted(column.name)}"
    draft.declared.append(_created(table, received, column, "what has come in of the sources"))
    draft.hidden[f"{received}.{column.name}"] = draft.hidden[f"{sources}.arrives_at"] = f"inspect_{slug}"
    draft.last.append(
        f"    for one in tables[{sources!r}]:\n"
        f'        one["arrives_at"] = random.choice({[before] * _THERE + times!r})\n'
        f"    tables[{received!r}] = [{{name: one[name] for name in {[table.key_argument, column.name]!r}}}\n"
        f'        for one in tables[{sources!r}] if one["arrives_at"] == {before!r}]\n'
    )
    draft.events.append(
        EventSpec(
            f"{slug.replace('_', '-')}-sources-come-in",
            f"SELECT DISTINCT arrives_at AS key, arrives_at AS at FROM {quoted(sources)} WHERE arrives_at > '{CLOCK}'",
            [
                f"INSERT INTO {quoted(received)} ({columns}) SELECT {columns} FROM {quoted(sources)} "
                f"WHERE arrives_at = :key AND {key} NOT IN (SELECT {key} FROM {quoted(received)})"
            ],
        )
    )


def _tool(table: Table, slug: str, check: Check, column: Column) -> ToolSpec:
    """The tool that shows a source, or what has come in of it."""
    key, name = table.key_argument, quoted(column.name)
    argument = reads_of(table).key
    args = {argument: msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}.")}
    doc = f"Look at the source of a {table.words}: its {column.name.replace('_', ' ')} as it really is"
    missing = f"There is no {table.words} {{{{ {argument} }}}}."
    if check.by == "tool":
        row = f"SELECT {quoted(key)}, {name} FROM {quoted(check.table)} WHERE {quoted(key)} = :{argument}"
        return ToolSpec(f"{doc}.", args, row=row, missing=missing)
    received = quoted(f"{slug}_received")
    if not check.announced:
        row = f"SELECT {quoted(key)}, {name} FROM {received} WHERE {quoted(key)} = :{argument}"
        missing = f"Nothing has come in on the {table.words} {{{{ {argument} }}}} yet."
        return ToolSpec(f"{doc}, once it has come in.", args, row=row, missing=missing)
    row = (
        f"SELECT s.{quoted(key)}, r.{name}, CASE WHEN r.{quoted(key)} IS NULL THEN s.arrives_at END AS comes_in_at "
        f"FROM {quoted(check.table)} s LEFT JOIN {received} r ON r.{quoted(key)} = s.{quoted(key)} WHERE s.{quoted(key)} = :{argument}"
    )
    return ToolSpec(f"{doc} or, before that has come in, the hour at which it does.", args, row=row, missing=missing)


def _party(table: Table, check: Check, column: Column) -> PartySpec:
    """The office that has the originals and answers one question at a time."""
    key, name, fact = table.key_argument, column.name, column.name.replace("_", " ")
    when = f"SELECT s.{quoted(name)} AS held FROM {quoted(check.table)} s WHERE s.{quoted(key)} = :said_{key}"
    asked = msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words} that is meant.")
    return PartySpec(
        f"The {_words(check.party)} keeps the originals of {table.many}. Asked about one {table.words} (act ask, field {key}), it says what "
        f"its {fact} really is, in the field {name}.",
        knows=[f"{check.table}.{name}"],
        fields={key: asked, name: ArgSpec("string", f"In a reply: the {fact}.")},
        rules=[
            RuleSpec(
                f"says the {fact}",
                "ask",
                say=f"By our papers the {fact} is: {{{{ held }}}}.",
                when=when,
                fields={key: f"{{{{ said_{key} }}}}", name: "{{ held }}"},
            )
        ],
        otherwise=f"Which {table.words} do you mean? We have nothing under that.",
    )


def _words(party: str) -> str:
    return party.replace("_", " ")
