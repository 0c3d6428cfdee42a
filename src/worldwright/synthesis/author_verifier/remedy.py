"""Verifiers of remedies: the record and the state that each looked-at row should have."""

from __future__ import annotations

from worldwright.synthesis.author_verifier.rulings import reach, ruled
from worldwright.synthesis.draft import Draft, TaskDraft, quoted, text_of
from worldwright.synthesis.patterns.rulings import RulingTask
from worldwright.synthesis.ruling import Ruling
from worldwright.verifier.spec import Expectation, VerifierSpec, WrittenBy

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> VerifierSpec:
    """The verifier of a task of this pattern."""
    given: RulingTask = task.given
    ruling = given.ruling
    table = draft.table(ruling.entity)
    by = WrittenBy("procedural")
    if task.template == "decide":
        queries = ruled(draft, ruling, f"o.{quoted(table.key)} = :{table.key_argument}")
        answer = {"outcome": "SELECT outcome FROM ruled", "amount_cents": "SELECT amount_cents FROM ruled"}
        return VerifierSpec(by, queries, expect=recorded(draft, ruling), answer=answer)
    assert ruling.group is not None
    group = draft.table(ruling.group.entity)
    mine = f"{reach(draft, 'o', ruling.group.hops[:-1], ruling.group.hops[-1].column)} = :{group.key_argument}"
    if task.template == "clear":
        queries = ruled(draft, ruling, f"o.{quoted(ruling.state)} = 'open' AND {mine}")
        answer = {
            "count": f"SELECT count(*) FROM ruled WHERE outcome = {text_of(given.counted)}",
            "total_cents": "SELECT sum(amount_cents) FROM ruled",
        }
        return VerifierSpec(by, queries, expect=recorded(draft, ruling), answer=answer)
    if task.template == "review":
        queries = ruled(draft, ruling, f"o.{quoted(ruling.state)} = 'decided' AND {mine}")
        queries["wrong"] = (
            f"SELECT u.row_key FROM ruled u JOIN before.{quoted(ruling.made)} r ON r.{quoted(table.key_argument)} = u.row_key WHERE r.outcome <> u.outcome"
        )
        rows = f"SELECT row_key AS {quoted(table.key)}, 'reopened' AS {quoted(ruling.state)} FROM wrong"
        expect = [Expectation(rows, "each wrong decision reopened", update=table.name)]
        return VerifierSpec(by, queries, expect=expect, answer={"reopened": "SELECT count(*) FROM wrong"})
    queries = ruled(draft, ruling, f"o.{quoted(ruling.state)} = 'open' AND {mine}")
    answer = {"total_cents": "SELECT sum(amount_cents) FROM ruled", "largest_cents": "SELECT max(amount_cents) FROM ruled"}
    return VerifierSpec(by, queries, answer=answer)


def recorded(draft: Draft, ruling: Ruling) -> list[Expectation]:
    """A record for each ruled row, and the row marked decided."""
    table = draft.table(ruling.entity)
    amount = ", amount_cents" if ruling.amount is not None else ""
    return [
        Expectation(
            f"SELECT row_key AS {quoted(table.key_argument)}, outcome{amount} FROM ruled",
            "the record that the page leads to",
            insert=ruling.made,
        ),
        Expectation(
            f"SELECT row_key AS {quoted(table.key)}, 'decided' AS {quoted(ruling.state)} FROM ruled", "marked decided", update=table.name
        ),
    ]
