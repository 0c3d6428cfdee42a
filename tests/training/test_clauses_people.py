"""Pages about people: who is free, who comes first, and who is asked where nobody is."""

import pytest

from worldwright.training.clauses import clauses_of, takers

NOW = "2026-03-30T09:00:00"
ASKED = "The people asked are those of the oven that is the outcome of the loaf by 'baking'."
AWAY = "Nobody who is away (away is 1) is free."
LAST_DAY = (
    "Nobody who is still away is free. Gone until is the last day of an absence: whoever has today's date there or a later one is away, "
    "whoever has an earlier one or none is not."
)
RETURN = (
    "Nobody who is still away is free. Gone until is the day of the return: anyone whose date is later than today is away; "
    "anyone with today's date, an earlier one or none is there."
)
ROOM = "They are free only while their loaves in hand are fewer than their most loaves; whoever has as many or more takes nothing."
SPARE = "Everybody keeps 2 places for the feast: they are free only while their loaves in hand and these 2 together are fewer than their most loaves."
PUPIL = ROOM + " A pupil (pupil is 1) must also have fewer than 1 loaves in hand, whatever their most loaves."
FEWEST = (
    "Of those who are free, the one with the fewest loaves in hand takes it. Of several with equally few it is the one with the lowest id."
)
ROOMIEST = (
    "Of those who are free, the one with the fewest loaves in hand takes it. Of several with equally few it is the one with the most room "
    "(most loaves less loaves in hand), and of several with equal room the one with the lowest id."
)
ELSE = "If nobody of the oven is free, somebody of the oven 'stone' takes it, found by clauses 2 to 4 among its people."


def page(*clauses: str):
    return clauses_of("# Baking: people\n\n" + "".join(f"{n}. {text}\n" for n, text in enumerate(clauses, 1)))


def baker(name: str, in_hand: int = 0, most: int = 3, **more: object) -> dict[str, object]:
    return {"id": name, "oven": "steel", "loaves_in_hand": in_hand, "most_loaves": most, "away": 0, "pupil": 0, "gone_until": None, **more}


@pytest.mark.parametrize(
    "clauses, people, expected",
    [
        ((ASKED, AWAY, ROOM, FEWEST), [baker("C"), baker("A", 1), baker("B")], ["B", "C", "A"]),
        ((ASKED, AWAY, ROOM, FEWEST), [baker("A", away=1), baker("B", 2)], ["B"]),
        ((ASKED, AWAY, ROOM, FEWEST), [baker("A", 3), baker("B", 2)], ["B"]),
        ((ASKED, AWAY, SPARE, FEWEST), [baker("A", 1), baker("B", 1, 4)], ["B"]),
        ((ASKED, AWAY, PUPIL, FEWEST), [baker("A", 1, pupil=1), baker("B", 1)], ["B"]),
        ((ASKED, AWAY, PUPIL, FEWEST), [baker("A", pupil=1), baker("B", 1)], ["A", "B"]),
        ((ASKED, AWAY, ROOM, ROOMIEST), [baker("A", 1), baker("B", 1, 9), baker("C", 1, 9)], ["B", "C", "A"]),
        ((ASKED, LAST_DAY, ROOM, FEWEST), [baker("A", gone_until="2026-03-30"), baker("B", gone_until="2026-03-29")], ["B"]),
        ((ASKED, RETURN, ROOM, FEWEST), [baker("A", gone_until="2026-03-30"), baker("B", gone_until="2026-03-31")], ["A"]),
        ((ASKED, AWAY, ROOM, FEWEST), [baker("A", oven="stone"), baker("B", 2)], ["B"]),
        ((ASKED, AWAY, ROOM, FEWEST, ELSE), [baker("A", oven="stone"), baker("B", 2)], ["B"]),
        ((ASKED, AWAY, ROOM, FEWEST, ELSE), [baker("A", oven="stone"), baker("B", 3)], ["A"]),
        ((ASKED, AWAY, ROOM, FEWEST), [baker("A", 3)], []),
        ((ASKED, AWAY, ROOM, FEWEST), [], []),
    ],
)
def test_who_takes_it_in_order(clauses: tuple[str, ...], people: list[dict[str, object]], expected: list[str]) -> None:
    assert takers(page(*clauses), people, {"outcome": "steel"}, NOW) == expected


def test_without_an_outcome_all_are_asked() -> None:
    people = [baker("B", oven="stone"), baker("A")]
    assert takers(page(ASKED, AWAY, ROOM, FEWEST), people, {}, NOW) == ["A", "B"]


@pytest.mark.parametrize(
    "clauses, person",
    [
        ((ASKED, "Nobody who is grumpy is free.", ROOM, FEWEST), baker("A")),
        ((ASKED, AWAY, "They are free only while the sun shines.", FEWEST), baker("A")),
        ((ASKED, AWAY, ROOM, "Of those who are free, the one with the fewest medals takes it."), baker("A")),
        ((ASKED, AWAY, ROOM, "Somebody takes it."), baker("A")),
        ((ASKED, AWAY, ROOM, FEWEST), {"id": "A", "oven": "steel", "most_loaves": 3, "away": 0}),
        (("The people are asked.", AWAY, ROOM, FEWEST), baker("A")),
    ],
)
def test_what_cannot_be_read_gives_nobody_for_certain(clauses: tuple[str, ...], person: dict[str, object]) -> None:
    assert takers(page(*clauses), [person], {"outcome": "steel"}, NOW) is None
