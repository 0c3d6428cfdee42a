"""Sentences as people write them, with all that they state: nothing is missed and nothing else is read into them."""

from __future__ import annotations

from typing import Any

import pytest

from worldwright.verifier.statements import found, states, states_only

KINDS = ("money", "date", "time", "number", "id")

LETTERS: list[tuple[str, dict[str, list[Any]]]] = [
    ("We wrote to you on Wednesday, 4 March 2026.", {"date": ["2026-03-04"]}),
    ("Please answer by the 15th of April 2026.", {"date": ["2026-04-15"]}),
    ("Please answer by Wednesday 15 April 2026, 5 pm.", {"date": ["2026-04-15"], "time": ["17:00"]}),
    ("Your credit is EUR 1 234,50.", {"money": [123450]}),
    ("Your credit is € 12.30.", {"money": [1230]}),
    ("Your credit is 12.30 €, paid within 14 days.", {"money": [1230], "number": [14]}),
    ("Your credit is 1\u202f234,50\u00a0€.", {"money": [123450]}),
    ("Credit:\u00a0EUR\u00a012.30", {"money": [1230]}),
    ("* Bill: No. B-10432\n* Date: 2026-03-04\n* Credit: EUR 12.30\n", {"id": ["B-10432"], "date": ["2026-03-04"], "money": [1230]}),
    ("1. Your bill (B-10432)\n2. Your credit (€12.30)", {"id": ["B-10432"], "number": [1, 2], "money": [1230]}),
    ("| bill | total |\n|---|---|\n| B-10432 | EUR 12.30 |", {"id": ["B-10432"], "money": [1230]}),
    ("Re: bill no. B-10432 of 4 March 2026", {"id": ["B-10432"], "date": ["2026-03-04"]}),
    ("Your bills B-10432 and B-10433 are settled.", {"id": ["B-10432", "B-10433"]}),
    ("**Bill B-10432**: we credit **EUR 12.30**.", {"id": ["B-10432"], "money": [1230]}),
    (
        "We refer to bill B-10432—the one of 4 March—and credit EUR 12.30—as agreed.",
        {"id": ["B-10432"], "date": ["2026-03-04"], "money": [1230]},
    ),
    ("The social discount is 12.5 % and the tax 19.00 %.", {"number": [12.5, 19]}),
    ("That is 7.25 percent of EUR 400.00, or 29 euros.", {"number": [7.25], "money": [40000, 2900]}),
    ("Call us on 030 123 456-78.", {"number": [30, 123, 456, 78]}),
    ("Call us on +49 (0)30 1234567 or 01.02.03.04.05.", {"number": [49, 0, 30, 1234567, None]}),
    ("Our address: 12 Mill Lane, 10115 Berlin.", {"number": [12, 10115]}),
    ("The desk has moved to 12 March Street.", {"number": [12]}),
    ("The meter stood at 12,345 kWh, not at 12,345.5 kWh.", {"number": [12345, 12345.5]}),
    ("You used 1234.50 kWh at 31.20 ct/kWh.", {"number": [1234.5], "money": [31.2]}),
    ("The desk is open from 10 am to 12 noon.", {"time": ["10:00", "12:00"]}),
    ("The desk is open Mon-Fri 9:00-17:30, Saturdays 9 a.m. to 1 p.m.", {"time": ["09:00", "17:30", "09:00", "13:00"]}),
    ("See clause 3.2, clauses 3.12 and 3.14, section 4 and § 7.10 of the terms.", {"number": [3.2, 3.12, 3.14, 4, 7.1]}),
    ("The technician comes on 1-3 March 2026.", {"date": ["2026-03-01", "2026-03-03"]}),
    ("From 28 February to 3 March 2026 nobody was at home.", {"date": ["2026-02-28", "2026-03-03"]}),
    ("Period: 01.02.2026 – 28.02.2026", {"date": ["2026-02-01", "2026-02-28"]}),
    ("Under clause 4 may we ask you for 2 things?", {"number": [4, 2]}),
    ("In March 2026 EUR 12.30 were paid, in April 15 euros.", {"number": [2026], "money": [1230, 1500]}),
    ("We read the meter in March 12 times.", {"number": [12]}),
    ("A fee of EUR 30 may be due in May 2026.", {"money": [3000], "number": [2026]}),
    ("You get EUR 12.30 (12 euros and 30 cents) back.", {"money": [1230, 1230]}),
    ("The amount is EUR 90,-, the deposit CHF 50.-.", {"money": [9000, 5000]}),
    ("Between EUR 10-15 per month, 24/7, for 3 months.", {"money": [1000, 1500], "number": [24, 7, 3]}),
    ("Your visit of 2026-03-04T14:30:00 lasted 1.5 hours.", {"date": ["2026-03-04"], "time": ["14:30"], "number": [1.5]}),
    ("Dear Mr O’Neil, report VR-2026-17 and room A4 are noted; COVID-19 rules apply.", {"id": ["VR-2026-17"]}),
    ("Customer C-2020/B-10432, meter M-17.", {"id": ["C-2020", "B-10432", "M-17"]}),
    ("We pay $1,200.00, £45, 30 francs and ¥500.", {"money": [120000, 4500, 3000, 50000]}),
    ("Your dog’s collar no. 7 was found; you may come at noon.", {"number": [7], "time": ["12:00"]}),
]


@pytest.mark.parametrize(("text", "told"), LETTERS)
def test_all_that_a_letter_states_is_read_and_nothing_else(text: str, told: dict[str, list[Any]]) -> None:
    read = {kind: [value for one, value in found(text) if one == kind] for kind in KINDS}
    full = {kind: [_short(value) for value in values] for kind, values in told.items() if kind != "id"}
    assert {kind: [_short(value) for value in values] for kind, values in read.items() if values} == full


@pytest.mark.parametrize(("text", "told"), LETTERS)
def test_a_letter_that_may_state_this_and_no_more_is_accepted(text: str, told: dict[str, list[Any]]) -> None:
    for kind in KINDS:
        values = [value for value in told.get(kind, []) if value is not None]
        assert all(states(text, kind, value) for value in values), kind
        if len(values) == len(told.get(kind, [])):
            assert states_only(text, kind, str(values).replace("'", '"')) == 1, kind
        if values and kind != "id":
            assert states_only(text, kind, str(values[1:]).replace("'", '"')) == (values[0] in values[1:]), kind


def _short(value: Any) -> Any:
    """A date without its year, so that both ways of writing it can be compared."""
    return value[-5:] if isinstance(value, str) else value
