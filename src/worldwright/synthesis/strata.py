"""Which instances a task has: SQL over the start state that says what a ruling would come to, for `bind` alone.

Takes a ruling and the world's tables; gives a query of rows with their outcome. Used to pick instances evenly over outcomes, to leave
out those where there is nothing to do, and those that come out alike whatever the handbook's figures are (`telling`, `telling_groups`):
they could be solved without looking. About half of the rows that are decided alone are such that the desk's own entry misleads
(`misled`), where there are any. What is right is decided elsewhere, by the verifier's author.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from worldwright.synthesis.draft import Draft, Range, quoted, text_of
from worldwright.synthesis.ruling import BoundTest, Fact, Group, Ruling, day_of

__all__ = ["alike", "alike_groups", "group_key", "joined", "misled", "outcome_of", "share_of", "telling", "telling_groups"]

_GUESSES = 8
"""So many other draws of a page's figures an instance is held against."""
_ALIKE = (2, 4)
"""One row: at least and at most so many of them should lead to the right outcome, so that neither they nor their opposite are worth much."""
_ALL_ALIKE = 2
"""Several rows: at most so many of them should lead to what is right of every row."""
_TOO_ALIKE = 7
"""Where no instance of a seed is as it should be, the nearest to it is taken; none with more alike than this."""

_DESK = "desk"
"""As a guess: by the desk's own entry of the fact that it may have wrong."""

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


def misled(ruling: Ruling) -> str:
    """What a row would come to by what the desk has entered, where that is something else; '' elsewhere. An expression over `joined`."""
    if ruling.check is None:
        return "''"
    desk = outcome_of(ruling, _DESK)
    other = f"({outcome_of(ruling)}) <> ({desk})"
    if ruling.amount is not None:
        other += f" OR ({share_of(ruling)}) <> ({share_of(ruling, _DESK)})"
    return f"CASE WHEN {other} THEN {desk} ELSE '' END"


def outcome_of(ruling: Ruling, guess: str = "") -> str:
    """The outcome, as an expression over `joined`; with the figures of a row of `guess`, if that is given, in place of the policy's."""
    parts = []
    for clause in ruling.clauses:
        if clause.when:
            parts.append(f"WHEN {' AND '.join(_test(ruling, one, guess) for one in clause.when)} THEN {text_of(clause.then)}")
    return f"CASE {' '.join(parts)} ELSE {text_of(ruling.clauses[-1].then)} END"


def _at(ruling: Ruling, fact: Fact, guess: str = "") -> str:
    if ruling.check is not None and fact.alias == ruling.check.alias and guess != _DESK:
        return f"src.{quoted(fact.column)}"
    return f"{_name(fact.hops) if fact.hops else 'o'}.{quoted(fact.column)}"


def share_of(ruling: Ruling, guess: str = "") -> str:
    """The figure that the amount is a share by, 0 where there is none; as `outcome_of`."""
    parts = []
    for clause in ruling.clauses:
        share = _figure(clause.share, guess) if clause.share else "0"
        parts.append(f"WHEN {' AND '.join(_test(ruling, one, guess) for one in clause.when) or '1'} THEN {share}")
    return f"CASE {' '.join(parts)} END"


def alike(draft: Draft, ruling: Ruling) -> str:
    """How many guesses of the page's figures lead to a row's outcome, as an expression over `joined`; as it should be where it has none."""
    figures = _figures(draft, ruling)
    if not figures:
        return str(_ALIKE[0])
    same = f"SELECT count(*) FROM guess WHERE ({outcome_of(ruling, 'guess')}) = ({outcome_of(ruling)})"
    return f"(WITH {_guess(ruling, figures)} {same})"


def telling(columns: Sequence[str], ways: str) -> str:
    """Of ways with the columns `alike`, `misled` and `stratum` (see there) those that hang on the page's figures the most evenly.

    Gives these columns of them. Those where the desk misleads are chosen apart, in strata of their own: else hardly one would be.
    """
    distance = f"max(0, {_ALIKE[0]} - alike, alike - {_ALIKE[1]})"
    split = "way.stratum || CASE way.misled WHEN '' THEN '' ELSE ', not ' || way.misled END AS stratum"
    names = ", ".join(split if one == "stratum" else f"way.{quoted(one)} AS {one}" for one in columns)
    return (
        f"SELECT {names} FROM (SELECT *, min(far) OVER (PARTITION BY misled = '') AS nearest FROM (SELECT *, {distance} AS far FROM ({ways}))) way "
        f"WHERE far = nearest AND (far <= {_TOO_ALIKE - _ALIKE[1]} OR misled <> '')"
    )


def alike_groups(draft: Draft, ruling: Ruling, where: str, differs: str = "") -> str:
    """A join to `joined`: `same.alike` is how many guesses of the page's figures lead to what is right of all of the group's rows.

    `where` says which rows of the group count. `differs` says whether a row comes out otherwise by the figures of `guess`; that its
    outcome is another, if it isn't given.
    """
    assert ruling.group is not None
    figures = _figures(draft, ruling)
    if not figures:
        return "JOIN (SELECT 0 AS alike) same"
    alias, key = group_key(draft, ruling.group)
    other = differs or f"({outcome_of(ruling, 'guess')}) <> ({outcome_of(ruling)})"
    by_guess = (
        f"SELECT {alias}.{quoted(key)} AS one, sum({other}) AS off FROM {joined(draft, ruling)} JOIN guess "
        f"WHERE {where} GROUP BY {alias}.{quoted(key)}, guess.n"
    )
    groups = f"WITH {_guess(ruling, figures)} SELECT one, sum(off = 0) AS alike FROM ({by_guess}) GROUP BY one"
    return f"JOIN ({groups}) same ON same.one = {alias}.{quoted(key)}"


def telling_groups(columns: Sequence[str], ways: str) -> str:
    """Of ways with a column `alike` those that hang on the page's figures; these columns of them."""
    names = ", ".join(f"way.{quoted(one)} AS {one}" for one in columns)
    return (
        f"WITH way AS (SELECT *, max(0, alike - {_ALL_ALIKE}) AS far FROM ({ways})) SELECT {names} FROM way "
        f"WHERE far = (SELECT min(far) FROM way) AND far <= {_TOO_ALIKE - _ALL_ALIKE}"
    )


def _figures(draft: Draft, ruling: Ruling) -> dict[str, Range]:
    """The page's parameters, and what they are drawn from; none if no test compares with one."""
    names = {test.parameter for clause in ruling.clauses for test in clause.when if test.parameter}
    names |= {clause.share for clause in ruling.clauses if clause.share and names}
    return {name: draft.ranges[name] for name in sorted(names)}


def _guess(ruling: Ruling, figures: dict[str, Range]) -> str:
    """The table `guess`: draws of the figures that are spread evenly over each range."""
    rng = random.Random(f"guesses of {ruling.slug}")
    columns = []
    for one in figures.values():
        steps = (one.most - one.least) // one.step + 1
        spread = [one.least + one.step * int((n + rng.random()) * steps / _GUESSES) for n in range(_GUESSES)]
        rng.shuffle(spread)
        columns.append(spread)
    rows = ", ".join(f"({', '.join(str(value) for value in (n, *values))})" for n, values in enumerate(zip(*columns, strict=True)))
    return f"guess({', '.join(['n', *(quoted(name) for name in figures)])}) AS (VALUES {rows})"


def _test(ruling: Ruling, test: BoundTest, guess: str = "") -> str:
    left = _at(ruling, test.fact, guess)
    if test.since:
        start = text_of(day_of(test.since)) if isinstance(test.since, str) else f"substr({_at(ruling, test.since, guess)}, 1, 10)"
        left = f"CAST(julianday(substr({left}, 1, 10)) - julianday({start}) AS INTEGER)"
    right = _figure(test.parameter, guess) if test.parameter else ""
    if test.op in ("in", "not in"):
        values = ", ".join(text_of(one) for one in test.value)
        return f"{left} IN ({values})" if test.op == "in" else f"({left} IS NULL OR {left} NOT IN ({values}))"
    if test.op == "is not":
        return f"{left} IS NOT {right or text_of(test.value)}"
    return f"{left} {_OPS[test.op]} {right or text_of(test.value)}"


def _figure(name: str, guess: str) -> str:
    """A parameter's value: the policy's, or that of the table of guesses."""
    return f"{guess}.{quoted(name)}" if guess and guess != _DESK else f"(SELECT value FROM policy WHERE name = {text_of(name)})"
