"""Remedy under policy: what is due on a case, by a list of clauses with exceptions, and the record of it.

Motif: a policy with a norm of kind `remedy` on an entity whose rows are gathered by another. Templates: decide one case (each
outcome equally often, refusals included); clear all open ones of a group; find the wrong ones among what was decided; say what the
open ones would come to, and change nothing.
"""

from __future__ import annotations

import random

from worldwright.synthesis.draft import Draft, TaskDraft, quoted, text_of
from worldwright.synthesis.material import Material
from worldwright.synthesis.patterns.rulings import RulingTask, add_record_tool, add_reopen_tool, group_bind, group_shown, rulings_of
from worldwright.synthesis.ruling import Ruling, choice
from worldwright.synthesis.strata import alike, joined, misled, outcome_of, share_of, telling
from worldwright.synthesis.wording import said
from worldwright.task.brief import Brief, Limits
from worldwright.world.spec import ArgSpec

__all__ = ["ABOUT", "NAME", "furnish"]

NAME = "remedy"
ABOUT = "remedy under policy: decide what is due on a case, with exceptions and refusals"
_MOST = 2


def furnish(draft: Draft, material: Material, rng: random.Random) -> None:
    """Add the pattern's tables, tools, pages and tasks. Raises NoMotif."""
    for n, ruling in enumerate(rulings_of(draft, material, rng, NAME, _MOST)):
        add_record_tool(draft, ruling, f"Record what was decided on a {draft.table(ruling.entity).words} under '{ruling.title}'.")
        add_reopen_tool(draft, ruling)
        draft.tasks.append(_decide(draft, ruling, rng))
        draft.tasks.append(_clear(draft, ruling, rng))
        draft.tasks.append(_review(draft, ruling, rng) if n % 2 == 0 and _has_figures(ruling) else _total(draft, ruling, rng))


def _has_figures(ruling: Ruling) -> bool:
    """Whether an outcome hangs on a figure of the page; otherwise there is nothing to look up for outcomes alone."""
    return any(test.parameter for clause in ruling.clauses for test in clause.when)


def _concepts(ruling: Ruling) -> list[str]:
    return [NAME, ruling.slug.replace("_", "-")]


def _differs(ruling: Ruling) -> str:
    """Whether a row's outcome or share is another by the figures of `guess`."""
    pairs = [(outcome_of(ruling, guess), share_of(ruling, guess)) for guess in ("guess", "")]
    return f"(({pairs[0][0]}) <> ({pairs[1][0]}) OR ({pairs[0][1]}) <> ({pairs[1][1]}))"


def _decide(draft: Draft, ruling: Ruling, rng: random.Random) -> TaskDraft:
    table = draft.table(ruling.entity)
    key = table.key_argument
    ways = (
        f"SELECT o.{quoted(table.key)} AS {key}, {outcome_of(ruling)} AS stratum, {alike(draft, ruling)} AS alike, {misled(ruling)} AS misled "
        f"FROM {joined(draft, ruling)} WHERE o.{quoted(ruling.state)} = 'open'"
    )
    bind = telling([key, "stratum"], ways)
    instruction, others = said(
        rng,
        [
            f"Decide {table.words} {{{{ {key} }}}} under the handbook page '{ruling.page}' and record it.",
            f"{table.words.capitalize()} {{{{ {key} }}}} is waiting for a decision under '{ruling.page}'. Take it by the handbook and record it.",
            f"Please settle {table.words} {{{{ {key} }}}}: look up '{ruling.page}' in the handbook, decide by it, and record the decision.",
        ],
        ["Change nothing else.", "Leave everything else as it is.", "Touch no other record."],
        [
            "Report the outcome and the amount in cents.",
            "Answer with the outcome that you recorded and its amount in cents.",
            "Then tell us the outcome and the amount in cents.",
        ],
    )
    brief = Brief(
        f"Decide one {table.words}: {ruling.title}", bind, instruction, [key], _concepts(ruling),
        {"outcome": choice(ruling.outcomes, "What was decided."), "amount_cents": ArgSpec("integer", "The amount in cents, 0 if nothing is due.")},
        Limits(40), max(0.4, round(1 / len(ruling.outcomes) + 0.05, 2)), paraphrases=others,
    )  # fmt: skip
    return TaskDraft(f"decide-{ruling.page}", NAME, "decide", brief, RulingTask(ruling, key), {"outcomes": len(ruling.outcomes)}, ways=ways)


def _clear(draft: Draft, ruling: Ruling, rng: random.Random) -> TaskDraft:
    assert ruling.group is not None
    table = draft.table(ruling.entity)
    shown = group_shown(draft, ruling.group)
    counted = ruling.clauses[-1].then
    having = f"count(*) BETWEEN 2 AND 14 AND count(DISTINCT {outcome_of(ruling)}) >= 2"
    bind, loose = group_bind(draft, ruling, f"o.{quoted(ruling.state)} = 'open'", having, _differs(ruling))
    instruction, others = said(
        rng,
        [
            f"Decide every open {table.words} of {shown.words} {{{{ {shown.parameter} }}}} under the handbook page '{ruling.page}' and record each decision.",
            f"{shown.words.capitalize()} {{{{ {shown.parameter} }}}} has {table.many} that are still open under '{ruling.page}'. Decide each of them by that page and record it.",
            f"Work off what is open under '{ruling.page}' for {shown.words} {{{{ {shown.parameter} }}}}: take a decision on each {table.words} as the page says, and record it.",
        ],
        [
            f"Only those whose {ruling.state.replace('_', ' ')} is 'open' are meant.",
            f"Leave out those whose {ruling.state.replace('_', ' ')} isn't 'open'.",
        ],
        [
            f"Report how many came out as '{counted}' and the total of all amounts in cents.",
            f"Then say how many got the outcome '{counted}', and what all amounts come to in cents.",
            f"Answer with the number of '{counted}' outcomes and the sum of the amounts in cents.",
        ],
    )
    brief = Brief(
        f"Decide all open {table.many} of one {shown.words}: {ruling.title}", bind, instruction, [shown.parameter], _concepts(ruling),
        {"count": ArgSpec("integer", f"How many came out as '{counted}'."), "total_cents": ArgSpec("integer", "The sum of all amounts in cents.")},
        Limits(160), 0.1, paraphrases=others,
    )  # fmt: skip
    return TaskDraft(f"clear-{ruling.page}", NAME, "clear", brief, RulingTask(ruling, shown.parameter, counted), loose=loose)


def _review(draft: Draft, ruling: Ruling, rng: random.Random) -> TaskDraft:
    assert ruling.group is not None
    table = draft.table(ruling.entity)
    shown = group_shown(draft, ruling.group)
    record = f"(SELECT r.outcome FROM {quoted(ruling.made)} r WHERE r.{quoted(table.key_argument)} = o.{quoted(table.key)})"
    wrong = f"({outcome_of(ruling)} <> {record})"
    differs = f"{wrong} <> ({outcome_of(ruling, 'guess')} <> {record})"
    bind, loose = group_bind(
        draft, ruling, f"o.{quoted(ruling.state)} = 'decided'", f"count(*) BETWEEN 2 AND 14 AND sum({wrong}) >= 1", differs
    )
    instruction, others = said(
        rng,
        [
            f"Check the decisions that were taken under '{ruling.page}' for {shown.words} {{{{ {shown.parameter} }}}}, and reopen each {table.words} whose recorded outcome isn't what the page says.",
            f"Somebody decided {table.many} of {shown.words} {{{{ {shown.parameter} }}}} without reading '{ruling.page}'. Reopen those, and only those, whose recorded outcome contradicts that page.",
            f"Audit {shown.words} {{{{ {shown.parameter} }}}}: wherever the outcome recorded for a {table.words} is not the one that the handbook page '{ruling.page}' leads to, reopen it.",
        ],
        ["Recorded amounts don't matter here.", "Look at outcomes only; amounts are checked by somebody else."],
        ["Decide nothing anew, and report how many you reopened.", "Don't decide anything anew. Answer with the number that you reopened."],
    )
    brief = Brief(
        f"Reopen wrong decisions of one {shown.words}: {ruling.title}", bind, instruction, [shown.parameter], _concepts(ruling),
        {"reopened": ArgSpec("integer", "How many were reopened.")}, Limits(160), 0.3, paraphrases=others,
    )  # fmt: skip
    return TaskDraft(f"review-{ruling.page}", NAME, "review", brief, RulingTask(ruling, shown.parameter), loose=loose)


def _total(draft: Draft, ruling: Ruling, rng: random.Random) -> TaskDraft:
    assert ruling.group is not None
    table = draft.table(ruling.entity)
    shown = group_shown(draft, ruling.group)
    some = f"sum({outcome_of(ruling)} <> {text_of(ruling.clauses[-1].then)})"
    bind, loose = group_bind(
        draft, ruling, f"o.{quoted(ruling.state)} = 'open'", f"count(*) BETWEEN 2 AND 14 AND {some} >= 1", _differs(ruling)
    )
    instruction, others = said(
        rng,
        [
            f"What would the open {table.many} of {shown.words} {{{{ {shown.parameter} }}}} come to if each were decided by the handbook page '{ruling.page}' today?",
            f"{shown.words.capitalize()} {{{{ {shown.parameter} }}}} wants a forecast: apply '{ruling.page}' to each of its {table.many} whose {ruling.state.replace('_', ' ')} is 'open'.",
            f"Work out, by '{ruling.page}', the amounts for all open {table.many} of {shown.words} {{{{ {shown.parameter} }}}}.",
        ],
        ["Record nothing and change nothing.", "This is an estimate: write nothing down anywhere."],
        [
            "Report the total in cents and the largest single amount in cents.",
            "Answer with the sum of the amounts and the largest of them, both in cents.",
        ],
    )
    brief = Brief(
        f"Forecast for one {shown.words}: {ruling.title}", bind, instruction, [shown.parameter], _concepts(ruling),
        {"total_cents": ArgSpec("integer", "The sum of the amounts in cents."), "largest_cents": ArgSpec("integer", "The largest amount in cents.")},
        Limits(160), 0.1, paraphrases=others,
    )  # fmt: skip
    return TaskDraft(f"forecast-{ruling.page}", NAME, "total", brief, RulingTask(ruling, shown.parameter), loose=loose)
