"""A sawmill works out which pieces it has to cut for an order, given what is in the rack."""

import random
from collections import Counter
from collections.abc import Callable

GOODS = {
    "joinery": ["bench frame", "hatch", "ladder", "shelf unit", "door lining", "trestle"],
    "fencing": ["field gate", "hurdle", "stile", "sheep pen", "post and rail bay", "kissing gate"],
}

PROMPT = """An order at {mill} sawmill:
{order}

Pieces needed to make one of each:
{parts}

Finished pieces in the rack, which may all be used for this order:
{rack}

Pieces are given by their length in mm. A piece from the rack serves in place of a new one only if the length is exactly the same.
Which pieces have to be cut new? Cut as few as the order allows.
Answer with a JSON list of the lengths in mm as numbers, one entry for each piece to be cut, so that a length needed three times
stands in the list three times. The order of the entries does not matter."""


class Question:
    """One order with its answer."""

    def __init__(self, case: str, seed: int, alike: Callable[[list, list], bool]) -> None:
        rng = random.Random(seed)
        self.alike = alike
        lengths = rng.sample(range(400, 3000, 50), 6)
        order = {item: rng.randint(2, 5) for item in rng.sample(GOODS[case], 3)}
        parts = {item: {length: rng.randint(1, 4) for length in sorted(rng.sample(lengths, rng.randint(2, 3)))} for item in order}
        need: Counter[int] = Counter()
        for item, number in order.items():
            for length, each in parts[item].items():
                need[length] += number * each
        rack = {length: rng.randint(0, count) if rng.random() < 0.8 else count + rng.randint(0, 2) for length, count in need.items()}
        top = max(need, key=lambda length: (need[length], length))
        rack[top] = max(0, min(rack[top], need[top] - 3))
        rack[rng.choice(range(3050, 3600, 50))] = rng.randint(1, 4)
        self.cut = sorted((need - Counter(rack)).elements())
        self.prompt = PROMPT.format(
            mill=rng.choice(["Oakhanger", "Pell Brook", "Thornley", "Low Wood", "Carrick"]),
            order="\n".join(f"- {number} x {item}" for item, number in order.items()),
            parts="\n".join(f"- {item}: " + ", ".join(f"{each} of {length}" for length, each in parts[item].items()) for item in order),
            rack="\n".join(f"- {count} of {length}" for length, count in sorted(rack.items()) if count),
        )
        self.tools: list[Callable] = []

    def finish(self, answer: object) -> float:
        if not isinstance(answer, list):
            return 0.0
        if any(isinstance(length, bool) or not isinstance(length, (int, float)) for length in answer):
            return 0.0
        return 1.0 if self.alike(answer, self.cut) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [], list(self.cut)

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([], self.cut[::-1]), ([], self.cut[1::2] + self.cut[::2])]


def same_list(got: list, want: list) -> bool:
    """Compare two cutting lists whatever their order."""
    return set(got) == set(want)


def equal_list(got: list, want: list) -> bool:
    """Compare two cutting lists whatever their order."""
    return Counter(got) == Counter(want)


class Sawmill:
    def __init__(self, alike: Callable[[list, list], bool]) -> None:
        self.name = "cutting_list"
        self.alike = alike

    def cases(self) -> list[str]:
        return list(GOODS)

    def start(self, case: str, seed: int) -> Question:
        return Question(case, seed, self.alike)


def faulty() -> Sawmill:
    return Sawmill(same_list)


def repaired() -> Sawmill:
    return Sawmill(equal_list)
