"""A board-game designer asks how likely certain rolls are."""

import random
from itertools import product


def enumerate_rolls(dice: list[int], hit) -> float:
    rolls = list(product(*(range(1, sides + 1) for sides in dice)))
    return sum(1 for roll in rolls if hit(roll)) / len(rolls)


def play_rolls(dice: list[int], hit) -> float:
    rng = random.Random()
    rounds = 1500
    return sum(1 for _ in range(rounds) if hit([rng.randint(1, sides) for sides in dice])) / rounds


def read(answer: object) -> float | None:
    if isinstance(answer, bool) or not isinstance(answer, (str, int, float)):
        return None
    try:
        if isinstance(answer, str):
            top, _, bottom = answer.strip().partition("/")
            return float(top) / float(bottom or 1)
        return float(answer)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


class Roll:
    def __init__(self, case: str, seed: int, chance):
        self.chance = chance
        self.tools = []
        rng = random.Random(f"dice:{case}:{seed}")
        while True:
            self.dice = sorted(rng.choice([4, 6, 8, 10, 12]) for _ in range(rng.choice([2, 3])))
            bar = rng.randint(4, sum(self.dice) - 2) if case == "total" else rng.randint(3, max(self.dice))
            self.hit = (lambda roll, bar=bar: sum(roll) >= bar) if case == "total" else (lambda roll, bar=bar: max(roll) >= bar)
            self.exact = enumerate_rolls(self.dice, self.hit)
            if 0.15 < self.exact < 0.85 and abs(self.exact - 0.5) > 0.03:
                break
        what = "their total is" if case == "total" else "the highest die shows"
        self.prompt = (
            f"A player rolls {len(self.dice)} fair dice with {', '.join(map(str, self.dice))} sides (numbered from 1). What is the "
            f"probability that {what} {bar} or more? Give a number between 0 and 1, right to within 0.01."
        )

    def finish(self, answer: object) -> float:
        value = read(answer)
        if value is None:
            return 0.0
        return 1.0 if abs(value - self.chance(self.dice, self.hit)) <= 0.01 else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [], round(self.exact, 4)

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([], f"{self.exact:.3f}")]


class Designer:
    name = "dice odds"

    def __init__(self, chance):
        self.chance = chance

    def cases(self) -> list[str]:
        return ["total", "highest"]

    def start(self, case: str, seed: int) -> Roll:
        return Roll(case, seed, self.chance)


def faulty() -> Designer:
    return Designer(play_rolls)


def repaired() -> Designer:
    return Designer(enumerate_rolls)
