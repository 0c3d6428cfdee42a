"""A technician goes round the freezers of a hospital and acts on those that are too warm."""

import random


class Round:
    def __init__(self, room: str, seed: int):
        rng = random.Random(f"{seed}:{room}")
        self.room = room
        self.units: dict[str, dict] = {}
        self.due: dict[str, int] = {}
        codes = rng.sample([f"{letter}{digit}" for letter in "FGHK" for digit in range(10, 40)], 12)
        rooms = ["ward", "annex", "roof"]
        warm = 0 if room == "roof" else rng.randint(1, 3)
        for i, code in enumerate(codes):
            place = rooms[i % 3]
            high = rng.randint(-22, -16)
            if place == room:
                hot = i // 3 < warm
            else:
                hot = rng.random() < 0.4
            reading = high + rng.randint(1, 4) if hot else high - rng.randint(0, 3)
            setting = high - rng.randint(3, 5)
            unit = {
                "unit": code,
                "room": place,
                "reading": reading,
                "high_limit": high,
                "set_point": setting,
                "reserve_point": setting - rng.randint(2, 6),
            }
            self.units[code] = unit
            if place == room and hot:
                self.due[code] = unit["reserve_point"]
        self.settings = {code: unit["set_point"] for code, unit in self.units.items()}
        self.prompt = (
            f"Go through the freezers in the {room}. Where the reading is above the unit's high limit (at the limit is still fine), set "
            "the unit's set point to its reserve point. If no unit there is above its limit, there is nothing to do: leave all set "
            "points as they are. Freezers in other rooms aren't yours, whatever they read. Only the settings at the end count, and no "
            "answer is asked for."
        )
        self.tools = [self.read_units, self.set_point]

    def read_units(self, room: str) -> list[dict]:
        """Readings, limits and settings of the freezers in a room (ward, annex or roof), in degrees Celsius."""
        if room not in ("ward", "annex", "roof"):
            raise ValueError("room is ward, annex or roof")
        return [{**u, "set_point": self.settings[c]} for c, u in sorted(self.units.items()) if u["room"] == room]

    def set_point(self, unit: str, degrees: int) -> str:
        """Give a freezer a new set point, a whole number of degrees from -40 to 0."""
        if unit not in self.settings:
            raise ValueError(f"there is no freezer {unit!r}")
        if type(degrees) is not int or not -40 <= degrees <= 0:
            raise ValueError("degrees must be a whole number from -40 to 0")
        self.settings[unit] = degrees
        return f"{unit} now set to {degrees}"

    def state(self):
        return {"freezers": [{**u, "set_point": self.settings[c]} for c, u in self.units.items()]}

    def reference(self):
        steps = [("read_units", {"room": self.room})]
        steps += [("set_point", {"unit": code, "degrees": point}) for code, point in self.due.items()]
        return steps, None

    def finish(self, answer: object) -> float:
        wanted = {code: self.due.get(code, unit["set_point"]) for code, unit in self.units.items()}
        return 1.0 if self.settings == wanted else 0.0


class Freezers:
    name = "freezer rounds"

    def cases(self):
        return ["ward", "annex", "roof"]

    def start(self, case: str, seed: int):
        return Round(case, seed)


def sound():
    return Freezers()
