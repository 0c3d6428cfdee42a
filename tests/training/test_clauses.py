"""Clauses: sentences in many forms, of trades that no template knows, on rows with and without what they name."""

import pytest

from worldwright.training.clauses import amount, clauses_of, first, missing, truth

NOW = "2026-03-30T09:00:00"


def clause(text: str, about: str = "loans"):
    return clauses_of(f"# A page\n\nWhat is decided on {about}. The first clause that fits decides.\n\n1. {text}\n")[0]


def said(text: str, row: dict[str, object], about: str = "loans") -> bool | None:
    return truth(clause(text, about), row, NOW)


LOAN = {
    "id": "L-1",
    "reader_id": "R-1",
    "book_id": "B-1",
    "kind": "weekend",
    "days_late": 5,
    "renewed": 1,
    "renewals": 2,
    "fine_cents": 1000,
    "taken_on": "2026-03-01",
    "returned_on": "2026-03-20",
    "note": None,
    "clerk_id": None,
    "reader.id": "R-1",
    "reader.kind": "student",
    "reader.open_loans": 4,
    "reader.town": "Ulm",
    "book.id": "B-1",
    "book.shelf": "reference",
    "book.value_cents": 4200,
}


@pytest.mark.parametrize(
    "text, expected",
    [
        ("A loan whose kind is 'weekend' is free.", True),
        ("A loan of kind 'weekend' or 'night' is free.", True),
        ("A loan of the kind 'night' is free.", False),
        ("A loan whose kind isn't 'weekend' is free.", False),
        ("A loan whose kind is neither 'night' nor 'year' is free.", True),
        ("A loan whose kind is other than 'night' is free.", True),
        ("A loan that is at most 5 days late (days late) is free.", True),
        ("A loan that is under 5 days late (days late) is free.", False),
        ("A loan with 5 or more days late is free.", True),
        ("A loan whose days late are between 3 and 5 is free.", True),
        ("A loan whose days late aren't over 5 is free.", True),
        ("A loan whose days late are not more than 4 is free.", False),
        ("A loan whose renewals are 1, 2 or 3 is free.", True),
        ("A loan with 2 renewals is free.", True),
        ("A loan with 3 renewals is free.", False),
        ("A loan that was renewed (renewed is 1) is free.", True),
        ("A loan of a reader of kind 'student' is free.", True),
        ("A loan of a reader whose kind is 'weekend' is free.", False),
        ("A loan is free if the reader's open loans are over 3.", True),
        ("To a reader with over 4 open loans nothing is lent.", False),
        ("A loan brought back more than 14 days after it was taken (returned on, taken on) is fined.", True),
        ("A loan that runs under 19 days (from taken on to returned on) is fined.", False),
        ("A loan taken more than 20 days ago (taken on) is fined.", True),
        ("A loan whose returned on is more than 10 days after 2026-03-01 is fined.", True),
        ("A loan whose returned on is more than 10 days before today is fined.", False),
        ("A loan of kind 'night' and of a reader whose town is 'Ulm' is free.", False),
        ("A loan whose kind is 'night' or whose renewals are over 1 is free.", True),
        ("A loan whose kind is 'night' or whose renewals are over 1 and whose days late are over 9 is free.", False),
        ("A loan whose days late are over 3 is fined, unless its kind is 'weekend'.", False),
        ("A loan whose days late are over 3 is fined, unless the book's shelf is 'novels'.", True),
        ("A loan whose days late are over 3 is fined, whatever its kind and even if it is short.", True),
        ("A loan whose fine is over 20 % of the book's value is looked at.", True),
        ("A loan whose fine is over 30 % of the book's value is looked at.", False),
        ("A loan of any kind but 'weekend' is free.", False),
        ("A loan neither of kind 'night' nor with over 9 renewals is free.", True),
        ("A loan is free when either its kind is 'night' or the reader's town is 'Ulm'.", True),
        ("A loan whose reader has at least 3 but fewer than 5 open loans is free.", True),
        ("All other loans are free.", True),
        ("Otherwise the loan is fined.", True),
        ("In every other case, also where no clerk is named, nothing is due.", True),
        ("A loan without a note is fined.", True),
        ("A loan whose kind is 'weekend' goes to 'desk'. Outcome: 'desk'.", True),
    ],
)
def test_a_sentence_is_read_on_a_row(text: str, expected: bool) -> None:
    assert said(text, LOAN) is expected


@pytest.mark.parametrize(
    "text",
    [
        "A loan that the librarian likes is free.",
        "A loan whose kind is 'weekend' and that looks odd is free.",
        "A loan whose colour is 'red' is free.",
        "A loan whose weight is over 3 is free.",
        "A loan of a parcel of kind 'weekend' is free.",
        "A loan whose branch's kind is 'weekend' is free.",
        "A loan that is heavy (weight is 1) is free.",
        "A loan is free.",
        "No loan of kind 'weekend' is free.",
        "A loan of kind 'weekend' for a child is free.",
        "A loan of kind 'weekend' from abroad is free.",
        "A loan under 9 cents is free.",
        "A loan is free if none of these holds: its kind is 'night', its renewals are over 1.",
        "A loan of kind 'weekend' is free. A loan with over 1 renewals is free too.",
    ],
)
def test_what_cannot_be_read_is_unknown(text: str) -> None:
    assert said(text, LOAN) is None


def test_a_missing_value_is_not_a_missing_field() -> None:
    row = {**LOAN, "days_late": None, "kind": None}
    assert said("A loan whose days late are over 3 is fined.", row) is False
    assert said("A loan whose kind is 'night' is fined.", row) is False
    without = {key: value for key, value in LOAN.items() if key != "days_late"}
    assert said("A loan whose days late are over 3 is fined.", without) is None


def test_an_and_with_a_false_part_is_false_and_an_or_with_a_true_part_true() -> None:
    assert said("A loan whose kind is 'night' and whose colour is 'red' is fined.", LOAN) is False
    assert said("A loan whose kind is 'weekend' and whose colour is 'red' is fined.", LOAN) is None
    assert said("A loan whose kind is 'weekend' or whose colour is 'red' is fined.", LOAN) is True
    assert said("A loan whose kind is 'night' or whose colour is 'red' is fined.", LOAN) is None


def test_a_record_that_the_row_links_to_nowhere_makes_its_comparisons_false() -> None:
    assert said("A loan whose clerk's town is 'Ulm' is fined.", LOAN) is False
    assert said("A loan that hangs on a clerk whose town is 'Ulm' is fined.", LOAN) is False
    assert said("A loan whose clerk's town is 'Ulm' is fined.", {**LOAN, "clerk_id": "C-1"}) is None


def test_a_joined_field_is_found_by_the_role_of_its_link() -> None:
    row = {"baker_id": "P-2", "person.id": "P-2", "person.town": "Ulm", "kind": "rye"}
    assert said("A loaf whose baker's town is 'Ulm' is kept.", row, "loaves") is True
    assert said("A loaf whose baker's town is 'Ulm' is kept.", {**row, "baker_id": "P-3"}, "loaves") is None


def test_two_steps_and_the_nearest_entity() -> None:
    row = {"loaf_id": "A", "loaf.oven_id": "O", "loaf.oven.degrees": 230, "loaf.degrees": 90, "degrees": 20}
    assert said("A sale of a loaf whose oven's degrees are over 200 is dear.", row, "sales") is True
    assert said("A sale of a loaf whose degrees are over 200 is dear.", row, "sales") is False
    assert said("A sale whose degrees are under 30 is dear.", row, "sales") is True


def test_a_longer_name_goes_before_a_shorter_one() -> None:
    row = {"amount_cents": 100, "same_week_amount_cents": 900}
    assert said("A sale with a same week amount of over 500 cents is dear.", row, "sales") is True
    assert said("A sale with an amount of over 500 cents is dear.", row, "sales") is False


def test_texts_of_figures_count_as_figures() -> None:
    assert said("A loaf whose gap is at most 4 % (gap percent) is kept.", {"gap_percent": "3.5"}, "loaves") is True


def test_what_is_missing_is_named() -> None:
    assert missing(clause("A loan of a patron whose rank is 'high' is free."), LOAN) == {"loan", "patron", "rank"}
    assert missing(clause("A loan that was damp (damp percent is 1) is free."), LOAN) == {"damp", "percent"}
    assert missing(clause("A loan whose kind is 'weekend' is free."), LOAN) == frozenset()


PAGE = """# Fines

What is decided on loans. The first clause that fits a loan decides; later ones don't count.

1. A loan of kind 'night' costs nothing. Outcome: 'none'.
2. A loan with over 3 days late costs 15 % of the book's value. Outcome: 'part'.
3. A loan of a patron whose rank is 'high' costs 50 % of its fine. Outcome: 'half'.
4. A loan with 3 days late costs 250 cents. Outcome: 'flat'.
5. Otherwise 33 % of its fine is due. Outcome: 'third'.
6. The desk's entry of kind may be wrong.
7. Shares are of the fine, rounded once to the cent, halves up. Where a clause names no share, the amount is 0.
"""


def test_the_first_clause_and_its_amount() -> None:
    page = clauses_of(PAGE)
    assert [one.outcome for one in page] == ["none", "part", "half", "flat", "third", None, None]

    def decided(row: dict[str, object]) -> tuple[object, ...]:
        found, sure = first(page, row, NOW)
        return (found.number if found else None, sure, amount(found, page, row, NOW) if found else None)

    assert decided(LOAN) == (2, True, 630)
    assert decided({**LOAN, "kind": "night"}) == (1, True, 0)
    assert decided({**LOAN, "days_late": 3}) == (4, False, 250)
    assert decided({**LOAN, "days_late": 0, "fine_cents": 50}) == (5, False, 17)


def test_rounding_rates_and_caps() -> None:
    def cents(text: str, tail: str, row: dict[str, object]) -> int | None:
        page = clauses_of(f"What is decided on loans.\n\n1. {text} Outcome: 'x'.\n2. {tail}\n")
        return amount(page[0], page, row, NOW)

    row = {"fine_cents": 1050, "days_late": 3}
    assert cents("Otherwise 33 % of the fine is due.", "Shares are of the fine, rounded down to the cent.", row) == 346
    assert cents("Otherwise 33 % of the fine is due.", "Shares are of the fine, rounded up to the cent.", row) == 347
    assert cents("Otherwise 33 % of the fine, but at most 200 cents is due.", "Shares are of the fine.", row) == 200
    assert cents("Otherwise 20 cents per day late is due.", "Where a clause names no share, the amount is 0.", row) == 60
    assert cents("Otherwise 33 % of the rent is due.", "Sums are in cents.", row) is None
    assert cents("Otherwise it goes to the desk.", "Nothing else is said here.", row) is None


def test_reconciling_clauses_open_with_a_kind() -> None:
    page = clauses_of("1. Lines are shown.\n2. 'missing': no line belongs to the bill. It's 0.\n3. 'amount': it differs.\n")
    assert [one.outcome for one in page] == [None, "missing", "amount"]
    assert clauses_of("Nothing numbered here.") == ()
