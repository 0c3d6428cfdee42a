"""A packing puzzle: choose parcels whose weights add up to the crate's load. Often there is more than one choice."""

import itertools
import random
import re

LETTERS = "ABCDEFGHI"


class Crate:
    def __init__(self, seed):
        rng = random.Random(f"crate {seed}")
        self.weights = dict(zip(LETTERS, rng.sample(range(4, 30), 9), strict=True))
        self.chosen = sorted(rng.sample(LETTERS, rng.randint(3, 5)))
        self.load = sum(self.weights[letter] for letter in self.chosen)
        listing = ", ".join(f"{letter} {kilos} kg" for letter, kilos in self.weights.items())
        self.prompt = (
            f"There are nine parcels: {listing}. Choose parcels that weigh exactly {self.load} kg together; each can go in once. "
            "If more than one choice fits, any of them is right. Answer with the letters, as a list or separated by commas."
        )
        self.tools = []

    def ways(self):
        for size in range(1, 10):
            for letters in itertools.combinations(LETTERS, size):
                if sum(self.weights[letter] for letter in letters) == self.load:
                    yield list(letters)

    def reference(self):
        return [], list(self.chosen)

    def alternatives(self):
        others = [way for way in self.ways() if way != self.chosen]
        return [([], way[::-1]) for way in others[:4]] + [([], ", ".join(self.chosen).lower())]

    def finish(self, answer):
        if isinstance(answer, str):
            answer = [part for part in re.split(r"[\s,;\[\]\"']+", answer) if part]
        if not isinstance(answer, (list, tuple, set, frozenset)) or not all(isinstance(part, str) for part in answer):
            return 0.0
        letters = [part.strip().upper() for part in answer]
        if len(set(letters)) != len(letters) or not set(letters) <= set(self.weights):
            return 0.0
        return 1.0 if sum(self.weights[letter] for letter in letters) == self.load else 0.0


class Packing:
    name = "crate packing"

    def cases(self):
        return ["crate"]

    def start(self, case, seed):
        return Crate(seed)


def sound():
    return Packing()
