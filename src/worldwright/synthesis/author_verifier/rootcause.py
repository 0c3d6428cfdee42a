"""Verifiers of root causes: what is to blame for each incident, what follows from that, and whom an outage reaches.

`chained` has the chain of each row that is asked about, `traced` the same with what a check of each shows. For incidents, `suspected` has
those that may be the cause in the order in which the page takes them, `blamed` the cause, `fixed` the fix that is its own, `settled` the
one that is recorded. For outages, `touched` has all that one gets to, and `reached` those of them that the page counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from worldwright.synthesis.author_verifier.rulings import parameter
from worldwright.synthesis.draft import CLOCK, Draft, TaskDraft, quoted, text_of
from worldwright.synthesis.patterns.rootcause import CauseTask, ChainTask, ImpactTask, Motif, Outages, Rules, Step
from worldwright.verifier.spec import Expectation, VerifierSpec, WrittenBy

__all__ = ["write"]

_BY = WrittenBy("procedural")


def write(draft: Draft, task: TaskDraft) -> VerifierSpec:
    """The verifier of a task of this pattern."""
    makers: dict[str, Callable[[Draft, Any], VerifierSpec]]
    makers = {"one": _settle, "batch": _settle, "impact": _prepare, "oldest": _look_behind}
    return makers[task.template](draft, task.given)


# ---- incidents


def _settle(draft: Draft, given: CauseTask) -> VerifierSpec:
    """Each incident has its record and is closed, left or handed over as its fix wants; those to be notified are."""
    motif, rules = given.motif, given.rules
    queries = {
        "looked_at": _looked_at(draft, given),
        "chained": _chained(draft, motif, "SELECT DISTINCT start FROM looked_at"),
        "traced": _traced(motif, "looked_at l JOIN chained c ON c.start = l.start", "l.incident, l.reported_on"),
        "suspected": _suspected(motif, rules),
        "blamed": _BLAMED,
        "fixed": _fixed(draft, motif, rules),
        "settled": _settled(rules),
    }
    made = f"SELECT incident AS {quoted(motif.id)}, cause AS {quoted(motif.cause)}, fix FROM settled"
    expect = [Expectation(made, "cause and fix that the page leads to", insert=motif.causes), _ended(motif, rules)]
    if rules.warned:
        queries["told"] = _told(draft, motif, rules)
        rows = f"SELECT row_key AS {quoted(motif.key)}, cause AS {quoted(motif.about)} FROM told"
        expect.append(Expectation(rows, "those that name the cause notified once", insert=motif.notices))
    answers = {
        "cause": "SELECT coalesce(CAST(cause AS TEXT), 'none') FROM settled",
        "fix": "SELECT fix FROM settled",
        "steps": "SELECT coalesce(steps, 0) FROM settled",
        "causes": "SELECT count(DISTINCT cause) FROM settled",
        "unexplained": "SELECT count(*) FROM settled WHERE cause IS NULL",
        "fixed": f"SELECT count(*) FROM settled WHERE fix = {text_of(given.counted)}",
    }
    return VerifierSpec(_BY, queries, expect=expect, answer={field: answers[field] for field in given.asked})


def _looked_at(draft: Draft, given: CauseTask) -> str:
    """The incidents that the brief means."""
    motif = given.motif
    if given.scope == "group":
        assert given.hop is not None
        table = draft.table(motif.entity)
        group = _shown(draft, given.hop.entity, given.shows, given.label)
        mine = f"SELECT b.{quoted(table.key)} FROM before.{quoted(table.name)} b WHERE b.{quoted(given.hop.column)} = ({group})"
        meant = f"i.{quoted(motif.key)} IN ({mine})"
    else:
        column, sign = {"one": (motif.id, "="), "day": ("reported_on", "="), "from": ("reported_on", ">=")}[given.scope]
        meant = f"i.{quoted(column)} {sign} :{given.shows}"
    columns = f"i.{quoted(motif.id)} AS incident, i.{quoted(motif.key)} AS start, i.reported_on"
    return f"SELECT {columns} FROM before.{quoted(motif.incidents)} i WHERE i.state = 'open' AND {meant}"


def _suspected(motif: Motif, rules: Rules) -> str:
    """Who may be the cause of each incident, by `resort` (1: failed; 2: changed lately) and `place` in it."""
    tests = [f"state = {text_of(motif.failed)}"]
    tests += ["covered = 0"] if rules.covered else []
    tests += ["since <= reported_on"] if rules.late else []
    order = "depth DESC" if rules.pick == "deepest" else "since, depth DESC"
    out = _placed(1, order, " AND ".join(tests))
    if rules.window:
        order = f"changed_on DESC, depth {'DESC' if rules.tie == 'deepest' else 'ASC'}"
        out += f" UNION ALL {_placed(2, order, _changed_within(rules.window))}"
    return out


def _placed(resort: int, order: str, where: str) -> str:
    place = f"row_number() OVER (PARTITION BY incident ORDER BY {order})"
    return f"SELECT incident, at, depth, {resort} AS resort, {place} AS place FROM traced WHERE {where}"


def _changed_within(name: str) -> str:
    """The condition that the last change was on the day of the report or at most so many days before."""
    return f"julianday(reported_on) - julianday(changed_on) BETWEEN 0 AND {parameter(name)}"


_FIRST = "FROM suspected s WHERE s.incident = l.incident AND s.place = 1 ORDER BY s.resort LIMIT 1"
_BLAMED = f"SELECT l.incident, l.reported_on, (SELECT s.at {_FIRST}) AS cause, (SELECT s.depth {_FIRST}) AS steps FROM looked_at l"
"""Each incident's cause (NULL if there is none), and how many steps away it is."""


def _fixed(draft: Draft, motif: Motif, rules: Rules) -> str:
    """Each incident with the fix of its cause, and its turn among those with the same cause."""
    cases = " ".join(f"WHEN {_holds(draft, motif, step)} THEN {text_of(step.fix)}" for step in rules.steps)
    turn = "row_number() OVER (PARTITION BY f.cause ORDER BY f.reported_on, f.incident)"
    health = f"LEFT JOIN before.{quoted(motif.health)} h ON h.{quoted(motif.key)} = f.cause"
    return f"SELECT f.*, CASE WHEN f.cause IS NULL THEN 'none' {cases} END AS own, {turn} AS turn FROM blamed f {health}"


def _holds(draft: Draft, motif: Motif, step: Step) -> str:
    """The condition of a clause about the fix; `f` is the incident, `h` its cause."""
    if step.test == "otherwise":
        return "1"
    if step.test == "recent":
        return _changed_within(step.parameter)
    if step.test == "old":
        age = "julianday(f.reported_on) - julianday(h.since)"
        return f"(h.state = {text_of(motif.failed)} AND {age} > {parameter(step.parameter)})"
    table = draft.table(motif.entity)
    named = f"SELECT count(*) FROM before.{quoted(table.name)} b WHERE b.{quoted(motif.ref)} = f.cause"
    return f"({named}) > {parameter(step.parameter)}"


def _settled(rules: Rules) -> str:
    """Each incident with the fix that is recorded: linked, if another with the same cause comes first."""
    fix = f"CASE WHEN cause IS NOT NULL AND turn > 1 THEN {text_of(rules.linked)} ELSE own END" if rules.linked else "own"
    return f"SELECT incident, cause, steps, {fix} AS fix FROM fixed"


def _ended(motif: Motif, rules: Rules) -> Expectation:
    """Closed or handed over, but for those that are left open."""
    states = {"close": "closed", "hand over": "handed over"}
    cases = "".join(f" WHEN {text_of(fix)} THEN {text_of(states.get(ending))}" for fix, ending in rules.endings.items())
    rows = f"SELECT incident, CASE fix{cases} ELSE 'closed' END AS ending FROM settled"
    rows = f"SELECT incident AS {quoted(motif.id)}, ending AS state FROM ({rows}) WHERE ending IS NOT NULL"
    return Expectation(rows, "closed, left open or handed over as the fix wants", update=motif.incidents)


def _told(draft: Draft, motif: Motif, rules: Rules) -> str:
    """Who is to be notified about which cause, once for each."""
    table = draft.table(motif.entity)
    fixes = ", ".join(text_of(fix) for fix in rules.warned)
    named = f"before.{quoted(table.name)} b ON b.{quoted(motif.ref)} = s.cause"
    return f"SELECT DISTINCT b.{quoted(table.key)} AS row_key, s.cause FROM settled s JOIN {named} WHERE s.fix IN ({fixes})"


# ---- outages


def _prepare(draft: Draft, given: ImpactTask) -> VerifierSpec:
    """Each row that is reached is notified, and the outage recorded, as far as the page wants it."""
    motif, outages = given.motif, given.outages
    meant = _shown(draft, motif.entity, given.shows, given.label)
    queries = {"touched": _touched(draft, motif, outages, meant)}
    reached = f"SELECT at, steps FROM touched WHERE steps > 0{f' AND state <> {text_of(motif.failed)}' if outages.spared else ''}"
    queries["reached"] = reached
    beyond = f"(SELECT count(*) FROM reached) > {parameter(outages.cap)}" if outages.cap else "0"
    rows = f"SELECT at AS {quoted(motif.key)}, ({meant}) AS {quoted(motif.about)} FROM reached WHERE NOT {beyond}"
    expect = [Expectation(rows, "each one that is reached notified", insert=motif.notices)]
    if outages.booked:
        outcome = f"CASE WHEN {beyond} THEN 'referred' ELSE 'booked' END"
        rows = f"SELECT ({meant}) AS {quoted(motif.key)}, {outcome} AS outcome, (SELECT count(*) FROM reached) AS reached"
        expect.append(Expectation(rows, "the outage recorded", insert=motif.outages))
    answers = {"reached": "SELECT count(*) FROM reached", "farthest": "SELECT coalesce(max(steps), 0) FROM reached"}
    return VerifierSpec(_BY, queries, expect=expect, answer={field: answers[field] for field in given.asked})


def _touched(draft: Draft, motif: Motif, outages: Outages, meant: str) -> str:
    """The row itself (0 steps) and what the outage gets to from it, step by step; covered rows stop it."""
    table = draft.table(motif.entity)
    health = f"JOIN before.{quoted(motif.health)} h ON h.{quoted(motif.key)} = b.{quoted(table.key)}"
    tests = [f"t.steps < {parameter(outages.levels)}"] if outages.levels else []
    tests += [f"h.{quoted(motif.cover)} = 0"] if outages.covered else []
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    further = f"touched t JOIN before.{quoted(table.name)} b ON b.{quoted(motif.ref)} = t.at {health}{where}"
    return f"SELECT ({meant}) AS at, 0 AS steps, NULL AS state UNION ALL SELECT b.{quoted(table.key)}, t.steps + 1, h.state FROM {further}"


# ---- one chain


def _look_behind(draft: Draft, given: ChainTask) -> VerifierSpec:
    """Which row of the chain it is, and what is asked beside it."""
    motif = given.motif
    order = {"deepest": "depth DESC", "nearest": "depth", "earliest": "since, depth DESC"}[given.pick]
    only = " AND covered = 0" if given.covered else ""
    queries = {
        "chained": _chained(draft, motif, f"SELECT ({_shown(draft, motif.entity, given.shows, given.label)}) AS start"),
        "traced": _traced(motif, "chained c"),
        "failing": f"SELECT at, depth, since FROM traced WHERE state = {text_of(motif.failed)}{only}",
        "pointed_at": f"SELECT at, depth, since FROM failing ORDER BY {order} LIMIT 1",
    }
    answer = {
        "found": "SELECT coalesce((SELECT CAST(at AS TEXT) FROM pointed_at), 'none')",
        "length": "SELECT count(*) FROM chained",
    }
    days = f"CAST(julianday({text_of(CLOCK[:10])}) - julianday(since) AS INTEGER)"
    counts = {
        "failed": "SELECT count(*) FROM failing",
        "steps": "SELECT coalesce((SELECT depth FROM pointed_at), 0)",
        "days": f"SELECT coalesce((SELECT {days} FROM pointed_at), 0)",
    }
    if given.counted:
        answer[given.counted] = counts[given.counted]
    return VerifierSpec(_BY, queries, answer=answer)


# ---- chains


def _shown(draft: Draft, entity: str, shows: str, label: str) -> str:
    """The key of the row that the brief shows."""
    table = draft.table(entity)
    return f"SELECT x.{quoted(table.key)} FROM before.{quoted(table.name)} x WHERE x.{quoted(label or table.key)} = :{shows}"


def _chained(draft: Draft, motif: Motif, starts: str) -> str:
    """Each start with all that it hangs on, itself first (depth 0)."""
    table = draft.table(motif.entity)
    further = f"chained c JOIN before.{quoted(table.name)} b ON b.{quoted(table.key)} = c.at WHERE b.{quoted(motif.ref)} IS NOT NULL"
    return (
        f"SELECT start, start AS at, 0 AS depth FROM ({starts}) UNION ALL SELECT c.start, b.{quoted(motif.ref)}, c.depth + 1 FROM {further}"
    )


def _traced(motif: Motif, source: str, columns: str = "c.start") -> str:
    """The rows of chains with what a check shows; `c` is the row."""
    seen = f"h.state, h.since, h.changed_on, h.{quoted(motif.cover)} AS covered"
    return f"SELECT {columns}, c.at, c.depth, {seen} FROM {source} JOIN before.{quoted(motif.health)} h ON h.{quoted(motif.key)} = c.at"
