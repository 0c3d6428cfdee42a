"""Which instances a task has: SQL over the start state that says what a ruling would come to, for `bind` alone.

Takes a ruling and the world's tables; gives a query of rows with their outcome. Used to pick instances evenly over outcomes and to
leave out those where there is nothing to do; what is right is decided elsewhere, by the verifier's author.
"""

from __future__ import annotations

from worldwright.domain.norms import NOW
from worldwright.synthesis.draft import CLOCK, Draft, quoted, text_of
from worldwright.synthesis.ruling import BoundTest, Fact, Group, Ruling

__all__ = ["group_key", "joined", "outcome_of"]

_OPS = {"is": "=", "over": ">", "at least": ">=", "under": "<", "at most": "<="}


def joined(draft: Draft, ruling: Ruling) -> str:
    """FROM and its joins: `o` is the decided row, and each hop has the name of its path."""
    table = draft.table(ruling.entity)
    out = [f"{quoted(table.name)} o"]
    seen: set[str] = set()
    paths = (
        [fact.hops for fact in ruling.facts]
        + ([ruling.group.hops] if ruling.group else [])
        + ([ruling.amount.hops] if ruling.amount else [])
    )
    for hops in paths:
        at = "o"
        for n in range(len(hops)):
            name = _name(hops[: n + 1])
            if name not in seen:
                seen.add(name)
                target = draft.table(hops[n].entity)
                out.append(f"LEFT JOIN {quoted(target.name)} {name} ON {name}.{quoted(target.key)} = {at}.{quoted(hops[n].column)}")
            at = name
    if ruling.check is not None:
        out.append(f"JOIN {quoted(ruling.check.table)} src ON src.{quoted(table.key_argument)} = o.{quoted(table.key)}")
    return " ".join(out)


def _name(hops: tuple[object, ...]) -> str:
    return "_".join(["j", *(one.column for one in hops)])  # type: ignore[attr-defined]


def group_key(draft: Draft, group: Group) -> tuple[str, str]:
    """The name of the group's row in `joined`, and its key column."""
    return _name(group.hops), draft.table(group.entity).key


def outcome_of(ruling: Ruling) -> str:
    """The outcome, as an expression over `joined`."""
    parts = []
    for clause in ruling.clauses:
        if clause.when:
            parts.append(f"WHEN {' AND '.join(_test(ruling, one) for one in clause.when)} THEN {text_of(clause.then)}")
    return f"CASE {' '.join(parts)} ELSE {text_of(ruling.clauses[-1].then)} END"


def _at(ruling: Ruling, fact: Fact) -> str:
    if ruling.check is not None and fact.alias == ruling.check.alias:
        return f"src.{quoted(fact.column)}"
    return f"{_name(fact.hops) if fact.hops else 'o'}.{quoted(fact.column)}"


def _test(ruling: Ruling, test: BoundTest) -> str:
    left = _at(ruling, test.fact)
    if test.since:
        start = text_of(CLOCK[:10]) if test.since == NOW else f"substr({_at(ruling, test.since)}, 1, 10)"  # type: ignore[arg-type]
        left = f"CAST(julianday(substr({left}, 1, 10)) - julianday({start}) AS INTEGER)"
    right = f"(SELECT value FROM policy WHERE name = {text_of(test.parameter)})" if test.parameter else ""
    if test.op in ("in", "not in"):
        values = ", ".join(text_of(one) for one in test.value)
        return f"{left} IN ({values})" if test.op == "in" else f"({left} IS NULL OR {left} NOT IN ({values}))"
    if test.op == "is not":
        return f"{left} IS NOT {right or text_of(test.value)}"
    return f"{left} {_OPS[test.op]} {right or text_of(test.value)}"
