"""A laboratory furnace: the agent bakes one sample by its recipe."""

import copy
import random

MATERIALS = ["alumina", "zirconia", "mullite", "steatite", "titania", "cordierite"]


class Furnace:
    """The furnace, its clock and the samples on the bench."""

    by = "clock"

    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}|{seed}")
        self.recipes = {
            m: {"celsius": rng.randrange(700, 1500, 50), "minutes": rng.randrange(35, 180, 5)} for m in rng.sample(MATERIALS, 4)
        }
        self.oven = {"celsius": 650, "clock": rng.randint(360, 700), "ran": 0, "inside": None}
        ids = rng.sample(range(10, 99), 6)
        self.samples = [{"id": f"S{i}", "material": rng.choice(list(self.recipes)), "baked_at": None, "baked_for": None} for i in ids]
        self.wanted = rng.choice(self.samples)["id"]
        self._before = copy.deepcopy(self.samples)
        self._loaded: dict = {}
        self.prompt = (
            f"Bake sample {self.wanted} in the {case} by the recipe of its material: at exactly the recipe's temperature, for at least "
            "the recipe's minutes and at most ten more, then take it out. Set the temperature before you load. The furnace holds one "
            "sample and the time passes only while you wait(). Its clock (minutes since midnight) tends to be off; you may set it right "
            "or leave it. Leave the other samples as they are. Answer 'done'."
        )
        self.tools = [self.look, self.recipe, self.set_temperature, self.load, self.wait, self.adjust_clock, self.unload]

    def _sample(self, sample: str) -> dict:
        for row in self.samples:
            if row["id"] == sample:
                return row
        raise ValueError(f"no sample {sample!r}")

    def look(self) -> dict:
        """The furnace's temperature, clock and content, and the samples on the bench."""
        return {
            "celsius": self.oven["celsius"],
            "clock": self.oven["clock"],
            "inside": self.oven["inside"],
            "samples": [dict(row) for row in self.samples],
        }

    def recipe(self, material: str) -> dict:
        """Temperature and minutes for a material."""
        if material not in list(self.recipes):
            raise ValueError(f"no recipe for {material!r}")
        return dict(self.recipes[material])

    def set_temperature(self, celsius: int) -> str:
        """Set the furnace's temperature (20 to 1600); it must be empty."""
        if isinstance(celsius, bool) or not isinstance(celsius, int) or not 20 <= celsius <= 1600 or self.oven["inside"]:
            raise ValueError("a whole number from 20 to 1600 is needed, and an empty furnace")
        self.oven["celsius"] = celsius
        return f"{celsius} degrees reached"

    def load(self, sample: str) -> str:
        """Put a sample that hasn't been baked yet into the empty furnace."""
        row = self._sample(sample)
        if self.oven["inside"] or row["baked_for"] is not None:
            raise ValueError("the furnace is taken, or the sample baked already")
        self.oven["inside"] = sample
        self._loaded = {"clock": self.oven["clock"], "ran": self.oven["ran"]}
        return f"{sample} loaded at {self.oven['clock']}"

    def wait(self, minutes: int) -> str:
        """Let time pass, 1 to 240 minutes."""
        if isinstance(minutes, bool) or not isinstance(minutes, int) or not 1 <= minutes <= 240:
            raise ValueError("minutes must be a whole number from 1 to 240")
        self.oven["clock"] += minutes
        self.oven["ran"] += minutes
        return f"it is {self.oven['clock']} by the furnace's clock"

    def adjust_clock(self, minutes: int) -> str:
        """Put the furnace's clock forward (or back, if negative) by up to 240 minutes."""
        if isinstance(minutes, bool) or not isinstance(minutes, int) or not -240 <= minutes <= 240:
            raise ValueError("minutes must be a whole number from -240 to 240")
        self.oven["clock"] += minutes
        return f"clock set to {self.oven['clock']}"

    def unload(self) -> str:
        """Take the sample out of the furnace."""
        if not self.oven["inside"]:
            raise ValueError("the furnace is empty")
        row = self._sample(self.oven["inside"])
        row["baked_at"], row["baked_for"] = self.oven["celsius"], self.oven[self.by] - self._loaded[self.by]
        self.oven["inside"] = None
        return f"{row['id']} taken out"

    def finish(self, answer: object) -> float:
        row = self._sample(self.wanted)
        recipe = self.recipes[row["material"]]
        if (
            not isinstance(answer, str)
            or answer.strip().strip(".!'\"").lower() != "done"
            or self.oven["inside"]
            or row["baked_for"] is None
        ):
            return 0.0
        others = [other for other in self.samples if other is not row]
        if others != [other for other in self._before if other["id"] != self.wanted]:
            return 0.0
        fine = row["baked_at"] == recipe["celsius"] and 0 <= row["baked_for"] - recipe["minutes"] <= 10
        return 1.0 if fine else 0.0

    def _calls(self, waits: list[int]) -> list[tuple[str, dict]]:
        material = self._sample(self.wanted)["material"]
        return [
            ("look", {}),
            ("recipe", {"material": material}),
            ("set_temperature", {"celsius": self.recipes[material]["celsius"]}),
            ("load", {"sample": self.wanted}),
            *(("wait", {"minutes": minutes}) for minutes in waits),
            ("unload", {}),
        ]

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return self._calls([self.recipes[self._sample(self.wanted)["material"]]["minutes"]]), "done"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        minutes = self.recipes[self._sample(self.wanted)["material"]]["minutes"]
        return [(self._calls([minutes - 20, 25]), "Done."), ([("adjust_clock", {"minutes": 12}), *self._calls([minutes])], "done")]

    def state(self) -> dict[str, list[dict]]:
        return {
            "furnace": [dict(self.oven)],
            "samples": [dict(row) for row in self.samples],
            "recipes": [{"material": material, **row} for material, row in self.recipes.items()],
        }


class FurnaceToo(Furnace):
    by = "ran"


class Ceramics:
    name = "furnace"

    def __init__(self, furnace: type[Furnace]):
        self.furnace = furnace

    def cases(self) -> list[str]:
        return ["chamber furnace", "tube furnace"]

    def start(self, case: str, seed: int) -> Furnace:
        return self.furnace(case, seed)


def faulty() -> Ceramics:
    return Ceramics(Furnace)


def repaired() -> Ceramics:
    return Ceramics(FurnaceToo)
