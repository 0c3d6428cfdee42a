"""Reconciling pages: our amount, theirs, the kinds in their order, what is left out, and where the statement is right."""

import pytest

from worldwright.training.clauses import clauses_of, correctable, judged, ours_of, stray_of, theirs_of, truth

NOW = "2026-03-30T09:00:00"
HEAD = "# Reconciling fines\n\nHow our fines are held against the other side's statement.\n\n"


def page(*clauses: str):
    return clauses_of(HEAD + "".join(f"{n}. {text}\n" for n, text in enumerate(clauses, 1)))


OURS = "Our amount of a fine is its sum due, as the desk has it; so are its other fields that are named here."
SUM = OURS + " Their amount is the sum of all lines that belong to it."
LAST = OURS + " Their amount is the amount of its line; where several lines belong to it, the one that was booked last replaces the others."
LEFT_OUT = "A fine whose kind is 'paper' or 'map' isn't reconciled: whatever the statement has, it is no difference."
MISSING = "'missing': no line belongs to the fine. Their amount is then 0."
ON_ITS_WAY = (
    MISSING + " But a fine without a line whose raised on lies less than 10 days before today (the clock's day), or later than today, "
    "is still on its way: it is no difference of any kind."
)
DOUBLE = "'double': more than one line belongs to the fine, whatever the amounts."
SIGN = "'sign': their amount is exactly our amount with the opposite sign, and our amount isn't 0."
PERCENT = "'amount': their amount is more than 10 % of our amount (exactly, without rounding) away from our amount, up or down."
CENTS = "'amount': their amount is more than 50 cents away from our amount, up or down. Just that much is no difference yet."
EXACT = "'amount': their amount isn't our amount, be it by a cent."
LESS = "A difference in cents is their amount less our amount, so it may be below 0."
TURNED = "A difference in cents is our amount less their amount, so it may be below 0."


def line(cents: int, day: str = "2026-03-05") -> dict[str, object]:
    return {"line": 1, "ref": "X", "booked_on": day, "text": "", "amount_cents": cents}


def row(*lines: dict[str, object], **more: object) -> dict[str, object]:
    return {"id": "F-1", "kind": "novel", "sum_due_cents": 1000, "raised_on": "2026-03-01", "lines": list(lines), **more}


def test_our_amount_and_theirs() -> None:
    two = [line(300, "2026-03-09"), line(400, "2026-03-02")]
    assert ours_of(page(SUM)) == ("sum", "due")
    assert theirs_of(page(SUM), two, {}) == 700
    assert theirs_of(page(LAST), two, {}) == 300
    assert theirs_of(page(LAST), [], {}) == 0
    assert theirs_of(page("Their amount is a secret."), two, {}) is None
    assert theirs_of(page(SUM), [{"text": "no sum"}], {}) is None


@pytest.mark.parametrize(
    "clauses, facts, expected",
    [
        ((SUM, MISSING, EXACT, LESS), row(), ("missing", -1000, True)),
        ((SUM, MISSING, EXACT, TURNED), row(), ("missing", 1000, True)),
        ((SUM, MISSING, EXACT, LESS), row(line(1000)), (None, 0, True)),
        ((SUM, MISSING, EXACT, LESS), row(line(1001)), ("amount", 1, True)),
        ((SUM, MISSING, DOUBLE, EXACT, LESS), row(line(500), line(500)), ("double", 0, True)),
        ((SUM, MISSING, SIGN, CENTS, LESS), row(line(-1000)), ("sign", -2000, True)),
        ((SUM, MISSING, SIGN, CENTS, LESS), row(line(950)), (None, 0, True)),
        ((SUM, MISSING, SIGN, CENTS, LESS), row(line(949)), ("amount", -51, True)),
        ((SUM, MISSING, PERCENT, LESS), row(line(1100)), (None, 0, True)),
        ((SUM, MISSING, PERCENT, LESS), row(line(1101)), ("amount", 101, True)),
        ((SUM, LEFT_OUT, MISSING, LESS), row(kind="map"), (None, 0, True)),
        ((SUM, LEFT_OUT, MISSING, LESS), row(kind=None), ("missing", -1000, True)),
        ((SUM, ON_ITS_WAY, EXACT, LESS), row(raised_on="2026-03-21"), (None, 0, True)),
        ((SUM, ON_ITS_WAY, EXACT, LESS), row(raised_on="2026-04-21"), (None, 0, True)),
        ((SUM, ON_ITS_WAY, EXACT, LESS), row(raised_on="2026-03-20"), ("missing", -1000, True)),
        ((SUM, ON_ITS_WAY, EXACT, LESS), row(line(7), raised_on="2026-03-21"), ("amount", -993, True)),
    ],
)
def test_the_kind_and_the_difference(clauses: tuple[str, ...], facts: dict[str, object], expected: tuple[object, ...]) -> None:
    assert judged(page(*clauses), facts, NOW) == expected


def test_what_is_not_there_is_not_judged() -> None:
    unknown = {"id": "F-1", "lines": [line(3)]}
    assert judged(page(SUM, MISSING, EXACT, LESS), unknown, NOW) == (None, None, False)
    assert judged(page(SUM, "A fine whose colour is 'red' isn't reconciled.", EXACT, LESS), row(line(999)), NOW) == ("amount", -1, False)
    no_lines = {key: value for key, value in row().items() if key != "lines"}
    assert judged(page(SUM, MISSING, EXACT, LESS), no_lines, NOW) == (None, None, False)


def test_a_kind_clause_alone_is_held_against_lines_ours_and_theirs() -> None:
    clauses = page(SUM, MISSING, EXACT)
    assert truth(clauses[1], {"lines": []}, NOW) is True
    assert truth(clauses[2], {"lines": [line(5)], "ours": 5, "theirs": 5}, NOW) is False
    assert truth(clauses[2], {"lines": [line(5)], "ours": 4, "theirs": 5}, NOW) is True
    assert truth(clauses[1], {"id": 1}, NOW) is None


RIGHT = (
    "Of all differences only those of the kind 'amount' are ever corrected: the statement is right where {}. Then its sum becomes theirs."
)


@pytest.mark.parametrize(
    "where, facts, expected",
    [
        ("the fine's kind is 'novel' or 'map'", row(line(7)), True),
        ("the fine's kind is 'map'", row(line(7)), False),
        ("the fine's shade is 'map'", row(line(7)), None),
        ("the difference, without its sign, is at most 50 cents", row(line(1050)), True),
        ("the difference, without its sign, is at most 50 cents", row(line(949)), False),
        ("the difference, without its sign, is at most 20 % of our amount (exactly, without rounding)", row(line(800)), True),
        (
            "the line (of several, the one booked last) was booked at most 4 days after the fine's raised on, or before it",
            row(line(7)),
            True,
        ),
        ("the line was booked at most 3 days after the fine's raised on, or before it", row(line(7)), False),
        ("the line was booked at most 3 days after the fine's raised on, or before it", row(line(7, "2026-02-01")), True),
        ("the moon is full", row(line(7)), None),
    ],
)
def test_where_the_statement_is_right(where: str, facts: dict[str, object], expected: bool | None) -> None:
    clauses = page(SUM, EXACT, LESS, RIGHT.format(where))
    assert correctable(clauses, facts, "amount", NOW) is expected
    assert correctable(clauses, facts, "missing", NOW) is False


def test_pages_without_such_a_clause() -> None:
    assert correctable(page(SUM, EXACT), row(line(7)), "amount", NOW) is None
    assert stray_of(page(SUM, EXACT)) is None
    assert stray_of(page("A line that belongs to none of our fines is a difference by itself, of the kind 'stranger'.")) == "stranger"
