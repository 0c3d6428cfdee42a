"""A pharmacy's balance: which weights of the tray make up a dose?"""

import itertools
import random
from collections import Counter


class Dose:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}{seed}")
        size = 7 if case == "small tray" else 10
        while True:
            self.tray = sorted(rng.choice([1, 2, 2, 3, 5, 7, 10, 11, 16, 20, 25, 33, 50]) for _ in range(size))
            self.chosen = rng.sample(self.tray, 4)
            self.dose = sum(self.chosen)
            if self.dose % self.tray[0] == 0 and self.tray.count(self.tray[0]) * self.tray[0] < self.dose:
                break
        self.tools: list = []
        self.prompt = (
            f"On the {case} of the balance lie weights of {', '.join(map(str, self.tray))} grams, one piece for each number in this "
            f"list. Put together exactly {self.dose} grams with pieces of the tray. Answer with the list of the weights you take, in any "
            "order, as whole numbers."
        )

    def on_tray(self, taken: list[int]) -> bool:
        return set(taken) <= set(self.tray)

    def finish(self, answer: object) -> float:
        if not isinstance(answer, (list, tuple)) or not all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in answer):
            return 0.0
        return 1.0 if self.on_tray(list(answer)) and sum(answer) == self.dose else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [], sorted(self.chosen)

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        ways = {tuple(way) for n in (2, 3, 5) for way in itertools.combinations(self.tray, n) if sum(way) == self.dose}
        return [([], list(way)) for way in sorted(ways)[:2]] + [([], sorted(self.chosen, reverse=True))]


class DoseToo(Dose):
    def on_tray(self, taken: list[int]) -> bool:
        return not Counter(taken) - Counter(self.tray)


class Pharmacy:
    name = "balance weights"

    def __init__(self, dose: type[Dose]):
        self.dose = dose

    def cases(self) -> list[str]:
        return ["small tray", "large tray"]

    def start(self, case: str, seed: int) -> Dose:
        return self.dose(case, seed)


def faulty() -> Pharmacy:
    return Pharmacy(Dose)


def repaired() -> Pharmacy:
    return Pharmacy(DoseToo)
