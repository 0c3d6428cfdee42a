"""Approval chain: which level a request needs by a list of clauses, who signs for each level on the day, and the record of it.

Motif: a policy with a norm of kind `approval` on an entity whose rows are gathered by another. Plants, for each such ruling, the
people who sign with their absences and deputies (and, in some worlds, conflicts of interest), the signatures, and a second page with
the rules of signing, which differ from world to world (`Rules`). Templates: take one request through its chain (each level equally
often, with and without a stand-in, held ones included); take all open ones of a group through it; find decided ones that lack a
signature; say who would have to sign, and change nothing. Promises no natural order of levels: the page fixes one (`levels_of`).
"""

from __future__ import annotations

import random

import msgspec

from worldwright.synthesis.draft import CLOCK, Draft, Range, Table, TaskDraft, quoted, text_of
from worldwright.synthesis.material import Material
from worldwright.synthesis.patterns.rulings import add_record_tool, add_reopen_tool, group_bind, group_shown, rulings_of
from worldwright.synthesis.ruling import Ruling, choice
from worldwright.synthesis.strata import alike, group_key, joined, misled, outcome_of, telling
from worldwright.synthesis.wording import said
from worldwright.task.brief import Brief, Limits
from worldwright.world.spec import ArgSpec, Requirement, ToolSpec

__all__ = ["ABOUT", "NAME", "ApprovalTask", "Rules", "Signatories", "furnish", "levels_of"]

NAME = "approval"
ABOUT = "approval chain: find the level, ask for the signatures in order with stand-ins for whoever can't sign, close the request"
_MOST = 2
_HELD = "held"
_UNSIGNED = frozenset({"nobody", "none", "no one", "nothing", "rule", "automatic", "no approval"})
"""Outcomes for which no person signs."""
_SURNAMES = (
    "Adeyemi", "Brandt", "Cardoso", "Duarte", "Engel", "Fontana", "Grabowski", "Hansen", "Ivanova", "Jimenez", "Kessler", "Laurent", "Marino",
    "Nyberg", "Oduya", "Pavlova", "Quinn", "Romero", "Schuster", "Tamm", "Ueda", "Vasquez", "Wolff", "Ximenes", "Yamada", "Zeman",
)  # fmt: skip
_FORENAMES = ("Alma", "Boris", "Carla", "Dmitri", "Esther", "Fabio", "Greta", "Hamid", "Irene", "Jorge", "Karin", "Leon")


class Rules(msgspec.Struct, frozen=True):
    """The rules of signing that were drawn for a ruling; its page states each in words.

    `span`: which levels sign, in this order: "all" from the lowest up to the ruled level; "two" the one just below the ruled level, if
    any, and the ruled level; "ends" the lowest and the ruled level (once where they are the same).
    `line`: who is tried for a level, in this order: "deputy" its holder, the holder's deputy, then the same for each higher level;
    "chain" its holder, the holder's deputy, that one's deputy and so on, at most `policy.<depth>` deputies, then the same for each higher
    level; "above" its holder, the holder of the next higher level (if any), the deputy of its own holder, and nobody else. The first
    who is able to sign does. Able is who isn't away and, with `conflict`, has no conflict with the group that the request belongs to.
    `away`: "last" away_until is the last day of the absence (away if on or after today), "return" the day of the return (away if after today).
    `twice`: whoever comes up for a second level: "once" isn't asked again (the signature counts for both), "passed" isn't able to sign
    for it, so that the next in line is tried.
    `nobody`: where for at least one needed level nobody is able: "held" nothing is asked for and the request stays open, nothing recorded;
    "skipped" that level alone goes without a signature.
    `begun`: open requests may carry signatures already; whoever has signed isn't asked again, and nothing else follows from it (only
    together with `twice` "once").
    `listed`: the list of people shows levels; otherwise only the detail view does.
    """

    span: str
    line: str
    away: str
    twice: str
    nobody: str
    begun: bool
    conflict: bool
    listed: bool


class Signatories(msgspec.Struct, frozen=True):
    """Who signs under a ruling: what was planted, the tools and the rules.

    `people` is the table (id, name, level, away_until, deputy_id): one holder a level, level NULL for all others. `signatures` is the table
    (`key`, signatory_id, step), steps counted from 1 for each request. `conflicts` is the table (signatory_id, `group_key`), "" where there are no
    conflicts. `levels` are those that somebody signs for, from the lowest; `unsigned` is the outcome below them that needs no signature
    ("" if none): such a request is closed at once. `depth` is the name of the parameter in the policy table for `line` "chain" ("" otherwise).
    """

    page: str
    people: str
    signatures: str
    conflicts: str
    key: str
    group_key: str
    list_people: str
    get_person: str
    check_conflict: str
    list_signatures: str
    ask: str
    levels: tuple[str, ...]
    unsigned: str
    depth: str
    rules: Rules

    def needed(self, outcome: str) -> tuple[str, ...]:
        """The levels that sign where the ruling leads to an outcome, in order."""
        if outcome == self.unsigned:
            return ()
        n = self.levels.index(outcome)
        if self.rules.span == "all":
            return self.levels[: n + 1]
        if self.rules.span == "two":
            return self.levels[max(0, n - 1) : n + 1]
        return tuple(dict.fromkeys((self.levels[0], outcome)))


class ApprovalTask(msgspec.Struct, frozen=True):
    """What the authors of an approval task are given. `shows` is the brief's parameter: the request's key, or the group's name or key.

    `close` and `reopen` are the tools (`ruling.tool` is the same as `close`). A batch (`part`) is of "all" open requests of the group, or of
    those "above" the lowest outcome (`lowest`; those that come to it stay open and get no signature).
    A `lacking` task takes by `measure` "highest": those whose highest counted signature is for a level below the ruled one; "every": those where
    a needed level has no counted signature. A signature of the person p counts for each level whose holder is p or has p as deputy (no
    matter who is away today); with conflicts, none of somebody who has a conflict with the request's group. None is lacking where
    the ruling leads to `unsigned`. `report` "count": the answer `reopened` is a number; "keys": `reopened` is the list of keys, in any order.
    A `name` task (`scope`) asks for "one" request's signers in order (`signers`, ids), or over all open requests of a "group" (held ones count
    for nothing) for the person who would sign most of them (`person`; ties: the lowest id) and how many (`count`).
    """

    ruling: Ruling
    signatories: Signatories
    shows: str
    close: str
    reopen: str
    lowest: str
    part: str = ""
    measure: str = ""
    report: str = ""
    scope: str = ""


def furnish(draft: Draft, material: Material, rng: random.Random) -> None:
    """Add the pattern's tables, tools, pages and tasks. Raises NoMotif."""
    for ruling in rulings_of(draft, material, rng, NAME, _MOST):
        table = draft.table(ruling.entity)
        ruling = msgspec.structs.replace(ruling, tool=f"close_{ruling.slug}")
        add_record_tool(
            draft, ruling, f"Close {_a(table.words)} under '{ruling.title}' with the level that it needed, once the signatures are there."
        )
        reopen = add_reopen_tool(draft, ruling)
        who = _drawn(draft, ruling, rng)
        _declare(draft, ruling, who)
        _add_tools(draft, ruling, who)
        draft.planting.append(_planted(draft, ruling, who))
        draft.pages[who.page] = page_text(draft, ruling, who)
        lowest = who.unsigned or who.levels[0]
        given = ApprovalTask(ruling, who, table.key_argument, ruling.tool, reopen, lowest)
        for template in sorted(rng.sample(sorted(_TEMPLATES), 3)):
            draft.tasks.append(_TEMPLATES[template](draft, given, rng))


def levels_of(ruling: Ruling) -> tuple[str, ...]:
    """The outcomes from the lowest level to the highest.

    Ordinary clauses go from the highest level down. An outcome that exceptions alone lead to lies below the others where such a clause
    asks for something small (at most, under), above them otherwise; one that no person signs for is the lowest.
    """
    ordinary = list(dict.fromkeys(one.then for one in ruling.clauses if not one.exception))
    above: list[str] = []
    below: list[str] = []
    for clause in ruling.clauses:
        if clause.then not in (*ordinary, *above, *below):
            (below if any(test.op in ("at most", "under") for test in clause.when) else above).append(clause.then)
    out = [*below, *reversed(ordinary), *reversed(above)]
    return tuple(sorted(out, key=lambda one: one.lower() not in _UNSIGNED))


def _a(words: str) -> str:
    return f"an {words}" if words[:1].lower() in "aeiou" else f"a {words}"


def _drawn(draft: Draft, ruling: Ruling, rng: random.Random) -> Signatories:
    """The rules of a ruling and the names of what is planted for it."""
    levels = levels_of(ruling)
    unsigned = levels[0] if levels[0].lower() in _UNSIGNED else ""
    twice = rng.choice(["once", "passed"])
    holds = twice == "once" and _HELD not in ruling.outcomes and rng.random() < 0.6
    rules = Rules(
        rng.choice(["all", "two", "ends"]), rng.choice(["deputy", "chain", "above"]), rng.choice(["last", "return"]), twice,
        _HELD if holds else "skipped", twice == "once" and rng.random() < 0.6, rng.random() < 0.5, rng.random() < 0.6,
    )  # fmt: skip
    slug = ruling.slug
    while draft.has_name(f"{slug}_signatories") or draft.has_name(f"list_{slug}_signatories"):
        slug += "_too"
    assert ruling.group is not None
    conflicts, check = (f"{slug}_conflicts", f"check_{slug}_conflict") if rules.conflict else ("", "")
    return Signatories(
        f"{ruling.page}-signatories", f"{slug}_signatories", f"{slug}_signatures", conflicts, draft.table(ruling.entity).key_argument,
        draft.table(ruling.group.entity).key_argument, f"list_{slug}_signatories", f"get_{slug}_signatory", check, f"list_{slug}_signatures",
        f"request_signature_{slug}", levels[1:] if unsigned else levels, unsigned, f"{slug}_deputies" if rules.line == "chain" else "", rules,
    )  # fmt: skip


# ---- tables, tools and rows


def _declare(draft: Draft, ruling: Ruling, who: Signatories) -> None:
    assert ruling.group is not None
    table, group = draft.table(ruling.entity), draft.table(ruling.group.entity)
    people = quoted(who.people)
    draft.declared.append(
        f"CREATE TABLE {people} (  -- who signs under '{ruling.title}'; level is NULL for whoever holds none\n"
        f"  id TEXT PRIMARY KEY NOT NULL,\n  name TEXT NOT NULL,\n  level TEXT UNIQUE CHECK (level IN "
        f"({', '.join(text_of(one) for one in who.levels)})),\n"
        f"  away_until DATE,\n  deputy_id TEXT REFERENCES {people}(id)\n)"
    )
    draft.declared.append(
        f"CREATE TABLE {quoted(who.signatures)} (  -- the signatures that were asked for, step by step\n"
        f"  {quoted(who.key)} {table.column(table.key).sql} NOT NULL REFERENCES {quoted(table.name)}({quoted(table.key)}),\n"
        f"  signatory_id TEXT NOT NULL REFERENCES {people}(id),\n  step INTEGER NOT NULL,\n  PRIMARY KEY ({quoted(who.key)}, step)\n)"
    )
    draft.hidden |= {
        f"{who.people}.{name}": who.get_person for name in ("away_until", "deputy_id", *(() if who.rules.listed else ("level",)))
    }
    if who.conflicts:
        draft.declared.append(
            f"CREATE TABLE {quoted(who.conflicts)} (  -- who has a conflict of interest with which {group.words}\n"
            f"  signatory_id TEXT NOT NULL REFERENCES {people}(id),\n"
            f"  {quoted(who.group_key)} {group.column(group.key).sql} NOT NULL REFERENCES {quoted(group.name)}({quoted(group.key)}),\n"
            f"  PRIMARY KEY (signatory_id, {quoted(who.group_key)})\n)"
        )
        draft.hidden[f"{who.conflicts}.{who.group_key}"] = who.check_conflict
    if who.depth:
        draft.ranges[who.depth] = Range(1, 3)


def _add_tools(draft: Draft, ruling: Ruling, who: Signatories) -> None:
    assert ruling.group is not None
    table, group = draft.table(ruling.entity), draft.table(ruling.group.entity)
    person = ArgSpec("string", "The person's id.")
    request = msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}.")
    people, key, argument = quoted(who.people), quoted(who.key), f":{who.key}"
    level, says = (", level", " and the level that each holds (none for the others)") if who.rules.listed else ("", "")
    listed = f"SELECT id, name{level} FROM {people} ORDER BY id"
    missing = "There is no person {{ signatory_id }}."
    draft.add_tool(who.list_people, ToolSpec(f"The people around '{ruling.title}': id, name{says}.", rows=listed))
    draft.add_tool(
        who.get_person,
        ToolSpec(
            "One of these people: the level held, the absence and who stands in.", {"signatory_id": person},
            row=f"SELECT id, name, level, away_until, deputy_id FROM {people} WHERE id = :signatory_id", missing=missing,
        ),
    )  # fmt: skip
    if who.conflicts:
        has = (
            f"EXISTS (SELECT 1 FROM {quoted(who.conflicts)} c WHERE c.signatory_id = p.id AND c.{quoted(who.group_key)} = :{who.group_key})"
        )
        draft.add_tool(
            who.check_conflict,
            ToolSpec(
                f"Whether a person has a conflict of interest with {_a(group.words)}: 1 if so, else 0.",
                {"signatory_id": person, who.group_key: msgspec.structs.replace(group.column(group.key).argument, doc=f"The {group.words}.")},
                row=f"SELECT p.id, {has} AS conflict FROM {people} p WHERE p.id = :signatory_id", missing=missing,
            ),
        )  # fmt: skip
    rows = f"SELECT signatory_id, step FROM {quoted(who.signatures)} WHERE {key} = {argument}"
    doc = f"The signatures that {_a(table.words)} carries, in order."
    draft.add_tool(who.list_signatures, ToolSpec(doc, {who.key: request}, rows=f"{rows} ORDER BY step"))
    draft.add_tool(who.ask, _ask_tool(ruling, table, who, {who.key: request, "signatory_id": person}, rows))


def _ask_tool(ruling: Ruling, table: Table, who: Signatories, args: dict[str, ArgSpec], rows: str) -> ToolSpec:
    """The tool that asks one person to sign; it keeps to none of the page's rules but that nobody signs twice."""
    key, is_there = quoted(who.key), f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{who.key}"
    return ToolSpec(
        f"Ask a person to sign {_a(table.words)} under '{ruling.title}': the signature is added as its next step.", args,
        row=f"{rows} AND signatory_id = :signatory_id",
        require=[
            Requirement(is_there, f"There is no {table.words} {{{{ {who.key} }}}}."),
            Requirement(f"{is_there} AND {quoted(ruling.state)} <> 'decided'", f"The {table.words} {{{{ {who.key} }}}} is decided already."),
            Requirement(f"SELECT 1 FROM {quoted(who.people)} WHERE id = :signatory_id", "There is no person {{ signatory_id }}."),
            Requirement(f"SELECT 1 WHERE NOT EXISTS ({rows} AND signatory_id = :signatory_id)", f"{{{{ signatory_id }}}} has signed the "
            f"{table.words} {{{{ {who.key} }}}} already."),
        ],
        effect=[
            f"INSERT INTO {quoted(who.signatures)} ({key}, signatory_id, step) VALUES (:{who.key}, :signatory_id, "
            f"(SELECT coalesce(max(step), 0) + 1 FROM {quoted(who.signatures)} WHERE {key} = :{who.key}))"
        ],
    )  # fmt: skip


def _planted(draft: Draft, ruling: Ruling, who: Signatories) -> str:
    """One holder and one deputy a level, three further deputies, two people more; absences; signatures on what was decided."""
    assert ruling.group is not None
    table, group = draft.table(ruling.entity), draft.table(ruling.group.entity)
    n = len(who.levels)
    prefix = "".join(word[0] for word in ruling.slug.split("_")).upper()
    days = [-21, -6, -1, 0, 0, 3, 8, 15, *([None] * (2 + bool(who.conflicts) * (4 if who.rules.nobody == _HELD else 2)))]
    year, month, day = (int(part) for part in CLOCK[:10].split("-"))
    text = f"""\
    names = random.sample({list(_SURNAMES)!r}, {2 * n + 5})
    numbers = random.sample(range(11, 100), {2 * n + 5})
    people = []
    for n in range({2 * n + 5}):
        days = random.choice({days!r})
        away = None if days is None else (datetime.date({year}, {month}, {day}) + datetime.timedelta(days=days)).isoformat()
        name = random.choice({list(_FORENAMES)!r}) + " " + names[n]
        people.append({{"id": "{prefix}-" + str(numbers[n]), "name": name, "level": None, "away_until": away, "deputy_id": None}})
    for n in range({2 * n}):
        deputy = {n} + n if n < {n} else {2 * n} + n % 2
        if n < {n}:
            people[n]["level"] = {list(who.levels)!r}[n]
            if random.random() < 0.2:
                deputy = {n} + (n + 1) % {n}
        if random.random() < 0.88:
            people[n]["deputy_id"] = people[deputy]["id"]
    for n in range({2 * n}, {2 * n + 2}):
        people[n]["deputy_id"] = people[{2 * n + 2}]["id"]
"""
    if who.rules.nobody == _HELD and who.rules.line != "above":
        text += (
            f"    if random.random() < 0.1:\n"
            f"        for one in [people[{n - 1}], people[{2 * n - 1}], people[{n}]]:\n"
            f'            one["away_until"] = "{(CLOCK[:8] + "31") if CLOCK[8:10] == "30" else CLOCK[:10]}"\n'
        )
    text += f'    if people[0]["away_until"] is not None:\n        people[{min(1, n - 1)}]["away_until"] = None\n'
    if who.rules.nobody == _HELD and n > 1:
        text += (
            f'    if people[1]["away_until"] is not None:\n'
            f'        people[1]["deputy_id"], people[{n + 1}]["away_until"] = people[{n + 1}]["id"], None\n'
        )
    text += f"    tables[{who.people!r}] = people\n"
    if who.conflicts:
        pair = f'{{"signatory_id": one["id"], {who.group_key!r}: other[{group.key!r}]}}'
        text += f"    tables[{who.conflicts!r}] = [{pair} for one in people for other in tables[{group.name!r}] if random.random() < 0.2]\n"
    return text + _signed(ruling, table, who, n)


def _signed(ruling: Ruling, table: Table, who: Signatories, n: int) -> str:
    """A few more decided requests; signatures on decided ones, up to some level, now and then by a deputy or by somebody who holds nothing."""
    begun = ""
    if who.rules.begun:
        begun = (
            f'        elif row[{ruling.state!r}] == "open" and random.random() < 0.45:\n'
            f"            signed.append(people[random.randrange({2 * n})])\n"
        )
    return (
        f"    tables[{who.signatures!r}] = []\n"
        f"    for row in tables[{table.name!r}]:\n"
        f"        signed = []\n"
        f'        if row[{ruling.state!r}] == "open" and random.random() < 0.2:\n'
        f'            row[{ruling.state!r}] = "decided"\n'
        f'            tables[{ruling.made!r}].append({{{who.key!r}: row[{table.key!r}], "outcome": random.choice({list(ruling.outcomes)!r})}})\n'
        f'        if row[{ruling.state!r}] == "decided":\n'
        f"            for n in range(random.randint(0, {n})):\n"
        f"                one = people[n + random.choice([0, 0, 0, {n}])] if random.random() < 0.9 else people[-1 - n % 2]\n"
        f"                if one not in signed and random.random() < 0.92:\n"
        f"                    signed.append(one)\n"
        f"{begun}"
        f"        for n in range(len(signed)):\n"
        f'            tables[{who.signatures!r}].append({{{who.key!r}: row[{table.key!r}], "signatory_id": signed[n]["id"], "step": n + 1}})\n'
    )


# ---- the page


def page_text(draft: Draft, ruling: Ruling, who: Signatories) -> str:
    """The handbook page that says who signs."""
    table = draft.table(ruling.entity)
    one, rules, page = _a(table.words), who.rules, f"the page '{ruling.page}'"
    named = ", ".join(f"'{level}'" for level in who.levels)
    shows = f"{who.get_person} shows who holds which, who is away and who is whose deputy."
    lines = [f"Levels, from the lowest: {named}. Each has one holder; {shows}"]
    if who.unsigned:
        lines.append(f"'{who.unsigned}' lies below all of them and needs no signature: such {one} is closed at once, and never lacks one.")
    lines += [_span_line(rules, one, page), _line_line(who), *_able_lines(draft, ruling, who), *_order_lines(rules, table.words)]
    lines.append(
        f"Signatures are asked for in the order of the levels, from the lowest; then the {table.words} is closed with the level "
        f"that {page} leads to."
    )
    lines.append(_earlier_line(draft, ruling, who))
    title = f"{ruling.title[:1].upper()}{ruling.title[1:]}"
    head = [f"# {title}: who signs", "", f"Who signs {table.many} and in which order. The level itself stands on {page}.", ""]
    return "\n".join([*head, *(f"{n}. {line}" for n, line in enumerate(lines, start=1))]) + "\n"


def _span_line(rules: Rules, one: str, page: str) -> str:
    """Which levels sign."""
    says = {
        "all": f"a signature for every level from the lowest up to the one that {page} leads to.",
        "two": f"a signature for the level that {page} leads to and, before it, one for the level just below, if there is a level below "
        "that somebody signs for.",
        "ends": f"a signature for the lowest level and then one for the level that {page} leads to; if that is the lowest, one is enough.",
    }
    return f"{one[:1].upper()}{one[1:]} needs {says[rules.span]}"


def _line_line(who: Signatories) -> str:
    """Who is tried for a level."""
    says = {
        "deputy": "its holder, the holder's deputy; then the holder of the next higher level, that holder's deputy; and so on up to the "
        "highest level.",
        "chain": f"its holder, the holder's deputy, that deputy's own deputy and so on, at most {{{{ policy.{who.depth} }}}} deputies "
        "in all; "
        "then the holder of the next higher level and that holder's deputies in the same way; and so on up to the highest level.",
        "above": "its holder; the holder of the next higher level, if there is one; the deputy of the level's own holder. Nobody else "
        "signs for it.",
    }
    return f"For a level signs the first of these who is able to: {says[who.rules.line]}"


def _able_lines(draft: Draft, ruling: Ruling, who: Signatories) -> list[str]:
    """Who is able to sign."""
    assert ruling.group is not None
    table, group = draft.table(ruling.entity), draft.table(ruling.group.entity)
    conflict = ""
    if who.conflicts:
        belongs = f"the {group.words} that the {table.words} belongs to ({_way(draft, ruling)}; {who.check_conflict} tells)"
        conflict = f" and has no conflict of interest with {belongs}"
    days = {
        "last": "the last day of an absence: anyone whose date is today or later is away; anyone with an earlier date, or none, is there.",
        "return": "the day of the return: anyone whose date is later than today is away; anyone with today's date, an earlier one or none "
        "is there.",
    }
    return [f"Whoever isn't away today{conflict} is able to sign.", f"Away until is {days[who.rules.away]}"]


def _order_lines(rules: Rules, words: str) -> list[str]:
    """What follows where people come up twice, where nobody is able, and where signatures are there already."""
    one = _a(words)
    twice = {
        "once": f"One person signs {one} once: whoever comes up for a further level isn't asked again, the one signature counts for both.",
        "passed": f"One person signs {one} once and for one level: whoever signs for a level isn't able to sign for a higher one, "
        "so that the next in line is tried.",
    }
    nobody = {
        _HELD: f"If for at least one of the needed levels nobody of those named is able to sign, the {words} is held: "
        "nobody is asked, it stays open and nothing is recorded.",
        "skipped": "A level for which nobody of those named is able to sign goes without a signature; the other levels sign all the same.",
    }
    begun = (
        f"An open {words} may carry signatures already. They stay: whoever has signed it isn't asked again. "
        "They stand for nobody else and change nothing about who has to sign."
    )
    return [twice[rules.twice], nobody[rules.nobody], *([begun] if rules.begun else [])]


def _earlier_line(draft: Draft, ruling: Ruling, who: Signatories) -> str:
    """What a signature of earlier counts for."""
    assert ruling.group is not None
    words = draft.table(ruling.group.entity).words
    conflict = f" The signature of somebody who has a conflict of interest with the {words} counts for none." if who.conflicts else ""
    return (
        "For what was decided earlier, absences of today don't matter: a signature counts for the level that the person holds and for "
        f"each level whose holder has that person as deputy; any other signature counts for no level.{conflict} "
        "A needed level for which no signature counts lacks one, no matter who was able to sign for it."
    )


def _way(draft: Draft, ruling: Ruling) -> str:
    """How to get from a request to its group, in words."""
    assert ruling.group is not None
    first, *further = ruling.group.hops
    if not further:
        return f"its {first.column.replace('_', ' ')}"
    return f"the {further[0].column.replace('_', ' ')} of its {draft.table(first.entity).words}, which its {first.column.replace('_', ' ')} names"


# ---- which requests tasks are about


def _able(who: Signatories, person: str, group: str) -> str:
    """Whether a person of the alias is able to sign for the group."""
    sign = "<" if who.rules.away == "last" else "<="
    out = f"{person}.id IS NOT NULL AND ({person}.away_until IS NULL OR {person}.away_until {sign} {text_of(CLOCK[:10])})"
    if who.conflicts:
        out += f" AND NOT EXISTS (SELECT 1 FROM {quoted(who.conflicts)} c WHERE c.signatory_id = {person}.id AND c.{quoted(who.group_key)} = {group})"
    return f"({out})"


def _somebody(who: Signatories, level: str, group: str) -> str:
    """Whether anybody in line for a level is able, not counting who has signed."""
    at = who.levels.index(level)
    people = quoted(who.people)
    higher = ", ".join(text_of(one) for one in who.levels[at:])
    joins = f"{people} h LEFT JOIN {people} d ON d.id = h.deputy_id"
    if who.rules.line == "above":
        above = text_of(who.levels[at + 1]) if at + 1 < len(who.levels) else "''"
        own = f"h.level = {text_of(level)} AND ({_able(who, 'h', group)} OR {_able(who, 'd', group)})"
        return f"EXISTS (SELECT 1 FROM {joins} WHERE {own} OR h.level = {above} AND {_able(who, 'h', group)})"
    tried = [_able(who, "h", group), _able(who, "d", group)]
    if who.rules.line == "chain":
        depth = f"(SELECT value FROM policy WHERE name = {text_of(who.depth)})"
        joins += f" LEFT JOIN {people} dd ON dd.id = d.deputy_id AND {depth} >= 2 LEFT JOIN {people} ddd ON ddd.id = dd.deputy_id AND {depth} >= 3"
        tried += [_able(who, "dd", group), _able(who, "ddd", group)]
    return f"EXISTS (SELECT 1 FROM {joins} WHERE h.level IN ({higher}) AND ({' OR '.join(tried)}))"


def _stuck(draft: Draft, given: ApprovalTask) -> str:
    """Whether a level that the request needs has nobody in line who is able."""
    ruling, who = given.ruling, given.signatories
    assert ruling.group is not None
    alias, key = group_key(draft, ruling.group)
    parts = []
    for level in who.levels:
        tests = " AND ".join(_somebody(who, one, f"{alias}.{quoted(key)}") for one in who.needed(level))
        parts.append(f"WHEN {text_of(level)} THEN NOT ({tests})")
    return f"CASE ({outcome_of(ruling)}) {' '.join(parts)} ELSE 0 END"


def _stands_in(draft: Draft, given: ApprovalTask) -> str:
    """Whether the holder of the ruled level isn't able."""
    who = given.signatories
    assert given.ruling.group is not None
    alias, key = group_key(draft, given.ruling.group)
    able = _able(who, "h", f"{alias}.{quoted(key)}")
    return f"EXISTS (SELECT 1 FROM {quoted(who.people)} h WHERE h.level = ({outcome_of(given.ruling)}) AND NOT {able})"


def _lacks(draft: Draft, given: ApprovalTask, guess: str = "") -> str:
    """Whether a decided request lacks what the task looks for (by the figures of `guess`, if that is given)."""
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    assert ruling.group is not None
    alias, key = group_key(draft, ruling.group)
    counted = (
        f"SELECT 1 FROM {quoted(who.signatures)} s JOIN {quoted(who.people)} h ON s.signatory_id = h.id OR s.signatory_id = h.deputy_id"
        f" WHERE s.{quoted(who.key)} = o.{quoted(table.key)}"
    )
    if who.conflicts:
        conflict = f"c.signatory_id = s.signatory_id AND c.{quoted(who.group_key)} = {alias}.{quoted(key)}"
        counted += f" AND NOT EXISTS (SELECT 1 FROM {quoted(who.conflicts)} c WHERE {conflict})"
    parts = []
    for n, level in enumerate(who.levels):
        if given.measure == "highest":
            test = f"NOT EXISTS ({counted} AND h.level IN ({', '.join(text_of(one) for one in who.levels[n:])}))"
        else:
            test = " OR ".join(f"NOT EXISTS ({counted} AND h.level = {text_of(one)})" for one in who.needed(level))
        parts.append(f"WHEN {text_of(level)} THEN ({test})")
    return f"CASE ({outcome_of(ruling, guess)}) {' '.join(parts)} ELSE 0 END"


# ---- tasks


def _task(given: ApprovalTask, template: str, brief: Brief, loose: str = "", **knobs: str) -> TaskDraft:
    drawn = msgspec.structs.asdict(given.signatories.rules) | knobs | {"levels": len(given.signatories.levels)}
    return TaskDraft(f"{template}-{given.ruling.page}", NAME, template, brief, given, drawn, loose)


def _concepts(ruling: Ruling) -> list[str]:
    return [NAME, ruling.slug.replace("_", "-")]


def _tidy(text: str) -> str:
    """A wording without the gap that an empty part leaves."""
    return " ".join(text.split())


def _of_one(draft: Draft, ruling: Ruling, stratum: str, where: str) -> str:
    """A row for each request, those that hang on the page's figures."""
    table = draft.table(ruling.entity)
    ways = f"SELECT o.{quoted(table.key)} AS {table.key_argument}, {stratum} AS stratum, {alike(draft, ruling)} AS alike"
    ways += f", {misled(ruling)} AS misled"
    return telling([table.key_argument, "stratum"], f"{ways} FROM {joined(draft, ruling)} WHERE {where}")


def _chain(draft: Draft, given: ApprovalTask, rng: random.Random) -> TaskDraft:
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    key, holds = table.key_argument, given.signatories.rules.nobody == _HELD
    stratum = f"({outcome_of(ruling)}) || CASE WHEN {_stands_in(draft, given)} THEN ', stand-in' ELSE '' END"
    if holds:
        stratum = f"CASE WHEN {_stuck(draft, given)} THEN '{_HELD}' ELSE {stratum} END"
    bind = _of_one(draft, ruling, stratum, f"o.{quoted(ruling.state)} = 'open'")
    instruction, others = said(
        rng,
        [
            f"Take {table.words} {{{{ {key} }}}} through its approval: the level that it needs stands on the handbook page "
            f"'{ruling.page}', who signs on '{who.page}'. Ask for the signatures in order, then close it.",
            f"{table.words.capitalize()} {{{{ {key} }}}} is waiting for approval. Find its level by '{ruling.page}', ask those whom "
            f"'{who.page}' names to sign, in the order given there, and close it with its level.",
            f"Please get {table.words} {{{{ {key} }}}} approved today: '{ruling.page}' in the handbook gives the level, '{who.page}' the "
            "people. Request their signatures one after the other and close it at that level.",
        ],
        [
            "Ask nobody but those who are to sign, and change nothing else.",
            "Those who have no part in it are not to be asked; leave everything else as it is.",
        ],
        [
            "Report the level and how many signatures you asked for.",
            "Answer with the level that it was closed with and the number of signatures that you requested.",
            "Then tell us the level and how many people you asked.",
        ],
        [f"If it has to be held, report '{_HELD}' and 0.", f"Should the page have it held, answer '{_HELD}' and 0."] if holds else [""],
    )
    outcomes = (*ruling.outcomes, _HELD) if holds else ruling.outcomes
    brief = Brief(
        f"Take one {table.words} through its approval: {ruling.title}", bind, _tidy(instruction), [key], _concepts(ruling),
        {"level": choice(outcomes, "The level that it was closed with."), "signatures": ArgSpec("integer", "How many signatures were asked for.")},
        Limits(120), 0.4, paraphrases=[_tidy(one) for one in others],
    )  # fmt: skip
    return _task(given, "chain", brief)


def _batch(draft: Draft, given: ApprovalTask, rng: random.Random) -> TaskDraft:
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    assert ruling.group is not None
    shown = group_shown(draft, ruling.group)
    part = rng.choice(["all", "above"])
    given = msgspec.structs.replace(given, shows=shown.parameter, part=part)
    taken = "1" if part == "all" else f"{outcome_of(ruling)} <> {text_of(given.lowest)}"
    moves = f"{taken} AND NOT ({_stuck(draft, given)})" if who.rules.nobody == _HELD else taken
    bind, loose = group_bind(draft, ruling, f"o.{quoted(ruling.state)} = 'open'", f"count(*) BETWEEN 2 AND 14 AND sum({moves}) >= 1")
    state = ruling.state.replace("_", " ")
    all_of = [
        f"All those whose {state} is 'open' are meant, no others.",
        f"This is about every one whose {state} is 'open', and about no other.",
    ]
    above = [
        f"Only those whose {state} is 'open' are meant; those that come to '{given.lowest}' are somebody else's work: leave them open and "
        "unsigned.",
        f"Of those whose {state} is 'open', skip each whose level is '{given.lowest}' (it stays open, and nobody is asked); touch no "
        "others.",
    ]
    held = ["Leave open what the page has held.", "What has to be held by that page stays open."] if who.rules.nobody == _HELD else [""]
    instruction, others = said(
        rng,
        [
            f"Take the {table.many} of {shown.words} {{{{ {shown.parameter} }}}} that are waiting under '{ruling.page}' through their "
            f"approval: ask for the signatures that the page '{who.page}' requires, in order, and close each with its level.",
            f"{shown.words.capitalize()} {{{{ {shown.parameter} }}}} has {table.many} that wait for approval. By '{ruling.page}' and "
            f"'{who.page}' of the handbook: request each one's signatures in the right order and close it at its level.",
            f"Work off the approvals of {shown.words} {{{{ {shown.parameter} }}}}: for each {table.words} find the level "
            f"('{ruling.page}') and the people ('{who.page}'), have them sign in order, then close it with the level.",
        ],
        all_of if part == "all" else above,
        held,
        [
            "Report how many you closed and how many signatures you asked for in all.",
            "Answer with the number closed and the total number of signatures requested.",
            "Then tell us how many were closed, and how many signatures you requested altogether.",
        ],
    )
    brief = Brief(
        f"Take all open {table.many} of one {shown.words} through approval: {ruling.title}",
        bind, _tidy(instruction), [shown.parameter], _concepts(ruling),
        {"closed": ArgSpec("integer", "How many were closed."), "signatures": ArgSpec("integer", "How many signatures were asked for.")},
        Limits(400), 0.15, paraphrases=[_tidy(one) for one in others],
    )  # fmt: skip
    return _task(given, "batch", brief, loose, part=part)


def _lacking(draft: Draft, given: ApprovalTask, rng: random.Random) -> TaskDraft:
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    assert ruling.group is not None
    shown = group_shown(draft, ruling.group)
    measure, report = rng.choice(["highest", "every"]), rng.choice(["count", "keys"])
    given = msgspec.structs.replace(given, shows=shown.parameter, measure=measure, report=report)
    lacks = _lacks(draft, given)
    some = f"sum({lacks}) BETWEEN 1 AND count(*) - 1"
    differs = f"({lacks}) <> ({_lacks(draft, given, 'guess')})"
    bind, loose = group_bind(draft, ruling, f"o.{quoted(ruling.state)} = 'decided'", f"count(*) BETWEEN 2 AND 14 AND {some}", differs)
    state = ruling.state.replace("_", " ")
    lack = {
        "highest": [
            f"carries no signature that counts for the level that '{ruling.page}' leads to or for a higher one",
            f"has no signature that counts for a level as high as the one by '{ruling.page}', or higher",
        ],
        "every": [
            f"needs, by '{ruling.page}' and '{who.page}', at least one level for which none of its signatures counts",
            f"has, for one or more of the levels needed by '{ruling.page}' and '{who.page}', no signature that counts",
        ],
    }[measure]
    what, answer = "the number of those", ArgSpec("integer", "How many were reopened.")
    if report == "keys":
        what = f"the {table.key.replace('_', ' ')} of each"
        answer = ArgSpec("list", f"{what.capitalize()} that was reopened.", items=table.column(table.key).argument)
    instruction, others = said(
        rng,
        [
            f"Check the decided {table.many} of {shown.words} {{{{ {shown.parameter} }}}}, and reopen each that {lack[0]}; '{who.page}' "
            "says what a signature counts for.",
            f"Auditors doubt the {table.many} of {shown.words} {{{{ {shown.parameter} }}}} that were decided under '{ruling.page}'. By "
            f"the rules on '{who.page}', reopen every one, and only those, that {lack[1]}.",
            f"Go through what was decided for {shown.words} {{{{ {shown.parameter} }}}} under '{ruling.page}': wherever {_a(table.words)} "
            f"{lack[0]}, open it again (for what counts see '{who.page}').",
        ],
        [
            f"Only those whose {state} is 'decided' are meant; which level was recorded doesn't matter.",
            f"Leave out those whose {state} isn't 'decided', and don't go by the recorded level.",
        ],
        ["Ask for no signature.", "Request no signatures."],
        [f"Report {what} that you reopened.", f"Answer with {what} reopened by you."],
    )
    brief = Brief(
        f"Reopen what lacks a signature, for one {shown.words}: {ruling.title}", bind, instruction, [shown.parameter], _concepts(ruling),
        {"reopened": answer}, Limits(300), 0.3, paraphrases=others,
    )  # fmt: skip
    return _task(given, "lacking", brief, loose, measure=measure, report=report)


def _name(draft: Draft, given: ApprovalTask, rng: random.Random) -> TaskDraft:
    """One request's signers; over a group only where no level signs for every request, whatever its own level is."""
    alone = rng.random() < 0.5 or (given.signatories.rules.span != "two" and not draft.plain)
    return _name_one(draft, given, rng) if alone else _name_group(draft, given, rng)


def _fresh(draft: Draft, given: ApprovalTask) -> str:
    """Whether a request carries no signature, needs one, and has somebody able for each level."""
    table, who = draft.table(given.ruling.entity), given.signatories
    signed = f"SELECT 1 FROM {quoted(who.signatures)} s WHERE s.{quoted(who.key)} = o.{quoted(table.key)}"
    needs = f"({outcome_of(given.ruling)}) <> {text_of(who.unsigned)} AND " if who.unsigned else ""
    return f"({needs}NOT ({_stuck(draft, given)}) AND NOT EXISTS ({signed}))"


def _name_one(draft: Draft, given: ApprovalTask, rng: random.Random) -> TaskDraft:
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    key = table.key_argument
    given = msgspec.structs.replace(given, scope="one")
    bind = _of_one(draft, ruling, outcome_of(ruling), f"o.{quoted(ruling.state)} = 'open' AND {_fresh(draft, given)}")
    instruction, others = said(
        rng,
        [
            f"Who would have to sign {table.words} {{{{ {key} }}}} today, by the handbook pages '{ruling.page}' and '{who.page}'?",
            f"Work out whose signatures {table.words} {{{{ {key} }}}} needs today: '{ruling.page}' gives its level, '{who.page}' the "
            "people.",
            f"Before we start the approval of {table.words} {{{{ {key} }}}}, we need the people who are to sign it as of today, by "
            f"'{ruling.page}' and '{who.page}'.",
        ],
        ["Ask nobody to sign and change nothing.", "This is a question only: request no signature and leave everything as it is."],
        ["Report their ids in the order in which they sign.", "Answer with their ids, in the order of signing."],
    )
    brief = Brief(
        f"Who has to sign one {table.words}: {ruling.title}", bind, instruction, [key], _concepts(ruling),
        {"signers": ArgSpec("list", "The ids of those who sign, in order.", ordered=True, items=ArgSpec("string"))},
        Limits(120), 0.4, paraphrases=others,
    )  # fmt: skip
    return _task(given, "name", brief, scope="one")


def _name_group(draft: Draft, given: ApprovalTask, rng: random.Random) -> TaskDraft:
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    assert ruling.group is not None
    shown = group_shown(draft, ruling.group)
    given = msgspec.structs.replace(given, shows=shown.parameter, scope="group")
    state = ruling.state.replace("_", " ")
    bind, loose = group_bind(
        draft, ruling, f"o.{quoted(ruling.state)} = 'open'", f"count(*) BETWEEN 2 AND 14 AND sum({_fresh(draft, given)}) >= 2"
    )
    instruction, others = said(
        rng,
        [
            f"Suppose that all open {table.many} of {shown.words} {{{{ {shown.parameter} }}}} went through approval today by "
            f"'{ruling.page}' and '{who.page}': whom would we have to ask for the most signatures?",
            f"We want to warn whoever is going to be asked most often to sign for {shown.words} {{{{ {shown.parameter} }}}}: work out by "
            f"'{ruling.page}' and '{who.page}' who would be asked today for each open {table.words}.",
            f"For every open {table.words} of {shown.words} {{{{ {shown.parameter} }}}}, find out whom the handbook pages '{ruling.page}' "
            f"and '{who.page}' would have us ask today, and who among them would be asked most often.",
        ],
        [f"Open are those whose {state} is 'open'.", f"Count those whose {state} is 'open', no others."],
        ["Ask nobody to sign and change nothing.", "This is a forecast only: request no signature and leave everything as it is."],
        [
            f"Report that person's id (of several with as many, the lowest id) and how many {table.many} they would be asked to sign.",
            f"Answer with the person's id and the number of {table.many}; if several have as many, with the lowest id.",
        ],
    )
    brief = Brief(
        f"Who has to sign most often for one {shown.words}: {ruling.title}", bind, instruction, [shown.parameter], _concepts(ruling),
        {"person": ArgSpec("string", "The person's id."), "count": ArgSpec("integer", "How many that person would be asked to sign.")},
        Limits(300), 0.3, paraphrases=others,
    )  # fmt: skip
    return _task(given, "name", brief, loose, scope="group")


_TEMPLATES = {"chain": _chain, "batch": _batch, "lacking": _lacking, "name": _name}
