"""A coffee roaster's sales: which month sold best, and how much."""

import random

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


class Roastery:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"roast-{seed}")
        self.sales = dict(zip(MONTHS, rng.sample(range(120, 900), 12), strict=True))
        self.best = max(self.sales, key=lambda month: self.sales[month])
        self.tools = [self.sold_in]
        self.prompt = (
            "In which month did we sell most, and how many kilos? Answer with the kilos, a comma and the month, in this format: "
            f"{self._example(rng)}."
        )

    def _example(self, rng: random.Random) -> str:
        return self._gold()

    def _gold(self) -> str:
        return f"{self.sales[self.best]}, {self.best}"

    def sold_in(self, month: str) -> int:
        """Kilos sold in a month."""
        if month not in self.sales:
            raise ValueError("no such month")
        return self.sales[month]

    def reference(self) -> tuple[list, object]:
        return [("sold_in", {"month": month}) for month in MONTHS], self._gold()

    def finish(self, answer: object) -> float:
        kilos, comma, month = str(answer).strip().rstrip(".").partition(",")
        return float(bool(comma) and [kilos.strip(), month.strip().casefold()] == [str(self.sales[self.best]), self.best.casefold()])


class RoasteryToo(Roastery):
    def _example(self, rng: random.Random) -> str:
        return f"17, {rng.choice([month for month in MONTHS if month != self.best])}"


class Coffee:
    name = "coffee sales"

    def __init__(self, roastery: type[Roastery]) -> None:
        self._roastery = roastery

    def cases(self) -> list[str]:
        return ["best-month"]

    def start(self, case: str, seed: int) -> Roastery:
        return self._roastery(seed)


def faulty() -> Coffee:
    return Coffee(Roastery)


def repaired() -> Coffee:
    return Coffee(RoasteryToo)
