"""Fare desk of a ferry line: what a party pays is worked out from the season's fares."""

import random
import re
from types import SimpleNamespace

LOW = {"adult": 900, "child": 450, "bicycle": 200, "car": 3100}
HIGH = {"adult": 1450, "child": 700, "bicycle": 250, "car": 4900}
SEASONS = {"winter": LOW, "spring": HIGH, "summer": HIGH}
ALL_SEASONS = SEASONS | {"autumn": LOW}


def ferry(seasons: dict[str, dict[str, int]]) -> SimpleNamespace:
    def start(case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"{case}:{seed}")
        rise = rng.randrange(0, 300, 10)
        fares = {kind: cents + rise for kind, cents in seasons[case].items()}
        party = {"adult": rng.randint(1, 6), "child": rng.randint(1, 5), "bicycle": rng.randint(0, 4), "car": rng.randint(0, 2)}
        gold = sum(fares[kind] * n for kind, n in party.items())

        def fare(kind: str) -> int:
            """The fare this season for an adult, child, bicycle or car, in cents."""
            if kind not in fares:
                raise ValueError("fares are for adult, child, bicycle and car")
            return fares[kind]

        def finish(answer: object) -> float:
            if isinstance(answer, str):
                digits = answer.strip().replace(",", "") if re.fullmatch(r"\s*([0-9]{1,3}(,[0-9]{3})+|[0-9]{1,9})\s*", answer) else ""
                answer = int(digits) if digits else None
            right = isinstance(answer, int | float) and not isinstance(answer, bool) and answer == gold
            return 1.0 if right else 0.0

        who = ", ".join(f"{n} x {kind}" for kind, n in party.items() if n)
        return SimpleNamespace(
            prompt=f"It is {case}. A party crosses with {who}. What do they pay in all, in cents? Answer with the number.",
            tools=[fare],
            finish=finish,
            reference=lambda: ([("fare", {"kind": kind}) for kind, n in party.items() if n], gold),
            state=lambda: {"fares": [{"kind": kind, "cents": cents} for kind, cents in fares.items()]},
        )

    return SimpleNamespace(name="season-fares", cases=lambda: ["winter", "spring", "summer", "autumn"], start=start)


def faulty() -> SimpleNamespace:
    return ferry(SEASONS)


def repaired() -> SimpleNamespace:
    return ferry(ALL_SEASONS)
