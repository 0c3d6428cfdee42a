"""The moves: the same from the same memory, named without the instance's values, and known by how they were come by."""

import numpy as np
import pytest

from worldwright.training.calling import is_passing
from worldwright.training.features import FEATURES
from worldwright.training.guiding import guided
from worldwright.training.moves import KINDS
from worldwright.training.taking import taken
from worldwright.training.words import negated
from worldwright.world.protocol import CallResult

PEOPLE = """1. The people asked are those of the desk that is the outcome of the item by 'items'.
2. They are free only while their open items are fewer than their most items.
3. Of those who are free, the one with the fewest open items takes it. Of several with equally few it is the one with the lowest id."""


def walks(practice, seeds, steps=12):
    """The places that guided chance leads to."""
    for seed in seeds:
        chance, place = np.random.default_rng(seed), practice.root
        for _ in range(steps):
            yield place
            if place.ended:
                break
            scores = guided(place.features) / 2
            chances = np.exp(scores - scores.max())
            place = practice.step(place, int(chance.choice(len(chances), p=chances / chances.sum())))


@pytest.mark.parametrize(("trade", "pattern", "kind"), [("freight", "reconcile", "differences"), ("it-service-desk", "triage", "work")])
def test_equal_keys_mean_equal_knowledge(office, practised, trade, pattern, kind):
    """Two attempts that know the same by their keys have the same tables and moves, in whichever order they came there."""
    entry = office(trade, pattern)[kind]
    one, two = practised(entry, 1) + practised(entry, 1)
    known = {place.key: place for place in walks(one, range(20))}
    met = 0
    for place in walks(two, range(100, 120)):
        other = known.get(place.key)
        if other is not None:
            met += 1
            assert other.memory.tables == place.memory.tables
            assert [move.name for move in other.moves] == [move.name for move in place.moves]
            assert np.array_equal(other.features, place.features)
    assert met > 20


def test_names_of_moves_hold_no_key_of_the_instance(office, practised):
    entry = office("freight", "reconcile")["differences"]
    (one,) = practised(entry, 1)
    checked = 0
    for place in walks(one, range(10)):
        keys = {str(row[table.key]) for table in place.memory.tables if table.noun for row in table.rows if row.get(table.key) is not None}
        for move in place.moves:
            assert move.kind in KINDS
            assert not any(len(key) > 3 and key in move.name for key in keys), move.name
            checked += 1
        if place.moves:
            assert place.features.shape == (len(place.moves), FEATURES)
    assert checked > 100


def test_work_goes_to_who_is_free_and_loads_rise():
    people = [
        {"id": "B", "desk": "repairs", "open_items": 0, "most_items": 2},
        {"id": "A", "desk": "repairs", "open_items": 1, "most_items": 2},
        {"id": "C", "desk": "sales", "open_items": 0, "most_items": 9},
    ]
    rows = [{"id": str(n), "=outcome": "repairs"} for n in range(4)]
    done = taken(PEOPLE, rows, people, "id", "2026-03-02T09:00:00")
    assert [row["=person"] for row in done] == ["B", "A", "B", None]
    assert [row["=free"] for row in done] == [2, 2, 1, 0]


def test_what_was_decided_rightly_changes_hands_with_nobody():
    people = [
        {"id": "A", "desk": "repairs", "open_items": 0, "most_items": 1},
        {"id": "B", "desk": "sales", "open_items": 1, "most_items": 1},
    ]
    rows = [
        {"id": "1", "=outcome": "repairs", "outcome": "repairs", "person_id": "A"},
        {"id": "2", "=outcome": "repairs", "outcome": "sales", "person_id": "B"},
        {"id": "3", "=outcome": "sales", "outcome": "repairs", "person_id": None},
    ]
    done = taken(PEOPLE, rows, people, "id", "2026-03-02T09:00:00")
    assert [row["=person"] for row in done] == [None, "A", "B"]


def test_a_page_that_cannot_be_read_gives_nobody_the_work():
    rows = [{"id": "1", "=outcome": "repairs"}]
    assert taken("1. Whoever likes takes it.", rows, [{"id": "A", "desk": "repairs"}], "id", "2026-03-02T09:00:00") == tuple(rows)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Record nothing, correct nothing.", True),
        ("Only look: neither record a difference nor change anything.", True),
        ("Nothing else is to be changed, and no difference is to be recorded.", True),
        ("If it is a difference, record it; if it is none, record nothing.", False),
        ("Record it if it is one. Change no amount and record nothing else.", False),
        ("Record every difference. Correct no amount.", False),
        ("Look at the statement.", False),
    ],
)
def test_denials_are_read_part_by_part(text, denied):
    assert negated(text, "record") is denied


@pytest.mark.parametrize(
    ("error", "passing"), [("The connection was lost.", True), ("There is no site SI-9.", False), ("The request timed out.", True)]
)
def test_only_errors_that_say_nothing_of_what_was_asked_are_passing(error, passing):
    assert is_passing(CallResult(ok=False, error=error), {"site_id": "SI-9"}) is passing
    assert not is_passing(CallResult(ok=True, value=1), {"site_id": "SI-9"})
