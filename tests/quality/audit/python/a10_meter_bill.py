"""Bills of a water company: the agent reads two meter readings and the tariff and answers with the sum to pay."""

import math
import random

_bills: dict[object, float] = {}


class Account:
    def __init__(self, case: str, seed: int, key):
        rng = random.Random(f"{case}+{seed}")
        self.key = key(case, seed)
        self.flats = [
            f"{street} {rng.randint(1, 90)}"
            for street in rng.sample(["Weir Lane", "Pump Row", "Spring Hill", "Well Close", "Brook End", "Mere Way"], 5)
        ]
        self.readings = []
        for flat in self.flats:
            first = rng.randint(100, 900)
            self.readings += [
                {"flat": flat, "quarter": quarter, "cubic_metres": first + step}
                for quarter, step in (("Q1", 0), ("Q2", rng.randint(9, 40)), ("Q3", rng.randint(45, 90)))
            ]
        self.tariff = {
            "standing_charge": rng.randint(900, 1600) / 100,
            "per_cubic_metre": rng.randint(150, 420) / 100,
            "free_cubic_metres": rng.randint(2, 6),
        }
        self.flat = rng.choice(self.flats)
        self.prompt = (
            f"Work out the bill of {self.flat} for {case}: the water used from that quarter's reading to the next quarter's, less the "
            "free cubic metres, times the price, plus the standing charge. Answer with the sum in euros, as a number (to the cent)."
        )
        self.quarters = ("Q1", "Q2") if case == "Q1" else ("Q2", "Q3")
        self.tools = [self.flats_on_file, self.meter, self.prices]

    def flats_on_file(self) -> list[str]:
        """All flats with a meter."""
        return list(self.flats)

    def meter(self, flat: str, quarter: str) -> int:
        """The reading of a flat's meter at the start of a quarter (Q1, Q2 or Q3), in cubic metres."""
        for row in self.readings:
            if (row["flat"], row["quarter"]) == (flat, quarter):
                return row["cubic_metres"]
        raise ValueError(f"no reading of {flat!r} for {quarter!r}")

    def prices(self) -> dict[str, float]:
        """The tariff: standing charge and price of a cubic metre in euros, and the free cubic metres."""
        return dict(self.tariff)

    def work_out(self) -> float:
        used = self.meter(self.flat, self.quarters[1]) - self.meter(self.flat, self.quarters[0])
        billed = max(0, used - self.tariff["free_cubic_metres"])
        return round(billed * self.tariff["per_cubic_metre"] + self.tariff["standing_charge"], 2)

    def finish(self, answer: object) -> float:
        if self.key not in _bills:
            _bills[self.key] = self.work_out()
        try:
            if isinstance(answer, bool) or not isinstance(answer, (int, float, str)):
                return 0.0
            given = float(answer.strip().strip("€ ") if isinstance(answer, str) else answer)
        except (ValueError, OverflowError):
            return 0.0
        return 1.0 if math.isfinite(given) and abs(given - _bills[self.key]) < 0.005 else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        reads = [("meter", {"flat": self.flat, "quarter": quarter}) for quarter in self.quarters]
        return [*reads, ("prices", {})], self.work_out()

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        calls, bill = self.reference()
        return [([calls[2], calls[1], calls[0]], f"{bill:.2f}")]

    def state(self) -> dict[str, list[dict]]:
        return {"readings": [dict(row) for row in self.readings], "tariff": [dict(self.tariff)]}


class Waterworks:
    name = "water bills"

    def __init__(self, key):
        self.key = key

    def cases(self) -> list[str]:
        return ["Q1", "Q2"]

    def start(self, case: str, seed: int) -> Account:
        return Account(case, seed, self.key)


def faulty() -> Waterworks:
    return Waterworks(lambda case, seed: case)


def repaired() -> Waterworks:
    return Waterworks(lambda case, seed: (case, seed))
