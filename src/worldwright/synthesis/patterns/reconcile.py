"""Reconcile two records: what the desk has of an amount, and what the other side's statement says of it.

Motif: an entity with a money field that is never empty, whose rows are gathered by another entity, several to one of it. Plants a
statement for each group, whose lines have the other side's refs, a handbook page that says what a difference is, and tools to look
up refs, to record differences and to correct amounts. Templates: record every difference of a group; correct the amounts where the
page says that the statement is right; say what the differences come to, and change nothing; judge one row. Needs no norm. Doesn't
promise that the other side is a party of the model: the statement is for whatever gathers the rows.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from worldwright.domain.model import Field
from worldwright.synthesis.draft import CLOCK, Draft, Range, Table, TaskDraft, quoted, text_of
from worldwright.synthesis.material import Material
from worldwright.synthesis.patterns import NoMotif
from worldwright.synthesis.patterns.rulings import group_shown
from worldwright.synthesis.reads import reads_of
from worldwright.synthesis.ruling import Group, choice, group_of
from worldwright.synthesis.wording import said
from worldwright.task.brief import Brief, Limits
from worldwright.world.spec import ArgSpec, Requirement, ToolSpec

__all__ = ["ABOUT", "NAME", "Motif", "ReconcileTask", "Rules", "Some", "Statement", "furnish", "motifs"]

NAME = "reconcile"
ABOUT = "reconcile two records: find, record and settle the differences between the desk's amounts and a statement"
_MOST = 2
_FACETS = ("ledger", "document", "event", "item", "case", "schedule")
_LEAST_A_GROUP, _MOST_A_GROUP = 1.2, 10.0
"""Rows for one group, on average: below, too few groups have two; above, most have more than a task can be about."""
_ROWS = 14
"""The most rows of a group that a task is about."""


class Some(msgspec.Struct, frozen=True):
    """The rows whose `column` has one of these `values`."""

    column: str
    values: tuple[Any, ...]


class Rules(msgspec.Struct, frozen=True):
    """What the page says, as values.

    `several`: what it means that more than one line belongs to a row: it is 'double'; the amount came in parts, so their sum counts;
    or the line booked last counts. `tolerance`: how big a difference of amounts is none: parameter `<slug>_tolerance`, in cents or in
    percent of our amount. `signs`: whether the opposite amount is a kind of its own. `unknown`: whether statements have lines that
    belong to nothing. `transit`: the date column by which rows younger than `<slug>_transit_days` days aren't missing ("": they are).
    `exempt`: rows that aren't reconciled. The statement is right where `right` says so; else, where `booked` names a date column, if
    the line was booked at most `<slug>_right_days` days after it; else where the difference is at most `<slug>_right_cents` cents (where
    the tolerance is in percent: at most `<slug>_right_percent` percent of our amount).
    `turned`: a difference is our amount less theirs, not theirs less ours.
    """

    several: Literal["double", "sum", "last"]
    tolerance: Literal["none", "cents", "percent"]
    signs: bool
    unknown: bool
    transit: str
    exempt: Some | None
    right: Some | None
    booked: str
    turned: bool

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of difference that a row can have, in the order in which they are judged."""
        return ("missing", *(["double"] if self.several == "double" else []), *(["sign"] if self.signs else []), "amount")


class Statement(msgspec.Struct, frozen=True):
    """The other side's record of an entity's rows: planted tables, tools and the page.

    `entity`'s column `money` is our amount. Tables: `lines` (line, ref, booked_on, text, amount_cents, and `account_column`), `refs`
    (the entity's key argument, ref), `accounts` (the group's key argument, account; "" where lines have the group's key itself),
    `made` (`subject`, kind, difference_cents; `subject` is "ref" or the entity's key argument), `aside` (line; "" where differences
    are recorded by ref). Tools: `list_tool` gives the lines of an account (argument `account_column`); `line_tool` one line with its
    amount ("" where the list shows amounts); `lookup_tool` the ref of a row (`lookup` is "key") or the row of a ref ("ref");
    `account_tool` the account of a group; `record_tool` writes to `made`, `aside_tool` to `aside`, `correct_tool` our amount.
    """

    slug: str
    page: str
    entity: str
    money: str
    group: Group
    rules: Rules
    clauses: tuple[str, ...]
    lookup: Literal["key", "ref"]
    subject: str
    account_column: str
    lines: str
    refs: str
    accounts: str
    made: str
    aside: str
    list_tool: str
    line_tool: str
    lookup_tool: str
    account_tool: str
    record_tool: str
    aside_tool: str
    correct_tool: str

    def parameter(self, name: str) -> str:
        """A parameter's name in the policy table: of tolerance, transit_days, right_days, right_cents, right_percent."""
        return f"{self.slug}_{name}"

    def parameters(self) -> dict[str, str]:
        """Each parameter and the sentence that states it."""
        names = [self.parameter(name) for name in ("tolerance", "transit_days", "right_days", "right_cents", "right_percent")]
        return {name: says for name in names for says in self.clauses if f"{{{{ policy.{name} }}}}" in says}


class ReconcileTask(msgspec.Struct, frozen=True):
    """What the authors of a task are given. `shows` is the brief's parameter: the group, or (template `one`) the row.

    `also` is what `net` answers beside the net difference: "unmatched" (how many are 'missing' or 'unknown') or "largest" (the largest
    difference without its sign).
    """

    statement: Statement
    shows: str
    also: str = ""


class Motif(msgspec.Struct, frozen=True):
    """An entity that fits: its money columns, what gathers its rows, dates that are never empty, and about how many rows a group has."""

    entity: str
    money: tuple[str, ...]
    group: Group
    dates: tuple[str, ...]
    many: float


def furnish(draft: Draft, material: Material, rng: random.Random) -> None:
    """Add the pattern's tables, tools, pages and tasks. Raises NoMotif."""
    ranked = motifs(draft, material)
    chosen = ranked[:1] + ([rng.choice(ranked[1:4])] if ranked[1:] else [])
    templates: dict[str, Callable[[Draft, Statement, Motif, random.Random], TaskDraft]] = {
        "differences": _differences,
        "correct": _correct,
        "net": _net,
        "one": _one,
    }
    left_out = rng.sample(sorted(templates), _MOST)
    for n, motif in enumerate(chosen[:_MOST]):
        statement = _statement(draft, material, motif, rng)
        _declare(draft, statement)
        draft.planting.append(_planted(draft, statement, motif))
        _add_reads(draft, statement, rng)
        _add_writes(draft, statement)
        draft.pages[statement.page] = _page(draft, statement)
        draft.tasks += [write(draft, statement, motif, rng) for name, write in templates.items() if name != left_out[n]]


# ---- the motif


def motifs(draft: Draft, material: Material) -> list[Motif]:
    """The entities that fit, best first. Raises NoMotif with what was missing."""
    found: list[tuple[tuple[float, float], Motif]] = []
    reasons = []
    for entity in material.model.entities:
        if entity.name not in material.tables or entity.facet not in _FACETS:
            continue
        table = material.tables[entity.name]
        veiled = draft.veiled.get(entity.name, set())
        fields = {f"{entity.name}.{one.name}": one for one in entity.fields}
        columns = [one for one in table.columns if not one.nullable and one.name not in veiled]
        money = [one.name for one in columns if one.type == "money" and _is_filled(fields[one.field])]
        group = group_of(material, entity.name)
        if not money or group is None:
            reasons.append(f"{entity.name}: {'nothing gathers its rows' if money else 'no money field that is never empty and seldom 0'}")
            continue
        many = _many(material, entity.name, group)
        if not _LEAST_A_GROUP <= many <= _MOST_A_GROUP:
            reasons.append(f"{entity.name}: {many:.1f} rows for one {group.entity}, not {_LEAST_A_GROUP} to {_MOST_A_GROUP}")
            continue
        dates = tuple(one.name for one in columns if one.type in ("date", "datetime") and _is_past(material, fields[one.field]))
        rank = _FACETS.index(entity.facet) + (0 if dates else 2)
        found.append(((rank, -many), Motif(entity.name, tuple(money), group, dates, many)))
    if not found:
        raise NoMotif("; ".join(reasons) or f"no entity of the facets {', '.join(_FACETS)} (its amounts would be held against a statement)")
    return [motif for _, motif in sorted(found, key=lambda each: each[0])]


def _many(material: Material, entity: str, group: Group) -> float:
    """About how many rows one group has (where few rows lead to the groups, few groups have any)."""
    if material.rows:
        return material.rows[entity] / max(1, min(material.rows[hop.entity] for hop in group.hops))
    out, at = 1.0, entity
    for hop in group.hops:
        relation = next(one for one in material.relations(at) if one.fields == [hop.column])
        out *= relation.fan[2] if len(relation.fan) == 5 else 1
        at = hop.entity
    return out


def _is_filled(field: Field) -> bool:
    """Whether an amount stands by itself (is neither computed nor a rate) and is hardly ever 0."""
    spread = field.distribution.quantiles if field.distribution is not None else []
    none = sum(one.share for one in field.distribution.shares if one.value == 0) if field.distribution is not None else 0.0
    shares = [found.group(1) for one in field.evidence if (found := re.search(r"percent of .*: -?\d+, (-?\d+),", one.what))]
    if field.generated or " per " in field.unit or none > 0.2:
        return False
    return not (len(spread) == 5 and spread[1] == 0) and not any(int(one) == 0 for one in shares)


def _is_past(material: Material, field: Field) -> bool:
    """Whether a date's values are, most of them, in the past and spread (made dates that hang on others may be anywhere)."""
    return material.is_real or not any("days after" in one.what for one in field.evidence)


def _is_thin(motif: Motif) -> bool:
    """Whether groups have so few rows that differences have to be more frequent."""
    return motif.many < 2


def _category(draft: Draft, motif: Motif, rng: random.Random, share: tuple[float, float], but: Some | None = None) -> Some | None:
    """Some values of one of the row's own fields, which about this share of the rows has; none that `but` has already."""
    table = draft.table(motif.entity)
    entity = next(one for one in draft.model.entities if one.name == motif.entity)
    veiled = draft.veiled.get(motif.entity, set())
    columns = [one for one in table.columns if one.type == "text" and len(one.values) > 1 and not one.nullable and not one.refers]
    for column in rng.sample(columns, len(columns)):
        if column.name in veiled:
            continue
        spread = next(one for one in entity.fields if one.name == column.field.partition(".")[2]).distribution
        shares = {one.value: one.share for one in spread.shares} if spread is not None else {}
        weights = {one: shares.get(one, 0.0) if shares else 1 / len(column.values) for one in column.values}
        left = [one for one in column.values if weights[one] and not (but is not None and but.column == column.name and one in but.values)]
        total = sum(weights[one] for one in left)
        for _ in range(20):
            got = rng.sample(left, rng.randint(1, min(3, max(1, len(left) - 1)))) if len(left) > 1 else []
            if got and share[0] <= sum(weights[one] for one in got) / total <= share[1]:
                return Some(column.name, tuple(one for one in column.values if one in got))
    return None


# ---- the statement and its rules


def _statement(draft: Draft, material: Material, motif: Motif, rng: random.Random) -> Statement:
    table = draft.table(motif.entity)
    group = draft.table(motif.group.entity)
    stem = _stem(draft, table)
    rules = _rules(draft, motif, rng, material.is_real)
    lookup: Literal["key", "ref"] = "key" if rng.random() < 0.6 else "ref"
    by_ref = lookup == "key" and rng.random() < 0.5
    theirs = rng.random() < 0.4 and not material.is_real
    detail = rng.random() < 0.5
    aside = rules.unknown and not by_ref
    out = Statement(
        slug=f"{stem}_reconciliation", page=f"{stem}_reconciliation".replace("_", "-"), entity=motif.entity, money=rng.choice(motif.money),
        group=motif.group, rules=rules, clauses=(), lookup=lookup, subject="ref" if by_ref else table.key_argument,
        account_column="account" if theirs else group.key_argument, lines=f"{stem}_statement_lines", refs=f"{stem}_refs",
        accounts=f"{stem}_statement_accounts" if theirs else "", made=f"{stem}_differences", aside=f"{stem}_lines_aside" if aside else "",
        list_tool=f"list_{stem}_statement", line_tool=f"get_{stem}_statement_line" if detail else "",
        lookup_tool=f"lookup_{stem}_ref" if lookup == "key" else f"lookup_{stem}_by_ref",
        account_tool=f"lookup_{stem}_statement_account" if theirs else "", record_tool=f"record_{stem}_difference",
        aside_tool=f"set_{stem}_line_aside" if aside else "", correct_tool=f"correct_{stem}",
    )  # fmt: skip
    if rules.tolerance != "none":
        draft.ranges[out.parameter("tolerance")] = Range(100, 500, 50) if rules.tolerance == "cents" else Range(1, 5)
    if rules.transit:
        draft.ranges[out.parameter("transit_days")] = Range(10, 40, 5)
    if rules.booked:
        draft.ranges[out.parameter("right_days")] = Range(5, 14)
    elif rules.right is None:
        percent = rules.tolerance == "percent"
        draft.ranges[out.parameter("right_percent" if percent else "right_cents")] = Range(8, 16) if percent else Range(3000, 7000, 500)
    return msgspec.structs.replace(out, clauses=tuple(_clauses(draft, out)))


def _stem(draft: Draft, table: Table) -> str:
    """What planted names begin or end with: the row's word, with a number where names would clash."""
    reads = {name for one in draft.tables.values() for name in (reads_of(one).get, reads_of(one).list, reads_of(one).find)}
    for n in range(1, 100):
        stem = table.singular if n == 1 else f"{table.singular}_{n}"
        names = [f"{stem}_{one}" for one in ("statement_lines", "refs", "statement_accounts", "differences", "lines_aside")]
        names += [f"list_{stem}_statement", f"get_{stem}_statement_line", f"lookup_{stem}_ref", f"lookup_{stem}_by_ref", f"correct_{stem}"]
        names += [f"lookup_{stem}_statement_account", f"record_{stem}_difference", f"get_{stem}_difference", f"set_{stem}_line_aside"]
        if not any(draft.has_name(name) or name in reads for name in [*names, f"{stem}_reconciliation".replace("_", "-")]):
            return stem
    raise NoMotif(f"{table.entity}: every name for its statement is taken")


def _rules(draft: Draft, motif: Motif, rng: random.Random, is_real: bool) -> Rules:
    """Rules, drawn. Where the rows are real, whatever can hang on a field of theirs does."""
    exempt = _category(draft, motif, rng, (0.05, 0.15 if _is_thin(motif) else 0.3)) if rng.random() < (1 if is_real else 0.5) else None
    right = _category(draft, motif, rng, (0.45, 0.8), exempt)
    ways = ["size", *(["own"] if right is not None else []), *(["booked"] if motif.dates else [])]
    way = rng.choice(ways[1:] if is_real and ways[1:] else ways)
    several: Literal["double", "sum", "last"] = rng.choice(["double", "sum", "last"])
    tolerance: Literal["none", "cents", "percent"] = rng.choice(["none", "cents", "cents", "percent", "percent"])
    transit = rng.choice(motif.dates) if motif.dates and rng.random() < (1 if is_real else 0.5) else ""
    return Rules(
        several=several, tolerance=tolerance, signs=rng.random() < 0.5, unknown=rng.random() < 0.6, transit=transit, exempt=exempt,
        right=right if way == "own" else None, booked=rng.choice(motif.dates) if way == "booked" else "", turned=rng.random() < 0.5,
    )  # fmt: skip


def _named(column: str) -> str:
    return column.removesuffix("_cents").replace("_", " ")


def _a(words: str) -> str:
    """The words with their article."""
    vowel = words.startswith(("a", "e", "i", "o", "u", "hour")) and not words.startswith(("uni", "use", "eu", "one"))
    return f"{'an' if vowel else 'a'} {words}"


def _is_one_of(some: Some) -> str:
    values = [f"'{one}'" for one in some.values]
    return f"{_named(some.column)} is {' or '.join(values)}"


def _clauses(draft: Draft, statement: Statement) -> list[str]:
    """The page's sentences, clause by clause."""
    rules = statement.rules
    table, group = draft.table(statement.entity), draft.table(statement.group.entity).words
    one, many, a_row = table.words, table.many, _a(table.words)
    account = f" It is asked for by the account, which {statement.account_tool} gives." if statement.account_tool else ""
    amounts = f"; {statement.line_tool} gives a line's amount" if statement.line_tool else ""
    lookup = f"the ref of {a_row}" if statement.lookup == "key" else f"the {one} that a ref is of, and an error where it is nobody's"
    out = [
        f"The {many} of {_a(group)} are those {_way(draft, statement.group)}.",
        f"The other side keeps a statement for every {group}: {statement.list_tool} shows its lines{amounts}.{account}",
        f"The other side calls {a_row} by a ref of its own: {statement.lookup_tool} gives {lookup}. "
        f"A line belongs to the {one} that has its ref.",
        f"Our amount of {a_row} is its {_named(statement.money)}, as the desk has it; so are its "
        f"other fields that are named here. Their amount is {_their_amount(rules)}.",
    ]
    if rules.exempt is not None:
        exempt = f"{a_row.capitalize()} whose {_is_one_of(rules.exempt)} isn't reconciled"
        out.append(f"{exempt}: whatever the statement has, it is no difference.")
    out.append(
        f"{'Every other' if rules.exempt is not None else 'Every'} {one} is judged by the clauses below that begin with a kind, in their "
        f"order: the first that fits gives the kind. If none fits, there is no difference."
    )
    out += _kinds(statement, one)
    if rules.unknown:
        out.append(
            f"A line that belongs to none of our {many} is a difference by itself, of the kind 'unknown': our amount of it is 0, "
            f"and their amount is the line's."
        )
    less = "our amount less their amount" if rules.turned else "their amount less our amount"
    net = f"all its {many}{' and of all lines' if rules.unknown else ''} that are a difference"
    out.append(f"A difference in cents is {less}, so it may be below 0. The net difference of {_a(group)} is the sum over {net}.")
    return [*out, *_records(statement, one), _right(statement, one)]


def _way(draft: Draft, group: Group) -> str:
    """How a row leads to its group, since there may be other ways."""
    words = draft.table(group.entity).words
    first = _named(group.hops[0].column)
    if len(group.hops) == 1:
        return f"whose {first} names the {words}"
    middle = draft.table(group.hops[0].entity).words
    return f"whose {first} names {_a(middle)} that in turn has the {words} as its {_named(group.hops[1].column)}"


def _their_amount(rules: Rules) -> str:
    if rules.several == "last":
        return "the amount of its line; where several lines belong to it, the one that was booked last replaces the others"
    if rules.several == "sum":
        return "the sum of all lines that belong to it, since one amount is often booked in parts"
    return "the sum of all lines that belong to it"


def _kinds(statement: Statement, one: str) -> list[str]:
    rules = statement.rules
    missing = f"'missing': no line belongs to the {one}. Their amount is then 0."
    if rules.transit:
        days = f"{{{{ policy.{statement.parameter('transit_days')} }}}}"
        missing += (
            f" But {_a(one)} without a line whose {_named(rules.transit)} lies less than {days} days before today (the clock's day), "
            f"or later than today, is still on its way: it is no difference of any kind."
        )
    out = [missing]
    if rules.several == "double":
        out.append(f"'double': more than one line belongs to the {one}, whatever the amounts.")
    if rules.signs:
        out.append("'sign': their amount is exactly our amount with the opposite sign, and our amount isn't 0.")
    value = f"{{{{ policy.{statement.parameter('tolerance')} }}}}"
    if rules.tolerance == "none":
        out.append("'amount': their amount isn't our amount, be it by a cent.")
    else:
        much = f"{value} cents" if rules.tolerance == "cents" else f"{value} % of our amount (exactly, without rounding)"
        out.append(f"'amount': their amount is more than {much} away from our amount, up or down. Just that much is no difference yet.")
    return out


def _records(statement: Statement, one: str) -> list[str]:
    rules = statement.rules
    start = f"A difference is recorded with {statement.record_tool}"
    if statement.subject == "ref":
        extra = " An unknown line is recorded likewise, under the ref that stands on it." if rules.unknown else ""
        return [f"{start}, under the ref that the other side has for the {one}, with the kind and the difference in cents.{extra}"]
    aside = f" An unknown line isn't recorded so: it is set aside with {statement.aside_tool}." if statement.aside_tool else ""
    return [f"{start}, under our {one}, with the kind and the difference in cents.{aside}"]


def _right(statement: Statement, one: str) -> str:
    rules = statement.rules
    if rules.right is not None:
        where = f"the {one}'s {_is_one_of(rules.right)}"
    elif rules.booked:
        which = "the line" if rules.several == "double" else "the line (of several, the one booked last)"
        days = f"{{{{ policy.{statement.parameter('right_days')} }}}}"
        where = f"{which} was booked at most {days} days after the {one}'s {_named(rules.booked)}, or before it (days from date to date)"
    else:
        percent = rules.tolerance == "percent"
        value = f"{{{{ policy.{statement.parameter('right_percent' if percent else 'right_cents')} }}}}"
        much = f"{value} % of our amount (exactly, without rounding)" if percent else f"{value} cents"
        where = f"the difference, without its sign, is at most {much}"
    return (
        f"Of all differences only those of the kind 'amount' are ever corrected: the statement is right where {where}. Then the {one}'s "
        f"{_named(statement.money)} becomes their amount, with {statement.correct_tool}. Everywhere else our amount stands."
    )


def _page(draft: Draft, statement: Statement) -> str:
    table = draft.table(statement.entity)
    lines = [f"# Reconciling {table.many}", "", f"How our {table.many} are held against the other side's statement.", ""]
    return "\n".join([*lines, *(f"{n}. {says}" for n, says in enumerate(statement.clauses, start=1))]) + "\n"


# ---- tables and rows


def _declare(draft: Draft, statement: Statement) -> None:
    """Declare the planted tables, and which of their columns have to be found out."""
    table, group = draft.table(statement.entity), draft.table(statement.group.entity)
    key, account = _reference(table), f"{quoted(statement.account_column)} TEXT NOT NULL"
    if not statement.accounts:
        account = _reference(group).replace(" PRIMARY KEY", "")
    draft.declared += [
        f"CREATE TABLE {quoted(statement.lines)} (  -- what the other side has on {table.many}\n"
        f"  line INTEGER PRIMARY KEY NOT NULL,\n  {account},\n  ref TEXT NOT NULL,\n"
        "  booked_on TEXT NOT NULL,\n  text TEXT NOT NULL,\n  amount_cents INTEGER NOT NULL\n)",
        f"CREATE TABLE {quoted(statement.refs)} (  -- what the other side calls {_a(table.words)}\n  {key},\n  ref TEXT NOT NULL UNIQUE\n)",
    ]
    if statement.accounts:
        draft.declared.append(
            f"CREATE TABLE {quoted(statement.accounts)} (  -- what the other side calls {_a(group.words)}\n"
            f"  {_reference(group)},\n  account TEXT NOT NULL UNIQUE\n)"
        )
        draft.hidden[f"{statement.accounts}.account"] = statement.account_tool
    unknown = ["unknown"] if statement.rules.unknown and statement.subject == "ref" else []
    kinds = ", ".join(text_of(one) for one in [*statement.rules.kinds, *unknown])
    subject = "ref TEXT PRIMARY KEY NOT NULL" if statement.subject == "ref" else key
    draft.declared.append(
        f"CREATE TABLE {quoted(statement.made)} (  -- differences that the desk recorded\n  {subject},\n"
        f"  kind TEXT NOT NULL CHECK (kind IN ({kinds})),\n  difference_cents INTEGER NOT NULL\n)"
    )
    if statement.aside:
        line = f"line INTEGER PRIMARY KEY NOT NULL REFERENCES {quoted(statement.lines)}(line)"
        draft.declared.append(f"CREATE TABLE {quoted(statement.aside)} (  -- lines that belong to nothing of ours\n  {line}\n)")
    draft.hidden[f"{statement.lines}.amount_cents"] = statement.line_tool or statement.list_tool
    draft.hidden[f"{statement.refs}.{'ref' if statement.lookup == 'key' else table.key_argument}"] = statement.lookup_tool


def _reference(table: Table) -> str:
    """The column that names a row of the table, as a key."""
    kind = table.column(table.key).sql
    return f"{quoted(table.key_argument)} {kind} PRIMARY KEY NOT NULL REFERENCES {quoted(table.name)}({quoted(table.key)})"


_OFF = (
    "random.randint(1, 12) * 50, random.randint(1, 600), random.randint(500, 9000), random.randint(20, 180) * 50",
    "ours * random.randint(1, 5) // 100 + 1, ours * random.randint(4, 14) // 100 + 1, ours * random.randint(6, 40) // 100 + 1",
)
"""How far an amount is away, in cents and in percent: around the tolerance, and far beyond it."""
_TEXTS = ["posting", "collective posting", "booked by hand", "carried over"]
_SEVERAL = {
    "double": "[ours, ours + random.choice([0, 0, off])]",
    "sum": "[ours * random.randint(20, 80) // 100, random.choice([0, off])]",
    "last": "random.choice([[ours + off, ours], [ours, ours + off]])",
}


def _planted(draft: Draft, statement: Statement, motif: Motif) -> str:
    """Code that makes the statement: most lines agree; others are away from our amount, doubled, turned, missing or nobody's."""
    table, group = draft.table(statement.entity), draft.table(statement.group.entity)
    rules = statement.rules
    fates = {"agrees": 15 if _is_thin(motif) else 30, "amount": 40, "missing": 17, "several": 15, **({"sign": 9} if rules.signs else {})}
    through, place = _through(draft, statement)
    day = rules.booked or rules.transit or (motif.dates[0] if motif.dates else "")
    start = f"datetime.date.fromisoformat(row[{day!r}][:10])" if day else "today - datetime.timedelta(days=random.randint(30, 110))"
    account = "'A' + str(numbers.pop())" if statement.accounts else f"row[{group.key!r}]"
    out = [
        f"today = datetime.date.fromisoformat({CLOCK[:10]!r})",
        f"numbers = random.sample(range(10000, 100000), 2 * len(tables[{table.name!r}]) + 4 * len(tables[{group.name!r}]))",
        f"accounts = {{row[{group.key!r}]: {account} for row in tables[{group.name!r}]}}",
        *through,
        f"lines, tables[{statement.refs!r}], tables[{statement.made!r}] = [], [], []",
        f"for row in tables[{table.name!r}]:",
        f"    ref, ours = 'X' + str(numbers.pop()), row[{statement.money!r}]",
        f"    tables[{statement.refs!r}].append({{{table.key_argument!r}: row[{table.key!r}], 'ref': ref}})",
        f"    off = random.choice([{_OFF[rules.tolerance == 'percent']}])",
        "    off = -off if ours > off and random.random() < 0.5 else off",
        f"    fate = random.choices({list(fates)!r}, {list(fates.values())!r})[0]",
        "    amounts = {'agrees': [ours], 'amount': [ours + off], 'missing': [], 'sign': [-ours]}.get(fate)",
        "    if amounts is None:",
        f"        amounts = {_SEVERAL[rules.several]}",
        *(["        amounts = [amounts[0], ours - amounts[0] + amounts[1]]"] if rules.several == "sum" else []),
        f"    first = min({start} + datetime.timedelta(days=random.randint(0, 20)), today - datetime.timedelta(days=12))",
        "    for amount in amounts:",
        f"        account = accounts[{place}]",
        "        day = first.isoformat()",
        f"        lines.append({{{statement.account_column!r}: account, 'ref': ref, 'booked_on': day, 'amount_cents': amount}})",
        "        first = first + datetime.timedelta(days=random.randint(1, 9))",
    ]
    if rules.unknown:
        out += [
            f"for row in tables[{group.name!r}]:",
            "    for _ in range(random.choice([0, 0, 1, 1, 2])):",
            f"        ref, account = 'X' + str(numbers.pop()), accounts[row[{group.key!r}]]",
            "        day = (today - datetime.timedelta(days=random.randint(4, 100))).isoformat()",
            f"        lines.append({{{statement.account_column!r}: account, 'ref': ref, 'booked_on': day, "
            "'amount_cents': random.randint(500, 90000)})",
        ]
    out += ["random.shuffle(lines)", f"tables[{statement.lines!r}] = []", "for n in range(len(lines)):"]
    out.append(f"    tables[{statement.lines!r}].append({{'line': n + 1, **lines[n], 'text': random.choice({_TEXTS!r})}})")
    if statement.aside:
        out.append(f"tables[{statement.aside!r}] = []")
    if statement.accounts:
        out.append(f"tables[{statement.accounts!r}] = [{{{group.key_argument!r}: each, 'account': accounts[each]}} for each in accounts]")
    return "".join(f"    {line}\n" for line in out)


def _through(draft: Draft, statement: Statement) -> tuple[list[str], str]:
    """Lines that are needed to find a row's group, and the expression for the group's key."""
    hops = statement.group.hops
    if len(hops) == 1:
        return [], f"row[{hops[0].column!r}]"
    middle = draft.table(hops[0].entity)
    through = f"through = {{row[{middle.key!r}]: row[{hops[1].column!r}] for row in tables[{middle.name!r}]}}"
    return [through], f"through[row[{hops[0].column!r}]]"


# ---- tools


_LINE = ArgSpec("integer", "The line's number.")
_REF = ArgSpec("string", "The other side's ref.", max_length=40)


def _add_reads(draft: Draft, statement: Statement, rng: random.Random) -> None:
    """Add the tools that show the statement and that look up what the other side calls things."""
    table, group = draft.table(statement.entity), draft.table(statement.group.entity)
    columns = "line, ref, booked_on, text" + ("" if statement.line_tool else ", amount_cents")
    account = ArgSpec("string", f"The account that the {group.words} has there.") if statement.accounts else _key(group)
    newest = " DESC" if rng.random() < 0.3 else ""
    where = f"{quoted(statement.account_column)} = :{statement.account_column}"
    draft.add_tool(
        statement.list_tool,
        ToolSpec(
            f"The other side's statement for {_a(group.words)}: every line on {table.many}.",
            {statement.account_column: account},
            rows=f"SELECT {columns} FROM {quoted(statement.lines)} WHERE {where} ORDER BY booked_on{newest}, line",
        ),
    )
    if statement.line_tool:
        row = f"SELECT {columns}, amount_cents FROM {quoted(statement.lines)} WHERE line = :line"
        tool = ToolSpec("One line of a statement, with its amount.", {"line": _LINE}, row=row, missing="There is no line {{ line }}.")
        draft.add_tool(statement.line_tool, tool)
    if statement.account_tool:
        doc = f"The account that {_a(group.words)} has with the other side."
        draft.add_tool(statement.account_tool, _lookup(doc, group, statement.accounts, "account"))
    if statement.lookup == "key":
        doc = f"The ref that the other side has for {_a(table.words)}."
        draft.add_tool(statement.lookup_tool, _lookup(doc, table, statement.refs, "ref"))
    else:
        row = f"SELECT ref, {quoted(table.key_argument)} FROM {quoted(statement.refs)} WHERE ref = :ref"
        doc, missing = f"The {table.words} that a ref of the other side is of.", f"No {table.words} has the ref {{{{ ref }}}}."
        draft.add_tool(statement.lookup_tool, ToolSpec(doc, {"ref": _REF}, row=row, missing=missing))


def _key(table: Table) -> ArgSpec:
    return msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}.")


def _lookup(doc: str, table: Table, planted: str, column: str) -> ToolSpec:
    key = table.key_argument
    row = f"SELECT {quoted(key)}, {column} FROM {quoted(planted)} WHERE {quoted(key)} = :{key}"
    return ToolSpec(doc, {key: _key(table)}, row=row, missing=f"There is no {table.words} {{{{ {key} }}}}.")


def _add_writes(draft: Draft, statement: Statement) -> None:
    """Add the tools that record differences, set lines aside, and correct our amounts."""
    table = draft.table(statement.entity)
    subject = statement.subject
    unknown = ("unknown",) if statement.rules.unknown and subject == "ref" else ()
    args = {
        subject: _REF if subject == "ref" else _key(table),
        "kind": choice((*statement.rules.kinds, *unknown), "What kind of difference it is."),
        "difference_cents": ArgSpec("integer", "The difference in cents, with its sign."),
    }
    made, columns = quoted(statement.made), f"{quoted(subject)}, kind, difference_cents"
    draft.add_tool(
        statement.record_tool,
        ToolSpec(
            f"Record a difference between our {table.many} and the statement. Recording it again replaces what was recorded.",
            args,
            require=[] if subject == "ref" else [_exists(table)],
            effect=[
                f"DELETE FROM {made} WHERE {quoted(subject)} = :{subject}",
                f"INSERT INTO {made} ({columns}) VALUES (:{subject}, :kind, :difference_cents)",
            ],
            row=f"SELECT {columns} FROM {made} WHERE {quoted(subject)} = :{subject}",
        ),
    )
    if statement.aside_tool:
        draft.add_tool(statement.aside_tool, _aside(statement, table))
    draft.add_tool(statement.correct_tool, _correction(statement, table))


def _exists(table: Table) -> Requirement:
    key = table.key_argument
    that = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{key}"
    return Requirement(that, f"There is no {table.words} {{{{ {key} }}}}.")


def _aside(statement: Statement, table: Table) -> ToolSpec:
    aside = quoted(statement.aside)
    known = Requirement(f"SELECT 1 FROM {quoted(statement.lines)} WHERE line = :line", "There is no line {{ line }}.")
    taken = f"SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM {aside} WHERE line = :line)"
    new = Requirement(taken, "The line {{ line }} is set aside already.")
    doc = f"Set a line of a statement aside that belongs to none of our {table.many}."
    return ToolSpec(doc, {"line": _LINE}, require=[known, new], effect=[f"INSERT INTO {aside} (line) VALUES (:line)"])


def _correction(statement: Statement, table: Table) -> ToolSpec:
    key, money = table.key_argument, quoted(statement.money)
    where = f"WHERE {quoted(table.key)} = :{key}"
    return ToolSpec(
        f"Correct the {_named(statement.money)} of {_a(table.words)}.",
        {key: _key(table), "amount_cents": ArgSpec("integer", "What it is to be, in cents.")},
        require=[_exists(table)],
        effect=[f"UPDATE {quoted(table.name)} SET {money} = :amount_cents {where}"],
        row=f"SELECT {quoted(table.key)}, {money} FROM {quoted(table.name)} {where}",
    )


# ---- which rows and groups tasks are about


def _one_of(some: Some | None, otherwise: str) -> str:
    """The condition as SQL."""
    return otherwise if some is None else f"o.{quoted(some.column)} IN ({', '.join(text_of(one) for one in some.values)})"


def _judged(draft: Draft, statement: Statement) -> str:
    """A query of rows for `bind` alone: key, group's key (g), ours, theirs, kind, corrected (1 where the statement is right)."""
    table, group = draft.table(statement.entity), draft.table(statement.group.entity)
    rules, hops = statement.rules, statement.group.hops
    joins = f"{quoted(table.name)} o JOIN {quoted(statement.refs)} r ON r.{quoted(table.key_argument)} = o.{quoted(table.key)}"
    at = f"o.{quoted(hops[0].column)}"
    if len(hops) == 2:
        middle = draft.table(hops[0].entity)
        joins += f" JOIN {quoted(middle.name)} m ON m.{quoted(middle.key)} = {at}"
        at = f"m.{quoted(hops[1].column)}"
    joins += f" JOIN {quoted(group.name)} p ON p.{quoted(group.key)} = {at}"
    of = f"FROM {quoted(statement.lines)} l WHERE l.ref = r.ref"
    theirs = f"(SELECT sum(l.amount_cents) {of})"
    if rules.several == "last":
        theirs = f"(SELECT l.amount_cents {of} ORDER BY l.booked_on DESC LIMIT 1)"
    days = "CAST(julianday({}) - julianday(substr(o.{}, 1, 10)) AS INTEGER)"
    transit = f"{days.format(text_of(CLOCK[:10]), quoted(rules.transit))} < {_value(statement, 'transit_days')}" if rules.transit else "0"
    last = f"(SELECT max(l.booked_on) {of})"
    late = f"{days.format(last, quoted(rules.booked))} <= {_value(statement, 'right_days')}" if rules.booked else "1"
    inner = (
        f"SELECT o.{quoted(table.key)} AS k, p.{quoted(group.key)} AS g, o.{quoted(statement.money)} AS ours, "
        f"coalesce({theirs}, 0) AS theirs, (SELECT count(*) {of}) AS n, {_one_of(rules.exempt, '0')} AS exempt, "
        f"{transit} AS transit, {_one_of(rules.right, late)} AS fits FROM {joins}"
    )
    away = {"none": "theirs <> ours", "cents": f"abs(theirs - ours) > {_value(statement, 'tolerance')}"}
    away["percent"] = f"abs(theirs - ours) * 100 > {_value(statement, 'tolerance')} * abs(ours)"
    kind = "CASE WHEN exempt THEN 'none' WHEN n = 0 THEN CASE WHEN transit THEN 'none' ELSE 'missing' END"
    kind += " WHEN n > 1 THEN 'double'" if rules.several == "double" else ""
    kind += " WHEN theirs = -ours AND ours <> 0 THEN 'sign'" if rules.signs else ""
    kind += f" WHEN {away[rules.tolerance]} THEN 'amount' ELSE 'none' END"
    small = f"abs(theirs - ours) <= {_value(statement, 'right_cents')}"
    if rules.tolerance == "percent":
        small = f"abs(theirs - ours) * 100 <= {_value(statement, 'right_percent')} * abs(ours)"
    if rules.right is not None or rules.booked:
        small = "fits"
    return f"SELECT k, g, ours, theirs, {kind} AS kind, {small} AS fits FROM ({inner})"


def _value(statement: Statement, name: str) -> str:
    return f"(SELECT value FROM policy WHERE name = {text_of(statement.parameter(name))})"


def _group_bind(draft: Draft, statement: Statement, motif: Motif, having: str) -> str:
    """A row for each group that has some rows: its key, and what the brief shows of it, where that is nobody else's."""
    table = draft.table(statement.group.entity)
    shown = group_shown(draft, statement.group)
    columns, where = f"p.{quoted(table.key)} AS {table.key_argument}", ""
    if shown.parameter != table.key_argument:
        columns += f", p.{quoted(shown.column)} AS {shown.parameter}"
        same = f"x.{quoted(shown.column)} LIKE '%' || p.{quoted(shown.column)} || '%'"
        where = f" WHERE (SELECT count(*) FROM {quoted(table.name)} x WHERE {same}) = 1"
    least = 4 if motif.many >= 3 else 3 if motif.many >= 2 else 2
    source = f"({_judged(draft, statement)}) v JOIN {quoted(table.name)} p ON p.{quoted(table.key)} = v.g"
    return f"SELECT {columns} FROM {source}{where} GROUP BY p.{quoted(table.key)} HAVING count(*) BETWEEN {least} AND {_ROWS} AND {having}"


# ---- tasks


def _knobs(statement: Statement, **more: Any) -> dict[str, Any]:
    rules = statement.rules
    right = "own field" if rules.right is not None else "booked" if rules.booked else "size"
    return {
        "lookup": statement.lookup, "recorded_by": "ref" if statement.subject == "ref" else "key",
        "amounts": "line" if statement.line_tool else "list", "accounts": bool(statement.accounts), "several": rules.several,
        "tolerance": rules.tolerance, "signs": rules.signs, "unknown": rules.unknown, "transit": bool(rules.transit),
        "exempt": rules.exempt is not None, "right": right, "turned": rules.turned, "hops": len(statement.group.hops), **more,
    }  # fmt: skip


def _task(statement: Statement, template: str, brief: Brief, given: ReconcileTask, **more: Any) -> TaskDraft:
    return TaskDraft(f"{template}-{statement.page}", NAME, template, brief, given, _knobs(statement, **more))


def _concepts(statement: Statement) -> list[str]:
    return [NAME, statement.page]


def _differences(draft: Draft, statement: Statement, motif: Motif, rng: random.Random) -> TaskDraft:
    table, shown = draft.table(statement.entity), group_shown(draft, statement.group)
    who, many, page = f"{shown.words} {{{{ {shown.parameter} }}}}", table.many, f"'{statement.page}'"
    unknown = statement.rules.unknown
    instruction, others = said(
        rng,
        [
            f"Reconcile the {many} of {who} with the other side's statement, as the handbook page {page} says, and "
            "record every difference.",
            f"Hold our {many} of {who} against the statement by the handbook page {page}. Each difference that you find is to be "
            "recorded as the page says.",
            f"The statement for {who} is in. Go through it and through our {many} by {page} in the handbook, and put every difference on "
            "record in the way that the page asks for.",
            f"Find out where our {many} of {who} and the other side's statement disagree. The handbook page {page} says what counts; "
            "record each difference.",
        ],
        [
            f"{'Unknown lines count too. ' if unknown else ''}Correct no amount.",
            f"{'Deal with unknown lines too. ' if unknown else ''}Leave our amounts as they are, also where they are wrong.",
        ],
        [
            f"Report how many differences there are{', unknown lines included,' if unknown else ''} and the net difference in cents.",
            f"Answer with the number of differences{' (unknown lines are some)' if unknown else ''} and with the net difference in cents, "
            "as the page has it.",
        ],
    )
    answer = {
        "count": ArgSpec("integer", "How many differences there are."),
        "net_cents": ArgSpec("integer", "The net difference in cents, with its sign."),
    }
    brief = Brief(
        f"Record the differences of one {shown.words}: {many}", _group_bind(draft, statement, motif, "sum(v.kind <> 'none') >= 2"),
        instruction, [shown.parameter], _concepts(statement), answer, Limits(240), 0.02, paraphrases=others,
    )  # fmt: skip
    return _task(statement, "differences", brief, ReconcileTask(statement, shown.parameter))


def _correct(draft: Draft, statement: Statement, motif: Motif, rng: random.Random) -> TaskDraft:
    table, shown = draft.table(statement.entity), group_shown(draft, statement.group)
    who, many, page, money = f"{shown.words} {{{{ {shown.parameter} }}}}", table.many, f"'{statement.page}'", _named(statement.money)
    instruction, others = said(
        rng,
        [
            f"Hold the {many} of {who} against the other side's statement, and correct the {money} wherever the handbook page {page} says "
            "that the statement is right.",
            f"Some of our {many} of {who} have a wrong {money}. By the handbook page {page}, find those where the statement is right, and "
            "correct each of them.",
            f"Bring the {many} of {who} in line with the statement, but only where the handbook page {page} lets the statement count: "
            f"there the {money} is to be corrected.",
        ],
        [
            "Record no differences this time, and change nothing else.",
            "Nothing else is to be changed, and no difference is to be recorded.",
        ],
        [
            "Report how many you corrected and by how many cents our total changed (new less old).",
            "Answer with the number of corrections, and with the change of our total in cents: what is there now less what was there "
            "before.",
        ],
    )
    answer = {
        "corrected": ArgSpec("integer", "How many were corrected."),
        "change_cents": ArgSpec("integer", "The sum of new less old amounts in cents."),
    }
    brief = Brief(
        f"Correct what is wrong on our side for one {shown.words}: {many}", _group_bind(draft, statement, motif, _CORRECTED),
        instruction, [shown.parameter], _concepts(statement), answer, Limits(240), 0.03, paraphrases=others,
    )  # fmt: skip
    return _task(statement, "correct", brief, ReconcileTask(statement, shown.parameter))


_CORRECTED = "sum(v.kind = 'amount' AND v.fits) >= 1"


def _net(draft: Draft, statement: Statement, motif: Motif, rng: random.Random) -> TaskDraft:
    table, shown = draft.table(statement.entity), group_shown(draft, statement.group)
    who, many, page = f"{shown.words} {{{{ {shown.parameter} }}}}", table.many, f"'{statement.page}'"
    also = rng.choice(["unmatched", "largest"])
    unmatched = "'missing' or 'unknown'" if statement.rules.unknown else "'missing'"
    ends = [
        f"Report it in cents, and how many of the differences are {unmatched}.",
        f"Answer with it in cents, and with the number of differences that are {unmatched}.",
    ]
    answer = {"net_cents": ArgSpec("integer", "The net difference in cents, with its sign.")}
    if also == "unmatched":
        answer["unmatched"] = ArgSpec("integer", f"How many differences are {unmatched}.")
    else:
        answer["largest_cents"] = ArgSpec("integer", "The largest difference in cents, without its sign.")
        ends = [
            "Report it in cents, and how much the largest single difference is in cents, all taken without their sign.",
            "Answer with it in cents, and with the largest single difference in cents; for that, leave out the signs.",
        ]
    instruction, others = said(
        rng,
        [
            f"What is the net difference between our {many} of {who} and the other side's statement, by the handbook page {page}?",
            f"We want to know how far our {many} of {who} and the statement are apart. Work out the net difference by the handbook page "
            f"{page}.",
            f"Before anything is booked for {who}, tell us the net difference of the {many} against the statement, as the handbook page "
            f"{page} defines it.",
        ],
        ["Record nothing, correct nothing.", "Only look: neither record a difference nor change anything."],
        ends,
    )
    brief = Brief(
        f"Net difference of one {shown.words}: {many}", _group_bind(draft, statement, motif, "sum(v.kind <> 'none') >= 2"),
        instruction, [shown.parameter], _concepts(statement), answer, Limits(240), 0.03, paraphrases=others,
    )  # fmt: skip
    return _task(statement, "net", brief, ReconcileTask(statement, shown.parameter, also), also=also)


def _one(draft: Draft, statement: Statement, motif: Motif, rng: random.Random) -> TaskDraft:
    table = draft.table(statement.entity)
    key, kinds = table.key_argument, statement.rules.kinds
    what, page = f"{table.words} {{{{ {key} }}}}", f"'{statement.page}'"
    instruction, others = said(
        rng,
        [
            f"Is {what} a difference against the other side's statement, and of which kind? Judge it by the handbook page {page}, and "
            "record it if it is one.",
            f"Hold {what} against the statement by the handbook page {page}. If it is a difference, record it; if it is none, record "
            "nothing.",
            f"Somebody doubts whether {what} agrees with the other side's statement. Look at both, decide by the handbook page {page}, and "
            "record a difference where there is one.",
        ],
        ["Nothing else is to be recorded or changed.", "Change no amount and record nothing else."],
        [
            "Report the kind, or 'none', and the difference in cents (0 if it is none).",
            "Answer with the kind and the difference in cents; where it is no difference, with 'none' and 0.",
        ],
    )
    stratum = "CASE WHEN kind = 'amount' AND theirs > ours THEN 'amount, more' ELSE kind END"
    answer = {
        "kind": choice((*kinds, "none"), "What kind of difference it is."),
        "difference_cents": ArgSpec("integer", "The difference in cents, with its sign; 0 if it is none."),
    }
    brief = Brief(
        f"Judge one {table.words} against the statement", f"SELECT k AS {key}, {stratum} AS stratum FROM ({_judged(draft, statement)})",
        instruction, [key], _concepts(statement), answer, Limits(120), 0.45, paraphrases=others,
    )  # fmt: skip
    return _task(statement, "one", brief, ReconcileTask(statement, key), kinds=len(kinds))
