"""Pages about causes and reach: who on a chain is to blame, the fix, who is told, and whom something reaches."""

import pytest

from worldwright.training.reading.causes import UNREAD, cause, ending, fix, link_name, to_be_told
from worldwright.training.reading.reach import outcome, reached

NOW = "2026-03-30T09:00:00"
LINK = "Each oven names in 'fed_by_id' the oven that it hangs on; where 'fed_by_id' is empty, it hangs on nothing."
BLAME = "To blame can be, of the chain of the grievance's oven, those whose state is 'cold'{}. It doesn't matter since when."
DEEPEST = "The cause of the grievance is the deepest of them."
EARLIEST = (
    "The cause of the grievance is the one of them that has been 'cold' since the earliest day, and of several since that day the deepest."
)
NEXT = (
    "If by that nothing is to blame, look at those of the chain, in whatever state, whose last change was on the day of the report or at "
    "most 5 days before it. The one of them that was changed last is the cause; of several changed on that same day {}."
)
NONE = "If that leads to nothing either, there is no cause: record none, with the fix 'no fix'."
FIX = (
    "The fix is that of the first of these that holds: (a) if the cause's last change was on the day of the report or at most 3 days before "
    "it: 'undo'; (b) if more than 2 ovens name the cause in 'fed_by_id': 'call the smith'; (c) if the cause is 'cold' since a day more than "
    "20 days before the day of the report: 'rebuild'; (d) in every other case: 'relight'."
)
DAY = "2026-03-20"


def oven(name: str, state: str = "warm", since: str = "2026-01-01", changed: str = "2026-01-01", lined: int = 0) -> dict[str, object]:
    return {"oven_id": name, "state": state, "since": since, "changed_on": changed, "lined": lined}


def named(found: object) -> object:
    return found["oven_id"] if isinstance(found, dict) else found


@pytest.mark.parametrize(
    "page, chain, expected",
    [
        ((BLAME.format(""), DEEPEST, NONE), [oven("A", "cold"), oven("B", "cold"), oven("C")], "B"),
        ((BLAME.format(""), DEEPEST, NONE), [oven("A"), oven("B")], None),
        ((BLAME.format(""), EARLIEST, NONE), [oven("A", "cold", "2026-01-01"), oven("B", "cold", "2026-02-01")], "A"),
        ((BLAME.format(""), EARLIEST, NONE), [oven("A", "cold", "2026-01-01"), oven("B", "cold", "2026-01-01")], "B"),
        (
            (BLAME.format("; an oven that is lined is passed over; the search goes on with the others"), DEEPEST, NONE),
            [oven("A", "cold"), oven("B", "cold", lined=1)],
            "A",
        ),
        (
            (BLAME.format("; one that is 'cold' only since a day after the day of the report is passed over"), DEEPEST, NONE),
            [oven("A", "cold", "2026-03-20"), oven("B", "cold", "2026-03-21")],
            "A",
        ),
        ((BLAME.format("; whether it is lined doesn't matter"), DEEPEST, NONE), [oven("A", "cold", lined=1)], "A"),
        (
            (BLAME.format(""), DEEPEST, NEXT.format("the deepest"), NONE),
            [
                oven("A", changed="2026-03-15"),
                oven("B", changed="2026-03-18"),
                oven("C", changed="2026-03-18"),
                oven("D", changed="2026-03-21"),
            ],
            "C",
        ),
        (
            (BLAME.format(""), DEEPEST, NEXT.format("the one nearest to the grievance's own oven"), NONE),
            [oven("A", changed="2026-03-14"), oven("B", changed="2026-03-18"), oven("C", changed="2026-03-18")],
            "B",
        ),
        ((BLAME.format(""), DEEPEST, NEXT.format("the deepest"), NONE), [oven("A", changed="2026-03-14")], None),
        ((BLAME.format("; a sooty one is let off"), DEEPEST, NONE), [oven("A", "cold")], UNREAD),
        (("Whoever is to blame is to blame.", DEEPEST, NONE), [oven("A", "cold")], UNREAD),
        ((BLAME.format(""), DEEPEST, NONE), [{"oven_id": "A"}], UNREAD),
        ((BLAME.format(""), "The cause of the grievance is the loudest of them.", NONE), [oven("A", "cold"), oven("B", "cold")], UNREAD),
    ],
)
def test_what_is_to_blame(page: tuple[str, ...], chain: list[dict[str, object]], expected: object) -> None:
    assert named(cause(" ".join(page), chain, DAY, NOW)) == expected


def test_the_fix() -> None:
    page = " ".join((NONE, FIX))
    assert fix(page, None, DAY, None) == "no fix"
    assert fix(page, oven("A", changed="2026-03-17"), DAY, 9) == "undo"
    assert fix(page, oven("A", changed="2026-03-16"), DAY, 3) == "call the smith"
    assert fix(page, oven("A", "cold", "2026-02-27"), DAY, 2) == "rebuild"
    assert fix(page, oven("A", "cold", "2026-02-28"), DAY, 2) == "relight"
    assert fix(page, oven("A", "warm", "2026-02-27"), DAY, 2) == "relight"
    assert fix(page, oven("A"), DAY, None) is None
    assert fix("No fixes here.", oven("A"), DAY, 0) is None


def test_what_follows_from_a_fix() -> None:
    page = (
        "A grievance with the fix 'call the smith' or 'no fix' is recorded, but stays open. A grievance with the fix 'rebuild' is recorded and "
        "handed over, not closed. Every other grievance is recorded and then closed. Where the fix is 'rebuild' or 'relight', notify each of "
        "the ovens that name the cause. For any other fix nobody is notified."
    )
    assert [ending(page, name) for name in ("call the smith", "no fix", "rebuild", "undo")] == ["open", "open", "handed over", "closed"]
    assert [to_be_told(page, name) for name in ("rebuild", "relight", "undo")] == [True, True, False]
    assert to_be_told("Nothing of the kind.", "undo") is False
    assert link_name(LINK) == "fed_by_id"
    assert link_name("Ovens hang on nothing.") is None


FAR = "A planned cleaning of an oven reaches the ovens that hang on it, directly or over others; {}."
ALL = FAR.format("it doesn't matter over how many steps")
STOPS = "An oven that is lined isn't reached, and neither is anything that hangs on it, directly or over others."
SKIPS = "An oven whose state is 'cold' already isn't reached, but what hangs on it may be, and the step over it counts."
BELOW = {"A": ["B", "C"], "B": ["D"], "D": ["E"]}


@pytest.mark.parametrize(
    "page, changes, expected",
    [
        ((ALL,), {}, ["B", "C", "D", "E"]),
        ((FAR.format("those more than 2 steps away aren't reached"),), {}, ["B", "C", "D"]),
        ((ALL, STOPS), {"B": oven("B", lined=1)}, ["C"]),
        ((ALL, STOPS, SKIPS), {"B": oven("B", "cold")}, ["C", "D", "E"]),
        ((ALL, STOPS, SKIPS), {"B": oven("B", "cold", lined=1)}, ["C"]),
        ((ALL, "An oven of soot isn't reached."), {}, None),
        ((ALL, STOPS), {"B": {"oven_id": "B"}}, None),
        (("Who knows how far it reaches.",), {}, None),
    ],
)
def test_whom_it_reaches(page: tuple[str, ...], changes: dict[str, dict[str, object]], expected: list[str] | None) -> None:
    checks = {key: oven(key) for key in "ABCDE"} | changes
    assert reached(" ".join(page), "A", BELOW, checks) == expected


def test_the_outcome_by_how_many_are_reached() -> None:
    page = (
        "If more than 2 are reached, notify nobody: record the cleaning with the outcome 'asked' and the number. Otherwise go on. "
        "Notify each one that is reached. Then record the cleaning with the outcome 'set' and the number of those reached."
    )
    assert outcome(page, 3) == ("asked", False)
    assert outcome(page, 2) == ("set", True)
    assert outcome("Notify each one that is reached. Nothing else is recorded.", 9) == (None, True)
