"""Which typed values a text states."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwright.verifier.statements import found, states, states_only

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
]


@pytest.mark.parametrize(("text", "kind", "value"), STATED)
def test_states(text: str, kind: str, value: Any) -> None:
    assert states(text, kind, value) == 1, found(text)


@pytest.mark.parametrize(("text", "kind", "value"), NOT_STATED)
def test_does_not_state(text: str, kind: str, value: Any) -> None:
    assert states(text, kind, value) == 0, found(text)


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
