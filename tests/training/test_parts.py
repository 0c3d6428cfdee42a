"""Work in two parts: the second follows on what came of the first, about what the first's record belongs to."""

from worldwright.training.parts import split
from worldwright.training.search import expressed, replayed
from worldwright.world.spec import ArgSpec

TEXT = (
    "The work has two parts. Part one. Decide crate C-1 under 'crate-fee' and record it. Change nothing else. "
    "Part two, only if the outcome of part one is 'fee'; otherwise stop after part one. "
    "It is about the cold store that the crate of part one belongs to, called the cold store concerned. "
    "How many crates has the cold store concerned? Record nothing."
)
ANSWER = {
    "first_outcome": ArgSpec("string", "What was decided."),
    "then_count": ArgSpec("integer", "How many. 0 if there was no second part."),
}


def test_an_instruction_is_split_where_it_numbers_its_parts():
    sequel = split(TEXT, ANSWER)
    assert sequel.before == "Decide crate C-1 under 'crate-fee' and record it. Change nothing else."
    assert (sequel.when, sequel.about) == ("fee", "cold_store")
    assert sequel.text == "How many crates has the cold store concerned? Record nothing."
    assert list(sequel.answer) == ["then_count"]
    assert [(name, value) for name, _, value in sequel.otherwise()] == [("then_count", 0)]


def test_an_instruction_of_one_part_is_not_split():
    assert split("Decide crate C-1 under 'crate-fee' and record it.", ANSWER) is None
    assert split(TEXT, {"outcome": ArgSpec("string", "What was decided.")}) is None


def test_a_second_part_begins_only_where_it_follows_and_with_its_own_record(office, practised):
    """Programs of the first part lead on instances of both kinds to an end or to a fresh start, never to a half-answered attempt."""
    entry = office("equipment-hire", "remedy", "reconcile")["then"]
    there = practised(entry, 12)
    program = expressed(there[:6], entry.verifier, 1000)
    assert program is not None
    begun = 0
    for one in there[6:]:
        end = replayed(one, program.moves)
        assert end.ended
        assert one.verdict(end, entry.verifier).reward == 1
        begun += bool(end.memory.part)
    assert 0 < begun < 6


def test_what_the_second_part_is_told_is_the_record_that_the_first_belongs_to(office, practised):
    entry = office("equipment-hire", "remedy", "reconcile")["then"]
    for one in practised(entry, 6):
        goal = one.goal
        place = one.root
        while not place.ended and not place.memory.part:
            choice = next((n for n, move in enumerate(place.moves) if move.kind == "answer" and move.value == goal.then.when), None)
            answers = [n for n, move in enumerate(place.moves) if move.kind == "answer"]
            place = one.step(place, choice if choice is not None else answers[0])
        assert place.memory.part
        assert list(place.memory.told) == [f"{goal.then.about}_id"]
        assert place.memory.pages == {}
        assert goal.at(place.memory).answer == goal.then.answer
        assert goal.then.before not in goal.at(place.memory).text
