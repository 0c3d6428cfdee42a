"""Valves of a nursery's greenhouses: the agent waters the beds that are dry and no others."""

import random

PLANTS = ["basil", "cyclamen", "fuchsia", "heather", "lavender", "oleander", "primula", "sage", "thyme", "viola"]


class Nursery:
    def __init__(self, seed: int):
        rng = random.Random(f"nursery {seed}")
        self.limits = {plant: rng.randint(20, 60) for plant in PLANTS}
        self.beds = []
        for number, plant in enumerate(rng.sample(PLANTS, 8), 1):
            moisture = self.limits[plant] + rng.choice([-14, -6, -1, 0, 5, 17])
            self.beds.append({"bed": f"B{number}", "plant": plant, "moisture": moisture, "valve": rng.choice(["open", "shut"])})
        for row, dry in zip(rng.sample(self.beds, 4), (True, True, False, False), strict=True):
            row["moisture"] = self.limits[row["plant"]] + (-3 if dry else 4)
            row["valve"] = "shut" if dry else "open"
        self.met = False
        self.prompt = (
            "Set the valves for the night: the valve of a bed must be open if its moisture is below the limit for its plant, and shut "
            "if it isn't. list_beds() lists the beds, limit(plant) gives the limit. At the end every valve must stand right. Answer "
            "with the number of valves that are open then."
        )
        self.tools = [self.list_beds, self.limit, self.set_valve]

    def list_beds(self) -> list[dict]:
        """All beds with plant, moisture and valve."""
        return [dict(row) for row in self.beds]

    def limit(self, plant: str) -> int:
        """The moisture below which a plant needs water."""
        if not isinstance(plant, str) or plant not in self.limits:
            raise ValueError(f"unknown plant {plant!r}")
        return self.limits[plant]

    def set_valve(self, bed: str, position: str) -> str:
        """Open or shut a bed's valve; position is 'open' or 'shut'."""
        row = next((row for row in self.beds if row["bed"] == bed), None)
        if row is None or position not in ("open", "shut"):
            raise ValueError("need a bed such as B1 and the position open or shut")
        row["valve"] = position
        self.note()
        return f"valve of {bed} is {position}"

    def dry(self, row: dict) -> bool:
        return row["moisture"] < self.limits[row["plant"]]

    def stands_right(self) -> bool:
        return all((row["valve"] == "open") == self.dry(row) for row in self.beds)

    def note(self) -> None:
        self.met = self.met or self.stands_right()

    def finish(self, answer: object) -> float:
        self.note()
        try:
            said = float(answer) if isinstance(answer, (int, float, str)) and not isinstance(answer, bool) else -1.0
        except (ValueError, OverflowError):
            said = -1.0
        return 1.0 if self.met and said == sum(self.dry(row) for row in self.beds) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        reads = [("list_beds", {}), *(("limit", {"plant": row["plant"]}) for row in self.beds)]
        sets = [
            ("set_valve", {"bed": row["bed"], "position": "open" if self.dry(row) else "shut"})
            for row in self.beds
            if (row["valve"] == "open") != self.dry(row)
        ]
        return reads + sets, sum(self.dry(row) for row in self.beds)

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        every = [("set_valve", {"bed": row["bed"], "position": "open" if self.dry(row) else "shut"}) for row in reversed(self.beds)]
        return [(every, str(sum(self.dry(row) for row in self.beds)))]

    def state(self) -> dict[str, list[dict]]:
        return {
            "beds": [dict(row) for row in self.beds],
            "limits": [{"plant": plant, "limit": limit} for plant, limit in self.limits.items()],
        }


class NurseryToo(Nursery):
    def note(self) -> None:
        self.met = self.stands_right()


class Greenhouses:
    name = "greenhouse valves"

    def __init__(self, made: type[Nursery]):
        self.made = made

    def cases(self) -> list[str]:
        return ["night"]

    def start(self, case: str, seed: int) -> Nursery:
        return self.made(seed)


def faulty() -> Greenhouses:
    return Greenhouses(Nursery)


def repaired() -> Greenhouses:
    return Greenhouses(NurseryToo)
