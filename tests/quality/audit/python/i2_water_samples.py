"""River survey: the samples of one station are measured, and the highest nitrate value is reported."""

import random
import re
from functools import cached_property

STATIONS = ["weir", "bridge", "mill", "ford", "mouth"]


class Survey:
    """Samples are put through the photometer when they are first asked for."""

    def __init__(self, draws, seed: int):
        self.draws = draws
        draws.seed(seed * 31 + 5)
        self.station = draws.choice(STATIONS)
        self.prompt = (
            f"What is the highest nitrate value, in mg per litre, among the samples taken at the {self.station}? Answer with the number."
        )
        self.tools = [self.samples, self.nitrate]

    @cached_property
    def values(self) -> dict[str, dict]:
        draws = self.draws
        return {
            f"{station[:2].upper()}{n}": {"station": station, "nitrate": draws.randint(20, 980) / 10}
            for station in STATIONS
            for n in range(draws.randint(3, 6))
        } | {"blank": {"station": "laboratory", "nitrate": 0.1}}

    def samples(self, station: str) -> list[str]:
        """The samples taken at a station."""
        if station not in STATIONS:
            raise ValueError(f"stations are {', '.join(STATIONS)}")
        return [s for s, row in self.values.items() if row["station"] == station]

    def nitrate(self, sample: str) -> float:
        """Measure nitrate in a sample, in mg per litre."""
        if sample not in self.values:
            raise ValueError("no such sample")
        return self.values[sample]["nitrate"]

    def _highest(self) -> float:
        return max(row["nitrate"] for row in self.values.values() if row["station"] == self.station)

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            m = re.fullmatch(r"([0-9]{1,4}(\.[0-9]{1,6})?)( ?mg/l)?", answer.strip(), re.I)
            answer = float(m[1]) if m else None
        if isinstance(answer, bool) or not isinstance(answer, int | float) or not 0 <= answer <= 10_000:
            return 0.0
        return 1.0 if abs(answer - self._highest()) < 0.001 else 0.0

    def reference(self):
        mine = self.samples(self.station)
        return [("samples", {"station": self.station}), *[("nitrate", {"sample": s}) for s in mine]], self._highest()

    def state(self) -> dict[str, list[dict]]:
        return {"samples": [{"sample": s} | row for s, row in self.values.items()]}


class River:
    name = "water-samples"

    def __init__(self, draws):
        self._draws = draws

    def cases(self) -> list[str]:
        return ["nitrate"]

    def start(self, case: str, seed: int) -> Survey:
        return Survey(self._draws(), seed)


def faulty():
    return River(lambda: random)


def repaired():
    return River(random.Random)
