"""Composition: two patterns in one task, where the second part needs what the first came to.

Takes the tasks that are in a draft already; adds tasks. The first part decides one row by a ruling; if it comes to a certain outcome, the
second part follows for whatever that row is gathered by, which the brief doesn't name. Both parts keep their pages, tools and rules.
"""

from __future__ import annotations

import random
import re

import msgspec

from worldwright.synthesis.draft import Draft, TaskDraft, quoted
from worldwright.synthesis.patterns.rulings import group_shown
from worldwright.synthesis.ruling import Group, Ruling
from worldwright.synthesis.strata import telling
from worldwright.task.brief import Brief, Limits

__all__ = ["ABOUT", "NAME", "Composed", "compose"]

NAME = "composed"
ABOUT = "two patterns in a row: what follows depends on what came out"
_FIRST = ("decide", "route")
_MOST = 2


class Composed(msgspec.Struct, frozen=True):
    """What the authors of a composed task are given: both parts, the outcome on which the second follows, and the way to its group."""

    first: TaskDraft
    second: TaskDraft
    ruling: Ruling
    outcome: str
    group: Group


def compose(draft: Draft, rng: random.Random) -> None:
    """Add composed tasks where two of the draft's tasks fit each other."""
    pairs = [
        (one, two) for one in draft.tasks for two in draft.tasks if one.template in _FIRST and one is not two and _fits(draft, one, two)
    ]
    rng.shuffle(pairs)
    pairs.sort(key=lambda pair: pair[0].pattern == pair[1].pattern)
    used: set[str] = set()
    for one, two in pairs:
        if len(used) < 2 * _MOST and one.name not in used and two.name not in used:
            used |= {one.name, two.name}
            draft.tasks.append(_composed(draft, one, two))


def _fits(draft: Draft, one: TaskDraft, two: TaskDraft) -> bool:
    """Whether the second part is about the group of the first part's row, and about other records than the first."""
    ruling = getattr(one.given, "ruling", None)
    if ruling is None or ruling.group is None or one.brief.show != [draft.table(ruling.entity).key_argument]:
        return False
    group = draft.table(ruling.group.entity)
    shown = group_shown(draft, ruling.group)
    other = getattr(two.given, "ruling", None)
    return (
        two.brief.show == [shown.parameter]
        and f"AS {group.key_argument}" in _any(two)
        and "stratum" not in _any(two)
        and (other is None or other.slug != ruling.slug)
        and all(one.type == "integer" for one in two.brief.answer.values())
    )


def _any(task: TaskDraft) -> str:
    """A part's `bind`, also for what doesn't hang on figures: the first part does already."""
    return task.loose or task.brief.bind


def _composed(draft: Draft, one: TaskDraft, two: TaskDraft) -> TaskDraft:
    ruling: Ruling = one.given.ruling
    assert ruling.group is not None
    table, group = draft.table(ruling.entity), draft.table(ruling.group.entity)
    key = table.key_argument
    outcome = ruling.clauses[-1].then
    at, joins = "o", [f"JOIN {quoted(table.name)} o ON o.{quoted(table.key)} = a.{quoted(key)}"]
    for n, hop in enumerate(ruling.group.hops[:-1]):
        target = draft.table(hop.entity)
        joins.append(f"JOIN {quoted(target.name)} g{n} ON g{n}.{quoted(target.key)} = {at}.{quoted(hop.column)}")
        at = f"g{n}"
    joins.append(f"JOIN ({_any(two)}) b ON b.{quoted(group.key_argument)} = {at}.{quoted(ruling.group.hops[-1].column)}")
    bind = f"SELECT a.*, b.* FROM ({one.ways or one.brief.bind}) a {' '.join(joins)}"
    if one.ways:
        shown = group_shown(draft, ruling.group).parameter
        bind = telling(list(dict.fromkeys([key, "stratum", group.key_argument, shown])), bind)
    ways = zip([one.brief.instruction, *one.brief.paraphrases], [two.brief.instruction, *two.brief.paraphrases], strict=False)
    texts = [_said(draft, ruling, first, second, two.brief.show[0], outcome) for first, second in ways]
    answer = {f"first_{name}": spec for name, spec in one.brief.answer.items()}
    for name, spec in two.brief.answer.items():
        answer[f"then_{name}"] = msgspec.structs.replace(spec, doc=f"{spec.doc} 0 if there was no second part.")
    brief = Brief(
        f"{one.brief.title}, then: {two.brief.title[:1].lower()}{two.brief.title[1:]}", bind, texts[0], [key],
        list(dict.fromkeys([NAME, *one.brief.concepts, *two.brief.concepts])), answer,
        Limits(one.brief.limits.calls + two.brief.limits.calls), one.brief.luck, paraphrases=texts[1:],
    )  # fmt: skip
    given = Composed(one, two, ruling, outcome, ruling.group)
    return TaskDraft(
        f"{ruling.page}-then-{two.name}", NAME, f"{one.template}+{two.template}", brief, given, {"parts": [one.pattern, two.pattern]}
    )


def _said(draft: Draft, ruling: Ruling, first: str, second: str, parameter: str, outcome: str) -> str:
    assert ruling.group is not None
    words, thing = draft.table(ruling.group.entity).words, draft.table(ruling.entity).words
    name = re.escape(words)
    named = re.sub(rf"\b{name} \{{\{{ {parameter} \}}\}}", f"the {words} concerned", second)
    named = re.sub(rf"\b{name[:1].upper()}{name[1:]} \{{\{{ {parameter} \}}\}}", f"The {words} concerned", named)
    named = named.replace(f"{{{{ {parameter} }}}}", f"the {words} concerned").replace("of the the", "of the")
    return (
        f"The work has two parts, and what one says of changes holds for that part alone. Part one. {first} Part two, only if the outcome of part one is '{outcome}'; otherwise stop after part one. "
        f"It is about the {words} that the {thing} of part one belongs to, called the {words} concerned. {named}"
    )
