"""Aims: how rows are drawn so that what is right of them hangs on the figures of the handbook.

Takes a bound ruling; gives, for each clause with a figure, what a row must look like for that figure to decide: the clause's other
tests hold, and the value that is compared lies somewhere in the figure's own range. Most rows of a made table are drawn for one of
these aims, at random. Knows only ranges, never the figure that was drawn: whichever side a row falls on is left to the seed.
"""

from __future__ import annotations

from typing import Any

from worldwright.domain.norms import NOW
from worldwright.synthesis.draft import Draft
from worldwright.synthesis.ruling import BoundTest, Fact, Ruling

__all__ = ["aims_of"]


def aims_of(draft: Draft, ruling: Ruling) -> dict[str, list[list[dict[str, Any]]]]:
    """By entity, an aim for each clause with a figure, as the scenario's `TABLES` has it: tests of a row's own or further columns.

    The decided entity's rows are drawn for the whole clause; rows of other entities that it looks at, for their part of it.
    """
    out: dict[str, list[list[dict[str, Any]]]] = {}
    for clause in ruling.clauses:
        if not any(test.parameter for test in clause.when):
            continue
        tests = [(test.fact.hops, one) for test in clause.when if (one := _aim(draft, ruling, test))]
        out.setdefault(ruling.entity, []).append([one for _, one in tests])
        for hops, one in tests:
            if hops and "since" not in one:
                out.setdefault(hops[-1].entity, []).append([one | {"by": []}])
    return out


def _aim(draft: Draft, ruling: Ruling, test: BoundTest) -> dict[str, Any]:
    """What a value must be; nothing where that can't be said."""
    out: dict[str, Any] = {"by": _by(draft, test.fact), "column": test.fact.column}
    if test.parameter:
        figure = draft.ranges[test.parameter]
        out |= {"least": figure.least, "most": figure.most}
        if test.since:
            if isinstance(test.since, str) and test.since != NOW:
                return {}
            out["since"] = [] if isinstance(test.since, str) else [_by(draft, test.since), test.since.column]
        return out
    if test.since:
        return {}
    values = _values(draft, ruling, test)
    return out | {"values": values} if values else {}


def _by(draft: Draft, fact: Fact) -> list[list[str]]:
    """The hops of a fact: the column, and the table and key that it names."""
    out = []
    for hop in fact.hops:
        target = draft.table(hop.entity)
        out.append([hop.column, target.name, target.key])
    return out


def _values(draft: Draft, ruling: Ruling, test: BoundTest) -> list[Any]:
    """The values for which a test holds, where they can be listed."""
    if test.op == "is":
        return [] if test.value is None else [test.value]
    if test.op == "in":
        return list(test.value)
    known = draft.table(test.fact.hops[-1].entity if test.fact.hops else ruling.entity).column(test.fact.column).values
    if test.op == "is not":
        return [one for one in known if one != test.value]
    return [one for one in known if one not in test.value] if test.op == "not in" else []
