"""A delivery of feed is shared out over a farm's silos, as a question without tools."""

import json
import random


class Delivery:
    def __init__(self, seed: int, spare: int):
        rng = random.Random(f"silos{seed}")
        names = rng.sample(["north", "south", "east", "west", "yard", "hill"], 4)
        caps = [*rng.sample(range(110, 300, 10), 3), rng.randrange(25, 45)]
        rng.shuffle(caps)
        self.caps = dict(zip(names, caps, strict=True))
        self.load = sum(caps) - spare
        self.first, self.second = sorted(names, key=lambda n: self.caps[n])[-2:]
        self.tools: list = []
        room = ", ".join(f"{n} {c}" for n, c in self.caps.items())
        self.prompt = (
            f"A lorry brings {self.load} kg of feed. The silos can still take, in kg: {room}. Share out the whole load in whole "
            "kilograms, so that no silo "
            f"gets more than it can take and {self.second} gets at least 1 kg more than {self.first}. Answer with a mapping from silo to "
            "kilograms."
        )

    def _amounts(self, answer: object) -> dict[str, int] | None:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return None
        if not isinstance(answer, dict) or not set(answer) <= set(self.caps):
            return None
        found = {n: answer.get(n, 0) for n in self.caps}
        whole = all(isinstance(v, int | float) and not isinstance(v, bool) and 0 <= v <= 10_000 and v == int(v) for v in found.values())
        return {n: int(v) for n, v in found.items()} if whole else None

    def finish(self, answer: object) -> float:
        got = self._amounts(answer)
        if got is None:
            return 0.0
        right = sum(got.values()) == self.load and all(got[n] <= c for n, c in self.caps.items()) and got[self.second] > got[self.first]
        return 1.0 if right else 0.0

    def reference(self):
        shares, left = {}, self.load
        for name in sorted(self.caps, key=lambda n: n == self.first):
            shares[name] = min(left, self.caps[name])
            left -= shares[name]
        return [], shares


class Farm:
    name = "feed-silos"

    def __init__(self, spare: int):
        self.spare = spare

    def cases(self) -> list[str]:
        return ["lorry"]

    def start(self, case: str, seed: int) -> Delivery:
        return Delivery(seed, self.spare)


def faulty():
    return Farm(spare=-35)


def repaired():
    return Farm(spare=65)
