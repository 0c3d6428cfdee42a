"""Which typed values a text states."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwright.verifier.reading import TextFault, UnreadText
from worldwright.verifier.statements import found, mentioned, states, states_only, strays

STATED: list[tuple[str, str, Any]] = [
    ("You get EUR 12.30 back.", "money", 1230),
    ("You get 12.30 EUR back.", "money", 1230),
    ("You get €12.30 back", "money", 1230),
    ("You get 12 euros back", "money", 1200),
    ("EUR12 back", "money", 1200),
    ("1,234.50 in all", "money", 123450),
    ("1.234,50 EUR in all", "money", 123450),
    ("12,30 euros", "money", 1230),
    ("45 cents", "money", 45),
    ("$1,200", "money", 120000),
    ("on 2026-03-04.", "date", "2026-03-04"),
    ("on 2026-03-04T09:30:00", "date", "2026-03-04"),
    ("on 4 March 2026", "date", "2026-03-04"),
    ("on the 4th of March 2026", "date", "2026-03-04"),
    ("on March 4, 2026", "date", "2026-03-04"),
    ("on 4 Mar 2026", "date", "2026-03-04"),
    ("on 4 March", "date", "2026-03-04"),
    ("on 04.03.2026", "date", "2026-03-04"),
    ("at 14:30", "time", "14:30"),
    ("at 2:30 pm", "time", "14:30"),
    ("at 9 am", "time", "09:00"),
    ("at 2026-03-04T14:30:00", "time", "14:30"),
    ("about bill B-10432.", "id", "B-10432"),
    ("about bill b-10432", "id", "B-10432"),
    ("3 rooms", "number", 3),
    ("three rooms", "number", 3),
    ("5 % off", "number", 5),
    ("Clause 3.2", "number", 3.2),
    ("Dear Ms O’Neil", "text", "O'Neil"),
    ("a 90-euro voucher", "money", 9000),
    ("EUR: 90", "money", 9000),
    ("EUR - 90", "money", 9000),
    ("EUR 90,-", "money", 9000),
    ("90,- EUR", "money", 9000),
    ("EUR.90", "money", 9000),
    ("Amount (EUR): 90", "money", 9000),
    ("| EUR | 90 |", "money", 9000),
    ("**90** EUR", "money", 9000),
    ("90 quid", "money", 9000),
    ("90 bucks", "money", 9000),
    ("EUR 1 234,50", "money", 123450),
    ("EUR 1'234.50", "money", 123450),
    ("EUR 1.234.567,89", "money", 123456789),
    ("EUR 4-5", "money", 500),
    ("4-5 euros", "money", 400),
    ("126 euros and 38 cents", "money", 12638),
    ("EUR 126 and 38 cents", "money", 12638),
    ("for 3 €12.30 vouchers", "money", 1230),
    ("bill B-10432 EUR 12.30", "money", 1230),
    ("In 2026 EUR 12.30 was paid", "money", 1230),
    ("A fee of EUR 30 may be charged", "money", 3000),
    ("EUR 90 - 4 March 2026", "money", 9000),
    ("voucher-EUR-90", "money", 9000),
    ("on 20260304", "date", "2026-03-04"),
    ("on 4 March '26", "date", "2026-03-04"),
    ("on 4 March 26.", "date", "2026-03-04"),
    ("on 2026/3/4", "date", "2026-03-04"),
    ("on 4.3.26", "date", "2026-03-04"),
    ("on 04MAR2026", "date", "2026-03-04"),
    ("the fourth of March 2026", "date", "2026-03-04"),
    ("March the 4th, 2026", "date", "2026-03-04"),
    ("1-3 March 2026", "date", "2026-03-01"),
    ("March 1-3, 2026", "date", "2026-03-03"),
    ("B-10432/2026-03-05", "date", "2026-03-05"),
    ("by 4 May", "date", "2026-05-04"),
    ("Monday, 4 May", "date", "2026-05-04"),
    ("4 May.", "date", "2026-05-04"),
    ("may 4th", "date", "2026-05-04"),
    ("at 9.30 am", "time", "09:30"),
    ("at 12 noon", "time", "12:00"),
    ("by midnight", "time", "00:00"),
    ("at 20260304T0930", "time", "09:30"),
    ("at 14:30", "time", "2026-03-04T14:30"),
    ("12.50 %", "number", 12.5),
    ("12.50 kWh", "number", 12.5),
    ("clauses 3.12 and 3.14", "number", 3.14),
    ("about B10432", "id", "B-10432"),
    ("about B 10432", "id", "B-10432"),
    ("about _B-10432_", "id", "B-10432"),
    ("your bill B-10432—we regret", "id", "B-10432"),
    ("VR 2026/17", "id", "VR-2026-17"),
]

NOT_STATED: list[tuple[str, str, Any]] = [
    ("You get 112.30", "money", 1230),
    ("You get 12.305", "money", 1230),
    ("12 rooms", "money", 1200),
    ("on 2026-03-14", "date", "2026-03-04"),
    ("on 04/03/2026", "date", "2026-03-04"),
    ("on 4 March 2025", "date", "2026-03-04"),
    ("B-104321", "id", "B-10432"),
    ("XB-10432", "id", "B-10432"),
    ("2026-03-04", "number", 4),
    ("at 14:30", "number", 14),
    ("EUR 3.00", "number", 3),
    ("a threefold", "number", 3),
    ("O'Neill", "text", "O'Neil"),
    ("", "money", 0),
    ("EUR 1.5k", "money", 150),
    ("EUR 2 million", "money", 200),
    ("EUR 12.304", "money", 1230),
    ("ninety euros", "money", 9000),
    ("126 euros and 38 cents", "money", 12600),
    ("126 euros and 38 cents", "money", 38),
    ("bill B-10432 EUR 12.30", "money", 1043200),
    ("12.50 %", "money", 1250),
    ("12.50 kWh", "money", 1250),
    ("clause 3.12", "money", 312),
    ("In EUR: 2026-03-04", "money", 202600),
    ("clause 4 may apply", "date", "2026-05-04"),
    ("you may 14 days later", "date", "2026-05-14"),
    ("in March 12,345 kWh", "date", "2026-03-12"),
    ("in March 4 readings were taken", "date", "2026-03-04"),
    ("20269999", "date", "2026-09-09"),
    ("B-10432-X", "id", "B-10432"),
    ("B 10433", "id", "B-10432"),
    ("9" * 400, "number", 1),
]


@pytest.mark.parametrize(("text", "kind", "value"), STATED)
def test_states(text: str, kind: str, value: Any) -> None:
    assert states(text, kind, value) == 1, found(text)


@pytest.mark.parametrize(("text", "kind", "value"), NOT_STATED)
def test_does_not_state(text: str, kind: str, value: Any) -> None:
    assert states(text, kind, value) == 0, found(text)


STRAYS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("EUR " + "9" * 400 + ".50", "money", [], ["an unreadable amount"]),
    ("EUR " + "9" * 400, "money", [], ["an unreadable amount"]),
    ("9" * 400 + ".50", "money", [], ["an unreadable amount"]),
    ("2k euros", "money", [], ["an unreadable amount"]),
    ("EUR 1.5k", "money", [150], ["an unreadable amount"]),
    ("3 thousand euros", "money", [300], ["an unreadable amount"]),
    ("EUR 2 million", "money", [200], ["an unreadable amount"]),
    ("EUR 1.2.3", "money", [], ["an unreadable amount"]),
    ("1,234,50", "money", [], ["an unreadable amount"]),
    ("fifty euros more", "money", [], ["an unreadable amount"]),
    ("EUR ninety", "money", [], ["an unreadable amount"]),
    ("EUR 12.304", "money", [1230], [1230.4]),
    ("plus 90 quid, a 90-euro voucher and EUR: 90", "money", [], [9000, 9000, 9000]),
    ("EUR 12.30 EUR 5 EUR 5", "money", [1230], [500, 500]),
    ("12 EUR 5 days later", "money", [1200], []),
    ("clause 4 may apply; group 3 may, however, object; you may 14 days later", "date", [], []),
    ("on 20260304 or 4 March '25", "date", ["2026-03-04"], ["2025-03-04"]),
    ("on 04-03-2026 or 04/03/2026", "date", ["2026-03-04"], ["an unreadable date"] * 2),
    ("1-3 March 2026", "date", ["2026-03-03"], ["2026-03-01"]),
    ("reading 12 - 4 March 2026", "date", ["2026-03-04"], []),
    ("INV-2026-03-17", "date", [], []),
    ("version 2.10, clause 4.3.26, call 01.02.03.04.05", "date", [], []),
    ("at 25:00", "time", [], ["an unreadable time"]),
    ("2026-03-04T14:30:00+01:00", "time", ["14:30"], []),
    ("2k rooms", "number", [2], ["unreadable"]),
    ("B10433, B 10433, B/10433, B–10433, b_10433 and B: 10433", "id", ["B-10432"], ["b-10433"] * 6),
    ("B-7 and B-10433-related matters", "id", ["B-10432"], ["b-7", "b-10433"]),
    ("B 7, 20 m2 and plan B. 12 rooms", "id", ["B-10432", "M-1234"], []),
    ("clause 3, on 12, COVID-19, FR-2026-18", "id", ["B-10432"], []),
    ("clause 3", "id", ["CLAUSE-4"], ["clause-3"]),
    ("FR-2026-17, FR 2026 18", "id", ["FR-2026-17"], ["fr-2026-18"]),
    ("10433", "id", ["10432"], []),
]


@pytest.mark.parametrize(("text", "kind", "allowed", "beyond"), STRAYS)
def test_strays(text: str, kind: str, allowed: list[Any], beyond: list[Any]) -> None:
    assert strays(text, kind, allowed) == beyond, found(text)


def test_what_must_not_be_stated_is_found_also_where_something_is_joined_to_it() -> None:
    assert mentioned("see F-77-old and B 10433", "id", ["F-77", "B-10433", "F-7", None]) == ["F-77", "B-10433"]
    assert mentioned("A Secret!", "text", ["secret", "secretly", "", None]) == ["secret"]
    assert mentioned(None, "text", ["secret"]) == []


@pytest.mark.parametrize("text", ["x " * 10_001 + "EUR 5, secret", "℀" * 7_000, "e" + "\u0300\u0316" * 5_000, "5 " * 2_001])
def test_a_text_that_is_too_much_passes_no_check(text: str) -> None:
    with pytest.raises(UnreadText):
        states(text, "money", 500)
    assert states_only(text, "money", "[500]") == 0


def test_a_long_text_is_read_to_its_end() -> None:
    text = "x " * 9_900 + "EUR 5, secret"
    assert states(text, "money", 500) == 1
    assert states(text, "text", "secret") == 1
    assert states_only(text, "money", "[]") == 0


def test_checks_that_are_not_sound_say_so() -> None:
    for allowed in ("{", '{"a": 1}', "7", b"\xff", "[" * 100_000):
        with pytest.raises(TextFault, match="JSON array"):
            states_only("EUR 5", "money", allowed)
    with pytest.raises(TextFault, match="mony"):
        states("EUR 5", "mony", 500)
    with pytest.raises(TextFault, match="mony"):
        states_only("EUR 5", "mony", "[]")
    assert states_only("EUR 5", "text", '["EUR 5"]') == 0


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 10**400, "nan", "many", b"5", "", [5]])
def test_no_text_states_what_is_no_value(value: Any) -> None:
    for kind in ("money", "number", "time"):
        assert states("EUR 5, 5 rooms, nan, many", kind, value) == 0


def test_states_only() -> None:
    letter = "Bill B-1 of 2026-03-04: EUR 12.30, credited 4 March. COVID-19 rules apply."
    assert states_only(letter, "money", "[1230]") == 1
    assert states_only(letter, "money", "[1231]") == 0
    assert states_only(letter, "date", '["2026-03-04"]') == 1
    assert states_only(letter + " See 05/03/2026.", "date", '["2026-03-04"]') == 0
    assert states_only(letter, "id", '["B-1"]') == 1
    assert states_only(letter + " Not B-2.", "id", '["B-1"]') == 0


def test_no_text_states_nothing() -> None:
    assert states(None, "money", 5) == 0
    assert states("EUR 5", "money", None) == 0
    assert states(b"EUR 5", "money", 500) == 0


@given(st.text(max_size=200), st.sampled_from(["money", "date", "time", "number", "id", "text"]))
def test_any_text_can_be_read(text: str, kind: str) -> None:
    assert states(text, kind, "1") in (0, 1)
    assert states_only(text, kind, "[1]") in (0, 1)


@given(st.integers(0, 10**7), st.sampled_from(["EUR {}", "{} EUR", "€{}", "{} euros", "${}"]))
def test_every_amount_is_read_back(cents: int, form: str) -> None:
    text = f"We pay {form.format(f'{cents // 100:,}.{cents % 100:02d}')} today."
    assert states(text, "money", cents) == 1
    assert states_only(text, "money", f"[{cents}]") == 1


@given(st.dates())
def test_every_date_is_read_back(day: Any) -> None:
    if day.year < 1000:
        return
    for text in (day.isoformat(), f"{day.day} {day.strftime('%B')} {day.year}", f"{day.strftime('%b')} {day.day}, {day.year}"):
        assert states(f"Due on {text}.", "date", day.isoformat()) == 1
        assert states_only(f"Due on {text}.", "date", f'["{day.isoformat()}"]') == 1
