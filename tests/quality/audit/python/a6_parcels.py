"""Questions on a list of parcels, one of which meets all of a buyer's conditions."""

import random
from collections.abc import Iterable

ZONES = ("inner", "outer", "rural", "island")
KINDS = ("letter", "box", "tube", "crate")


class Riddle:
    """One list and one question on it."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"parcels {seed}")
        heavy, early = rng.randrange(600, 3000, 50), rng.randrange(9, 16)
        zone, kind = rng.choice(ZONES), rng.choice(KINDS)

        def parcel(*fits: bool) -> dict:
            return {
                "id": f"{rng.choice('BCDFG')}{rng.randrange(10_000, 99_999)}",
                "grams": rng.randrange(heavy + 1, heavy + 900) if fits[0] else rng.randrange(50, heavy),
                "hour": rng.randrange(6, early) if fits[1] else rng.randrange(early, 20),
                "zone": zone if fits[2] else rng.choice([z for z in ZONES if z != zone]),
                "kind": kind if fits[3] else rng.choice([k for k in KINDS if k != kind]),
            }

        wanted = parcel(True, True, True, True)
        near = [parcel(*(at != miss for at in range(4))) for miss in range(4)]
        rest = [parcel(*(at not in misses for at in range(4))) for misses in (rng.sample(range(4), rng.randrange(1, 4)) for _ in range(9))]
        rng.shuffle(rest)
        self.right = wanted["id"]
        lines = [
            f"{p['id']}: {p['kind']}, {p['grams']} g, zone {p['zone']}, handed in at {p['hour']}:{rng.randrange(60):02d}"
            for p in self.listed(rng, wanted, near + rest)
        ]
        self.prompt = (
            "\n".join(lines) + f"\n\nWhich parcel is a {kind} of more than {heavy} g for the zone {zone} that was "
            f"handed in before {early}:00? There is just one. Answer with its number."
        )
        self.tools = []

    def listed(self, rng: random.Random, wanted: dict, others: list[dict]) -> Iterable[dict]:
        return [wanted, *rng.sample(others, len(others))]

    def reference(self) -> tuple[list, str]:
        return [], self.right

    def finish(self, answer: object) -> float:
        return float(isinstance(answer, str) and len(answer) < 50 and answer.strip().rstrip(".").upper() == self.right)


class RiddleToo(Riddle):
    """One list and one question on it."""

    def listed(self, rng: random.Random, wanted: dict, others: list[dict]) -> Iterable[dict]:
        return rng.sample([wanted, *others], len(others) + 1)


class Depot:
    """Lists of parcels."""

    name = "parcel-riddles"

    def __init__(self, riddle: type[Riddle]) -> None:
        self.start = riddle

    def cases(self) -> list[str]:
        return ["one-of-fourteen"]


def faulty() -> Depot:
    return Depot(Riddle)


def repaired() -> Depot:
    return Depot(RiddleToo)
