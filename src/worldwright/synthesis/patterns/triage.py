"""Triage and route: which desk a row goes to, by a list of clauses with exceptions, and who of that desk takes it.

Motif: a policy with a norm of kind `route` on an entity whose rows are gathered by another. Plants the people of each desk, with what
they have open and whether they are away, and a second handbook page that says who is free and who of them is next. Templates, three
of them for each ruling: `route` one row to its desk; `assign` one row to desk and person; `work-off` the open rows of a group, one
after another, with loads that count up; `reroute` what was sent to the wrong desk. Doesn't say what is right: `Staffing` and
`TriageTask` hold what the two pages say, for whoever writes plans or checks.
"""

from __future__ import annotations

import datetime
import random

import msgspec

from worldwright.synthesis.draft import CLOCK, Draft, Range, Table, TaskDraft, quoted, text_of
from worldwright.synthesis.material import Material
from worldwright.synthesis.patterns import NoMotif
from worldwright.synthesis.patterns.rulings import GroupShown, add_record_tool, group_shown, rulings_of
from worldwright.synthesis.ruling import Ruling, choice
from worldwright.synthesis.strata import alike, alike_groups, group_key, joined, misled, outcome_of, telling, telling_groups
from worldwright.synthesis.wording import said
from worldwright.task.brief import Brief, Limits
from worldwright.world.spec import ArgSpec, Requirement, ToolSpec

__all__ = ["ABOUT", "NAME", "Staffing", "TriageTask", "furnish"]

NAME = "triage"
ABOUT = "triage and route: which desk a row goes to, and who of that desk is free and next"
_MOST = 2
_TEMPLATES = 3
_NAMES = (
    "Amara Holt", "Bruno Sahin", "Carla Lund", "Deniz Marsh", "Edda Roy", "Farid Stone", "Greta Pohl", "Hamid Vale",
    "Ilse Grant", "Jamal Reed", "Karin Booth", "Luis Brandt", "Maja Cole", "Noor Fisk", "Oskar Bell", "Petra Shaw",
    "Quinn Adler", "Rana Frost", "Simon Keller", "Tara Munro", "Uwe Lang", "Vera Nash", "Wanda Pike", "Yusuf Hale",
)  # fmt: skip


class Staffing(msgspec.Struct, frozen=True):
    """The people of a ruling's desks, and what the page `page` says of who takes a row.

    A person of the table `people` (id, name, desk, open_items, most_items, and what the knobs add) is free if they are there and below
    their limit. There (`absence`): `flag`: `away` is 0; `until`: `away_until` is NULL or before the clock's day. Below their limit
    (`limit`): always open_items < most_items; `spare`: open_items + the policy value `parameter` < most_items; `trainee`: where
    `trainee` is 1, open_items < the policy value `parameter` as well. Of the free people of the desk (`desk` is the ruling's outcome)
    the one with the fewest open_items takes it; between equals (`tie`) the lowest id, or with `room` the greatest most_items - open_items
    and then the lowest id. If nobody of the desk is free, the same is asked of the desk `fallback` ("": it isn't asked of anyone); if
    there is nobody there either, nobody takes it: person_id NULL. The outcome in the ruling's records is the ruling's own in each case.

    `assign` writes the ruling's record, the row (key, person_id) of the table `assignments`, the state 'decided', and open_items + 1 of
    the person. `reroute` ("" where the world has none) replaces the outcome of a decided row; with `handover` also its row of
    `assignments`: the former person's open_items fall by one, the new one's rise by one, and who takes it is found by the loads as they
    are before the call. `listing` shows people (`roster`: `desk` those of a desk; `all` everybody; `detail` names alone, and `detail`
    shows one).
    """

    people: str
    assignments: str
    page: str
    listing: str
    detail: str
    assign: str
    shown: str
    """The tool that shows who has a row."""
    absence: str
    limit: str
    parameter: str
    tie: str
    fallback: str
    roster: str
    reroute: str = ""
    handover: bool = False


class TriageTask(msgspec.Struct, frozen=True):
    """What the authors of a task are given beside the ruling and its people. `shows` is the parameter that the brief shows.

    `finds`: `key`: the brief names the row; `first` or `last`: it names a group (`shows`), and the open row of it with the lowest or
    highest key is meant. `bind` gives the row's key as the parameter `key` in each of these (templates `route` and `assign`), and the
    group's key as `group` ("" where there is none). `reports` says what the answer holds: `route`: `outcome`, or `free` (the outcome,
    and how many people of its desk are free); `work-off`: `counted` (how many have the outcome `counted`), `unassigned` (how many
    nobody took) or `people` (ids of those who took at least one, each once); `reroute`: `count`, or `keys` (of the corrected rows).
    `order` is the order of keys in which a group's rows are taken: `lowest` or `highest` first.
    """

    ruling: Ruling
    staffing: Staffing
    shows: str
    finds: str = "key"
    key: str = ""
    group: str = ""
    reports: str = ""
    counted: str = ""
    order: str = "lowest"


def furnish(draft: Draft, material: Material, rng: random.Random) -> None:
    """Add the pattern's tables, tools, pages and tasks. Raises NoMotif."""
    makers = {"route": _route, "assign": _assign, "work-off": _work_off, "reroute": _reroute}
    for ruling in rulings_of(draft, material, rng, "route", _MOST):
        table = draft.table(ruling.entity)
        drawn = sorted(rng.sample(sorted(makers), _TEMPLATES))
        staffing = _staffing(draft, ruling, rng, "reroute" in drawn)
        doc = f"Record the outcome of a {table.words} under '{ruling.title}' alone, with nobody to take it."
        add_record_tool(draft, ruling, f"{doc} {staffing.assign} records a person too.")
        _add_people(draft, ruling, staffing, rng)
        _add_tools(draft, ruling, staffing)
        draft.pages[staffing.page] = _page(ruling, staffing, table)
        draft.tasks += [makers[name](draft, ruling, staffing, rng) for name in drawn]


# ---- the people of the desks


def _staffing(draft: Draft, ruling: Ruling, rng: random.Random, corrects: bool) -> Staffing:
    """The names and the knobs of a ruling's people."""
    slug = ruling.slug
    limit = rng.choice(["plain", "spare", "trainee"])
    names = {
        "people": f"{slug}_people", "assignments": f"{slug}_assignments", "page": f"{ruling.page}-people", "listing": f"list_{slug}_people",
        "detail": f"get_{slug}_person", "assign": f"assign_{slug}", "shown": f"get_{slug}_assignment",
    }  # fmt: skip
    taken = [name for name in [*names.values(), f"reroute_{slug}"] if draft.has_name(name)]
    if taken:
        raise NoMotif(f"{ruling.policy}: the world has a '{taken[0]}' already")
    return Staffing(
        **names,
        absence=rng.choice(["flag", "until"]),
        limit=limit,
        parameter="" if limit == "plain" else f"{slug}_people_{limit}",
        tie=rng.choice(["id", "room"]),
        fallback=rng.choice(["", rng.choice(ruling.outcomes)]),
        roster=rng.choice(["desk", "all", "detail"]),
        reroute=f"reroute_{slug}" if corrects else "",
        handover=corrects and rng.random() < 0.5,
    )


def _columns(staffing: Staffing) -> list[str]:
    """What is known of a person's load, as columns."""
    away = "away" if staffing.absence == "flag" else "away_until"
    return ["open_items", "most_items", away, *(["trainee"] if staffing.limit == "trainee" else [])]


def _add_people(draft: Draft, ruling: Ruling, staffing: Staffing, rng: random.Random) -> None:
    """The tables of people and of who has what; their rows."""
    table = draft.table(ruling.entity)
    desks = ", ".join(text_of(one) for one in ruling.outcomes)
    away = "away INTEGER NOT NULL CHECK (away IN (0, 1))" if staffing.absence == "flag" else "away_until TEXT"
    trainee = ",\n  trainee INTEGER NOT NULL CHECK (trainee IN (0, 1))" if staffing.limit == "trainee" else ""
    draft.declared.append(
        f"CREATE TABLE {quoted(staffing.people)} (  -- who works at the desks of '{ruling.title}'\n"
        f"  id TEXT PRIMARY KEY NOT NULL,\n  name TEXT NOT NULL,\n  desk TEXT NOT NULL CHECK (desk IN ({desks})),\n"
        f"  open_items INTEGER NOT NULL CHECK (open_items >= 0),\n  most_items INTEGER NOT NULL,\n  {away}{trainee}\n)"
    )
    key = f"{quoted(table.key_argument)} {table.column(table.key).sql}"
    draft.declared.append(
        f"CREATE TABLE {quoted(staffing.assignments)} (  -- who took what; without a person, nobody did\n"
        f"  {key} PRIMARY KEY NOT NULL REFERENCES {quoted(table.name)}({quoted(table.key)}),\n"
        f"  person_id TEXT REFERENCES {quoted(staffing.people)}(id)\n)"
    )
    if staffing.limit == "spare":
        draft.ranges[staffing.parameter] = Range(1, 2)
    if staffing.limit == "trainee":
        draft.ranges[staffing.parameter] = Range(3, 5)
    draft.planting.append(_planted(ruling, staffing, table, rng))


def _planted(ruling: Ruling, staffing: Staffing, table: Table, rng: random.Random) -> str:
    """Three or four people a desk; some away, some at their limit; now and then a desk where nobody is free."""
    words = ruling.slug.split("_")
    prefix = "".join(word[0] for word in words).upper() if len(words) > 1 else ruling.slug[:2].upper()
    names = rng.sample(_NAMES, len(_NAMES))
    trainee = ', "trainee": int(random.random() < 0.35)' if staffing.limit == "trainee" else ""
    spare = 1 if staffing.limit == "spare" else 0
    people, held, key = f"tables[{staffing.people!r}]", f"tables[{staffing.assignments!r}]", table.key_argument
    return (
        f"    desks, names = {list(ruling.outcomes)!r}, {names!r}\n"
        f"    numbers = list(range(101, 1000))\n"
        f"    random.shuffle(numbers)\n"
        f"    full = random.choice(desks) if random.random() < 0.7 else None\n"
        f"    {people} = []\n"
        f"    for desk in desks:\n"
        f"        usual = random.randint(1, 4)\n"
        f"        for n in range(random.randint(3, 4)):\n"
        f"            is_away = random.random() < 0.25\n"
        f"            busy = usual + random.choice([0, 0, 1, 2])\n"
        f"            room = 0 if desk == full else random.choice([0, 1, 2, 3, 4]) + {spare}\n"
        f"            who = len({people})\n"
        f'            {people}.append({{"id": "{prefix}-" + str(numbers[who]), "name": names[who % len(names)], "desk": desk,\n'
        f'                "open_items": busy, "most_items": busy + room, {_planted_absence(staffing)}{trainee}}})\n'
        f"    {held} = []\n"
        f"    for made in tables[{ruling.made!r}]:\n"
        f'        theirs = [one for one in {people} if one["desk"] == made["outcome"]]\n'
        f"        person = random.choice(theirs) if random.random() < 0.9 else None\n"
        f"        if person is not None:\n"
        f'            person["open_items"] = person["open_items"] + 1\n'
        f'            person["most_items"] = person["most_items"] + 1\n'
        f'        {held}.append({{{key!r}: made[{key!r}], "person_id": person["id"] if person is not None else None}})\n'
    )


def _planted_absence(staffing: Staffing) -> str:
    """Where somebody is away now, and where they aren't: never been, or back since."""
    if staffing.absence == "flag":
        return '"away": int(is_away)'
    today = datetime.date.fromisoformat(CLOCK[:10])
    still, back = ([(today + datetime.timedelta(days=n)).isoformat() for n in days] for days in ((0, 1, 4, 11), (-1, -3)))
    return f'"away_until": random.choice({still!r} if is_away else {[None, None, *back]!r})'


# ---- the tools


def _add_tools(draft: Draft, ruling: Ruling, staffing: Staffing) -> None:
    """The tools that show people and that send rows to them."""
    people = quoted(staffing.people)
    loads = ", ".join(_columns(staffing))
    listed = "id, name, desk" + ("" if staffing.roster == "detail" else f", {loads}")
    desk = {} if staffing.roster == "all" else {"desk": choice(ruling.outcomes, "Which desk's people.")}
    where = "" if staffing.roster == "all" else " WHERE desk = :desk"
    doc = "The people of a desk" if desk else "The people of all desks"
    more = f"; {staffing.detail} shows what they have open" if staffing.roster == "detail" else ", with what they have open and can have"
    rows = f"SELECT {listed} FROM {people}{where} ORDER BY id"
    draft.add_tool(staffing.listing, ToolSpec(f"{doc} of '{ruling.title}'{more}.", desk, rows=rows))
    if staffing.roster == "detail":
        draft.add_tool(
            staffing.detail,
            ToolSpec(
                f"One of the people of '{ruling.title}', with what they have open and can have.",
                {"person_id": ArgSpec("string", "The person's id.")},
                row=f"SELECT id, name, desk, {loads} FROM {people} WHERE id = :person_id",
                missing="There is no such person as {{ person_id }}.",
            ),
        )
    _add_assign(draft, ruling, staffing)
    if staffing.reroute:
        _add_reroute(draft, ruling, staffing)


def _arguments(draft: Draft, ruling: Ruling, with_person: bool) -> dict[str, ArgSpec]:
    table = draft.table(ruling.entity)
    person = {"person_id": ArgSpec("string", "Who takes it; left out where nobody does.", optional=True)} if with_person else {}
    key = msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}.")
    return {table.key_argument: key, "outcome": choice(ruling.outcomes, f"What the page '{ruling.page}' says."), **person}


def _person_exists(staffing: Staffing) -> Requirement:
    that = f"SELECT 1 WHERE :person_id IS NULL OR EXISTS (SELECT 1 FROM {quoted(staffing.people)} WHERE id = :person_id)"
    return Requirement(that, "There is no such person as {{ person_id }}.")


def _shown_with_person(made: str, held: str, key: str) -> str:
    """What a write gives back: the record together with who has it."""
    where = f"WHERE m.{quoted(key)} = :{key}"
    return f"SELECT m.{quoted(key)}, m.outcome, a.person_id FROM {made} m LEFT JOIN {held} a ON a.{quoted(key)} = m.{quoted(key)} {where}"


def _add_assign(draft: Draft, ruling: Ruling, staffing: Staffing) -> None:
    """The tool that sends an open row to a desk and a person, and the one that shows who has it."""
    table = draft.table(ruling.entity)
    key, made, held = table.key_argument, quoted(ruling.made), quoted(staffing.assignments)
    args = _arguments(draft, ruling, True)
    row = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{key}"
    require = [
        Requirement(row, f"There is no {table.words} {{{{ {key} }}}}."),
        Requirement(f"{row} AND {quoted(ruling.state)} <> 'decided'", f"The {table.words} {{{{ {key} }}}} is decided already."),
        _person_exists(staffing),
    ]
    effect = [
        f"INSERT INTO {made} ({quoted(key)}, outcome) VALUES (:{key}, :outcome)",
        f"INSERT INTO {held} ({quoted(key)}, person_id) VALUES (:{key}, :person_id)",
        f"UPDATE {quoted(staffing.people)} SET open_items = open_items + 1 WHERE id = :person_id",
        f"UPDATE {quoted(table.name)} SET {quoted(ruling.state)} = 'decided' WHERE {quoted(table.key)} = :{key}",
    ]
    doc = f"Record the outcome of an open {table.words} under '{ruling.title}' and who takes it; their open items rise by one."
    draft.add_tool(staffing.assign, ToolSpec(doc, args, require=require, effect=effect, row=_shown_with_person(made, held, key)))
    draft.add_tool(
        staffing.shown,
        ToolSpec(
            f"Who took a {table.words} that was decided under '{ruling.title}'; without a person, nobody did.",
            {key: args[key]},
            row=f"SELECT {quoted(key)}, person_id FROM {held} WHERE {quoted(key)} = :{key}",
            missing=f"No person was settled for the {table.words} {{{{ {key} }}}}.",
        ),
    )


def _add_reroute(draft: Draft, ruling: Ruling, staffing: Staffing) -> None:
    """The tool that corrects the outcome of a decided row; with `handover`, who has it too."""
    table = draft.table(ruling.entity)
    key, made, held, people = table.key_argument, quoted(ruling.made), quoted(staffing.assignments), quoted(staffing.people)
    row = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{key}"
    require = [
        Requirement(row, f"There is no {table.words} {{{{ {key} }}}}."),
        Requirement(f"{row} AND {quoted(ruling.state)} = 'decided'", f"The {table.words} {{{{ {key} }}}} isn't decided."),
    ]
    effect = [f"UPDATE {made} SET outcome = :outcome WHERE {quoted(key)} = :{key}"]
    doc = f"Correct the recorded outcome of a decided {table.words} under '{ruling.title}'; who has it stays as it is."
    result = f"SELECT {quoted(key)}, outcome FROM {made} WHERE {quoted(key)} = :{key}"
    if staffing.handover:
        require.append(_person_exists(staffing))
        effect += [
            f"UPDATE {people} SET open_items = open_items - 1 WHERE id = (SELECT person_id FROM {held} WHERE {quoted(key)} = :{key})",
            f"DELETE FROM {held} WHERE {quoted(key)} = :{key}",
            f"INSERT INTO {held} ({quoted(key)}, person_id) VALUES (:{key}, :person_id)",
            f"UPDATE {people} SET open_items = open_items + 1 WHERE id = :person_id",
        ]
        doc = (
            f"Correct the recorded outcome of a decided {table.words} under '{ruling.title}' and say who takes it now: "
            f"the former person's open items fall by one, the new one's rise by one."
        )
        result = _shown_with_person(made, held, key)
    args = _arguments(draft, ruling, staffing.handover)
    draft.add_tool(staffing.reroute, ToolSpec(doc, args, require=require, effect=effect, row=result))


# ---- the page


def _page(ruling: Ruling, staffing: Staffing, table: Table) -> str:
    """The second handbook page: who takes a row."""
    words = table.words
    of_rows = f"; so is the {table.key.replace('_', ' ')} of {table.many}" if table.column(table.key).sql == "TEXT" else ""
    clauses = [
        f"The people asked are those of the desk that is the outcome of the {words} by '{ruling.page}'. "
        f"Of them only those who are free by clauses 2 and 3 can take it; clause 5 says what is done where none of them is free.",
        _absence(staffing),
        _limit(staffing),
        _ranking(staffing),
        _full(staffing, words),
        f"The outcome that is recorded is always the one of '{ruling.page}', also where nobody, or somebody of another desk, takes the "
        f"{words}.",
        f"{ruling.tool} records the outcome alone and settles no person; {staffing.assign} records the outcome and who takes it.",
        f"Several {table.many} are taken one after another, in the order that was asked for. Open items count as they are at that moment.",
        *([_correcting(staffing, words)] if staffing.reroute else []),
        f"Ids of people are compared as text, character by character{of_rows}.",
    ]
    head = [
        f"# {ruling.title[:1].upper()}{ruling.title[1:]}: people",
        "",
        f"The page '{ruling.page}' says which desk a {words} goes to: its outcome is the desk's name. This page says who of that desk "
        "takes it.",
        "",
    ]
    return "\n".join([*head, *(f"{n}. {text}" for n, text in enumerate(clauses, start=1))]) + "\n"


def _absence(staffing: Staffing) -> str:
    if staffing.absence == "flag":
        return "Nobody who is away (away is 1) is free."
    return (
        "Nobody who is still away is free. Away until is the last day of an absence: whoever has today's date there or a later one is "
        "away, "
        "whoever has an earlier one or none is not."
    )


def _limit(staffing: Staffing) -> str:
    value = f"{{{{ policy.{staffing.parameter} }}}}"
    if staffing.limit == "spare":
        return (
            f"Everybody keeps {value} places for emergencies: "
            f"they are free only while their open items and these {value} together are fewer than their most items."
        )
    plain = "They are free only while their open items are fewer than their most items"
    if staffing.limit == "trainee":
        return f"{plain}. A trainee (trainee is 1) must also have fewer than {value} open items, whatever their most items."
    return f"{plain}; whoever has as many or more takes nothing."


def _ranking(staffing: Staffing) -> str:
    first = "Of those who are free, the one with the fewest open items takes it."
    if staffing.tie == "room":
        return (
            f"{first} Of several with equally few it is the one with the most room (most items less open items), "
            f"and of several with equal room the one with the lowest id."
        )
    return f"{first} Of several with equally few it is the one with the lowest id, however much room they have."


def _full(staffing: Staffing, words: str) -> str:
    without = f"{staffing.assign} is then called without a person"
    if not staffing.fallback:
        return f"If nobody of the desk is free, nobody takes the {words}: {without}."
    return (
        f"If nobody of the desk is free, somebody of the desk '{staffing.fallback}' takes it, found by clauses 2 to 4 among its people. "
        f"If nobody is free there either (or '{staffing.fallback}' is the desk itself), nobody takes the {words}: {without}."
    )


def _correcting(staffing: Staffing, words: str) -> str:
    if not staffing.handover:
        return f"{staffing.reroute} corrects the outcome of a decided {words}. Whoever has it keeps it, and nobody's open items change."
    return (
        f"{staffing.reroute} corrects the outcome of a decided {words} and hands it on: who takes it now is found by clauses 1 to 5, "
        f"by the open items as they are before the call (those of its former person still count it). "
        f"Where nobody takes it, {staffing.reroute} is called without a person."
    )


# ---- which instances


def _free(staffing: Staffing) -> str:
    """Whether the person `p` is free, as an expression."""
    value = f"(SELECT value FROM policy WHERE name = {text_of(staffing.parameter)})"
    there = "p.away = 0" if staffing.absence == "flag" else f"(p.away_until IS NULL OR p.away_until < {text_of(CLOCK[:10])})"
    if staffing.limit == "spare":
        return f"{there} AND p.open_items + {value} < p.most_items"
    trainee = f" AND (p.trainee = 0 OR p.open_items < {value})" if staffing.limit == "trainee" else ""
    return f"{there} AND p.open_items < p.most_items{trainee}"


def _strata(staffing: Staffing, with_person: bool) -> str:
    """What the right decision on a row whose desk is `goes_to` is like."""
    if not with_person:
        return "goes_to"

    def some(desk: str) -> str:
        return f"EXISTS (SELECT 1 FROM {quoted(staffing.people)} p WHERE p.desk = {desk} AND {_free(staffing)})"

    other = f" WHEN {some(text_of(staffing.fallback))} THEN 'another desk'" if staffing.fallback else ""
    return f"CASE WHEN {some('goes_to')} THEN goes_to{other} ELSE 'nobody' END"


def _group_columns(draft: Draft, ruling: Ruling) -> tuple[str, str]:
    """The columns that say which group a row is of, and the condition that its shown name is nobody else's."""
    assert ruling.group is not None
    table = draft.table(ruling.group.entity)
    alias, key = group_key(draft, ruling.group)
    shown = group_shown(draft, ruling.group)
    columns = f"{alias}.{quoted(key)} AS {quoted(table.key_argument)}"
    if shown.parameter == table.key_argument:
        return columns, ""
    name = f"{alias}.{quoted(shown.column)}"
    alone = f" AND (SELECT count(*) FROM {quoted(table.name)} x WHERE x.{quoted(shown.column)} LIKE '%' || {name} || '%') = 1"
    return f"{columns}, {name} AS {quoted(shown.parameter)}", alone


def _named(draft: Draft, ruling: Ruling) -> list[str]:
    """What a group is called in `bind`: its key, and what the brief shows of it where that is something else."""
    assert ruling.group is not None
    return list(dict.fromkeys([draft.table(ruling.group.entity).key_argument, group_shown(draft, ruling.group).parameter]))


def _group_names(draft: Draft, ruling: Ruling) -> str:
    return ", ".join(quoted(one) for one in _named(draft, ruling))


def _one_row(draft: Draft, ruling: Ruling, staffing: Staffing, finds: str, with_person: bool) -> tuple[str, str]:
    """A row for each open row of the ruling's table or, where a group is named, for each group's first or last one.

    Gives `bind`, and what it chooses from.
    """
    table = draft.table(ruling.entity)
    stratum = _strata(staffing, with_person)
    rows = f"SELECT o.{quoted(table.key)} AS row_key, {outcome_of(ruling)} AS goes_to, {alike(draft, ruling)} AS alike, {misled(ruling)} AS misled"
    where = f"FROM {joined(draft, ruling)} WHERE o.{quoted(ruling.state)} = 'open'"
    if finds == "key":
        ways = f"SELECT row_key AS {quoted(table.key_argument)}, {stratum} AS stratum, alike, misled FROM ({rows} {where})"
        return telling([table.key_argument, "stratum"], ways), ways
    columns, alone = _group_columns(draft, ruling)
    names = _group_names(draft, ruling)
    pick = "min" if finds == "first" else "max"
    several = f"GROUP BY {names} HAVING count(*) >= 2"
    each = f"SELECT {names}, {pick}(row_key) AS row_key, goes_to, alike, misled FROM ({rows}, {columns} {where}{alone}) {several}"
    ways = f"SELECT {names}, row_key AS {quoted(table.key_argument)}, {stratum} AS stratum, alike, misled FROM ({each})"
    return telling([*_named(draft, ruling), table.key_argument, "stratum"], ways), ways


def _subject(draft: Draft, ruling: Ruling, finds: str) -> tuple[str, GroupShown | None]:
    """What a brief calls the row that it is about, and how it shows the group (None where it names the row)."""
    table = draft.table(ruling.entity)
    if finds == "key":
        return f"the {table.words} {{{{ {table.key_argument} }}}}", None
    assert ruling.group is not None
    shown = group_shown(draft, ruling.group)
    which = "lowest" if finds == "first" else "highest"
    state = ruling.state.replace("_", " ")
    key = table.key.replace("_", " ")
    group = f"{shown.words} {{{{ {shown.parameter} }}}}"
    return f"the {table.words} with the {which} {key} among those of {group} whose {state} is 'open'", shown


def _given(draft: Draft, ruling: Ruling, staffing: Staffing, shown: GroupShown | None, **more: str) -> TriageTask:
    table = draft.table(ruling.entity)
    group = draft.table(ruling.group.entity).key_argument if ruling.group is not None and shown is not None else ""
    shows = shown.parameter if shown is not None else table.key_argument
    return TriageTask(ruling, staffing, shows, key=table.key_argument, group=group, **more)


def _concepts(ruling: Ruling) -> list[str]:
    return [NAME, ruling.slug.replace("_", "-")]


def _knobs(staffing: Staffing, **more: object) -> dict[str, object]:
    fallback = "another desk" if staffing.fallback else "nobody"
    return {"absence": staffing.absence, "limit": staffing.limit, "tie": staffing.tie, "full": fallback, "roster": staffing.roster, **more}


# ---- the tasks


def _route(draft: Draft, ruling: Ruling, staffing: Staffing, rng: random.Random) -> TaskDraft:
    table = draft.table(ruling.entity)
    finds, reports = rng.choice(["key", "first", "last"]), rng.choice(["outcome", "free"])
    subject, shown = _subject(draft, ruling, finds)
    given = _given(draft, ruling, staffing, shown, finds=finds, reports=reports)
    answer = {"outcome": choice(ruling.outcomes, "The outcome that was recorded.")}
    free = ""
    if reports == "free":
        answer["free"] = ArgSpec("integer", "How many people of that desk are free.")
        free = f", and how many people of its own desk are free by the page '{staffing.page}'"
    instruction, others = said(
        rng,
        [
            f"Find out by the handbook page '{ruling.page}' which desk {subject} goes to, and record that outcome.",
            f"Under '{ruling.page}' in the handbook, triage {subject}: record the outcome that the page leads to.",
            f"Where does {subject} belong? Decide by the handbook page '{ruling.page}' and record the outcome.",
        ],
        [
            "Record the outcome alone: nobody is to take it yet. Change nothing else.",
            "Who takes it is settled later, so record no person, and leave everything else as it is.",
            "No person is to be recorded with it, and no other record touched.",
        ],
        [f"Report the outcome{free}.", f"Answer with the outcome that you recorded{free}.", f"Then tell us the outcome{free}."],
    )
    bind, ways = _one_row(draft, ruling, staffing, finds, False)
    brief = Brief(
        f"Route one {table.words}: {ruling.title}", bind, instruction, [given.shows],
        _concepts(ruling), answer, Limits(80 if shown is not None else 40), _luck(ruling), paraphrases=others,
    )  # fmt: skip
    knobs = _knobs(staffing) if reports == "free" else {}
    return TaskDraft(f"route-{ruling.page}", NAME, "route", brief, given, {**knobs, "finds": finds, "reports": reports}, ways=ways)


def _luck(ruling: Ruling) -> float:
    """Guessing the desk, or knowing the page by heart but for its figures: rows are posed where about two of five lead there."""
    return max(0.45, round(1 / len(ruling.outcomes) + 0.05, 2))


def _assign(draft: Draft, ruling: Ruling, staffing: Staffing, rng: random.Random) -> TaskDraft:
    table = draft.table(ruling.entity)
    finds = rng.choice(["key", "first", "last"])
    subject, shown = _subject(draft, ruling, finds)
    given = _given(draft, ruling, staffing, shown, finds=finds)
    desk, person = f"'{ruling.page}'", f"'{staffing.page}'"
    instruction, others = said(
        rng,
        [
            f"Assign {subject}: the handbook page {desk} says which desk it goes to, and {person} who takes it. Record both.",
            f"Find the desk and the person for {subject} by the handbook pages {desk} and {person}. Record the outcome with the person.",
            f"Please send {subject} to the right desk ({desk} in the handbook) and to whoever takes it by {person}; record both.",
        ],
        ["Change nothing else.", "Leave everything else as it is.", "Touch no other record."],
        [
            "Report the outcome and the person's id, or 'nobody' if nobody takes it.",
            "Answer with the outcome that you recorded and the id of who takes it ('nobody' if that is how it ends).",
            "Then tell us the outcome and who takes it, by id; say 'nobody' where no one does.",
        ],
    )
    answer = {"outcome": choice(ruling.outcomes, "The outcome that was recorded."), "person": ArgSpec("string", "An id, or 'nobody'.")}
    bind, _ = _one_row(draft, ruling, staffing, finds, True)
    brief = Brief(
        f"Assign one {table.words}: {ruling.title}", bind, instruction, [given.shows],
        _concepts(ruling), answer, Limits(80), _luck(ruling), paraphrases=others,
    )  # fmt: skip
    return TaskDraft(f"assign-{ruling.page}", NAME, "assign", brief, given, _knobs(staffing, finds=finds))


def _of_groups(draft: Draft, ruling: Ruling, state: str, having: str, stratum: str = "") -> tuple[str, str]:
    """A row for each group; `having` and `stratum` are over its rows' `goes_to`, and `was_sent_to` for what was recorded.

    Gives the query for groups that hang on the page's figures, and the one for all.
    """
    table = draft.table(ruling.entity)
    columns, alone = _group_columns(draft, ruling)
    names = _group_names(draft, ruling)
    recorded = f"(SELECT r.outcome FROM {quoted(ruling.made)} r WHERE r.{quoted(table.key_argument)} = o.{quoted(table.key)})"
    meant = f"o.{quoted(ruling.state)} = '{state}'"
    rows = f"SELECT {columns}, {outcome_of(ruling)} AS goes_to, {recorded} AS was_sent_to, alike FROM {joined(draft, ruling)}"
    rows += f" {alike_groups(draft, ruling, meant)} WHERE {meant}{alone}"
    given = f"SELECT {names}{f', {stratum} AS stratum' if stratum else ''}"
    end = f"FROM ({rows}) GROUP BY {names} HAVING {having}"
    wanted = [*_named(draft, ruling), *(["stratum"] if stratum else [])]
    return telling_groups(wanted, f"{given}, min(alike) AS alike {end}"), f"{given} {end}"


def _work_off(draft: Draft, ruling: Ruling, staffing: Staffing, rng: random.Random) -> TaskDraft:
    assert ruling.group is not None
    table = draft.table(ruling.entity)
    shown = group_shown(draft, ruling.group)
    reports, order = rng.choice(["counted", "unassigned", "people"]), rng.choice(["lowest", "highest"])
    counted = rng.choice(ruling.outcomes) if reports == "counted" else ""
    given = _given(draft, ruling, staffing, shown, reports=reports, counted=counted, order=order)
    answer, report = _work_off_report(reports, counted)
    group = f"{shown.words} {{{{ {shown.parameter} }}}}"
    desk, person = f"'{ruling.page}'", f"'{staffing.page}'"
    instruction, others = said(
        rng,
        [
            f"Assign every open {table.words} of {group}: the desk by the handbook page {desk}, the person by {person}. Record both for each.",
            f"Send each open {table.words} of {group} to its desk ({desk} in the handbook) and to whoever takes it by {person}. Record both.",
            f"Work off the open {table.many} of {group}: outcomes by the handbook page {desk}, persons by {person}, the two recorded together.",
        ],
        _work_off_order(ruling, table, order),
        report,
    )
    bind, loose = _of_groups(draft, ruling, "open", "count(*) BETWEEN 3 AND 14 AND count(DISTINCT goes_to) >= 2")
    brief = Brief(
        f"Assign all open {table.many} of one {shown.words}: {ruling.title}", bind, instruction, [given.shows],
        _concepts(ruling), answer, Limits(400), 0.2, paraphrases=others,
    )  # fmt: skip
    return TaskDraft(f"work-off-{ruling.page}", NAME, "work-off", brief, given, _knobs(staffing, reports=reports, order=order), loose)


def _work_off_order(ruling: Ruling, table: Table, order: str) -> list[str]:
    """What a brief says of which rows are meant, and in which order."""
    state, key = ruling.state.replace("_", " "), table.key.replace("_", " ")
    return [
        f"Only those whose {state} is 'open' are meant; take them one after another by {key}, the {order} first.",
        f"Go by {key} and begin with the {order}, since what is settled first counts for the next. Leave out those whose {state} isn't 'open'.",
        f"The {order} {key} comes first, then the next in that order; a {table.words} whose {state} isn't 'open' stays as it is.",
    ]


def _work_off_report(reports: str, counted: str) -> tuple[dict[str, ArgSpec], list[str]]:
    """The answer's fields, and how it is asked for."""
    if reports == "counted":
        return {"count": ArgSpec("integer", f"How many have the outcome '{counted}'.")}, [
            f"Report how many of them have the outcome '{counted}'.",
            f"Then say how many came out as '{counted}'.",
            f"Answer with the number of '{counted}' outcomes among them.",
        ]
    if reports == "unassigned":
        return {"unassigned": ArgSpec("integer", "How many nobody took.")}, [
            "Report for how many of them there was nobody to take them.",
            "Then say how many of them nobody took.",
            "Answer with the number of those that ended without a person.",
        ]
    people = ArgSpec("list", "Ids of the people who took at least one, each once.", items=ArgSpec("string"))
    return {"people": people}, [
        "Report the ids of the people who took at least one of them, each once.",
        "Then list the ids of everybody who took one or more of them, without repeating any.",
        "Answer with the ids of those who took any of them, each id once.",
    ]


def _reroute(draft: Draft, ruling: Ruling, staffing: Staffing, rng: random.Random) -> TaskDraft:
    assert ruling.group is not None
    table = draft.table(ruling.entity)
    shown = group_shown(draft, ruling.group)
    reports, order = rng.choice(["count", "keys"]), rng.choice(["lowest", "highest"])
    given = _given(draft, ruling, staffing, shown, reports=reports, order=order)
    answer, report = _reroute_report(table, reports)
    group, page = f"{shown.words} {{{{ {shown.parameter} }}}}", f"'{ruling.page}'"
    instruction, others = said(
        rng,
        [
            f"Somebody decided {table.many} of {group} without reading the handbook page {page}. Correct each outcome that isn't what it says.",
            f"Go through the decided {table.many} of {group} and correct each recorded outcome that contradicts the handbook page {page}.",
            f"Check what was recorded for {group} by the handbook page {page}: where a {table.words} has another outcome, put it right.",
        ],
        _only_decided(ruling),
        _who_has_it(staffing, table, order),
        report,
    )
    wrong = "sum(goes_to <> was_sent_to)"
    stratum = f"CASE WHEN {wrong} = count(*) THEN 'all' ELSE min(3, {wrong}) END"
    bind, loose = _of_groups(draft, ruling, "decided", f"count(*) BETWEEN 2 AND 14 AND {wrong} >= 1", stratum)
    brief = Brief(
        f"Correct what was sent to the wrong desk for one {shown.words}: {ruling.title}",
        bind, instruction, [given.shows], _concepts(ruling), answer, Limits(300), 0.2, paraphrases=others,
    )  # fmt: skip
    knobs = _knobs(staffing, order=order) if staffing.handover else {}
    knobs |= {"handover": staffing.handover, "reports": reports}
    return TaskDraft(f"reroute-{ruling.page}", NAME, "reroute", brief, given, knobs, loose)


def _only_decided(ruling: Ruling) -> list[str]:
    """What a brief says of which rows are corrected."""
    state = ruling.state.replace("_", " ")
    return [
        f"Only those whose {state} is 'decided' are meant.",
        f"Those whose {state} isn't 'decided' stay as they are.",
        f"Touch none whose {state} is anything but 'decided'.",
    ]


def _reroute_report(table: Table, reports: str) -> tuple[dict[str, ArgSpec], list[str]]:
    """The answer's field, and how it is asked for."""
    key = table.key.replace("_", " ")
    if reports == "count":
        return {"corrected": ArgSpec("integer", "How many were corrected.")}, [
            "Report how many you corrected.",
            "Answer with the number that you corrected.",
            "Then say how many had to be corrected.",
        ]
    each = ArgSpec("list", f"The {key} of each corrected {table.words}.", items=ArgSpec(table.column(table.key).argument.type))
    return {"corrected": each}, [
        f"Report the {key} of each that you corrected.",
        f"Answer with the list of what you corrected, by {key}.",
        f"Then name those that you corrected, each by its {key}.",
    ]


def _who_has_it(staffing: Staffing, table: Table, order: str) -> list[str]:
    """What a brief says about the people of corrected rows."""
    if not staffing.handover:
        return [
            "Whoever has them keeps them; persons are looked at by somebody else.",
            "Outcomes alone are to be corrected: who has what stays as it is.",
            "Don't mind who has them; that stays.",
        ]
    key, page = table.key.replace("_", " "), f"'{staffing.page}'"
    stays = "where the outcome is right, the person stays, whoever it is"
    return [
        f"Hand each corrected one to whoever takes it by {page}, going by {key}, the {order} first; {stays}.",
        f"With the outcome goes the person, by {page}: one after another by {key} from the {order} on; {stays}.",
        f"Begin with the {order} {key} and go on in that order, each time handing it to the person that {page} leads to; {stays}.",
    ]
