"""Figures from a river gauge: the mean, the middle, or the spread of a week of readings."""

import random
import statistics

WHAT = {
    "mean": ("the mean", statistics.mean),
    "median": ("the median", statistics.median),
    "spread": ("the difference between the highest and the lowest", lambda flows: max(flows) - min(flows)),
}


class Sheet:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"gauge {case} {seed}")
        base = rng.uniform(20, 60)
        flows = [round(base * rng.uniform(0.5, 2.0), 1) for _ in range(7)]
        while max(flows) - min(flows) < 10:
            flows[rng.randrange(7)] = round(base * rng.uniform(0.4, 2.2), 1)
        label, figure = WHAT[case]
        self.tools: list = []
        self._value = float(figure(flows))
        self.prompt = (
            f"A gauge measured these flows on seven days, in cubic metres a second: {', '.join(map(str, flows))}. "
            f"What is {label} of them? Answer with the number alone, without the unit. An answer within 1 % of the exact figure is right."
        )

    def reference(self) -> tuple[list, object]:
        return [], round(self._value, 3)

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], f"{self._value:.2f}"), ([], self._value * 1.005)]

    def finish(self, answer: object) -> float:
        if isinstance(answer, bool) or not isinstance(answer, (int, float, str)):
            return 0.0
        try:
            number = float(answer)
        except (ValueError, OverflowError):
            return 0.0
        return 1.0 if abs(number - self._value) <= 0.01 * self._value + 1e-9 else 0.0


class Gauge:
    name = "river gauge"

    def cases(self) -> list[str]:
        return list(WHAT)

    def start(self, case: str, seed: int) -> Sheet:
        return Sheet(case, seed)


def sound() -> Gauge:
    return Gauge()
