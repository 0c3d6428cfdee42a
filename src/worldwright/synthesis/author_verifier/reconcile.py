"""Verifiers of reconciliations: what each row and each line comes to by the page, and the records or amounts that follow.

`held` has a row for each row of ours that is looked at, beside what the statement has of it; `judged` its kind ('none' where it is no
difference); `astray` the lines of the group's statement that belong to nothing; `found` all differences, with their cents.
"""

from __future__ import annotations

from worldwright.synthesis.author_verifier.rulings import parameter, reach
from worldwright.synthesis.draft import CLOCK, Draft, TaskDraft, quoted, text_of
from worldwright.synthesis.patterns.reconcile import ReconcileTask, Some, Statement
from worldwright.verifier.spec import Expectation, VerifierSpec, WrittenBy

__all__ = ["write"]

_BY = WrittenBy("procedural")


def write(draft: Draft, task: TaskDraft) -> VerifierSpec:
    """The verifier of a task of this pattern."""
    given: ReconcileTask = task.given
    statement = given.statement
    table = draft.table(statement.entity)
    if task.template == "one":
        return _one(statement, _judged(draft, statement, f"o.{quoted(table.key)} = :{table.key_argument}"), table.key_argument)
    hops = statement.group.hops
    group = draft.table(statement.group.entity)
    judged = _judged(draft, statement, f"{reach(draft, 'o', hops[:-1], hops[-1].column)} = :{group.key_argument}")
    if task.template == "correct":
        rows = f"SELECT row_key AS {quoted(table.key)}, theirs AS {quoted(statement.money)} FROM righted"
        righted = f"SELECT row_key, ours, theirs FROM judged WHERE kind = 'amount' AND {_is_right(statement)}"
        answer = {
            "corrected": "SELECT count(*) FROM righted",
            "change_cents": "SELECT coalesce(sum(theirs - ours), 0) FROM righted",
        }
        expect = [Expectation(rows, "our amount is theirs where the statement is right", update=table.name)]
        return VerifierSpec(_BY, {**judged, "righted": righted}, expect=expect, answer=answer)
    queries = {**judged, "astray": _astray(statement, group.key_argument), "found": _found(statement)}
    net = "SELECT coalesce(sum(cents), 0) FROM found"
    if task.template == "net":
        answer = {"net_cents": net}
        if given.also == "unmatched":
            answer["unmatched"] = "SELECT count(*) FROM found WHERE kind IN ('missing', 'unknown')"
        else:
            answer["largest_cents"] = "SELECT coalesce(max(abs(cents)), 0) FROM found"
        return VerifierSpec(_BY, queries, answer=answer)
    expect = _recorded(statement, table.key_argument)
    if statement.aside:
        expect.append(Expectation("SELECT line FROM astray", "unknown lines set aside", insert=statement.aside))
    return VerifierSpec(_BY, queries, expect=expect, answer={"count": "SELECT count(*) FROM found", "net_cents": net})


def _one(statement: Statement, judged: dict[str, str], key: str) -> VerifierSpec:
    """One row: its kind, its difference, and the record of it if it is one."""
    cents = _cents(statement, "ours", "theirs")
    found = f"SELECT row_key, ref, kind, {cents} AS cents FROM judged WHERE kind <> 'none'"
    answer = {
        "kind": "SELECT kind FROM judged",
        "difference_cents": f"SELECT CASE kind WHEN 'none' THEN 0 ELSE {cents} END FROM judged",
    }
    return VerifierSpec(_BY, {**judged, "found": found}, expect=_recorded(statement, key), answer=answer)


def _recorded(statement: Statement, key: str) -> list[Expectation]:
    """A record for each difference; by key, unknown lines have none."""
    if statement.subject == "ref":
        rows = "SELECT ref, kind, cents AS difference_cents FROM found"
    else:
        rows = f"SELECT row_key AS {quoted(key)}, kind, cents AS difference_cents FROM found WHERE kind <> 'unknown'"
    return [Expectation(rows, "each difference recorded with its kind and cents", insert=statement.made)]


# ---- what the page says


def _judged(draft: Draft, statement: Statement, where: str) -> dict[str, str]:
    """The queries held and judged; `where` says which rows (`o` is the row)."""
    table, rules = draft.table(statement.entity), statement.rules
    columns = [
        f"o.{quoted(table.key)} AS row_key",
        "r.ref AS ref",
        f"o.{quoted(statement.money)} AS ours",
        f"{_theirs(statement)} AS theirs",
        "count(l.line) AS many",
        "max(l.booked_on) AS last_on",
        f"{_is_one_of(rules.exempt)} AS is_exempt",
        f"{_is_one_of(rules.right)} AS is_of_right_kind",
    ]
    columns += [f"date(o.{quoted(rules.transit)}) AS sent_on"] if rules.transit else []
    columns += [f"date(o.{quoted(rules.booked)}) AS counted_from"] if rules.booked else []
    held = (
        f"SELECT {', '.join(columns)} FROM before.{quoted(table.name)} o "
        f"JOIN before.{quoted(statement.refs)} r ON r.{quoted(table.key_argument)} = o.{quoted(table.key)} "
        f"LEFT JOIN before.{quoted(statement.lines)} l ON l.ref = r.ref WHERE {where} GROUP BY o.{quoted(table.key)}"
    )
    return {"held": held, "judged": f"SELECT *, {_kind(statement)} AS kind FROM held"}


def _theirs(statement: Statement) -> str:
    """Their amount: all lines together, or the one that was booked last; 0 without a line."""
    if statement.rules.several != "last":
        return "coalesce(sum(l.amount_cents), 0)"
    lines = f"before.{quoted(statement.lines)} z WHERE z.ref = r.ref ORDER BY z.booked_on DESC LIMIT 1"
    return f"coalesce((SELECT z.amount_cents FROM {lines}), 0)"


def _is_one_of(some: Some | None) -> str:
    return "0" if some is None else f"(o.{quoted(some.column)} IN ({', '.join(text_of(one) for one in some.values)}))"


def _kind(statement: Statement) -> str:
    """The kind of a row of `held`: the first that fits, in the page's order."""
    rules = statement.rules
    cases = ["WHEN is_exempt THEN 'none'"]
    if rules.transit:
        age = f"julianday({text_of(CLOCK[:10])}) - julianday(sent_on)"
        cases.append(f"WHEN many = 0 AND {age} < {parameter(statement.parameter('transit_days'))} THEN 'none'")
    cases.append("WHEN many = 0 THEN 'missing'")
    if rules.several == "double":
        cases.append("WHEN many > 1 THEN 'double'")
    if rules.signs:
        cases.append("WHEN theirs + ours = 0 AND ours <> 0 THEN 'sign'")
    within = "theirs = ours"
    if rules.tolerance != "none":
        within = _within(rules.tolerance == "percent", parameter(statement.parameter("tolerance")))
    return f"CASE {' '.join(cases)} WHEN {within} THEN 'none' ELSE 'amount' END"


def _is_right(statement: Statement) -> str:
    """Whether the statement is right about a row of `judged` whose amount differs."""
    rules = statement.rules
    if rules.right is not None:
        return "is_of_right_kind"
    if rules.booked:
        return f"julianday(last_on) - julianday(counted_from) <= {parameter(statement.parameter('right_days'))}"
    percent = rules.tolerance == "percent"
    return _within(percent, parameter(statement.parameter("right_percent" if percent else "right_cents")))


def _within(percent: bool, much: str) -> str:
    """Whether their amount is at most that much below or above ours: percent of our amount, unrounded, or cents."""
    if percent:
        return f"theirs * 100 BETWEEN ours * 100 - {much} * abs(ours) AND ours * 100 + {much} * abs(ours)"
    return f"theirs BETWEEN ours - {much} AND ours + {much}"


def _astray(statement: Statement, key: str) -> str:
    """The lines of the group's statement that have nobody's ref."""
    account = f":{key}"
    if statement.accounts:
        account = f"(SELECT a.account FROM before.{quoted(statement.accounts)} a WHERE a.{quoted(key)} = :{key})"
    nobody = f"NOT EXISTS (SELECT 1 FROM before.{quoted(statement.refs)} r WHERE r.ref = l.ref)"
    lines = f"before.{quoted(statement.lines)} l WHERE l.{quoted(statement.account_column)} = {account} AND {nobody}"
    return f"SELECT l.line, l.ref, l.amount_cents FROM {lines}"


def _found(statement: Statement) -> str:
    """All differences of a group: those of its rows, and its lines that belong to nothing."""
    rows = f"SELECT row_key, ref, kind, {_cents(statement, 'ours', 'theirs')} AS cents FROM judged WHERE kind <> 'none'"
    lines = f"SELECT NULL AS row_key, ref, 'unknown' AS kind, {_cents(statement, '0', 'amount_cents')} AS cents FROM astray"
    return f"{rows} UNION ALL {lines}"


def _cents(statement: Statement, ours: str, theirs: str) -> str:
    return f"{ours} - {theirs}" if statement.rules.turned else f"{theirs} - {ours}"
