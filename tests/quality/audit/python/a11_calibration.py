"""Probes in a cold store: the agent compares them with a reference thermometer and answers with their offsets."""

import random


class ColdStore:
    def __init__(self, seed: int, off):
        rng = random.Random(f"probe-{seed}")
        self._off = off
        self.rows = []
        self.probes = [f"T{number}" for number in sorted(rng.sample(range(1, 40), 5))]
        for probe in self.probes:
            shift = rng.choice([-1, 1]) * rng.randint(11, 49)
            for point in rng.sample([-250, -180, -40, 20, 60], 3):
                self.rows.append({"probe": probe, "reference": point / 10, "reading": (point + shift + rng.randint(-6, 6)) / 10})
        rng.shuffle(self.rows)
        self.prompt = (
            "Each probe of the cold store was held beside the reference thermometer three times. A probe's offset is the mean of "
            "(reading - reference) over its three comparisons. Answer with a dict from each probe to its offset in degrees, to two "
            f"decimals (for instance {{'T0': -0.41}}); the probes are {', '.join(self.probes)}. Use comparisons(probe) to look the "
            "values up."
        )
        self.tools = [self.comparisons]

    def comparisons(self, probe: str) -> list[dict]:
        """The comparisons of one probe: reference and reading in degrees."""
        found = [{"reference": row["reference"], "reading": row["reading"]} for row in self.rows if row["probe"] == probe]
        if not found:
            raise ValueError(f"no probe {probe!r}")
        return found

    def offsets(self) -> dict[str, float]:
        pairs = {probe: [(row["reading"], row["reference"]) for row in self.rows if row["probe"] == probe] for probe in self.probes}
        return {probe: sum(reading - reference for reading, reference in values) / len(values) for probe, values in pairs.items()}

    def finish(self, answer: object) -> float:
        if not isinstance(answer, dict) or set(answer) != set(self.probes):
            return 0.0
        for probe, offset in self.offsets().items():
            said = answer[probe]
            if isinstance(said, bool) or not isinstance(said, (int, float, str)):
                return 0.0
            try:
                if self._off(abs(float(said) - offset)):
                    return 0.0
            except (ValueError, OverflowError):
                return 0.0
        return 1.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("comparisons", {"probe": probe}) for probe in self.probes], {
            probe: round(offset, 2) for probe, offset in self.offsets().items()
        }

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        offsets = self.offsets()
        calls = [("comparisons", {"probe": probe}) for probe in reversed(self.probes)]
        return [
            (calls, {probe: offsets[probe] for probe in reversed(self.probes)}),
            (calls, {probe: f"{offset:+.2f}" for probe, offset in offsets.items()}),
        ]

    def state(self) -> dict[str, list[dict]]:
        return {"comparisons": [dict(row) for row in self.rows]}


class Probes:
    name = "probe offsets"

    def __init__(self, off):
        self.off = off

    def cases(self) -> list[str]:
        return ["autumn check"]

    def start(self, case: str, seed: int) -> ColdStore:
        return ColdStore(seed, self.off)


def faulty() -> Probes:
    return Probes(lambda gap: gap > 0.0051)


def repaired() -> Probes:
    return Probes(lambda gap: not gap <= 0.0051)
