"""A plant nursery: trays of seedlings are put into the beds that suit them."""

import random
from copy import deepcopy

SPECIES = ("yarrow", "borage", "lovage", "sorrel", "hyssop", "tansy", "comfrey", "chervil")
LIGHT = ("sun", "half shade", "shade")
SOIL = ("sand", "loam", "chalk", "peat")


class Beds:
    """Beds, care sheets and trays."""

    shown = ("tray", "species", "bed", "due_bed")

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"<{seed}>")
        kinds = rng.sample([(light, soil) for light in LIGHT for soil in SOIL], 10)
        numbers = rng.sample(range(11, 99), 10)
        self.beds = [{"bed": n, "light": light, "soil": soil} for n, (light, soil) in zip(numbers, kinds, strict=True)]
        self.sheets = {species: rng.choice(kinds) for species in SPECIES}
        due = dict(zip(kinds, numbers, strict=True))
        self.trays = []
        for tray, species in zip(rng.sample(range(1, 40), 7), rng.sample(SPECIES, 7), strict=True):
            self.trays.append({"tray": f"T{tray}", "species": species, "bed": None, "due_bed": due[self.sheets[species]]})
        for row in self.trays[3:5]:
            row["bed"] = row["due_bed"]
        self.todo = [row["tray"] for row in self.trays[:3]]
        rng.shuffle(self.trays)
        self.goal = deepcopy(self.trays)
        for row in self.goal:
            row["bed"] = row["due_bed"] if row["tray"] in self.todo else row["bed"]
        self.prompt = (
            f"Put the trays {', '.join(self.todo)} each into the bed whose light and soil its species wants by the care sheet. Leave the "
            "other trays."
        )
        self.tools = [self.tray, self.care_sheet, self.list_beds, self.put_in_bed, self.take_out]

    def tray(self, tray: str) -> dict:
        """The label of a tray."""
        return {key: self._tray(tray)[key] for key in self.shown}

    def care_sheet(self, species: str) -> str:
        """What a species wants."""
        if species not in self.sheets:
            raise ValueError("no care sheet for that")
        light, soil = self.sheets[species]
        return f"{species}: grows best in {light}, on {soil}"

    def list_beds(self) -> list[dict]:
        """All beds with their light and soil."""
        return deepcopy(self.beds)

    def put_in_bed(self, tray: str, bed: int) -> str:
        """Put a tray into a bed."""
        row = self._tray(tray)
        if type(bed) is not int or all(b["bed"] != bed for b in self.beds):
            raise ValueError("no such bed")
        row["bed"] = bed
        return f"{tray} is in bed {bed}"

    def take_out(self, tray: str) -> str:
        """Take a tray out of its bed."""
        self._tray(tray)["bed"] = None
        return f"{tray} is out"

    def _tray(self, tray: str) -> dict:
        for row in self.trays:
            if row["tray"] == tray:
                return row
        raise ValueError("no such tray")

    def state(self) -> dict[str, list[dict]]:
        return {"trays": [{key: row[key] for key in ("tray", "species", "bed")} for row in self.trays], "beds": deepcopy(self.beds)}

    def reference(self) -> tuple[list, None]:
        rows = [self._tray(tray) for tray in self.todo]
        looks = [call for row in rows for call in (("tray", {"tray": row["tray"]}), ("care_sheet", {"species": row["species"]}))]
        return [*looks, ("list_beds", {}), *(("put_in_bed", {"tray": row["tray"], "bed": row["due_bed"]}) for row in rows)], None

    def finish(self, answer: object) -> float:
        return float(self.trays == self.goal)


class BedsToo(Beds):
    """Beds, care sheets and trays."""

    shown = ("tray", "species", "bed")


class Nursery:
    """Days of planting."""

    name = "seedling-beds"

    def __init__(self, beds: type[Beds]) -> None:
        self.beds = beds

    def cases(self) -> list[str]:
        return ["three-trays"]

    def start(self, case: str, seed: int) -> Beds:
        return self.beds(seed)


def faulty() -> Nursery:
    return Nursery(Beds)


def repaired() -> Nursery:
    return Nursery(BedsToo)
