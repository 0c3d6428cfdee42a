"""Chemistry homework: how many atoms of each element a formula names."""

import json
import random
from collections import Counter

METALS = ("Al", "Fe", "Ca", "Cr", "Mg", "Ni", "Co", "Zn")
GROUPS = (
    (("S", 1), ("O", 4)),
    (("N", 1), ("O", 3)),
    (("P", 1), ("O", 4)),
    (("C", 1), ("O", 3)),
    (("Cl", 1), ("O", 4)),
    (("C", 2), ("H", 3), ("O", 2)),
)


def count_of(n: int) -> str:
    return "" if n == 1 else str(n)


def number(value: object) -> float | None:
    """A count as a number or as its digits."""
    if isinstance(value, str):
        return int(value) if len(value) < 6 and value.strip().isdecimal() else None
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value


class Question:
    """One formula."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}{seed}")
        atoms: Counter[str] = Counter()
        metal, metals, group, groups, water = (
            rng.choice(METALS),
            rng.randrange(1, 4),
            rng.choice(GROUPS),
            rng.randrange(2, 5),
            rng.randrange(2, 13),
        )
        atoms[metal] += metals
        for element, n in group:
            atoms[element] += n * groups
        formula = metal + count_of(metals) + "(" + "".join(e + count_of(n) for e, n in group) + ")" + str(groups)
        if case == "hydrate":
            atoms["H"] += 2 * water
            atoms["O"] += water
            formula += f"·{water}H2O"
        self.right = dict(atoms)
        self.tools = []
        self.prompt = (
            f"How many atoms of each element are there in {formula}? Answer with a mapping from the symbol of the element to the number, "
            "or with its JSON text."
        )

    def reference(self) -> tuple[list, dict[str, int]]:
        return [], dict(self.right)

    def alternatives(self) -> list[tuple[list, str]]:
        return [([], json.dumps(self.right, sort_keys=True))]

    def agrees(self, given: dict) -> bool:
        return set(given) == set(self.right)

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return 0.0
        return 1.0 if isinstance(answer, dict) and self.agrees(answer) else 0.0


class QuestionToo(Question):
    """One formula."""

    def agrees(self, given: dict) -> bool:
        return set(given) == set(self.right) and all(number(given[symbol]) == n for symbol, n in self.right.items())


class Homework:
    """A pile of formulas."""

    name = "count-atoms"

    def __init__(self, question: type[Question]) -> None:
        self.start = question

    def cases(self) -> list[str]:
        return ["salt", "hydrate"]


def faulty() -> Homework:
    return Homework(Question)


def repaired() -> Homework:
    return Homework(QuestionToo)
