"""What the handbook's clauses come to, in SQL over the state before: named queries for a verifier.

`facts` has a row for each row that is looked at, `fits` each clause that fits one, `ruled` the first of them with its outcome and amount.
"""

from __future__ import annotations

from worldwright.synthesis.draft import Draft, quoted, text_of
from worldwright.synthesis.ruling import BoundTest, Fact, Hop, Ruling, day_of

__all__ = ["parameter", "reach", "ruled"]


def ruled(draft: Draft, ruling: Ruling, where: str) -> dict[str, str]:
    """The queries facts, fits and ruled; `where` says which rows (`o` is the row). `ruled` has key, outcome, amount_cents."""
    table = draft.table(ruling.entity)
    columns = [f"o.{quoted(table.key)} AS row_key"]
    for fact in ruling.facts:
        if ruling.check is not None and fact.alias == ruling.check.alias:
            source = f"(SELECT s.{quoted(fact.column)} FROM before.{quoted(ruling.check.table)} s WHERE s.{quoted(table.key_argument)} = o.{quoted(table.key)})"
        else:
            source = reach(draft, "o", fact.hops, fact.column)
        columns.append(f"{source} AS {quoted(fact.alias)}")
    if ruling.amount is not None:
        columns.append(f"{reach(draft, 'o', ruling.amount.hops, ruling.amount.column)} AS base_cents")
    facts = f"SELECT {', '.join(columns)} FROM before.{quoted(table.name)} o WHERE {where}"
    fits = " UNION ALL ".join(
        f"SELECT row_key, {clause.number} AS clause FROM facts WHERE {' AND '.join(_holds(one) for one in clause.when) or '1'}"
        for clause in ruling.clauses
    )
    outcomes = " ".join(f"WHEN {clause.number} THEN {text_of(clause.then)}" for clause in ruling.clauses)
    chosen = "SELECT f.row_key, min(t.clause) AS clause{base} FROM facts f JOIN fits t ON t.row_key = f.row_key GROUP BY f.row_key"
    amount = ""
    if ruling.amount is not None:
        shares = " ".join(f"WHEN {one.number} THEN {parameter(one.share)}" for one in ruling.clauses if one.share)
        amount = f", (base_cents * CASE clause {shares} ELSE 0 END + 50) / 100 AS amount_cents"
    first = chosen.format(base=", f.base_cents" if ruling.amount is not None else "")
    return {"facts": facts, "fits": fits, "ruled": f"SELECT row_key, clause, CASE clause {outcomes} END AS outcome{amount} FROM ({first})"}


def reach(draft: Draft, at: str, hops: tuple[Hop, ...], column: str, level: int = 0) -> str:
    """A value over hops, as nested queries."""
    if not hops:
        return f"{at}.{quoted(column)}"
    target = draft.table(hops[0].entity)
    name = f"h{level}"
    inner = reach(draft, name, hops[1:], column, level + 1)
    return f"(SELECT {inner} FROM before.{quoted(target.name)} {name} WHERE {name}.{quoted(target.key)} = {at}.{quoted(hops[0].column)})"


def parameter(name: str) -> str:
    """A parameter's value."""
    return f"(SELECT value FROM before.policy WHERE name = {text_of(name)})"


_SIGNS = {"over": ">", "at least": ">=", "under": "<", "at most": "<="}


def _holds(test: BoundTest) -> str:
    left = _value(test.fact)
    if test.since:
        start = text_of(day_of(test.since)) if isinstance(test.since, str) else f"date({_value(test.since)})"
        left = f"CAST(julianday(date({left})) - julianday({start}) AS INTEGER)"
    right = parameter(test.parameter) if test.parameter else None
    if test.op == "is":
        return f"{left} = {right or text_of(test.value)}"
    if test.op == "is not":
        return f"coalesce({left} <> {right or text_of(test.value)}, 1)"
    if test.op in ("in", "not in"):
        inside = f"{left} IN ({', '.join(text_of(one) for one in test.value)})"
        return inside if test.op == "in" else f"NOT coalesce({inside}, 0)"
    return f"coalesce({left} {_SIGNS[test.op]} {right or text_of(test.value)}, 0)"


def _value(fact: Fact) -> str:
    return quoted(fact.alias)
