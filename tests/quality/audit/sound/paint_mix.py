"""A paint shop sets the pigment doses of one batch; the scales are good to half a millilitre."""

import math
import random

PIGMENTS = ["ochre", "umber", "cobalt", "oxide", "lampblack"]
COLOURS = {"wall": ["Linen", "Harbour", "Moss", "Brick"], "fence": ["Tar", "Teak", "Heather", "Slate"]}


class Mixer:
    def __init__(self, case, seed):
        rng = random.Random(f"{case}#{seed}")
        self._recipes = {c: {p: rng.randrange(3, 15) / 4 for p in rng.sample(PIGMENTS, 2)} for c in COLOURS[case]}
        numbers = rng.sample(range(300, 999), 3)
        colours = rng.sample(COLOURS[case], 3)
        self._batches = {n: {"batch": n, "colour": c, "litres": rng.randrange(8, 41)} for n, c in zip(numbers, colours, strict=True)}
        self._doses = {(n, p): 0.0 for n in numbers for p in PIGMENTS}
        self._batch = rng.choice(numbers)
        target = self._batches[self._batch]
        self._wanted = {p: rate * target["litres"] for p, rate in self._recipes[target["colour"]].items()}
        self.prompt = (
            f"Set the pigment doses of batch {self._batch}: millilitres a litre by the recipe of its colour, times the litres of the "
            "batch. A dose counts as right if it is at most 0.5 ml off. Pigments that the recipe doesn't name stay at exactly 0, and the "
            "doses of other batches stay as they are. Only the doses at the end count; no answer is asked for."
        )
        self.tools = [self.batches, self.recipe, self.set_dose]

    def batches(self) -> list[dict]:
        """Batches on the floor: number, colour, litres."""
        return [dict(b) for b in self._batches.values()]

    def recipe(self, colour: str) -> dict[str, float]:
        """Millilitres of each pigment for a litre of a colour."""
        if colour not in self._recipes:
            raise ValueError(f"no recipe for {colour!r}")
        return dict(self._recipes[colour])

    def set_dose(self, batch: int, pigment: str, ml: float) -> str:
        """Set the dose of a pigment for a batch, 0 to 1000 ml; an earlier dose is replaced."""
        if (batch, pigment) not in self._doses:
            raise ValueError("no such batch or pigment")
        if isinstance(ml, bool) or not isinstance(ml, (int, float)) or not 0 <= ml <= 1000:
            raise ValueError("ml must be a number from 0 to 1000")
        self._doses[batch, pigment] = float(ml)
        return f"{pigment}: {float(ml)} ml"

    def state(self):
        doses = [{"batch": n, "pigment": p, "ml": ml} for (n, p), ml in self._doses.items()]
        return {"batches": self.batches(), "doses": doses}

    def reference(self):
        colour = self._batches[self._batch]["colour"]
        sets = [("set_dose", {"batch": self._batch, "pigment": p, "ml": ml}) for p, ml in self._wanted.items()]
        return [("batches", {}), ("recipe", {"colour": colour}), *sets], None

    def alternatives(self):
        return [
            (
                [("set_dose", {"batch": self._batch, "pigment": p, "ml": float(math.floor(ml + 0.5))}) for p, ml in self._wanted.items()],
                "done",
            )
        ]

    def finish(self, answer: object) -> float:
        for (batch, pigment), ml in self._doses.items():
            want = self._wanted.get(pigment, 0.0) if batch == self._batch else 0.0
            if abs(ml - want) > (0.5 if want else 0.0):
                return 0.0
        return 1.0


class PaintShop:
    name = "paint mix"

    def cases(self):
        return list(COLOURS)

    def start(self, case, seed):
        return Mixer(case, seed)


def sound():
    return PaintShop()
