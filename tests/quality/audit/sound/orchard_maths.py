"""Word problems with two unknowns; the answer is a small object with both."""

import json
import random
import re


class Problem:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"orchard-{case}-{seed}")
        one, two = rng.sample(["pears", "plums", "quinces", "figs"], 2)
        x, y = rng.sample(range(3, 60), 2)
        while True:
            a, b, c, d = (rng.randint(1, 9) for _ in range(4))
            if a * d != b * c:
                break
        unit = "cents" if case == "prices" else "grams"
        verb = "cost" if case == "prices" else "weigh"
        self.solution = {one: x, two: y}
        self.tools: list = []
        self.prompt = (
            f"{a} {one} and {b} {two} {verb} {a * x + b * y} {unit}; {c} {one} and {d} {two} {verb} {c * x + d * y} {unit}. All {one} "
            f"{verb} the same, and so do all {two}. What does one of each {verb}, in {unit}? Answer with a JSON object with whole "
            "numbers, like "
            f'{{"{one}": 0, "{two}": 0}}.'
        )

    def reference(self) -> tuple[list, object]:
        return [], dict(self.solution)

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], json.dumps(self.solution)), ([], dict(reversed(self.solution.items())))]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return 0.0
        if not isinstance(answer, dict) or set(answer) != set(self.solution):
            return 0.0
        return 1.0 if all(self._equal(answer[name], number) for name, number in self.solution.items()) else 0.0

    @staticmethod
    def _equal(value: object, number: int) -> bool:
        if isinstance(value, str):
            return bool(re.fullmatch(r"\s*[0-9]{1,3}\s*", value)) and int(value) == number
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value == number


class Orchard:
    name = "orchard maths"

    def cases(self) -> list[str]:
        return ["prices", "weights"]

    def start(self, case: str, seed: int) -> Problem:
        return Problem(case, seed)


def sound() -> Orchard:
    return Orchard()
