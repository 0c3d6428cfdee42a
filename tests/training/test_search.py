"""A program that the search finds does the work: it passes where it was never tried, and a guess doesn't."""

import pytest

from worldwright.training.search import expressed, replayed

KINDS = (
    ("freight", "reconcile", "net"),
    ("freight", "reconcile", "differences"),
    ("freight", "reconcile", "one"),
    ("equipment-hire", "remedy", "decide"),
    ("laboratory", "rootcause", "look"),
    ("laboratory", "rootcause", "settle"),
)


@pytest.mark.parametrize(("trade", "pattern", "kind"), KINDS)
def test_a_program_found_on_one_instance_passes_on_others(office, practised, trade, pattern, kind):
    entry = office(trade, pattern)[kind]
    program = expressed(practised(entry, 3), entry.verifier, 400)
    assert program is not None
    assert program.instances == 3
    for other in practised(entry, 3, 100):
        assert other.verdict(replayed(other, program.moves), entry.verifier).reward == 1


def test_a_guess_that_passes_once_is_not_a_program(office, practised):
    """An answer of constants may be right on an instance; on others it fails, so it isn't what is reported."""
    entry = office("freight", "reconcile")["one"]
    there = practised(entry, 8)
    guesses = []
    for one in there:
        place = one.root
        while not place.ended:
            choice = next(n for n, move in enumerate(place.moves) if move.kind == "answer" and move.made.form == "constant")
            guesses.append(place.moves[choice].name)
            place = one.step(place, choice)
    names = guesses[: len(there[0].goal.prompt.answer)]
    assert [one.verdict(replayed(one, names), entry.verifier).reward for one in there].count(1) < len(there)


def test_a_move_that_is_not_offered_is_passed_over(office, practised):
    entry = office("laboratory", "rootcause")["look"]
    (one,) = practised(entry, 1)
    program = expressed([one], entry.verifier, 400)
    assert program is not None
    longer = ("look at what isn't there", *program.moves)
    assert one.verdict(replayed(one, longer), entry.verifier).reward == 1


def test_no_places_no_program(office, practised):
    entry = office("freight", "reconcile")["net"]
    assert expressed(practised(entry, 1), entry.verifier, 0) is None


def test_a_program_ends_where_the_limit_of_calls_does(office, practised):
    entry = office("freight", "reconcile")["one"]
    first, other = practised(entry, 2)
    program = expressed([first], entry.verifier, 400)
    assert program is not None
    assert other.verdict(replayed(other, program.moves), entry.verifier).reward == 1
    other.limit = 1
    assert not replayed(other, program.moves).ended
