"""A probability question: the expected value of the highest (or lowest) of a few dice."""

import math
import random
import re


def exact(count: int, sides: int, best: bool) -> float:
    top = sum(k * (k**count - (k - 1) ** count) for k in range(1, sides + 1)) / sides**count
    return top if best else sides + 1 - top


def rolled(count: int, sides: int, best: bool) -> float:
    pick = max if best else min
    return sum(pick(random.randint(1, sides) for _ in range(count)) for _ in range(3000)) / 3000


class Question:
    def __init__(self, case: str, seed: int, mean):
        rng = random.Random(f"{case}/{seed}")
        self._mean = mean
        self._dice = (rng.randint(2, 6), rng.randint(5, 30), case == "highest")
        self.tools: list = []
        count, sides, _ = self._dice
        self.prompt = (
            f"{count} fair dice with the numbers 1 to {sides} are rolled together. What is the expected value of the {case} number shown? "
            "Answer as a decimal number, to within 0.02."
        )

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            if m := re.fullmatch(r"\s*([0-9]{1,9})\s*/\s*([1-9][0-9]{0,9})\s*", answer):
                answer = int(m[1]) / int(m[2])
            else:
                answer = float(answer) if re.fullmatch(r"\s*[0-9]{1,4}(\.[0-9]{1,20})?\s*", answer) else None
        if isinstance(answer, bool) or not isinstance(answer, int | float) or not 0 <= answer <= 1000:
            return 0.0
        return 1.0 if math.isclose(answer, self._mean(*self._dice), rel_tol=0, abs_tol=0.0201) else 0.0

    def reference(self):
        return [], round(exact(*self._dice), 4)


class Dice:
    name = "dice-mean"

    def __init__(self, mean):
        self._mean = mean

    def cases(self) -> list[str]:
        return ["highest", "lowest"]

    def start(self, case: str, seed: int) -> Question:
        return Question(case, seed, self._mean)


def faulty():
    return Dice(rolled)


def repaired():
    return Dice(exact)
