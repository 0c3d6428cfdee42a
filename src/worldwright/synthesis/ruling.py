"""Rulings: a policy's norm bound to a world's tables, and the handbook page that says it.

A `Ruling` is what the handbook says, in a form that authors can read: which facts of a row, found where; which tests, in which
order; which parameters, and in which sentence each stands. It holds neither how a plan finds out nor how a check tells.
"""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec

from worldwright.domain.model import Clause, Norm, Policy
from worldwright.domain.names import snake
from worldwright.domain.norms import NOW, find, is_day
from worldwright.errors import UsageError
from worldwright.synthesis.checks import Check, clause_of, plant
from worldwright.synthesis.draft import CLOCK, Draft, Range, Table, quoted, text_of
from worldwright.synthesis.material import Material
from worldwright.world.spec import ArgSpec

__all__ = ["BoundClause", "BoundTest", "Fact", "Group", "Hop", "Ruling", "bind", "day_of", "furnish", "group_of"]


class Hop(msgspec.Struct, frozen=True):
    """From a column to the row that it names; `entity` is the row's."""

    column: str
    entity: str
    nullable: bool = False


class Fact(msgspec.Struct, frozen=True):
    """A value that a ruling looks at: over which hops, in which column. `alias` is its name among the ruling's facts."""

    alias: str
    hops: tuple[Hop, ...]
    column: str
    type: str
    nullable: bool = False


class BoundTest(msgspec.Struct, frozen=True):
    """A test: the fact (for days, since another fact, NOW or an ISO date) against a value, or against a parameter of the policy table."""

    fact: Fact
    op: str
    value: Any = None
    parameter: str = ""
    since: Fact | str = ""


class BoundClause(msgspec.Struct, frozen=True):
    """A clause; `says` is its sentence, with {{ policy.name }} for parameters."""

    number: int
    says: str
    when: tuple[BoundTest, ...]
    then: str
    share: str = ""
    exception: bool = False


class Group(msgspec.Struct, frozen=True):
    """What rows are gathered by: the hops that lead to it, and its entity."""

    hops: tuple[Hop, ...]
    entity: str


class Ruling(msgspec.Struct, frozen=True):
    """See the module. `state` is the column of the decided table that says what is open; `made` the table of decisions."""

    policy: str
    kind: str
    slug: str
    title: str
    entity: str
    page: str
    clauses: tuple[BoundClause, ...]
    facts: tuple[Fact, ...]
    outcomes: tuple[str, ...]
    state: str
    made: str
    tool: str
    amount: Fact | None = None
    check: Check | None = None
    group: Group | None = None

    def checked(self) -> Fact:
        """The fact that the desk's record may have wrong. Raises StopIteration if there is none."""
        return next(one for one in self.facts if self.check is not None and one.alias == self.check.alias)

    def parameters(self) -> dict[str, str]:
        """Each parameter and the sentence that states it."""
        out: dict[str, str] = {}
        for clause in self.clauses:
            for name in re.findall(r"\{\{ policy\.(\w+) \}\}", clause.says):
                out.setdefault(name, clause.says)
        return out


def bind(material: Material, policy: Policy, norm: Norm, taken: set[str]) -> Ruling:
    """A norm bound to the world's tables. Raises UsageError where the world lacks what it looks at."""
    if norm.on not in material.tables:
        raise UsageError(f"{policy.id} decides on '{norm.on}', which isn't in this world")
    slug = _slug(norm.title or policy.id, taken)
    facts: dict[str, Fact] = {}
    clauses = tuple(_clause(material, norm, slug, n, clause, facts) for n, clause in enumerate(norm.clauses, start=1))
    amount = _fact(material, norm.on, norm.amount, facts) if norm.amount else None
    return Ruling(
        policy.id, norm.kind, slug, norm.title or policy.id, norm.on, slug.replace("_", "-"), clauses, tuple(facts.values()),
        tuple(norm.outcomes()), f"{slug}_state", f"{slug}_records", f"record_{slug}", amount, None, group_of(material, norm.on),
    )  # fmt: skip


def day_of(since: str) -> str:
    """The day that days are counted from, where it is no fact."""
    return CLOCK[:10] if since == NOW else since


def _slug(title: str, taken: set[str]) -> str:
    base = slug = snake(title.lower(), "ruling")
    n = 1
    while slug in taken:
        n += 1
        slug = f"{base}_{n}"
    taken.add(slug)
    return slug


def _clause(material: Material, norm: Norm, slug: str, number: int, clause: Clause, facts: dict[str, Fact]) -> BoundClause:
    says = re.sub(r"\{(\w+)\}", lambda match: f"{{{{ policy.{slug}_{match.group(1)} }}}}", clause.says)
    tests = []
    for test in clause.when:
        since: Fact | str = ""
        if test.since:
            since = test.since if is_day(test.since) else _fact(material, norm.on, test.since, facts)
        fact = _fact(material, norm.on, test.field, facts)
        tests.append(BoundTest(fact, test.op, test.value, f"{slug}_{test.parameter}" if test.parameter else "", since))
    share = f"{slug}_{clause.share}" if clause.share else ""
    return BoundClause(number, says, tuple(tests), clause.then, share, clause.exception)


def _fact(material: Material, on: str, name: str, facts: dict[str, Fact]) -> Fact:
    if name in facts:
        return facts[name]
    path = find(material.model, on, name)
    hops = []
    at = on
    for relation in path.hops:
        if relation.to not in material.tables:
            raise UsageError(f"'{name}' leads over '{relation.to}', which isn't in this world")
        column = material.tables[at].column(relation.fields[0])
        hops.append(Hop(column.name, relation.to, column.nullable))
        at = relation.to
    target = next((one for one in material.tables[at].columns if one.field == f"{at}.{path.field.name}"), None)
    if target is None:
        raise UsageError(f"'{name}' isn't in this world")
    alias = name.replace(".", "_")
    nullable = target.nullable or any(hop.nullable for hop in hops)
    facts[name] = Fact(alias, tuple(hops), target.name, target.type, nullable)
    return facts[name]


_GATHERERS = (
    "party",
    "staff",
    "location",
    "account",
    "resource",
    "asset",
    "case",
    "document",
    "item",
    "schedule",
    "event",
    "ledger",
    "other",
)


def group_of(material: Material, entity: str, facets: tuple[str, ...] = _GATHERERS) -> Group | None:
    """What an entity's rows are best gathered by: a party first; the nearest; None if it refers to nothing with a name or key."""
    found: list[tuple[int, int, Group]] = []
    for relation in material.relations(entity):
        if relation.to == entity:
            continue
        one = Hop(relation.fields[0], relation.to, material.tables[entity].column(relation.fields[0]).nullable)
        found.append((_rank(material, relation.to, facets), 1, Group((one,), relation.to)))
        for further in material.relations(relation.to):
            if further.to not in (entity, relation.to):
                two = Hop(further.fields[0], further.to, material.tables[relation.to].column(further.fields[0]).nullable)
                found.append((_rank(material, further.to, facets), 2, Group((one, two), further.to)))
    good = [each for each in found if not any(hop.nullable for hop in each[2].hops) and each[0] < len(facets)]
    return min(good, key=lambda each: each[:2])[2] if good else None


def _rank(material: Material, entity: str, facets: tuple[str, ...]) -> int:
    facet = material.tables[entity].facet
    return facets.index(facet) if facet in facets else len(facets)


# ---- what a ruling adds to its world


def furnish(draft: Draft, material: Material, ruling: Ruling, rng: random.Random, checked: bool) -> Ruling:
    """Add a ruling's page, parameters, state column and records to the world; with `checked`, a fact that the desk may have wrong."""
    table = draft.table(ruling.entity)
    policy = next(one for one in material.model.policies if one.id == ruling.policy)
    for name in ruling.parameters():
        bare = name.removeprefix(f"{ruling.slug}_")
        parameter = policy.parameters[bare]
        value = int(parameter.value)
        least = parameter.least if parameter.least is not None else max(1, value * 3 // 5)
        most = parameter.most if parameter.most is not None else max(least + 4, value * 7 // 5)
        draft.ranges[name] = Range(least, most, parameter.step)
    draft.add_column(table, ruling.state, "TEXT NOT NULL CHECK (" + quoted(ruling.state) + " IN ('open', 'decided', 'reopened'))")
    amount = ",\n  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0)" if ruling.amount is not None else ""
    outcomes = ", ".join(text_of(one) for one in ruling.outcomes)
    key = table.column(table.key)
    draft.declared.append(
        f"CREATE TABLE {quoted(ruling.made)} (  -- what the desk decided under '{ruling.title}'\n"
        f"  {quoted(table.key_argument)} {key.sql} PRIMARY KEY NOT NULL REFERENCES {quoted(table.name)}({quoted(table.key)}),\n"
        f"  outcome TEXT NOT NULL CHECK (outcome IN ({outcomes})){amount}\n)"
    )
    draft.planting.append(_planted(ruling, table))
    if checked:
        ruling = _with_check(draft, ruling, table, rng)
    for fact in ruling.facts:
        draft.unlisted.setdefault(fact.hops[-1].entity if fact.hops else ruling.entity, set()).add(fact.column)
    draft.pages[ruling.page] = page_text(ruling, table)
    return ruling


def page_text(ruling: Ruling, table: Table) -> str:
    """The handbook page of a ruling."""
    lines = [
        f"# {ruling.title[:1].upper()}{ruling.title[1:]}",
        "",
        f"What is decided on {table.many}. The first clause that fits a {table.words} decides; later ones don't count.",
        "",
    ]
    for clause in ruling.clauses:
        lines.append(f"{clause.number}. {clause.says} Outcome: '{clause.then}'.")
    n = len(ruling.clauses)
    if ruling.check is not None:
        n += 1
        lines.append(f"{n}. {clause_of(ruling.check, table, table.column(ruling.checked().column))}")
    if ruling.amount is not None:
        n += 1
        lines.append(
            f"{n}. Shares are of {_named(ruling.amount)}, rounded once to the cent, halves up. Where a clause names no share, the amount is 0."
        )
    return "\n".join(lines) + "\n"


def _named(fact: Fact) -> str:
    of = f"the {fact.hops[-1].entity.replace('_', ' ')}'s " if fact.hops else "the "
    return of + fact.column.removesuffix("_cents").replace("_", " ")


def _planted(ruling: Ruling, table: Table) -> str:
    """Half of the rows are open, the others decided, by somebody who didn't read the handbook."""
    amount = ', "amount_cents": random.choice([0, random.randint(1, 900) * 50])' if ruling.amount is not None else ""
    return (
        f"    tables[{ruling.made!r}] = []\n"
        f"    for row in tables[{table.name!r}]:\n"
        f'        row[{ruling.state!r}] = random.choice(["open", "decided"])\n'
        f'        if row[{ruling.state!r}] == "decided":\n'
        f'            tables[{ruling.made!r}].append({{{table.key_argument!r}: row[{table.key!r}], "outcome": random.choice({list(ruling.outcomes)!r}){amount}}})\n'
    )


def _with_check(draft: Draft, ruling: Ruling, table: Table, rng: random.Random) -> Ruling:
    """Pick one of the row's own facts to be wrong now and then in the desk's record."""
    tested = {test.fact.alias for clause in ruling.clauses for test in clause.when if not test.since}
    tested -= {ruling.amount.alias if ruling.amount is not None else ""}
    own = [one for one in ruling.facts if not one.hops and one.alias in tested and not one.nullable and not table.column(one.column).refers]
    if not own:
        return ruling
    fact = rng.choice(own)
    check = plant(draft, table, ruling.slug, fact.alias, table.column(fact.column), _other(draft, ruling, table, fact))
    return msgspec.structs.replace(ruling, check=check)


def _other(draft: Draft, ruling: Ruling, table: Table, fact: Fact) -> str:
    """Code for a true value where the desk's entry of `row` is wrong: drawn from the range of a figure, or another of its values."""
    tests = [test for clause in ruling.clauses for test in clause.when if test.fact.alias == fact.alias and not test.since]
    figures = [draft.ranges[test.parameter] for test in tests if test.parameter]
    if figures:
        return f"random.randint(*random.choice({[(one.least, one.most) for one in figures]!r}))"
    column = table.column(fact.column)
    values = list(column.values) or ([0, 1] if column.type == "boolean" else [])
    if len(values) > 1:
        return f"random.choice([one for one in {values!r} if one != row[{fact.column!r}]])"
    return f"random.choice(tables[{table.name!r}])[{fact.column!r}]"


def choice(values: tuple[str, ...], doc: str) -> ArgSpec:
    """An argument with these values."""
    return ArgSpec("string", doc, enum=list(values))
