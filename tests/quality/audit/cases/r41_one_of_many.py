"""A lift shaft: which loads go up together, where several choices are right."""

import random
from itertools import combinations


class Shaft:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"lift-{seed}")
        while True:
            self.loads = rng.sample(range(11, 99), 8)
            self.total = sum(rng.sample(self.loads, 2))
            self.fitting = [list(pair) for pair in combinations(self.loads, 2) if sum(pair) == self.total]
            if len(self.fitting) > 1:
                break
        self.tools: list = []
        self.prompt = (
            f"These loads stand before the lift, in kilograms: {', '.join(map(str, self.loads))}. Find two of them that together weigh exactly "
            f"{self.total} kilograms. Any such two will do. Answer with a list of the two numbers, in any order."
        )

    def _right(self, pair: list[int]) -> bool:
        return sorted(pair) == sorted(self.fitting[0])

    def finish(self, answer: object) -> float:
        if not isinstance(answer, (list, tuple)) or len(answer) != 2:
            return 0.0
        try:
            pair = [int(str(one).removesuffix(".0")) for one in answer]
        except ValueError:
            return 0.0
        return float(self._right(pair))

    def reference(self) -> tuple[list, object]:
        return [], self.fitting[0]

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], pair) for pair in self.fitting[1:]]


class ShaftToo(Shaft):
    def _right(self, pair: list[int]) -> bool:
        return sorted(pair) in [sorted(one) for one in self.fitting]


class Lift:
    name = "lift loads"

    def __init__(self, shaft: type[Shaft]) -> None:
        self._shaft = shaft

    def cases(self) -> list[str]:
        return ["two-loads"]

    def start(self, case: str, seed: int) -> Shaft:
        return self._shaft(seed)


def faulty() -> Lift:
    return Lift(Shaft)


def repaired() -> Lift:
    return Lift(ShaftToo)
