"""Food labels: declared values are corrected by the laboratory's findings; named checks are looked up in a log."""

import random

VALUES = ["fat", "fat_saturated", "sugar", "sugar_added", "salt", "salt_iodised", "fibre"]


class Label:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"label:{case}:{seed}")
        self._found = {v: rng.randint(1, 400) / 10 for v in VALUES}
        self._label = dict(self._found)
        self._off = rng.sample(VALUES, rng.randint(3, 5))
        for v in self._off:
            self._label[v] = round(self._found[v] + rng.randint(1, 60) / 10, 1)
        self._order = rng.sample(VALUES, len(VALUES))
        self.prompt = (
            f"Correct the label of the {case}: the declared value of every nutrient must be the one that the laboratory has found. "
            "Values are in grams for "
            f"100 g. The nutrients are {', '.join(VALUES)}. No answer is needed."
        )
        self.tools = [self.label, self.laboratory, self.declare]

    def label(self) -> dict[str, float]:
        """The values declared on the label."""
        return dict(self._label)

    def laboratory(self, nutrient: str) -> float:
        """What the laboratory has found of a nutrient."""
        if nutrient not in self._found:
            raise ValueError("the laboratory hasn't looked for that")
        return self._found[nutrient]

    def declare(self, nutrient: str, grams: float) -> str:
        """Declare the value of a nutrient, with one decimal."""
        if nutrient not in self._found or isinstance(grams, bool) or not isinstance(grams, int | float) or not 0 <= grams <= 100:
            raise ValueError("no such nutrient, or not a value from 0 to 100")
        self._label[nutrient] = round(float(grams), 1)
        return "declared"

    def _log(self) -> list[str]:
        return [f"check_{v}: {'ok' if self._label[v] == self._found[v] else 'differs'}" for v in self._order]

    def _status(self, check: str) -> str:
        return next((line.split(": ")[1] for line in self._log() if line.split(":")[0] == check), "missing")

    def finish(self, answer: object) -> float:
        return 1.0 if all(self._status(f"check_{v}") == "ok" for v in VALUES) else 0.0

    def reference(self):
        looks = [("laboratory", {"nutrient": v}) for v in VALUES]
        return [("label", {}), *looks, *[("declare", {"nutrient": v, "grams": self._found[v]}) for v in self._off]], None

    def state(self) -> dict[str, list[dict]]:
        return {"label": [{"nutrient": v, "grams": g} for v, g in self._label.items()]}


class LabelToo(Label):
    def _status(self, check: str) -> str:
        return next((line.split(": ")[1] for line in self._log() if line.startswith(check)), "missing")


class Foods:
    name = "label-checks"

    def __init__(self, label: type[Label]):
        self.make = label

    def cases(self) -> list[str]:
        return ["muesli", "soup powder"]

    def start(self, case: str, seed: int) -> Label:
        return self.make(case, seed)


def faulty():
    return Foods(LabelToo)


def repaired():
    return Foods(Label)
