"""Schedule under constraints: who takes which row, on which half-day, by rules that a page states; mostly with many right ends.

Motif: an entity (case, event, item, document or schedule) with a category of three to six values, and people: an entity of facet staff, or
a resource or asset that shares values with the category; where there is none, a crew is planted. Templates: `plan` the waiting rows of a
group or category; find the `earliest` half-day for one; `relieve` somebody who drops out. Planted sets can always be planned under the
strictest parameter. Holds what is right only as far as `bind` has to know it.
"""

from __future__ import annotations

import datetime
import random

import msgspec

from worldwright.domain.model import Entity
from worldwright.synthesis.draft import CLOCK, Column, Draft, Range, Table, TaskDraft, quoted, text_of
from worldwright.synthesis.material import Material
from worldwright.synthesis.patterns import NoMotif
from worldwright.synthesis.patterns.rulings import group_shown
from worldwright.synthesis.reads import reads_of
from worldwright.synthesis.ruling import Group, choice, group_of
from worldwright.synthesis.wording import said
from worldwright.task.brief import Brief, Limits
from worldwright.world.spec import ArgSpec, Requirement, ToolSpec

__all__ = ["ABOUT", "HALVES", "NAME", "Schedule", "ScheduleTask", "days", "furnish"]

NAME = "schedule"
ABOUT = "schedule under constraints: give work to people and half-days so that every rule holds"
HALVES = ("morning", "afternoon")
_MOST = 2
_FEWEST_ROWS = 24
_FEWEST_PEOPLE = 4
_WORK = ("case", "event", "item", "document", "schedule")
_GATHERERS = ("party", "location", "account", "resource", "asset", "case", "document", "item")


class Schedule(msgspec.Struct, frozen=True):
    """The rules of one motif, as the page states them, and where everything is.

    `entity` is the work's entity, `people` the crew's ("" where the crew is planted). `key` and `person` are what the planted tables and
    the tools call the row and the member; `category` is the work's column that a skill must equal. `state` is the work's column that
    says 'waiting', 'booked', 'on hold' or 'closed'. `crew` (`person`, `senior` if that rule is there, `away_on`, or `away_from` and
    `away_until`), `skills` (`person`, `value`) and `bookings` (`key`, `person`, `day`, `half`) are tables. Rules: `cap` is what `parameter`
    bookings of one person are counted over, 'day' or 'week' (all of `days`); `away` is 'day' or 'span'; `senior` and `morning` are the
    category that only seniors take, and the one that is only done in the morning ("" if none); `ready` is the work's column with the
    first day it may be booked on ("" if none, NULL: no bound); `apart`: two rows of one group never in the same half-day. `tie`, among
    members for the earliest half-day: 'key' (the lowest) or 'fewest' (bookings in `days` as they stand, then the lowest key). `relief`,
    where nobody can take a booking at its own half-day: 'later' (the next later half-day at which somebody can; without any, on hold)
    or 'hold'. `reliever`: 'any' (whoever may; whether somebody can is judged by the bookings before the first move) or 'key' (one by
    one in the order of half-days, each to the lowest key that may as bookings stand by then).
    """

    entity: str
    people: str
    page: str
    key: str
    person: str
    category: str
    crew: str
    skills: str
    bookings: str
    state: str
    parameter: str
    days: tuple[str, ...]
    group: Group | None
    cap: str
    away: str
    senior: str
    morning: str
    ready: str
    apart: bool
    tie: str
    relief: str
    reliever: str
    book: str
    move: str
    hold: str
    list_crew: str
    inspect: str
    bookings_on: str
    bookings_of: str

    @property
    def spots(self) -> list[tuple[str, str]]:
        """Day and half of every half-day, in order."""
        return [(day, half) for day in self.days for half in HALVES]


class ScheduleTask(msgspec.Struct, frozen=True):
    """What the authors of a task are given: the rules, and what its brief asks for beside them.

    `shows` are the parameters that the brief shows. plan: `scope` is 'group' (`bind` also gives the group's key) or 'category'; `extra`
    holds for the rows of the task among themselves: '' (nothing more), 'people' (no member takes two of them), 'days' (no two on one
    day), 'two' (at most two on one day). earliest: `wish` is the only half that suits ('' if both do). relieve: `span` is 'day' (out on
    that day) or 'rest' (out from that day on).
    """

    rules: Schedule
    shows: tuple[str, ...]
    scope: str = ""
    extra: str = ""
    wish: str = ""
    span: str = ""


def days() -> tuple[str, ...]:
    """The five working days after the clock's."""
    at = datetime.date.fromisoformat(CLOCK[:10])
    out: list[str] = []
    while len(out) < 5:
        at += datetime.timedelta(days=1)
        if at.weekday() < 5:
            out.append(at.isoformat())
    return tuple(out)


def furnish(draft: Draft, material: Material, rng: random.Random) -> None:
    """Add the pattern's tables, tools, pages and tasks. Raises NoMotif."""
    for table, column, people in _motifs(draft, material, rng):
        rules = _rules(draft, material, table, column, people, rng)
        scope = "group" if rules.group is not None and rng.random() < 0.6 else "category"
        extra = rng.choice(["", "people", "days", "two"])
        span = "rest" if rules.cap == "day" or rules.relief == "hold" else rng.choice(["day", "rest"])
        _declare(draft, rules, scope, extra)
        _add_tools(draft, rules)
        draft.ranges[rules.parameter] = _range(rules)
        draft.pages[rules.page] = _page(draft, rules)
        draft.tasks.append(_plan(draft, ScheduleTask(rules, (_shown(draft, rules, scope),), scope=scope, extra=extra), rng))
        draft.tasks.append(_earliest(draft, ScheduleTask(rules, (rules.key,), wish=rng.choice(["", *HALVES])), rng))
        draft.tasks.append(_relieve(draft, ScheduleTask(rules, (rules.person, "day"), span=span), rng))


# ---- the motif


def _motifs(draft: Draft, material: Material, rng: random.Random) -> list[tuple[Table, Column, Table | None]]:
    """Work, its category and its people: those that share values first, then those whose rows are gathered by something."""
    found: list[tuple[tuple[bool, bool, int, float], Table, Column, Table | None]] = []
    reasons: list[str] = []
    for table in draft.tables.values():
        if table.facet not in _WORK:
            continue
        entity = _entity(material, table)
        columns = [one for one in table.columns if _is_category(draft, table, one)]
        if len(entity.key) != 1 or _count(material, table) < _FEWEST_ROWS or not columns:
            reasons.append(
                f"'{table.entity}' has no category of 3 to 6 texts in every row, no key of one field, or under {_FEWEST_ROWS} rows"
            )
            continue
        if _is_taken(draft, table):
            reasons.append(f"names for bookings of '{table.entity}' are taken")
            continue
        column, people = _manned(draft, material, table, columns, rng)
        gathered = group_of(material, table.entity, _GATHERERS) is not None
        shared = people is not None and bool(_shared(people, column))
        found.append(((not shared, not gathered, _WORK.index(table.facet), rng.random()), table, column, people))
    if not found:
        facets = "; ".join(reasons) or f"no entity of facet {', '.join(_WORK)}"
        raise NoMotif(f"nothing is to be scheduled (an entity of facet {', '.join(_WORK)} with a category): {facets}")
    return [(table, column, people) for _, table, column, people in sorted(found, key=lambda each: each[0])[:_MOST]]


def _entity(material: Material, table: Table) -> Entity:
    return next(one for one in material.model.entities if one.name == table.entity)


def _count(material: Material, table: Table) -> int:
    return material.rows.get(table.entity, _entity(material, table).rows)


def _is_category(draft: Draft, table: Table, column: Column) -> bool:
    veiled = draft.veiled.get(table.entity, set())
    plain = column.type == "text" and not column.nullable and not column.refers
    return plain and 3 <= len(column.values) <= 6 and column.name not in {table.key, table.status, *veiled}


def _manned(draft: Draft, material: Material, table: Table, columns: list[Column], rng: random.Random) -> tuple[Column, Table | None]:
    """The category to plan by, and who takes the work (None: to be planted)."""
    named = {one.to for one in material.relations(table.entity)}
    able = [one for one in draft.tables.values() if one.entity != table.entity and _count(material, one) >= _FEWEST_PEOPLE]
    able = [one for one in able if one.facet in ("staff", "resource", "asset") and len(_entity(material, one).key) == 1]
    pairs = [(column, one) for column in columns for one in able if one.facet == "staff" or _shared(one, column)]
    if not pairs:
        return rng.choice(columns), None
    rng.shuffle(pairs)
    return min(pairs, key=lambda pair: (not _shared(pair[1], pair[0]), pair[1].facet != "staff", pair[1].entity not in named))


def _shared(people: Table, column: Column) -> set[object]:
    """Values that a category has in common with some column of the people: at least two, or none."""
    found = {value for one in people.columns if not one.refers for value in one.values if value in column.values}
    return found if len(found) > 1 else set()


def _is_taken(draft: Draft, table: Table) -> bool:
    one = table.singular
    planted = [f"{one}_crew", f"{one}_skills", f"{one}_bookings", f"{one}-bookings", f"book_{one}", f"move_{one}_booking", f"hold_{one}"]
    planted += [f"list_{one}_crew", f"inspect_{one}_crew", f"list_{one}_bookings_on", f"list_{one}_bookings_of"]
    reads = [
        f"{verb}_{name}" for each in draft.tables.values() for verb in ("list", "find", "get") for name in (each.plural, each.singular)
    ]
    columns = {each.name for each in table.columns} | set(draft.shown.get(table.entity, []))
    return any(draft.has_name(name) or name in reads for name in planted) or bool({f"{one}_booking_state", f"{one}_not_before"} & columns)


def _rules(draft: Draft, material: Material, table: Table, column: Column, people: Table | None, rng: random.Random) -> Schedule:
    """The rules of a motif, drawn."""
    one = table.singular
    group = group_of(material, table.entity, _GATHERERS)
    person = (
        people.key_argument if people is not None and people.key_argument not in (table.key_argument, "day", "half") else f"{one}_member_id"
    )
    senior, morning = rng.sample([str(value) for value in column.values], 2)
    own = ["ready", *(["apart"] if group is not None else [])]  # rules that tell rows of one category apart: one of them at least
    there = [rng.choice(own)]
    others = [name for name in ("senior", "morning", *own) if name not in there]
    there += rng.sample(others, rng.randint(1, len(others)))
    return Schedule(
        table.entity, people.entity if people is not None else "", f"{one}-bookings".replace("_", "-"), table.key_argument, person, column.name,
        f"{one}_crew", f"{one}_skills", f"{one}_bookings", f"{one}_booking_state", f"{one}_most_bookings", days(), group,
        cap=rng.choice(["day", "week", "week"]),
        away=rng.choice(["day", "span"]),
        senior=senior if "senior" in there else "",
        morning=morning if "morning" in there else "",
        ready=f"{one}_not_before" if "ready" in there else "",
        apart="apart" in there,
        tie=rng.choice(["key", "fewest"]),
        relief=rng.choice(["later", "later", "hold"]),
        reliever=rng.choice(["any", "key"]),
        book=f"book_{one}", move=f"move_{one}_booking", hold=f"hold_{one}", list_crew=f"list_{one}_crew", inspect=f"inspect_{one}_crew",
        bookings_on=f"list_{one}_bookings_on", bookings_of=f"list_{one}_bookings_of",
    )  # fmt: skip


def _range(rules: Schedule) -> Range:
    return Range(1, 2) if rules.cap == "day" else Range(4, 6)


# ---- tables and rows


def _declare(draft: Draft, rules: Schedule, scope: str, extra: str) -> None:
    """Tables, columns, what is hidden, and the planting."""
    table = draft.table(rules.entity)
    people = draft.table(rules.people) if rules.people else None
    kind = people.column(people.key).sql if people is not None else "TEXT"
    refers = f" REFERENCES {quoted(people.name)}({quoted(people.key)})" if people is not None else ""
    key, person, crew = quoted(rules.key), quoted(rules.person), quoted(rules.crew)
    senior = "  senior INTEGER NOT NULL CHECK (senior IN (0, 1)),\n" if rules.senior else ""
    away = "  away_on TEXT" if rules.away == "day" else "  away_from TEXT,\n  away_until TEXT"
    draft.declared.append(
        f"CREATE TABLE {crew} (  -- who may be booked\n  {person} {kind} PRIMARY KEY NOT NULL{refers},\n{senior}{away}\n)"
    )
    draft.declared.append(
        f"CREATE TABLE {quoted(rules.skills)} (  -- which {rules.category.replace('_', ' ')} they may take\n"
        f"  {person} {kind} NOT NULL REFERENCES {crew}({person}),\n  value TEXT NOT NULL,\n  PRIMARY KEY ({person}, value)\n)"
    )
    draft.declared.append(
        f"CREATE TABLE {quoted(rules.bookings)} (  -- who takes which {table.words}, and when\n"
        f"  {key} {table.column(table.key).sql} PRIMARY KEY NOT NULL REFERENCES {quoted(table.name)}({quoted(table.key)}),\n"
        f"  {person} {kind} NOT NULL REFERENCES {crew}({person}),\n"
        f"  day TEXT NOT NULL,\n  half TEXT NOT NULL CHECK (half IN ('morning', 'afternoon'))\n)"
    )
    draft.add_column(table, rules.state, f"TEXT NOT NULL CHECK ({quoted(rules.state)} IN ('waiting', 'booked', 'on hold', 'closed'))")
    if rules.ready:
        draft.add_column(table, rules.ready, "TEXT")
    for name in [*(["senior"] if rules.senior else []), *(["away_on"] if rules.away == "day" else ["away_from", "away_until"])]:
        draft.hidden[f"{rules.crew}.{name}"] = rules.inspect
    draft.hidden[f"{rules.skills}.value"] = rules.inspect
    draft.planting.append(_planted(draft, rules, scope, extra))


_PLANTING = '''
    def PLANT(s):
        """Crew, bookings that keep the rules, and waiting work: each set of it can be planned under the strictest parameter."""
        spots = [(day, half) for day in s["days"] for half in ("morning", "afternoon")]
        work = list(tables[s["table"]])
        random.shuffle(work)
        seen = sorted([(len([row for row in work if row[s["category"]] == one]), random.random(), one) for one in s["values"]])
        missing = random.choice([one for count, _, one in seen if count > 0][:len(seen) // 2])
        kinds = [one for one in s["values"] if one != missing]
        groups, targets = {}, [{one[own]: one for one in tables[table]} for column, table, own in s["hops"]]
        for row in work:
            at = row
            for n in range(len(s["hops"])):
                at = targets[n][at[s["hops"][n][0]]]
            groups[row[s["key"]]] = at[s["hops"][-1][2]] if s["hops"] else None
        sizes = {}
        for one in groups.values():
            sizes[one] = sizes.get(one, 0) + 1
        if s["scope"] == "group":  # those of large groups last, so that several of them wait
            late = {row[s["key"]]: sizes[groups[row[s["key"]]]] > 2 and random.random() < 0.7 for row in work}
            work = [row for row in work if not late[row[s["key"]]]] + [row for row in work if late[row[s["key"]]]]
        keys = [one[s["person_key"]] for one in tables[s["people"]]] if s["people"] else ["M-" + str(n) for n in range(101, 108)]
        keys = sorted(random.sample(keys, min(7, len(keys))))
        gone = random.choice(keys) if len(keys) > 5 and s["away"] == "span" else None
        active = [one for one in keys if one != gone]
        able = {one: [] for one in keys}
        seniors = random.sample(active, (len(active) + 1) // 2)
        for kind in kinds:
            holders = random.sample(active, min(len(active), random.choice(s["holders"])))
            if kind == s["senior"]:
                lacking = [one for one in seniors if one not in holders]
                holders = holders + lacking[:max(0, 2 - len([one for one in holders if one in seniors]))]
            for one in holders:
                able[one].append(kind)
        for one in keys:
            if one == gone:
                able[one] = [missing, random.choice(kinds)]
            elif not able[one]:
                able[one].append(random.choice(kinds))
        out = {}
        for one in keys:
            first = random.choice([0, 0, 0, 1, 1, 2, 3, 4])
            last = min(4, first + random.randrange(2)) if s["away"] == "span" else first
            out[one] = list(s["days"][first:last + 1]) if random.random() < 0.5 else []
            if one == gone:
                out[one] = list(s["days"])

        taken, beset, load = set(), set(), {}  # of what is booked: who when, which group when, how many by what is capped

        def capped(one, day):
            return one if s["cap"] == "week" else (one, day)

        def ways(row, chosen):
            """Who may take a row when, beside what is booked and what is chosen."""
            kind, ready, group = row[s["category"]], row[s["ready"]] if s["ready"] else None, groups[row[s["key"]]]
            able_ones = [one for one in keys if kind in able[one] and (kind != s["senior"] or one in seniors)]
            found = []
            for day, half in spots if able_ones else []:
                if (kind == s["morning"] and half != "morning") or (ready is not None and day < ready):
                    continue
                if s["apart"] and ((group, day, half) in beset or (day, half) in [(each[2], each[3]) for each in chosen if groups[each[0]] == group]):
                    continue
                for one in able_ones:
                    if day in out[one] or (one, day, half) in taken:
                        continue
                    own = [each for each in chosen if each[1] == one]
                    if (day, half) in [(each[2], each[3]) for each in own]:
                        continue
                    if load.get(capped(one, day), 0) + len([each for each in own if s["cap"] == "week" or each[2] == day]) < s["most"]:
                        found.append((one, (day, half)))
            return found

        def book(row, one, spot):
            booked.append((row[s["key"]], one, spot[0], spot[1]))
            taken.add((one, spot[0], spot[1]))
            beset.add((groups[row[s["key"]]], spot[0], spot[1]))
            load[capped(one, spot[0])] = load.get(capped(one, spot[0]), 0) + 1
            held[one] = held.get(one, 0) + 1

        def beside(one, day, chosen):
            if s["extra"] == "people":
                return one not in [each[1] for each in chosen]
            same = len([each for each in chosen if each[2] == day])
            return same < 1 if s["extra"] == "days" else same < 2 if s["extra"] == "two" else True

        def placed(left, chosen, tries):
            if not left:
                return True
            for one, spot in ways(left[0], chosen):
                tries[0] = tries[0] - 1
                if tries[0] < 0:
                    return False
                if beside(one, spot[0], chosen) and placed(left[1:], chosen + [(left[0][s["key"]], one, spot[0], spot[1])], tries):
                    return True
            return False

        def roomy(one):  # all but one member keep some room, so that what waits can be placed
            return one == busy or held.get(one, 0) < (2 if s["cap"] == "week" else 3)

        booked, held, waiting, sets, busy = [], {}, [], {}, random.choice(active)
        wanted = min(len(work) * 2 // 5, len(active) * 3 - 2)
        for row in work:
            if s["ready"]:
                row[s["ready"]] = random.choice([None, None, s["days"][0], s["days"][1], s["days"][2]])
            free = [way for way in ways(row, []) if roomy(way[0])] if len(booked) < wanted else []
            row[s["state"]] = "booked" if free else "closed"
            if free:
                one, spot = free[int(random.random() ** 3 * len(free))]
                book(row, one, spot)
            else:
                if s["ready"]:
                    row[s["ready"]] = random.choice([None, None, s["days"][1], s["days"][2], s["days"][3], s["after"]])
                sets.setdefault(groups[row[s["key"]]] if s["scope"] == "group" else row[s["category"]], []).append(row)
        for some in sets.values():
            never = [row for row in some if row[s["category"]] == missing or (s["ready"] and row[s["ready"]] == s["after"])]
            good = sorted([row for row in some if row not in never][:5 - min(1, len(never))], key=lambda row: len(ways(row, [])))
            while good and not placed(good, [], [400]):
                good.pop(0)
            waiting = waiting + good + never[:1]
        for row in waiting:
            row[s["state"]] = "waiting"
        crew, skills = [], []
        for one in keys:
            member = {s["person"]: one}
            if s["senior"]:
                member["senior"] = int(one in seniors)
            if s["away"] == "day":
                member["away_on"] = out[one][0] if out[one] else None
            else:
                member["away_from"], member["away_until"] = (out[one][0], out[one][-1]) if out[one] else (None, None)
            crew.append(member)
            skills = skills + [{s["person"]: one, "value": kind} for kind in sorted(set(able[one]))]
        tables[s["crew"]], tables[s["skills"]] = crew, skills
        tables[s["bookings"]] = [{s["row_key"]: key, s["person"]: one, "day": day, "half": half} for key, one, day, half in sorted(booked)]

'''


def _planted(draft: Draft, rules: Schedule, scope: str, extra: str) -> str:
    """The planting: the code above with this motif's settings."""
    table = draft.table(rules.entity)
    people = draft.table(rules.people) if rules.people else None
    hops = (
        [(hop.column, draft.table(hop.entity).name, draft.table(hop.entity).key) for hop in rules.group.hops]
        if rules.group is not None
        else []
    )
    after = (datetime.date.fromisoformat(rules.days[-1]) + datetime.timedelta(days=2)).isoformat()
    settings = {
        "table": table.name, "key": table.key, "row_key": rules.key, "category": rules.category, "values": list(table.column(rules.category).values),
        "hops": hops, "person": rules.person,
        "people": people.name if people is not None else "", "person_key": people.key if people is not None else "",
        "crew": rules.crew, "skills": rules.skills, "bookings": rules.bookings, "state": rules.state, "days": list(rules.days), "after": after,
        "cap": rules.cap, "most": _range(rules).least, "away": rules.away, "senior": rules.senior, "morning": rules.morning, "ready": rules.ready,
        "apart": rules.apart, "holders": [4, 4, 3] if rules.reliever == "any" else [3, 3, 4], "scope": scope, "extra": extra,
    }  # fmt: skip
    name = f"plant_{rules.bookings}"
    lines = "".join(f"        {key!r}: {value!r},\n" for key, value in settings.items())
    return _PLANTING.replace("PLANT", name) + f"    {name}({{\n{lines}    }})\n"


# ---- tools


def _add_tools(draft: Draft, rules: Schedule) -> None:
    """The tools: the crew, the bookings, and the three writes, which check that things exist but none of the rules."""
    table = draft.table(rules.entity)
    person = quoted(rules.person)
    away = "c.away_on" if rules.away == "day" else "c.away_from, c.away_until"
    senior = "c.senior, " if rules.senior else ""
    member = msgspec.structs.replace(_person_argument(draft, rules), doc="The crew member.")
    everybody = f"SELECT {person} FROM {quoted(rules.crew)} ORDER BY {person}"
    draft.add_tool(rules.list_crew, ToolSpec(f"Who is in the crew for {table.many}.", rows=everybody))
    draft.add_tool(
        rules.inspect,
        ToolSpec(
            f"What a member of the crew for {table.many} may take and when they are away: a row for each skill; "
            f"none for somebody who isn't in the crew.",
            {rules.person: member},
            rows=f"SELECT c.{person}, k.value AS skill, {senior}{away} FROM {quoted(rules.crew)} c JOIN {quoted(rules.skills)} k "
            f"ON k.{person} = c.{person} WHERE c.{person} = :{rules.person} ORDER BY k.value",
        ),
    )
    columns = f"{quoted(rules.key)}, {person}, day, half"
    order = f"ORDER BY day, half DESC, {quoted(rules.key)}"
    draft.add_tool(
        rules.bookings_on,
        ToolSpec(
            f"The bookings of {table.many} on a day.",
            {"day": ArgSpec("string", "The day.", format="date")},
            rows=f"SELECT {columns} FROM {quoted(rules.bookings)} WHERE day = :day {order}",
        ),
    )
    draft.add_tool(
        rules.bookings_of,
        ToolSpec(
            f"The bookings of {table.many} that a crew member has.",
            {rules.person: member},
            rows=f"SELECT {columns} FROM {quoted(rules.bookings)} WHERE {person} = :{rules.person} {order}",
        ),
    )
    _add_writes(draft, rules, member)


def _person_argument(draft: Draft, rules: Schedule) -> ArgSpec:
    people = draft.table(rules.people) if rules.people else None
    return people.column(people.key).argument if people is not None else ArgSpec("string")


def _add_writes(draft: Draft, rules: Schedule, member: ArgSpec) -> None:
    table = draft.table(rules.entity)
    key, person, bookings, state = quoted(rules.key), quoted(rules.person), quoted(rules.bookings), quoted(rules.state)
    which = {rules.key: msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}.")}
    args = {**which, rules.person: member, "day": choice(rules.days, "The day."), "half": choice(HALVES, "The half-day.")}
    row = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{rules.key}"
    exists = Requirement(row, f"There is no {table.words} {{{{ {rules.key} }}}}.")
    in_crew = Requirement(
        f"SELECT 1 FROM {quoted(rules.crew)} WHERE {person} = :{rules.person}", f"{{{{ {rules.person} }}}} isn't in the crew."
    )
    waits = Requirement(f"{row} AND {state} = 'waiting'", f"The {table.words} {{{{ {rules.key} }}}} isn't waiting.")
    is_booked = Requirement(
        f"SELECT 1 FROM {bookings} WHERE {key} = :{rules.key}", f"The {table.words} {{{{ {rules.key} }}}} isn't booked."
    )
    open_row = Requirement(
        f"{row} AND {state} IN ('waiting', 'booked')", f"The {table.words} {{{{ {rules.key} }}}} is neither waiting nor booked."
    )
    mark = f"UPDATE {quoted(table.name)} SET {state} = '{{}}' WHERE {quoted(table.key)} = :{rules.key}"
    shown = f"SELECT {key}, {person}, day, half FROM {bookings} WHERE {key} = :{rules.key}"
    insert = f"INSERT INTO {bookings} ({key}, {person}, day, half) VALUES (:{rules.key}, :{rules.person}, :day, :half)"
    draft.add_tool(
        rules.book,
        ToolSpec(
            f"Book a waiting {table.words} for a crew member and a half-day. Whether the handbook allows it isn't checked.", args,
            require=[exists, waits, in_crew],
            effect=[insert, mark.format("booked")],
            row=shown,
        ),
    )  # fmt: skip
    draft.add_tool(
        rules.move,
        ToolSpec(
            f"Move the booking of a {table.words} to a crew member and a half-day. Whether the handbook allows it isn't checked.", args,
            require=[exists, is_booked, in_crew],
            effect=[f"UPDATE {bookings} SET {person} = :{rules.person}, day = :day, half = :half WHERE {key} = :{rules.key}"],
            row=shown,
        ),
    )  # fmt: skip
    draft.add_tool(
        rules.hold,
        ToolSpec(
            f"Put a {table.words} that is waiting or booked on hold; a booking that it has is deleted.", which,
            require=[exists, open_row],
            effect=[f"DELETE FROM {bookings} WHERE {key} = :{rules.key}", mark.format("on hold")],
            row=f"SELECT {quoted(table.key)}, {state} FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{rules.key}",
        ),
    )  # fmt: skip


# ---- the page


def _page(draft: Draft, rules: Schedule) -> str:
    """The handbook page: every rule."""
    table = draft.table(rules.entity)
    one, state = table.words, rules.state.replace("_", " ")
    lowest = "the one with the lowest key (in the order of the crew's list) is booked"
    ties = (
        lowest
        if rules.tie == "key"
        else f"the one with the fewest bookings on the planned days is booked; if that's still several, {lowest}"
    )
    clauses = [
        *_rule_clauses(draft, rules),
        f"A half-day is right for a {one} if somebody can be booked then without breaking a clause above, or a condition of whoever asks. "
        f"A waiting {one} ({state} is 'waiting') that is to be booked and for which no half-day is right, "
        f"as the bookings stood before the job began, is put on hold ({rules.hold}).",
        f"Where the earliest half-day is asked for (days in order, the morning before the afternoon) and several members can take it, {ties}.",
        *_relief_clauses(rules, one),
    ]
    lines = [f"# Bookings of {table.many}", "", f"Who takes which {one}, and when. All clauses hold together.", ""]
    return "\n".join([*lines, *(f"{n}. {text}" for n, text in enumerate(clauses, start=1))]) + "\n"


def _rule_clauses(draft: Draft, rules: Schedule) -> list[str]:
    """What every booking has to keep."""
    table = draft.table(rules.entity)
    one, category = table.words, rules.category.replace("_", " ")
    away = "on their day away (away on)"
    if rules.away == "span":
        away = "from the first to the last day that they're away (away from, away until), both included"
    clauses = [
        f"The days that are planned are {', '.join(rules.days)}. Each has two half-days, 'morning' and then 'afternoon'. "
        f"A {one} takes one half-day of one member of the crew.",
        f"Only members of the crew ({rules.list_crew}) are booked, and only for a {one} whose {category} ({reads_of(table).get}) "
        f"is among their skills ({rules.inspect}). What other records say of people's skills, grades and absences doesn't count.",
        f"Nobody is booked {away}.",
        "Nobody has two bookings in the same half-day.",
        f"Nobody has more than {{{{ policy.{rules.parameter} }}}} bookings {'on one day' if rules.cap == 'day' else 'on the planned days together'}.",
    ]
    if rules.senior:
        clauses.append(f"A {one} with {category} '{rules.senior}' is taken only by a senior member (senior is 1).")
    if rules.morning:
        clauses.append(f"A {one} with {category} '{rules.morning}' is booked only for a morning.")
    if rules.ready:
        first = rules.ready.replace("_", " ")
        clauses.append(f"Where a {one} has a date in '{first}', it isn't booked for an earlier day; that day itself is fine.")
    if rules.apart and rules.group is not None:
        words = draft.table(rules.group.entity).words
        clauses.append(
            f"Two {table.many} of one {words} ({_path(draft, rules)}) are never booked for the same half-day, whoever takes them."
        )
    return clauses


def _relief_clauses(rules: Schedule, one: str) -> list[str]:
    """What is done when somebody drops out."""
    then = f"its {one} is put on hold ({rules.hold}), also if another half-day were free"
    if rules.relief == "later":
        then = "it moves to the next later half-day of the planned days at which somebody else can; "
        then += f"if there is none, the {one} is put on hold ({rules.hold})"
    start = "Somebody who drops out counts as away on the days in question. Each of their bookings on those days moves"
    if rules.reliever == "any":
        return [
            f"{start} to another member who can take it, at the half-day that it has; which one of those doesn't matter.",
            f"If nobody else can take such a booking at its half-day, {then}. Whether somebody can is judged by all the bookings "
            f"as they stood before the first of these moves; the bookings as they stand in the end have to keep every clause.",
        ]
    again = " For another half-day too the lowest key is taken." if rules.relief == "later" else ""
    return [
        f"{start} to another member who can take it, at the half-day that it has. They are moved in the order of their half-days, and each "
        f"goes to the member with the lowest key (in the order of the crew's list) who can take it, as the bookings stand by then.",
        f"If nobody else can take such a booking at its half-day, as the bookings stand by then, {then}.{again}",
    ]


def _path(draft: Draft, rules: Schedule) -> str:
    """How one finds a row's group, in words."""
    assert rules.group is not None
    first = rules.group.hops[0]
    text = f"its {first.column.replace('_', ' ')}"
    for hop in rules.group.hops[1:]:
        text = f"the {hop.column.replace('_', ' ')} of the {draft.table(first.entity).words} that {text} names"
    return text


# ---- which half-days are right at the start, for bind


def _spots(rules: Schedule) -> str:
    return "(" + " UNION ALL ".join(f"SELECT {n} AS n, '{day}' AS day, '{half}' AS half" for n, (day, half) in enumerate(rules.spots)) + ")"


def _group_key(draft: Draft, rules: Schedule, alias: str) -> str:
    """The key of a row's group, as an expression."""
    assert rules.group is not None
    at = f"{alias}.{quoted(rules.group.hops[0].column)}"
    for n, hop in enumerate(rules.group.hops[1:]):
        target = draft.table(rules.group.hops[n].entity)
        at = f"(SELECT m{n}.{quoted(hop.column)} FROM {quoted(target.name)} m{n} WHERE m{n}.{quoted(target.key)} = {at})"
    return at


def _right(draft: Draft, rules: Schedule) -> str:
    """What must hold for a row `o`, a member `c` and a half-day `d`."""
    table = draft.table(rules.entity)
    key, person, bookings, category = quoted(rules.key), quoted(rules.person), quoted(rules.bookings), f"o.{quoted(rules.category)}"
    at = "b.day = d.day AND b.half = d.half"
    counted = "" if rules.cap == "week" else " AND b.day = d.day"
    away = "(c.away_from IS NULL OR d.day NOT BETWEEN c.away_from AND c.away_until)"
    if rules.away == "day":
        away = "(c.away_on IS NULL OR c.away_on <> d.day)"
    tests = [
        f"EXISTS (SELECT 1 FROM {quoted(rules.skills)} k WHERE k.{person} = c.{person} AND k.value = {category})",
        away,
        f"NOT EXISTS (SELECT 1 FROM {bookings} b WHERE b.{person} = c.{person} AND {at})",
        f"(SELECT count(*) FROM {bookings} b WHERE b.{person} = c.{person}{counted}) < (SELECT value FROM policy WHERE name = '{rules.parameter}')",
    ]
    if rules.senior:
        tests.append(f"({category} <> {text_of(rules.senior)} OR c.senior = 1)")
    if rules.morning:
        tests.append(f"({category} <> {text_of(rules.morning)} OR d.half = 'morning')")
    if rules.ready:
        tests.append(f"(o.{quoted(rules.ready)} IS NULL OR d.day >= o.{quoted(rules.ready)})")
    if rules.apart:
        same = f"{_group_key(draft, rules, 'r')} = {_group_key(draft, rules, 'o')}"
        rows = f"{bookings} b JOIN {quoted(table.name)} r ON r.{quoted(table.key)} = b.{key}"
        tests.append(f"NOT EXISTS (SELECT 1 FROM {rows} WHERE {at} AND b.{key} <> o.{quoted(table.key)} AND {same})")
    return " AND ".join(tests)


# ---- tasks


def _shown(draft: Draft, rules: Schedule, scope: str) -> str:
    if scope == "group" and rules.group is not None:
        return group_shown(draft, rules.group).parameter
    return "wanted"


def _knobs(rules: Schedule, **more: str) -> dict[str, object]:
    names = ("cap", "away", "senior", "morning", "ready", "apart")
    return {**{name: getattr(rules, name) if name in ("cap", "away") else bool(getattr(rules, name)) for name in names}, **more}


_EXTRAS = {
    "": [""],
    "people": [
        "No crew member may take two of them.",
        "Give each of them to a different crew member.",
        "Nobody of the crew takes more than one of these.",
    ],
    "days": ["No two of them may be on the same day.", "Each of them needs a day of its own.", "Put them on different days, one a day."],
    "two": [
        "At most two of them may be on the same day.",
        "Don't put more than two of them on one day.",
        "No day may have three or more of them.",
    ],
}


def _plan(draft: Draft, given: ScheduleTask, rng: random.Random) -> TaskDraft:
    rules = given.rules
    table = draft.table(rules.entity)
    state = rules.state.replace("_", " ")
    of = f"whose {rules.category.replace('_', ' ')} is '{{{{ wanted }}}}'"
    if given.scope == "group" and rules.group is not None:
        shown = group_shown(draft, rules.group)
        of = f"of {shown.words} {{{{ {shown.parameter} }}}} ({_path(draft, rules)})"
    instruction, others = said(
        rng,
        [
            f"Plan the waiting {table.many} {of}: book each of them as the handbook page '{rules.page}' requires, in any way that it allows.",
            f"There are {table.many} {of} that wait for a booking. "
            f"Book them all so that the bookings keep the handbook page '{rules.page}'; any way that does so will do.",
            f"Please find a crew member and a half-day for every waiting {table.words} {of} and book it. Any plan that keeps '{rules.page}' is fine.",
        ],
        _EXTRAS[given.extra],
        [
            f"Meant are those whose {state} is 'waiting' and no others; bookings that are there stay as they are.",
            f"Leave out those whose {state} isn't 'waiting', and don't touch the bookings that are there already.",
        ],
        [
            "Those for which that page leaves no half-day go on hold.",
            "Put on hold whichever has no right half-day by that page.",
            "If one has no right half-day by that page, put it on hold.",
        ],
        [
            "Report how many you booked and how many you put on hold.",
            "Then tell us the number of new bookings and the number put on hold.",
            "Answer with how many you booked and how many went on hold.",
        ],
    )
    brief = Brief(
        f"Plan the waiting {table.many} of one {'group' if given.scope == 'group' else rules.category.replace('_', ' ')}, any way that works",
        _plan_bind(draft, given), " ".join(instruction.split()), list(given.shows), [NAME, rules.page],
        {"booked": ArgSpec("integer", "How many were booked."), "held": ArgSpec("integer", "How many were put on hold.")},
        Limits(300), 0.15, paraphrases=[" ".join(one.split()) for one in others],
    )  # fmt: skip
    return TaskDraft(f"plan-{rules.page}", NAME, "plan", brief, given, _knobs(rules, scope=given.scope, extra=given.extra))


def _plan_bind(draft: Draft, given: ScheduleTask) -> str:
    """Sets of two to five waiting rows of which at least two can be booked; by whether one has to be put on hold."""
    rules = given.rules
    table = draft.table(rules.entity)
    works = f"EXISTS (SELECT 1 FROM {quoted(rules.crew)} c JOIN {_spots(rules)} d WHERE {_right(draft, rules)})"
    by = f"o.{quoted(rules.category)}"
    if given.scope == "group":
        by = _group_key(draft, rules, "o")
    rows = f"(SELECT {by} AS part, {works} AS works FROM {quoted(table.name)} o WHERE o.{quoted(rules.state)} = 'waiting')"
    stratum = "CASE WHEN min(w.works) = 1 THEN 'all' ELSE 'some' END AS stratum"
    having = "GROUP BY w.part HAVING count(*) BETWEEN 2 AND 5 AND sum(w.works) >= 2"
    if given.scope != "group" or rules.group is None:
        return f"SELECT w.part AS wanted, {stratum} FROM {rows} w {having}"
    target = draft.table(rules.group.entity)
    shown = group_shown(draft, rules.group)
    if shown.parameter == target.key_argument:
        return f"SELECT w.part AS {target.key_argument}, {stratum} FROM {rows} w {having}"
    label = f"g.{quoted(shown.column)}"
    alone = f"(SELECT count(*) FROM {quoted(target.name)} x WHERE x.{quoted(shown.column)} LIKE '%' || {label} || '%') = 1"
    return (
        f"SELECT w.part AS {target.key_argument}, {label} AS {shown.parameter}, {stratum} FROM {rows} w "
        f"JOIN {quoted(target.name)} g ON g.{quoted(target.key)} = w.part WHERE {alone} {having}"
    )


_WISHES = {
    "": [""],
    "morning": ["Only a morning suits.", "It has to be a morning.", "Afternoons are out of the question for it."],
    "afternoon": ["Only an afternoon suits.", "It has to be an afternoon.", "Mornings are out of the question for it."],
}


def _earliest(draft: Draft, given: ScheduleTask, rng: random.Random) -> TaskDraft:
    rules = given.rules
    table = draft.table(rules.entity)
    wish = f" AND d.half = '{given.wish}'" if given.wish else ""
    person, order = f"c.{quoted(rules.person)}", ""
    if rules.tie == "fewest":
        order = f"(SELECT count(*) FROM {quoted(rules.bookings)} b WHERE b.{quoted(rules.person)} = {person}), "
    right = (
        f"SELECT d.day || ' ' || d.half || ' ' || {person} FROM {quoted(rules.crew)} c JOIN {_spots(rules)} d "
        f"WHERE {_right(draft, rules)}{wish} ORDER BY d.n, {order}{person} LIMIT 1"
    )
    bind = (
        f"SELECT o.{quoted(table.key)} AS {rules.key}, coalesce(({right}), 'on hold') AS stratum FROM {quoted(table.name)} o "
        f"WHERE o.{quoted(rules.state)} = 'waiting'"
    )
    instruction, others = said(
        rng,
        [
            f"Book {table.words} {{{{ {rules.key} }}}} for the earliest half-day that the handbook page '{rules.page}' allows, "
            f"with the crew member whom that page names.",
            f"When can {table.words} {{{{ {rules.key} }}}} be done at the earliest? "
            f"Find the first right half-day by '{rules.page}' and book it, with whoever takes it by that page.",
            f"{table.words.capitalize()} {{{{ {rules.key} }}}} is waiting. "
            f"Give it the first half-day that is right by the handbook page '{rules.page}', and the crew member whom the page says.",
        ],
        _WISHES[given.wish],
        [
            "If no half-day is right, put it on hold instead.",
            "Should there be no right half-day on the planned days, put it on hold.",
            "Where there is none, it goes on hold.",
        ],
        ["Move no other booking.", "Leave all other bookings as they are.", "Other bookings stay."],
        [
            "Report the day, the half and the key of the crew member, or 'none' for each if it is on hold.",
            "Answer with day, half and the crew member's key; say 'none' three times if you put it on hold.",
        ],
    )
    answer = {
        "day": ArgSpec("string", "The day booked, such as 2026-01-31, or 'none'."),
        "half": choice((*HALVES, "none"), "The half-day booked, or 'none'."),
        "member": ArgSpec("string", "The key of the crew member booked, or 'none'."),
    }
    brief = Brief(
        f"Book one {table.words} as early as the rules allow", bind, " ".join(instruction.split()), [rules.key], [NAME, rules.page],
        answer, Limits(160), 0.35, paraphrases=[" ".join(one.split()) for one in others],
    )  # fmt: skip
    return TaskDraft(f"earliest-{rules.page}", NAME, "earliest", brief, given, _knobs(rules, tie=rules.tie, wish=given.wish))


def _relieve(draft: Draft, given: ScheduleTask, rng: random.Random) -> TaskDraft:
    rules = given.rules
    table = draft.table(rules.entity)
    person = f"{{{{ {rules.person} }}}}"
    when = "on {{ day }}" if given.span == "day" else "from {{ day }} to the last of the planned days"
    instruction, others = said(
        rng,
        [
            f"{person} of the crew for {table.many} drops out {when}. "
            f"Deal with every booking that this member has then as the handbook page '{rules.page}' says.",
            f"We have just heard that crew member {person} can't take any {table.words} {when}. Relieve them: "
            f"do with each of their bookings then what '{rules.page}' asks for.",
            f"Crew member {person} won't be there {when}. "
            f"See to it that each {table.words} that they have then is dealt with by the handbook page '{rules.page}'.",
        ],
        ["Leave all other bookings as they are.", "No other booking may change.", "Bookings of other days and other people stay."],
        [
            "Report how many bookings kept their half-day, how many moved to a later one, and how many went on hold.",
            "Then tell us three numbers: bookings with their old half-day, bookings that are later now, and rows put on hold.",
            "Answer with how many stayed at their half-day (with somebody else), how many are at a later one, and how many are on hold.",
        ],
    )
    answer = {
        "kept": ArgSpec("integer", "How many bookings went to somebody else at the same half-day."),
        "later": ArgSpec("integer", "How many bookings went to a later half-day."),
        "held": ArgSpec("integer", f"How many {table.many} were put on hold."),
    }
    brief = Brief(
        f"Relieve a crew member of their {table.many}", _relieve_bind(draft, given), instruction, list(given.shows), [NAME, rules.page],
        answer, Limits(240), 0.3, paraphrases=others,
    )  # fmt: skip
    knobs = _knobs(rules, span=given.span, relief=rules.relief, reliever=rules.reliever)
    return TaskDraft(f"relieve-{rules.page}", NAME, "relieve", brief, given, knobs)


def _relieve_bind(draft: Draft, given: ScheduleTask) -> str:
    """Members and days with bookings. Where anybody may take them, those of which it is sure that every booking finds somebody.

    Of m bookings that one limit counts together (those whose new half-days are on one day, or all), each has m members who can take it,
    so that nobody need take two; or one who could take all m of them. At most one changes its half-day, and then two can take it.
    """
    rules = given.rules
    table = draft.table(rules.entity)
    key, person, bookings, spots = quoted(rules.key), quoted(rules.person), quoted(rules.bookings), _spots(rules)
    later = "=" if rules.relief == "hold" else ">="
    counted = "" if rules.cap == "week" else " AND b.day = d.day"
    room = f"(SELECT value FROM policy WHERE name = '{rules.parameter}') - (SELECT count(*) FROM {bookings} b WHERE b.{person} = c.{person}{counted})"
    ways = (
        f"SELECT o0.{key} AS row_key, f.n AS own, d.n AS at, count(*) AS ways, max({room}) AS room "
        f"FROM {bookings} o0 JOIN {quoted(table.name)} o ON o.{quoted(table.key)} = o0.{key} JOIN {spots} f ON f.day = o0.day AND f.half = o0.half "
        f"JOIN {spots} d ON d.n {later} f.n JOIN {quoted(rules.crew)} c ON c.{person} <> o0.{person} "
        f"WHERE {_right(draft, rules)} GROUP BY o0.{key}, f.n, d.n"
    )
    first = f"(SELECT row_key, own, min(at) AS at, ways, room FROM ({ways}) GROUP BY row_key)"
    out = "=" if given.span == "day" else ">="
    together = "" if rules.cap == "week" else ", t.at / 2"
    dates = " UNION ALL ".join(f"SELECT '{day}' AS day" for day in rules.days)
    moves = (
        f"(SELECT c.{person} AS who, p.day AS day, t.own, t.at, t.ways, t.room, count(t.at) OVER (PARTITION BY c.{person}, p.day{together}) AS m "
        f"FROM {quoted(rules.crew)} c JOIN ({dates}) p JOIN {bookings} b ON b.{person} = c.{person} AND b.day {out} p.day "
        f"LEFT JOIN {first} t ON t.row_key = b.{key})"
    )
    kind = "CASE WHEN count(at) < count(*) THEN 'on hold' WHEN sum(at > own) > 0 THEN 'later' ELSE 'kept' END"
    stratum = f"CASE WHEN count(at) = 0 THEN 'all on hold' ELSE {kind} || ' of ' || count(*) END AS stratum"
    having = f"count(*) BETWEEN {1 if given.span == 'day' else 2} AND 4"
    if rules.reliever == "any":
        having += " AND coalesce(max(ways < m AND (room < m OR (at > own AND ways < 2))), 0) = 0 AND coalesce(sum(at > own), 0) <= 1"
    return f"SELECT who AS {rules.person}, day, {stratum} FROM {moves} GROUP BY who, day HAVING {having}"
