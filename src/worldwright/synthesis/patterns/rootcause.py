"""Root cause and fix: which row of a chain is to blame for an incident, what is done about it, and whom an outage reaches.

Motif: an entity whose rows may name a row of the same entity (an asset, item, resource, account, document, event or other thing; not
people). Planted: how each row really is (only a check shows it), incidents on rows, records of causes, notices, outages. Templates:
one incident; a batch of them; a planned outage; a question about one chain. `CauseTask`, `ImpactTask` and `ChainTask` are what the
authors are given. Promises nothing about which instances are hard: strata spread decisions, not lengths.
"""

from __future__ import annotations

import random
import re

import msgspec

from worldwright.domain.model import Entity, Relation
from worldwright.domain.norms import norms
from worldwright.synthesis.draft import CLOCK, PAGE, Draft, Range, Table, TaskDraft, quoted, text_of
from worldwright.synthesis.material import Material
from worldwright.synthesis.patterns import NoMotif
from worldwright.synthesis.ruling import Hop, choice
from worldwright.synthesis.wording import said
from worldwright.task.brief import Brief, Limits
from worldwright.world.spec import ArgSpec, Requirement, ToolSpec

__all__ = ["ABOUT", "NAME", "CauseTask", "ChainTask", "ImpactTask", "Motif", "Outages", "Rules", "Step", "furnish"]

NAME = "rootcause"
ABOUT = "root cause and fix: follow a chain to what is to blame, record cause and fix, announce what an outage reaches"
_MOST = 2
_FACETS = ("asset", "item", "resource", "account", "other", "document", "event")
_TECHNICAL = ("asset", "item", "resource")
_GATHERERS = ("party", "location", "account", "resource", "asset", "case", "document", "item")
_EMPTY = 0.6
"""Where more of the references are empty, chains are too short: the scenario fills some, if nothing else depends on them."""
_SMALL = 20
"""With fewer rows an outage may reach a single one."""
_LONGEST = 60
"""Chains that are longer have a loop: their rows are in no task."""


class Motif(msgspec.Struct, frozen=True):
    """The table, its reference to itself, and what was planted around it: tables, columns, words, tools.

    `health` has `key`, state (one of `states`: well, touched by another's failure, failed itself), since (the day from which it is in
    that state), changed_on and `cover` (0/1). `incidents` has `id`, `key`, reported_on, state ('open', 'closed', 'handed over').
    `causes` has `id`, `cause` (NULL: none), fix. `notices` has `key`, `about`. `outages` has `key`, outcome, reached. `lean`: the list
    of incidents shows no `key`.
    """

    entity: str
    ref: str
    key: str
    noun: str
    nouns: str
    id: str
    outage: str
    cover: str
    states: tuple[str, str, str]
    health: str
    incidents: str
    causes: str
    notices: str
    outages: str
    cause: str
    about: str
    check: str
    list: str
    get: str
    record: str
    close: str
    hand_over: str
    notify: str
    book: str
    page: str
    outage_page: str
    lean: bool

    @property
    def failed(self) -> str:
        """The state of what failed itself."""
        return self.states[2]


class Step(msgspec.Struct, frozen=True):
    """A clause about the fix: it decides if `test` holds for the cause.

    Tests: `old` (failed, and since more days before the report than the parameter), `crowd` (more rows than the parameter name it),
    `recent` (changed on the day of the report or at most so many days before), `otherwise` (always).
    """

    test: str
    fix: str
    parameter: str = ""


class Rules(msgspec.Struct, frozen=True):
    """What the page on causes says, beside the chain itself.

    `covered`: a failed row with cover is passed over. `late`: so is one that failed after the day of the report. `pick`: the cause is
    the `deepest` of the failed ones, or the one failed since the `earliest` day (of these the deepest). `window`: the parameter of the
    days in which a last change makes a row the cause if none failed ("": there is no cause then); `tie`: which of several changed on
    that same day (`deepest`, `nearest`). `steps`: the fix, first that fits. `endings`: by fix, `close`, `leave` or `hand over`.
    `warned`: fixes for which rows that name the cause are notified. `linked`: in a batch, the fix of all but the first incident with
    the same cause ("": each gets its own). `sentences`: each parameter and the sentence that states it.
    """

    covered: bool
    late: bool
    pick: str
    window: str
    tie: str
    steps: tuple[Step, ...]
    endings: dict[str, str]
    warned: tuple[str, ...]
    linked: str
    sentences: dict[str, str]

    @property
    def fixes(self) -> tuple[str, ...]:
        """All that can be recorded as a fix."""
        return (*(step.fix for step in self.steps), "none", *([self.linked] if self.linked else []))


class Outages(msgspec.Struct, frozen=True):
    """What the page on planned outages says.

    `levels`: the parameter of how many steps an outage reaches ("": any number). `covered`: rows with cover, and what hangs on them,
    aren't reached. `spared`: rows that failed already aren't reached, but what hangs on them may be. `booked`: an outage is recorded.
    `cap`: the parameter of how many may be reached before it is recorded as 'referred' and nobody is notified ("": no limit).
    """

    levels: str
    covered: bool
    spared: bool
    booked: bool
    cap: str
    sentences: dict[str, str]


class CauseTask(msgspec.Struct, frozen=True):
    """Incidents to settle. `scope`: `one` (the parameter is its id), or all open ones reported on a `day`, `from` a day on, or on rows
    of a `group`: those whose column `hop.column` names the row of `hop.entity` that the brief shows (`label`: by which column; "" if
    by its key). `asked`: the answer's fields, of cause, fix, steps (from the incident's row to the cause; 0 if there is none), causes
    (how many different ones), unexplained (incidents without a cause), fixed (incidents with the fix `counted`)."""

    motif: Motif
    rules: Rules
    shows: str
    scope: str
    asked: tuple[str, ...]
    hop: Hop | None = None
    label: str = ""
    counted: str = ""


class ImpactTask(msgspec.Struct, frozen=True):
    """A planned outage of the row that the brief shows (`label`: by which column; "" if by its key). `asked`: the answer's fields, of
    reached (how many) and farthest (steps to the farthest that is reached)."""

    motif: Motif
    outages: Outages
    shows: str
    label: str
    asked: tuple[str, ...]


class ChainTask(msgspec.Struct, frozen=True):
    """A question about the chain of the row that the brief shows (`label`: by which column; "" if by its key).

    `pick`: the `deepest`, the `nearest` or the `earliest` failed one (of those failed since the same earliest day the deepest);
    `covered`: failed ones with cover are left out when it is looked for and when failed ones are counted, but they are on the chain. The
    answer's fields: `found` (a key, or 'none'), `length` (rows on the chain, itself included) and, if it isn't "", `counted`: failed (how
    many failed ones), steps (from the row to the one found; 0 if there is none) or days (from its `since` to the world's day; 0 if none).
    """

    motif: Motif
    shows: str
    label: str
    pick: str
    covered: bool
    counted: str


class _Talk(msgspec.Struct, frozen=True):
    """How people talk of a kind of thing: incidents (with their plural), outages, cover, states, and the fixes by test."""

    incidents: tuple[tuple[str, str], ...]
    outage: str
    cover: str
    states: tuple[str, str, str]
    fixes: dict[str, tuple[str, ...]]
    linked: str


_MACHINES = _Talk(
    (("incident", "incidents"), ("fault_report", "fault_reports"), ("alarm", "alarms")), "shutdown", "redundant", ("ok", "degraded", "failed"),
    {"old": ("replace", "swap out"), "crowd": ("escalate", "call the engineer"),
     "recent": ("roll back", "undo the change"), "otherwise": ("restart", "reset")},
    "linked",
)  # fmt: skip
_PAPERS = _Talk(
    (("query", "queries"), ("complaint", "complaints"), ("objection", "objections")), "withdrawal", "covered", ("sound", "affected", "faulty"),
    {"old": ("withdraw", "retire"), "crowd": ("refer to the board", "escalate"),
     "recent": ("revert", "undo the change"), "otherwise": ("correct", "amend")},
    "linked",
)  # fmt: skip


def furnish(draft: Draft, material: Material, rng: random.Random) -> None:
    """Add the pattern's tables, tools, pages and tasks. Raises NoMotif."""
    for relation in _motifs(material)[:_MOST]:
        table = draft.table(relation.from_)
        talk = _MACHINES if table.facet in _TECHNICAL else _PAPERS
        motif = _motif(draft, table, relation.fields[0], talk, rng)
        rules, outages = _rules(draft, motif, table, talk, rng), _outages(draft, motif, table, rng)
        _declare(draft, motif, table)
        entity = next(one for one in material.model.entities if one.name == table.entity)
        draft.planting.append(_filled(motif, table) if _is_rare(entity, motif.ref) else "")
        draft.planting.append(_planted(motif, table, rules))
        _add_reads(draft, motif, table)
        _add_writes(draft, motif, table, rules, outages)
        draft.pages[motif.page] = _cause_page(motif, table, rules)
        draft.pages[motif.outage_page] = _outage_page(motif, table, outages)
        draft.tasks.append(_one(draft, motif, rules, rng))
        draft.tasks.append(_batch(draft, material, motif, rules, rng))
        draft.tasks.append(_impact(draft, material, motif, outages, rng))
        draft.tasks.append(_oldest(draft, motif, rng))


def _motifs(material: Material) -> list[Relation]:
    """The relations of the motif, best facet first; one for each entity."""
    reasons = []
    found: dict[str, Relation] = {}
    for name, table in material.tables.items():
        entity = next(one for one in material.model.entities if one.name == name)
        for relation in material.relations(name):
            if relation.to != name:
                continue
            column = next((one for one in table.columns if one.name == relation.fields[0]), None)
            if table.facet not in _FACETS:
                reasons.append(f"'{name}' names itself in '{relation.fields[0]}', but is a {table.facet}")
            elif column is None or len(entity.key) != 1 or relation.to_fields != entity.key:
                reasons.append(f"'{name}.{relation.fields[0]}' isn't in this world, or doesn't name a key of one field")
            elif _is_rare(entity, relation.fields[0]) and (material.is_real or _is_tested(material, name, relation.fields[0])):
                reasons.append(
                    f"'{name}.{relation.fields[0]}' is empty too often for chains, and can't be filled: rows are real, or a norm looks at "
                    "it"
                )
            elif not column.nullable:
                reasons.append(f"'{name}.{relation.fields[0]}' is never empty: its chains have no end")
            else:
                found.setdefault(name, relation)
    if not found:
        raise NoMotif("; ".join(reasons) or f"no entity refers to itself over one field (looked for in facets {', '.join(_FACETS)})")
    return sorted(found.values(), key=lambda one: _FACETS.index(material.tables[one.from_].facet))


def _is_rare(entity: Entity, ref: str) -> bool:
    """Whether so few rows name another that chains are short."""
    spread = next(one for one in entity.fields if one.name == ref).distribution
    return spread is not None and spread.nulls > _EMPTY


def _is_tested(material: Material, entity: str, ref: str) -> bool:
    """Whether a norm decides by the reference, so that the trade's share of empty ones matters."""
    tests = [(norm.on, test) for _, norm in norms(material.model) for clause in norm.clauses for test in clause.when]
    return any(test.field == f"{entity}.{ref}" or (on == entity and test.field.split(".")[0] == ref) for on, test in tests)


# ---- what is drawn for a world


def _motif(draft: Draft, table: Table, ref: str, talk: _Talk, rng: random.Random) -> Motif:
    able = [each for each in talk.incidents if each[0] not in table.singular.split("_")]
    noun, nouns = rng.choice(able)
    lean = rng.random() < 0.5
    stem, n = table.singular, 1
    while True:
        motif = Motif(
            table.entity, ref, table.key_argument, noun, nouns, f"{noun}_id", talk.outage, talk.cover, talk.states,
            f"{stem}_health", f"{stem}_{nouns}", f"{stem}_causes", f"{stem}_notices", f"{stem}_{talk.outage}s",
            f"cause_{table.key_argument}", f"about_{table.key_argument}",
            f"check_{stem}", f"list_{stem}_{nouns}", f"get_{stem}_{noun}", f"record_{stem}_cause", f"close_{stem}_{noun}",
            f"hand_over_{stem}_{noun}", f"notify_{stem}", f"book_{stem}_{talk.outage}",
            f"{stem}-causes".replace("_", "-"), f"{stem}-{talk.outage}s".replace("_", "-"), lean,
        )  # fmt: skip
        if not any(draft.has_name(getattr(motif, one)) for one in _NAMED):
            return motif
        n += 1
        stem = f"{table.singular}_{n}"


_NAMED = (
    "health", "incidents", "causes", "notices", "outages", "check", "list", "get", "record", "close", "hand_over", "notify", "book",
    "page", "outage_page",
)  # fmt: skip


def _parameter(draft: Draft, motif: Motif, name: str, least: int, most: int) -> str:
    """A parameter of the policy table; its name."""
    full = f"{motif.health.removesuffix('_health')}_{name}"
    draft.ranges[full] = Range(least, most)
    return full


def _rules(draft: Draft, motif: Motif, table: Table, talk: _Talk, rng: random.Random) -> Rules:
    covered, late = rng.random() < 0.6, rng.random() < 0.5
    pick = rng.choice(["deepest", "deepest", "earliest"])
    window = _parameter(draft, motif, "window_days", 3, 10) if rng.random() < 0.6 else ""
    tests = ["recent", *(test for test in ("old", "crowd") if rng.random() < 0.6)]
    rng.shuffle(tests)
    limits = {"old": ("failed_days", 8, 18), "crowd": ("named_by", 1, 2), "recent": ("change_days", 4, 12)}
    steps = [Step(test, rng.choice(talk.fixes[test]), _parameter(draft, motif, *limits[test])) for test in tests]
    steps.append(Step("otherwise", rng.choice(talk.fixes["otherwise"])))
    endings = {step.fix: "close" for step in steps} | {"none": rng.choice(["close", "leave"])}
    for step in steps:
        if step.test == "crowd":
            endings[step.fix] = rng.choice(["close", "leave", "hand over"])
    warned = tuple(step.fix for step in steps if step.test in ("old", "otherwise")) if rng.random() < 0.5 else ()
    linked = talk.linked if rng.random() < 0.5 else ""
    if linked:
        endings[linked] = "close"
    bare = Rules(covered, late, pick, window, rng.choice(["deepest", "nearest"]), tuple(steps), endings, warned, linked, {})
    return msgspec.structs.replace(bare, sentences=_sentences(_cause_clauses(motif, table, bare)))


def _outages(draft: Draft, motif: Motif, table: Table, rng: random.Random) -> Outages:
    kind = rng.choice(["notices", "booked", "capped"])
    levels = _parameter(draft, motif, "reach_steps", 2, 3) if rng.random() < 0.5 else ""
    covered, spared = rng.choice([(True, False), (True, True), (False, True), (False, False)])
    cap = _parameter(draft, motif, "reach_most", 2, 3 if covered or levels else 5) if kind == "capped" else ""
    bare = Outages(levels, covered, spared, kind != "notices", cap, {})
    return msgspec.structs.replace(bare, sentences=_sentences(_outage_clauses(motif, table, bare)))


def _sentences(clauses: list[str]) -> dict[str, str]:
    out: dict[str, str] = {}
    for clause in clauses:
        for name in re.findall(r"\{\{ policy\.(\w+) \}\}", clause):
            out.setdefault(name, clause)
    return out


# ---- the handbook


def _a(words: str) -> str:
    return f"{'an' if words[:1] in 'aeio' else 'a'} {words}"


def _or(words: tuple[str, ...] | list[str]) -> str:
    return " or ".join(f"'{one}'" for one in words)


def _chain_clauses(motif: Motif, table: Table) -> list[str]:
    one = table.words
    return [
        f"Each {one} names in '{motif.ref}' the {one} that it hangs on; where '{motif.ref}' is empty, it hangs on nothing. The chain of "
        f"{_a(one)} begins "
        f"with that {one} itself and leads from each to the one that it hangs on, up to one that hangs on nothing. What comes later on the "
        "chain is deeper.",
        f"How {_a(one)} really is, {motif.check} alone shows: its state ({_or(motif.states)}), the day since when it has been in that "
        "state, the day of its "
        f"last change, and whether it is {motif.cover} (1) or not (0). Nothing else that the desk has on it counts for that.",
    ]


def _blame_clause(motif: Motif, table: Table, rules: Rules) -> str:
    """Which rows of the chain can be the cause."""
    one, failed = table.words, motif.failed
    start = f"To blame can be, of the chain of the {motif.noun.replace('_', ' ')}'s {one}, those whose state is '{failed}'"
    passed = [f"{_a(one)} that is {motif.cover} is passed over"] if rules.covered else []
    passed += [f"one that is '{failed}' only since a day after the day of the report is passed over"] if rules.late else []
    rest = [] if rules.covered else [f"whether they are {motif.cover}"]
    rest += [] if rules.late else [f"since when they are '{failed}'"]
    out = f"{start}; {'; '.join(passed)}; the search goes on with the others." if passed else f"{start}."
    return f"{out} It doesn't matter {' or '.join(rest)}." if rest else out


def _cause_clauses(motif: Motif, table: Table, rules: Rules) -> list[str]:
    one, noun, failed = table.words, motif.noun.replace("_", " "), motif.failed
    which = (
        "the deepest of them"
        if rules.pick == "deepest"
        else f"the one of them that has been '{failed}' since the earliest day, and of several since that day the deepest"
    )
    out = [*_chain_clauses(motif, table), _blame_clause(motif, table, rules), f"The cause of the {noun} is {which}."]
    if rules.window:
        tie = "the deepest" if rules.tie == "deepest" else f"the one nearest to the {noun}'s own {one}"
        out.append(
            f"If by that nothing is to blame, look at those of the chain, in whatever state and {motif.cover} or not, whose last change "
            "was on the day of the report "
            f"or at most {{{{ policy.{rules.window} }}}} days before it. The one of them that was changed last is the cause; of several "
            f"changed on that same day {tie}."
        )
    out.append(
        "If that leads to nothing either, there is no cause: record none, with the fix 'none'."
        if rules.window
        else "If by that nothing is to blame, there is no cause: record none, with the fix 'none'."
    )
    out.append(_fix_clause(motif, table, rules))
    return out + _ending_clauses(motif, table, rules)


def _fix_clause(motif: Motif, table: Table, rules: Rules) -> str:
    parts = []
    for letter, step in zip("abcd", rules.steps, strict=False):
        limit = f"{{{{ policy.{step.parameter} }}}}"
        says = {
            "old": f"if the cause is '{motif.failed}' since a day more than {limit} days before the day of the report",
            "crowd": f"if more than {limit} {table.many} name the cause in '{motif.ref}'",
            "recent": f"if the cause's last change was on the day of the report or at most {limit} days before it",
            "otherwise": "in every other case",
        }[step.test]
        parts.append(f"({letter}) {says}: '{step.fix}'")
    return f"The fix is that of the first of these that holds: {'; '.join(parts)}."


def _ending_clauses(motif: Motif, table: Table, rules: Rules) -> list[str]:
    noun, nouns = motif.noun.replace("_", " "), motif.nouns.replace("_", " ")
    left = [fix for fix, ending in rules.endings.items() if ending == "leave"]
    handed = [fix for fix, ending in rules.endings.items() if ending == "hand over"]
    parts = [f"{_a(noun).capitalize()} with the fix {_or(left)} is recorded, but stays open."] if left else []
    parts += [f"{_a(noun).capitalize()} with the fix {_or(handed)} is recorded and handed over, not closed."] if handed else []
    parts.append(
        f"Every other {noun} is recorded and then closed." if parts else f"Every {noun} is recorded and then closed, whatever its fix."
    )
    out = [" ".join(parts)]
    if rules.warned:
        out.append(
            f"Where the fix is {_or(rules.warned)}, notify each of the {table.many} that name the cause in '{motif.ref}' (about the "
            "cause). "
            f"Nobody is notified twice about the same {table.words}: one notice serves all {nouns} with that cause. For any other fix "
            "nobody is notified."
        )
    if rules.linked:
        out.append(
            f"Where several {nouns} are worked off together and have the same cause, only the one reported first (on the same day: the one "
            "with the lowest number) "
            f"gets its own fix; the others are recorded with that cause and the fix '{rules.linked}'. Those without a cause are never "
            "linked."
        )
    return out


def _cause_page(motif: Motif, table: Table, rules: Rules) -> str:
    noun = motif.nouns.replace("_", " ")
    lines = [
        f"# Causes of {noun} on {table.many}",
        "",
        f"How to tell what is to blame for {_a(motif.noun.replace('_', ' '))}, and what is done about it.",
        "",
    ]
    return "\n".join(lines + [f"{n}. {clause}" for n, clause in enumerate(_cause_clauses(motif, table, rules), start=1)]) + "\n"


def _outage_clauses(motif: Motif, table: Table, outages: Outages) -> list[str]:
    one, word = table.words, motif.outage
    reach = f"A planned {word} of {_a(one)} reaches the {table.many} that hang on it, directly (1 step) or over others (2 steps or more)"
    reach += f", but not that {one} itself"
    out = [*_chain_clauses(motif, table)]
    out.append(
        f"{reach}; those more than {{{{ policy.{outages.levels} }}}} steps away aren't reached."
        if outages.levels
        else f"{reach}; it doesn't matter over how many steps."
    )
    if outages.covered:
        out.append(
            f"{_a(one).capitalize()} that is {motif.cover} isn't reached, and neither is anything that hangs on it, directly or over "
            "others."
        )
    if outages.spared:
        out.append(
            f"{_a(one).capitalize()} whose state is '{motif.failed}' already isn't reached, but what hangs on it may be, and the step over "
            "it counts." + (f" Where it is {motif.cover} as well, the clause before this one holds." if outages.covered else "")
        )
    if not outages.covered and not outages.spared:
        out.append("In which state they are doesn't matter, and nor does anything else that a check would show.")
    notify = f"Notify each one that is reached, once, about the {one} with the {word}."
    if outages.cap:
        out.append(
            f"If more than {{{{ policy.{outages.cap} }}}} are reached, notify nobody: record the {word} with the outcome 'referred' and "
            "the number of those that it would reach. "
            f"Otherwise do as the next clause says."
        )
    out.append(
        f"{notify} Then record the {word} with the outcome 'booked' and the number of those reached."
        if outages.booked
        else f"{notify} Nothing else is recorded."
    )
    return out


def _outage_page(motif: Motif, table: Table, outages: Outages) -> str:
    lines = [f"# Planned {motif.outage}s of {table.many}", "", f"Whom a planned {motif.outage} reaches, and what is done beforehand.", ""]
    return "\n".join(lines + [f"{n}. {clause}" for n, clause in enumerate(_outage_clauses(motif, table, outages), start=1)]) + "\n"


# ---- tables and rows


def _declare(draft: Draft, motif: Motif, table: Table) -> None:
    key = f"{table.column(table.key).sql}"
    names = f"REFERENCES {quoted(table.name)}({quoted(table.key)})"
    states = ", ".join(text_of(one) for one in motif.states)
    draft.declared += [
        f"CREATE TABLE {quoted(motif.health)} (  -- how each {table.words} really is\n"
        f"  {quoted(motif.key)} {key} PRIMARY KEY NOT NULL {names},\n  state TEXT NOT NULL CHECK (state IN ({states})),\n"
        f"  since TEXT NOT NULL,\n  changed_on TEXT NOT NULL,\n  {quoted(motif.cover)} INTEGER NOT NULL CHECK ({quoted(motif.cover)} IN "
        "(0, 1))\n)",
        f"CREATE TABLE {quoted(motif.incidents)} (\n"
        f"  {quoted(motif.id)} INTEGER PRIMARY KEY NOT NULL,\n  {quoted(motif.key)} {key} NOT NULL {names},\n"
        f"  reported_on TEXT NOT NULL,\n  state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'handed over'))\n)",
        f"CREATE TABLE {quoted(motif.causes)} (  -- what the desk found to blame\n"
        f"  {quoted(motif.id)} INTEGER PRIMARY KEY NOT NULL REFERENCES {quoted(motif.incidents)}({quoted(motif.id)}),\n"
        f"  {quoted(motif.cause)} {key} {names},\n  fix TEXT NOT NULL\n)",
        f"CREATE TABLE {quoted(motif.notices)} (\n"
        f"  {quoted(motif.key)} {key} NOT NULL {names},\n  {quoted(motif.about)} {key} NOT NULL {names},\n"
        f"  PRIMARY KEY ({quoted(motif.key)}, {quoted(motif.about)})\n)",
        f"CREATE TABLE {quoted(motif.outages)} (\n"
        f"  {quoted(motif.key)} {key} PRIMARY KEY NOT NULL {names},\n  outcome TEXT NOT NULL CHECK (outcome IN ('booked', 'referred')),\n"
        f"  reached INTEGER NOT NULL CHECK (reached >= 0)\n)",
    ]
    for column in ("state", "since", "changed_on", motif.cover):
        draft.hidden[f"{motif.health}.{column}"] = motif.check


def _filled(motif: Motif, table: Table) -> str:
    """More rows name one of the three before them, and nearly all where there are few."""
    return f"""
    for n in range(1, len(tables[{table.name!r}])):
        if tables[{table.name!r}][n][{motif.ref!r}] is None and random.random() < (0.85 if len(tables[{table.name!r}]) < {_SMALL} else 0.5):
            tables[{table.name!r}][n][{motif.ref!r}] = tables[{table.name!r}][max(0, n - random.randint(1, 3))][{table.key!r}]
"""


def _planted(motif: Motif, table: Table, rules: Rules) -> str:
    """Some rows failed by themselves; what hangs on one that isn't covered is touched by it. Incidents fall on a few days."""
    well, touched, failed = motif.states
    fixes = [step.fix for step in rules.steps]
    return f"""
    today = datetime.date.fromisoformat({CLOCK[:10]!r})
    hangs = {{row[{table.key!r}]: row[{motif.ref!r}] for row in tables[{table.name!r}]}}
    chains = {{}}
    for key in hangs:
        chains[key] = [key]
        while hangs[chains[key][-1]] is not None and len(chains[key]) < {_LONGEST}:
            chains[key].append(hangs[chains[key][-1]])
    health = {{}}
    broken = random.sample(list(hangs), min(len(hangs), max(4, len(hangs) * random.randint(18, 28) // 100)))
    for key in hangs:
        state = {failed!r} if key in broken else {touched!r} if random.random() < 0.1 else {well!r}
        changed = random.randint(1, 24) if random.random() < 0.55 else random.randint(25, 200)
        health[key] = {{{motif.key!r}: key, "state": state, "since": (today - datetime.timedelta(days=random.randint(1, 30))).isoformat(),
                       "changed_on": (today - datetime.timedelta(days=changed)).isoformat(),
                       {motif.cover!r}: int(key not in broken[:1] and random.random() < 0.3)}}
    for key in hangs:
        roots = [one for one in chains[key][1:] if health[one]["state"] == {failed!r} and health[one][{motif.cover!r}] == 0]
        if roots and health[key]["state"] != {failed!r}:
            health[key]["state"] = {touched!r}
            health[key]["since"] = health[roots[0]]["since"]
    tables[{motif.health!r}] = list(health.values())
    ended = [key for key in chains if len(chains[key]) < {_LONGEST}]
    unwell = [key for key in ended if health[key]["state"] != {well!r}] or ended
    days = [(today - datetime.timedelta(days=one)).isoformat() for one in random.sample(range(2, 17), 7)]
    tables[{motif.incidents!r}] = []
    tables[{motif.causes!r}] = []
    tables[{motif.notices!r}] = []
    tables[{motif.outages!r}] = []
    for n in range(60 if ended else 0):
        state = random.choice(["open", "open", "open", "closed"])
        key = random.choice(unwell if random.random() < 0.75 else ended)
        tables[{motif.incidents!r}].append({{{motif.id!r}: 2001 + n, {motif.key!r}: key, "reported_on": days[n % 7], "state": state}})
        if state == "closed":
            tables[{motif.causes!r}].append({{{motif.id!r}: 2001 + n, {motif.cause!r}: key, "fix": random.choice({fixes!r})}})
"""


# ---- tools


def _add_reads(draft: Draft, motif: Motif, table: Table) -> None:
    noun, nouns = motif.noun.replace("_", " "), motif.nouns.replace("_", " ")
    key = msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}.")
    number = ArgSpec("integer", f"The {noun}.")
    draft.add_tool(
        motif.check,
        ToolSpec(
            f"Look at {_a(table.words)} itself: its state and since which day it is in it, the day of its last change, whether it is "
            f"{motif.cover}.",
            {motif.key: key},
            row=f"SELECT {quoted(motif.key)}, state, since, changed_on, {quoted(motif.cover)} FROM {quoted(motif.health)} WHERE "
            f"{quoted(motif.key)} = :{motif.key}",
            missing=f"There is no {table.words} {{{{ {motif.key} }}}}.",
        ),
    )
    shown, args = (
        f"{quoted(motif.id)}, reported_on, state",
        {"state": ArgSpec("string", "Only those in this state.", enum=["open", "closed", "handed over"], optional=True)},
    )
    where = "(:state IS NULL OR state = :state)"
    if not motif.lean:
        shown = f"{quoted(motif.id)}, {quoted(motif.key)}, reported_on, state"
        args["reported_on"] = ArgSpec("date", "Only those reported on this day.", optional=True)
        where += " AND (:reported_on IS NULL OR reported_on = :reported_on)"
    args["page"] = ArgSpec("integer", "Which page, from 1.", minimum=1, default="1")
    rows = (
        f"SELECT {shown} FROM {quoted(motif.incidents)} WHERE {where} ORDER BY {quoted(motif.id)} LIMIT {PAGE} OFFSET {PAGE} * (:page - 1)"
    )
    draft.add_tool(motif.list, ToolSpec(f"{nouns.capitalize()} on {table.many}, {PAGE} a page.", args, rows=rows))
    row = f"SELECT {quoted(motif.id)}, {quoted(motif.key)}, reported_on, state FROM {quoted(motif.incidents)} WHERE {quoted(motif.id)} = :{motif.id}"
    draft.add_tool(
        motif.get,
        ToolSpec(f"All that the desk has on one {noun}.", {motif.id: number}, row=row, missing=f"There is no {noun} {{{{ {motif.id} }}}}."),
    )


def _add_writes(draft: Draft, motif: Motif, table: Table, rules: Rules, outages: Outages) -> None:
    _add_record(draft, motif, table, rules)
    _add_ending(draft, motif, motif.close, "closed", "Close", "closed")
    if "hand over" in rules.endings.values():
        _add_ending(draft, motif, motif.hand_over, "handed over", "Hand over", "handed over")
    key = table.column(table.key).argument
    one = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} ="
    same = f"FROM {quoted(motif.notices)} WHERE {quoted(motif.key)} = :{motif.key} AND {quoted(motif.about)} = :{motif.about}"
    draft.add_tool(
        motif.notify,
        ToolSpec(
            f"Notify {_a(table.words)} (those in charge of it) about another one.",
            {
                motif.key: msgspec.structs.replace(key, doc="Which one is notified."),
                motif.about: msgspec.structs.replace(key, doc="What it is about."),
            },
            require=[
                Requirement(f"{one} :{motif.key}", f"There is no {table.words} {{{{ {motif.key} }}}}."),
                Requirement(f"{one} :{motif.about}", f"There is no {table.words} {{{{ {motif.about} }}}}."),
                Requirement(
                    f"SELECT 1 WHERE NOT EXISTS (SELECT 1 {same})",
                    f"{{{{ {motif.key} }}}} has been notified about {{{{ {motif.about} }}}} already.",
                ),
            ],
            effect=[
                f"INSERT INTO {quoted(motif.notices)} ({quoted(motif.key)}, {quoted(motif.about)}) VALUES (:{motif.key}, :{motif.about})"
            ],
        ),
    )
    if outages.booked:
        _add_book(draft, motif, table, outages)


def _add_record(draft: Draft, motif: Motif, table: Table, rules: Rules) -> None:
    noun = motif.noun.replace("_", " ")
    number = ArgSpec("integer", f"The {noun}.")
    cause = msgspec.structs.replace(table.column(table.key).argument, doc="The cause; leave it out if there is none.", optional=True)
    row = f"SELECT 1 FROM {quoted(motif.incidents)} WHERE {quoted(motif.id)} = :{motif.id}"
    made = f"{quoted(motif.id)}, {quoted(motif.cause)}, fix"
    exists = (
        f"SELECT 1 WHERE :{motif.cause} IS NULL OR EXISTS (SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{motif.cause})"
    )
    draft.add_tool(
        motif.record,
        ToolSpec(
            f"Record cause and fix of an open {noun}. A second record takes the place of the first.",
            {motif.id: number, motif.cause: cause, "fix": choice(rules.fixes, f"What the page '{motif.page}' says.")},
            require=[
                Requirement(row, f"There is no {noun} {{{{ {motif.id} }}}}."),
                Requirement(f"{row} AND state = 'open'", f"The {noun} {{{{ {motif.id} }}}} isn't open."),
                Requirement(exists, f"There is no {table.words} {{{{ {motif.cause} }}}}."),
            ],
            effect=[
                f"DELETE FROM {quoted(motif.causes)} WHERE {quoted(motif.id)} = :{motif.id}",
                f"INSERT INTO {quoted(motif.causes)} ({made}) VALUES (:{motif.id}, :{motif.cause}, :fix)",
            ],
            row=f"SELECT {made} FROM {quoted(motif.causes)} WHERE {quoted(motif.id)} = :{motif.id}",
        ),
    )


def _add_ending(draft: Draft, motif: Motif, name: str, state: str, verb: str, done: str) -> None:
    noun = motif.noun.replace("_", " ")
    row = f"SELECT 1 FROM {quoted(motif.incidents)} WHERE {quoted(motif.id)} = :{motif.id}"
    recorded = f"SELECT 1 FROM {quoted(motif.causes)} WHERE {quoted(motif.id)} = :{motif.id}"
    draft.add_tool(
        name,
        ToolSpec(
            f"{verb} an open {noun} whose cause is recorded.",
            {motif.id: ArgSpec("integer", f"The {noun}.")},
            require=[
                Requirement(row, f"There is no {noun} {{{{ {motif.id} }}}}."),
                Requirement(f"{row} AND state = 'open'", f"The {noun} {{{{ {motif.id} }}}} isn't open."),
                Requirement(recorded, f"Nothing is recorded on the {noun} {{{{ {motif.id} }}}} yet; it can't be {done}."),
            ],
            effect=[f"UPDATE {quoted(motif.incidents)} SET state = {text_of(state)} WHERE {quoted(motif.id)} = :{motif.id}"],
        ),
    )


def _add_book(draft: Draft, motif: Motif, table: Table, outages: Outages) -> None:
    outcomes = ("booked", "referred") if outages.cap else ("booked",)
    one = f"SELECT 1 FROM {quoted(table.name)} WHERE {quoted(table.key)} = :{motif.key}"
    draft.add_tool(
        motif.book,
        ToolSpec(
            f"Record a planned {motif.outage} of {_a(table.words)}. A second record takes the place of the first.",
            {
                motif.key: msgspec.structs.replace(table.column(table.key).argument, doc=f"The {table.words}."),
                "outcome": choice(outcomes, f"What the page '{motif.outage_page}' says."),
                "reached": ArgSpec("integer", f"How many {table.many} it reaches.", minimum=0),
            },
            require=[Requirement(one, f"There is no {table.words} {{{{ {motif.key} }}}}.")],
            effect=[
                f"DELETE FROM {quoted(motif.outages)} WHERE {quoted(motif.key)} = :{motif.key}",
                f"INSERT INTO {quoted(motif.outages)} ({quoted(motif.key)}, outcome, reached) VALUES (:{motif.key}, :outcome, :reached)",
            ],
        ),
    )


# ---- which instances a task has


def _chains(draft: Draft, motif: Motif) -> str:
    """Common tables: `chain` (start, at, depth) of every row, and `ended`, the rows whose chain ends."""
    table = draft.table(motif.entity)
    base, key, ref = quoted(table.name), quoted(table.key), quoted(motif.ref)
    return (
        f"WITH RECURSIVE chain(start, at, depth) AS (SELECT {key}, {key}, 0 FROM {base} UNION ALL "
        f"SELECT c.start, b.{ref}, c.depth + 1 FROM chain c JOIN {base} b ON b.{key} = c.at WHERE b.{ref} IS NOT NULL AND c.depth < "
        f"{_LONGEST}), "
        f"ended(start) AS (SELECT c.start FROM chain c JOIN {base} b ON b.{key} = c.at WHERE b.{ref} IS NULL)"
    )


def _policy(name: str) -> str:
    return f"(SELECT value FROM policy WHERE name = {text_of(name)})"


def _caused(draft: Draft, motif: Motif, rules: Rules) -> str:
    """Common tables as `_chains`, and `found` (the incident's columns, cause) and `fixed` (the same and fix) of all incidents."""
    table = draft.table(motif.entity)
    health = f"JOIN {quoted(motif.health)} h ON h.{quoted(motif.key)} = c.at WHERE c.start = i.{quoted(motif.key)}"
    tests = [f"h.state = {text_of(motif.failed)}"]
    tests += [f"h.{quoted(motif.cover)} = 0"] if rules.covered else []
    tests += ["h.since <= i.reported_on"] if rules.late else []
    order = "c.depth DESC" if rules.pick == "deepest" else "h.since, c.depth DESC"
    cause = f"(SELECT c.at FROM chain c {health} AND {' AND '.join(tests)} ORDER BY {order} LIMIT 1)"
    if rules.window:
        within = f"julianday(i.reported_on) - julianday(h.changed_on) BETWEEN 0 AND {_policy(rules.window)}"
        tie = "DESC" if rules.tie == "deepest" else "ASC"
        cause = f"coalesce({cause}, (SELECT c.at FROM chain c {health} AND {within} ORDER BY h.changed_on DESC, c.depth {tie} LIMIT 1))"
    parts = []
    for step in rules.steps:
        limit = _policy(step.parameter)
        named = f"(SELECT count(*) FROM {quoted(table.name)} b WHERE b.{quoted(motif.ref)} = f.cause)"
        test = {
            "old": f"h.state = {text_of(motif.failed)} AND julianday(f.reported_on) - julianday(h.since) > {limit}",
            "crowd": f"{named} > {limit}",
            "recent": f"julianday(f.reported_on) - julianday(h.changed_on) BETWEEN 0 AND {limit}",
            "otherwise": "1",
        }[step.test]
        parts.append(f"WHEN {test} THEN {text_of(step.fix)}")
    return (
        f"{_chains(draft, motif)}, found AS (SELECT i.*, {cause} AS cause FROM {quoted(motif.incidents)} i), "
        f"fixed AS (SELECT f.*, CASE WHEN f.cause IS NULL THEN 'none' {' '.join(parts)} END AS fix "
        f"FROM found f LEFT JOIN {quoted(motif.health)} h ON h.{quoted(motif.key)} = f.cause)"
    )


def _is_telling(draft: Draft, table: Table) -> bool:
    """Whether rows have a name that isn't one of a few."""
    entity = next(one for one in draft.model.entities if one.name == table.entity)
    field = next((one for one in entity.fields if one.name == table.label), None)
    return field is not None and not field.values and (field.unique or field.distribution is None or not field.distribution.shares)


def _named(draft: Draft, table: Table, rng: random.Random) -> tuple[str, str]:
    """The parameter that a brief shows of a row, and the column that it is ("" for the key)."""
    if rng.random() < 0.6 and _is_telling(draft, table):
        return f"{table.singular}_name", table.label
    return table.key_argument, ""


def _showing(table: Table, shows: str, label: str) -> tuple[str, str]:
    """Columns of `bind` for the row `b`, and the condition that what the brief shows is nobody else's."""
    columns = f"b.{quoted(table.key)} AS {quoted(table.key_argument)}"
    if not label:
        return columns, "1"
    name = f"b.{quoted(label)}"
    return (
        f"{columns}, {name} AS {quoted(shows)}",
        f"(SELECT count(*) FROM {quoted(table.name)} x WHERE x.{quoted(label)} LIKE '%' || {name} || '%') = 1",
    )


def _key_field(doc: str) -> ArgSpec:
    return ArgSpec("string", f"{doc}, or 'none'.")


# ---- tasks


def _one(draft: Draft, motif: Motif, rules: Rules, rng: random.Random) -> TaskDraft:
    noun, shown = motif.noun.replace("_", " "), f"{{{{ {motif.id} }}}}"
    bind = f"{_caused(draft, motif, rules)} SELECT {quoted(motif.id)}, fix AS stratum FROM fixed WHERE state = 'open'"
    steps = rng.random() < 0.5
    asked = ("cause", "fix", "steps") if steps else ("cause", "fix")
    also = (
        [f", and how many steps it is from the {noun}'s own {{}} to the cause (0 if there is none)".format(draft.table(motif.entity).words)]
        if steps
        else [""]
    )
    instruction, others = said(
        rng,
        [
            f"Find what is to blame for {noun} {shown} by the handbook page '{motif.page}', and settle the {noun} in every respect as that "
            "page says.",
            f"{noun.capitalize()} {shown} is still open. Settle it under '{motif.page}': trace its cause, record it with its fix, and do "
            "all else that the page asks for.",
            f"Please work off {noun} {shown}. The handbook page '{motif.page}' says how the cause is found, which fix is recorded, and "
            "what follows from it; do all of that.",
        ],
        ["Change nothing else.", "Leave everything else as it is.", "Leave other records alone."],
        [
            f"Report the key of the cause ('none' if there is none) and the fix{also[0]}.",
            f"Answer with the cause's key, or 'none', and with the fix{also[0]}.",
            f"Then tell us the cause (its key, or 'none') and the fix{also[0]}.",
        ],
    )
    answer = {
        "cause": _key_field("The key of the cause"),
        "fix": choice(tuple(fix for fix in rules.fixes if fix != rules.linked), "The fix."),
    }
    if steps:
        answer["steps"] = ArgSpec("integer", "Steps from the row itself to the cause; 0 if there is none.")
    luck = max(0.4, round(1 / (len(rules.steps) + 1) + 0.05, 2))
    brief = Brief(
        f"Find cause and fix of one {noun}",
        bind,
        instruction,
        [motif.id],
        [NAME, motif.page],
        answer,
        Limits(120),
        luck,
        paraphrases=others,
    )
    return TaskDraft(
        f"settle-{motif.page}", NAME, "one", brief, CauseTask(motif, rules, motif.id, "one", asked), _cause_knobs(rules) | {"steps": steps}
    )


def _cause_knobs(rules: Rules) -> dict[str, object]:
    tests = "-".join(step.test for step in rules.steps)
    endings = "-".join(f"{fix}:{ending}" for fix, ending in rules.endings.items() if ending != "close")
    return {
        "covered": rules.covered, "late": rules.late, "pick": rules.pick, "window": bool(rules.window), "tie": rules.tie if rules.window else "",
        "tests": tests, "endings": endings, "warned": bool(rules.warned), "linked": bool(rules.linked),
    }  # fmt: skip


class _Scope(msgspec.Struct, frozen=True):
    """Which incidents a batch has: the kind, the parameter shown, `bind`'s columns and joins on `f`, its group and condition, the words."""

    kind: str
    shows: str
    columns: str
    joins: str
    by: str
    where: str
    words: str
    hop: Hop | None = None
    label: str = ""


def _rows(material: Material, entity: str) -> int:
    """How many rows an entity has: those to be made, or those of the source."""
    return material.rows.get(entity) or next(one.rows for one in material.model.entities if one.name == entity)


def _scope(draft: Draft, material: Material, motif: Motif, rng: random.Random) -> _Scope:
    gathers = [one for one in material.relations(motif.entity) if one.to != motif.entity and draft.table(one.to).facet in _GATHERERS]
    table = draft.table(motif.entity)
    gathers = [one for one in gathers if any(each.name == one.fields[0] and not each.nullable for each in table.columns)]
    gathers = [one for one in gathers if 2 <= _rows(material, one.to) <= _rows(material, motif.entity) // 3]
    kind = rng.choice(["day", "from", *(["group", "group"] if gathers else [])])
    if kind == "day":
        return _Scope(kind, "day", "f.reported_on AS day", "", "f.reported_on", "1", "reported on {{ day }}")
    if kind == "from":
        days = f"JOIN (SELECT DISTINCT reported_on AS day FROM {quoted(motif.incidents)}) d ON f.reported_on >= d.day"
        return _Scope(kind, "day", "d.day AS day", days, "d.day", "1", "reported on {{ day }} or later")
    relation = rng.choice(gathers)
    group = draft.table(relation.to)
    hop = Hop(relation.fields[0], relation.to)
    joins = (
        f"JOIN {quoted(table.name)} t ON t.{quoted(table.key)} = f.{quoted(motif.key)} "
        f"JOIN {quoted(group.name)} g ON g.{quoted(group.key)} = t.{quoted(hop.column)}"
    )
    columns, where, shows = f"g.{quoted(group.key)} AS {quoted(group.key_argument)}", "1", group.key_argument
    label = group.label if _is_telling(draft, group) else ""
    if label:
        shows, name = f"{group.singular}_name", f"g.{quoted(label)}"
        columns += f", {name} AS {quoted(shows)}"
        where = f"(SELECT count(*) FROM {quoted(group.name)} x WHERE x.{quoted(label)} LIKE '%' || {name} || '%') = 1"
    words = f"on {table.many} of the {group.words} {{{{ {shows} }}}} (their '{hop.column}')"
    return _Scope(kind, shows, columns, joins, f"g.{quoted(group.key)}", where, words, hop, label)


def _batch(draft: Draft, material: Material, motif: Motif, rules: Rules, rng: random.Random) -> TaskDraft:
    nouns = motif.nouns.replace("_", " ")
    scope = _scope(draft, material, motif, rng)
    bind = (
        f"{_caused(draft, motif, rules)} SELECT {scope.columns} FROM fixed f {scope.joins} WHERE f.state = 'open' AND {scope.where} "
        f"GROUP BY {scope.by} HAVING count(*) BETWEEN {2 if scope.hop else 3} AND 10 AND count(f.cause) >= 1"
    )
    counted = rng.choice([step.fix for step in rules.steps])
    second = rng.choice(["", "unexplained", "fixed"])
    also = {
        "": "",
        "unexplained": f", and how many of the {nouns} have no cause",
        "fixed": f", and how many of the {nouns} got the fix '{counted}'",
    }[second]
    instruction, others = said(
        rng,
        [
            f"Work off together all open {nouns} {scope.words}: settle each of them in every respect as the handbook page '{motif.page}' "
            "says.",
            f"All {nouns} {scope.words} that are still open have to be settled together under '{motif.page}': record cause and fix of "
            "each, and do all else that the page asks for.",
            f"Please settle, as one lot, every open one of the {nouns} {scope.words}. The page '{motif.page}' of the handbook says how "
            "causes are found, which fix is recorded and what follows from it; do all of that.",
        ],
        ["Leave all others as they are.", "Change nothing else.", "Other records stay as they are."],
        [
            f"Report how many different causes they have between them (no cause doesn't count as one){also}.",
            f"Answer with the number of different causes that you found, not counting 'no cause'{also}.",
            f"Then tell us how many different causes there were (having none isn't a cause){also}.",
        ],
    )
    answer = {"causes": ArgSpec("integer", "How many different causes.")}
    if second:
        answer[second] = ArgSpec(
            "integer", f"How many {nouns} have no cause." if second == "unexplained" else f"How many {nouns} got the fix '{counted}'."
        )
    brief = Brief(
        f"Find causes and fixes of a lot of {nouns}",
        bind,
        instruction,
        [scope.shows],
        [NAME, motif.page],
        answer,
        Limits(400),
        0.1,
        paraphrases=others,
    )
    asked = ("causes", second) if second else ("causes",)
    given = CauseTask(motif, rules, scope.shows, scope.kind, asked, scope.hop, scope.label, counted if second == "fixed" else "")
    return TaskDraft(
        f"settle-all-{motif.page}",
        NAME,
        "batch",
        brief,
        given,
        _cause_knobs(rules) | {"scope": scope.kind, "second": second, "lean": motif.lean},
    )


def _reach(draft: Draft, motif: Motif, outages: Outages) -> str:
    """Common tables as `_chains`, and `reach` (start, at, steps) of what an outage of each row leads to, and `reached`, how many it reaches."""
    table = draft.table(motif.entity)
    base, key, ref = quoted(table.name), quoted(table.key), quoted(motif.ref)
    most = _policy(outages.levels) if outages.levels else str(_LONGEST)
    join = f"JOIN {quoted(motif.health)} h ON h.{quoted(motif.key)} = b.{key}"
    covered = f" AND h.{quoted(motif.cover)} = 0" if outages.covered else ""
    spared = f" AND h.state <> {text_of(motif.failed)}" if outages.spared else ""
    return (
        f"{_chains(draft, motif)}, reach(start, at, steps) AS (SELECT start, start, 0 FROM ended UNION ALL "
        f"SELECT r.start, b.{key}, r.steps + 1 FROM reach r JOIN {base} b ON b.{ref} = r.at {join} WHERE r.steps < {most}{covered}), "
        f"reached(start, n) AS (SELECT r.start, count(*) FROM reach r JOIN {quoted(motif.health)} h ON h.{quoted(motif.key)} = r.at "
        f"WHERE r.steps > 0{spared} GROUP BY r.start)"
    )


def _impact(draft: Draft, material: Material, motif: Motif, outages: Outages, rng: random.Random) -> TaskDraft:
    table = draft.table(motif.entity)
    shows, label = _named(draft, table, rng)
    columns, where = _showing(table, shows, label)
    stratum = f"CASE WHEN r.n > {_policy(outages.cap)} THEN 'referred' ELSE 'booked' END" if outages.cap else "min(r.n / 3, 2)"
    bind = (
        f"{_reach(draft, motif, outages)} SELECT {columns}, {stratum} AS stratum FROM reached r JOIN {quoted(table.name)} b ON "
        f"b.{quoted(table.key)} = r.start "
        f"WHERE r.n >= {1 if _rows(material, motif.entity) < _SMALL else 2} AND {where}"
    )
    farthest = rng.random() < 0.5
    also = ", and how many steps away the farthest of them is" if farthest else ""
    word, shown = motif.outage, f"{table.words} {{{{ {shows} }}}}"
    whether = " (also if nobody is notified)" if outages.cap else ""
    instruction, others = said(
        rng,
        [
            f"A {word} of {shown} is planned. Do all that the handbook page '{motif.outage_page}' asks for beforehand.",
            f"Prepare the planned {word} of {shown} by the handbook page '{motif.outage_page}', in every respect.",
            f"We plan a {word} of {shown}. Look up '{motif.outage_page}' in the handbook, find out whom it reaches, and do what that page "
            "says.",
        ],
        ["Change nothing else.", "Leave everything else as it is.", "Notify nobody else, and touch no other record."],
        [
            f"Report how many {table.many} the {word} reaches{whether}{also}.",
            f"Answer with the number of {table.many} that it reaches{whether}{also}.",
            f"Then tell us how many {table.many} are reached{whether}{also}.",
        ],
    )
    answer = {"reached": ArgSpec("integer", f"How many {table.many} it reaches{whether}.")}
    if farthest:
        answer["farthest"] = ArgSpec("integer", "Steps to the farthest that is reached.")
    brief = Brief(
        f"Prepare a planned {word} of one {table.words}",
        bind,
        instruction,
        [shows],
        [NAME, motif.outage_page],
        answer,
        Limits(240),
        0.3,
        paraphrases=others,
    )
    knobs = {
        "levels": bool(outages.levels), "covered": outages.covered, "spared": outages.spared, "booked": outages.booked, "cap": bool(outages.cap),
        "farthest": farthest, "named": bool(label),
    }  # fmt: skip
    given = ImpactTask(motif, outages, shows, label, ("reached", "farthest") if farthest else ("reached",))
    return TaskDraft(f"prepare-{motif.outage_page}", NAME, "impact", brief, given, knobs)


def _oldest(draft: Draft, motif: Motif, rng: random.Random) -> TaskDraft:
    table = draft.table(motif.entity)
    shows, label = _named(draft, table, rng)
    pick, counted, covered = rng.choice(["deepest", "nearest", "earliest"]), rng.choice(["", "failed", "steps", "days"]), rng.random() < 0.5
    given = ChainTask(motif, shows, label, pick, covered, counted)
    one = table.words
    which, without = _looked_for(given, one)
    length = f"how many {table.many} are on the chain in all, that {one} itself included"
    also = {
        "": "",
        "failed": f"how many {table.many} on the chain are '{motif.failed}'",
        "steps": f"how many steps it is from the {one} itself to the one found (0 if there is none)",
        "days": f"how many days ago, counted from today, the one found became '{motif.failed}' (0 if there is none)",
    }[counted]
    count = f", {length}, and {also}" if counted else f" and {length}"
    instruction, others = said(
        rng,
        [
            f"Follow the chain of {one} {{{{ {shows} }}}} as the handbook page '{motif.page}' defines it, and find {which}.{without}",
            f"On the chain of {one} {{{{ {shows} }}}} (the page '{motif.page}' says what that is), which is {which}?{without}",
            f"We need to know what is wrong behind {one} {{{{ {shows} }}}}: on its chain, in the sense of the page '{motif.page}', look "
            f"for {which}.{without}",
        ],
        ["Only the checks count; record and change nothing.", "Change nothing and record nothing: this is a question only."],
        [
            f"Report its key ('none' if there is none){count}.",
            f"Answer with its key (or 'none'){count}.",
            f"Tell us its key, or 'none'{count}.",
        ],
    )
    answer = {"found": _key_field("The key of the one found"), "length": ArgSpec("integer", f"{length[:1].upper()}{length[1:]}.")}
    if counted:
        answer[counted] = ArgSpec("integer", f"{also[:1].upper()}{also[1:]}.")
    bind = _looked_bind(draft, given)
    brief = Brief(f"Look behind one {one}", bind, instruction, [shows], [NAME, motif.page], answer, Limits(80), 0.3, paraphrases=others)
    knobs = {"pick": pick, "counted": counted, "covered": covered, "named": bool(label)}
    return TaskDraft(f"look-behind-{motif.page}", NAME, "oldest", brief, given, knobs)


def _looked_for(given: ChainTask, one: str) -> tuple[str, str]:
    """Which row a question is after, and the sentence that leaves some out."""
    failed = given.motif.failed
    which = {
        "deepest": f"the deepest {one} whose state is '{failed}'",
        "nearest": f"the {one} whose state is '{failed}' and that is nearest to it (itself, if it is so)",
        "earliest": f"the {one} that has been '{failed}' since the earliest day (of several since that day, the deepest)",
    }[given.pick]
    if not given.covered:
        return which, ""
    too = f" and when you count those that are '{failed}'" if given.counted == "failed" else ""
    return which, f" Leave out those that are {given.motif.cover} when you look for it{too}; they are part of the chain all the same."


def _looked_bind(draft: Draft, given: ChainTask) -> str:
    """Rows that hang on another, by how far away the one found is and how long the chain; where there is none, one of each length."""
    motif, table = given.motif, draft.table(given.motif.entity)
    columns, where = _showing(table, given.shows, given.label)
    only = f" AND h.{quoted(motif.cover)} = 0" if given.covered else ""
    order = {"deepest": "c.depth DESC", "nearest": "c.depth", "earliest": "h.since, c.depth DESC"}[given.pick]
    found = (
        f"(SELECT c.depth FROM chain c JOIN {quoted(motif.health)} h ON h.{quoted(motif.key)} = c.at WHERE c.start = b.{quoted(table.key)} "
        f"AND h.state = {text_of(motif.failed)}{only} ORDER BY {order} LIMIT 1)"
    )
    kind = f"CASE coalesce({found}, -1) WHEN -1 THEN 'none' WHEN 0 THEN 'itself' WHEN 1 THEN 'next' ELSE 'far' END"
    key = f"b.{quoted(table.key)}"
    asked = (
        f"SELECT {key} AS row_key, {kind} AS kind, (SELECT max(c.depth) FROM chain c WHERE c.start = {key}) AS steps "
        f"FROM {quoted(table.name)} b JOIN ended e ON e.start = {key} WHERE b.{quoted(motif.ref)} IS NOT NULL AND {where}"
    )
    turn = "row_number() OVER (PARTITION BY a.kind, a.steps ORDER BY a.row_key)"
    return (
        f"{_chains(draft, motif)}, asked AS ({asked}), spread AS (SELECT a.*, {turn} AS turn FROM asked a) "
        f"SELECT {columns}, CASE s.kind WHEN 'none' THEN s.kind ELSE s.kind || ' of ' || min(s.steps, 4) END AS stratum "
        f"FROM spread s JOIN {quoted(table.name)} b ON {key} = s.row_key WHERE s.kind <> 'none' OR s.turn = 1"
    )
