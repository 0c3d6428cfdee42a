"""A bakery scales a recipe: the weight of one ingredient for a bigger batch is asked for."""

import os
import random
import re

INGREDIENTS = ["flour", "sugar", "butter", "yeast", "milk", "salt"]
COMMA_LANGUAGES = ("de", "fr", "es", "it", "pl", "nl", "sv")


def point(env: dict[str, str]) -> str:
    return "."


def point_of_place(env: dict[str, str]) -> str:
    language = env.get("LC_ALL") or env.get("LC_NUMERIC") or env.get("LANG") or "C"
    return "," if language[:2].lower() in COMMA_LANGUAGES else "."


class Batch:
    def __init__(self, mark, case: str, seed: int):
        rng = random.Random(f"{case} x {seed}")
        self._mark = mark
        self._grams = {i: rng.randint(31, 2400) for i in INGREDIENTS}
        self._makes = rng.choice((8, 16, 20, 25))
        self._wanted = self._makes * rng.randint(2, 9) + rng.choice((0, self._makes // 4 * 2))
        self._what = rng.choice(INGREDIENTS)
        self.prompt = (
            f"The recipe for {case} is to be made for {self._wanted} pieces. How many kilograms of {self._what} does that take? Answer "
            "in kg as a number "
            "with a decimal point, to the gram."
        )
        self.tools = [self.yields, self.grams]

    def yields(self) -> int:
        """How many pieces the recipe makes as written."""
        return self._makes

    def grams(self, ingredient: str) -> int:
        """Grams of an ingredient in the recipe as written."""
        if ingredient not in self._grams:
            raise ValueError(f"ingredients are {', '.join(INGREDIENTS)}")
        return self._grams[ingredient]

    def _kilograms(self) -> float:
        return self._grams[self._what] * self._wanted / self._makes / 1000

    def finish(self, answer: object) -> float:
        if isinstance(answer, bool) or not isinstance(answer, str | int | float) or (isinstance(answer, int) and not 0 <= answer < 10**6):
            return 0.0
        mark = self._mark(dict(os.environ))
        text = str(answer).strip().lower().removesuffix("kg").strip().replace("." if mark == "," else ",", "").replace(mark, ".")
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,20})?", text):
            return 0.0
        return 1.0 if abs(float(text) - self._kilograms()) < 0.00101 else 0.0

    def reference(self):
        return [("yields", {}), ("grams", {"ingredient": self._what})], f"{self._kilograms():.3f}"

    def state(self) -> dict[str, list[dict]]:
        return {"recipe": [{"ingredient": i, "grams": g, "makes": self._makes} for i, g in self._grams.items()]}


class Bakery:
    name = "recipe-scale"

    def __init__(self, mark):
        self._mark = mark

    def cases(self) -> list[str]:
        return ["buns", "rye rolls", "brioche"]

    def start(self, case: str, seed: int) -> Batch:
        return Batch(self._mark, case, seed)


def faulty():
    return Bakery(point_of_place)


def repaired():
    return Bakery(point)
