"""A beekeeper's register: the agent carries the notes of a visit to one apiary over into it."""

import copy
import random

COLOURS = ["white", "yellow", "red", "green", "blue"]
PLACES = ["Orchard", "Quarry", "Chapel"]


class Visit:
    def __init__(self, seed: int) -> None:
        rng = random.Random(seed * 7 + 3)
        self.place = rng.choice(PLACES)
        self.register: dict[str, dict] = {}
        self.notes: dict[str, dict] = {}
        self.history: list[dict] = []
        for i, place in enumerate(PLACES):
            for number in range(4 * i + 1, 4 * i + 5):
                self.register[f"hive-{number}"] = row = {"apiary": place, "supers": rng.randint(1, 4), "queen": rng.choice(COLOURS)}
                self.notes[f"hive-{number}"] = {"supers": row["supers"], "queen": row["queen"]}
            hives = [h for h, r in self.register.items() if r["apiary"] == place]
            rng.shuffle(hives)
            for h in (hives[0], hives[1]):
                self.notes[h]["supers"] = rng.choice([n for n in range(1, 6) if n != self.register[h]["supers"]])
            for h in (hives[1], hives[2]):
                self.notes[h]["queen"] = rng.choice([c for c in COLOURS if c != self.register[h]["queen"]])
        self.goal = copy.deepcopy(self.register)
        self.changes: list[tuple[str, str, object]] = []
        for hive, row in self.goal.items():
            for field in ("supers", "queen"):
                if row["apiary"] == self.place and row[field] != self.notes[hive][field]:
                    row[field] = self.notes[hive][field]
                    self.changes.append((hive, field, row[field]))
        self.prompt = (
            f"I went round the {self.place} apiary today. Bring its hives in the register up to "
            "what my notes say (supers on the hive, colour of the queen's mark); "
            "leave the other apiaries alone, their notes are dealt with. What counts "
            "is how the register stands at the end: the history writes "
            "itself, and it does no harm if it shows corrections. No answer needed."
        )
        self.tools = [self.show_register, self.read_note, self.set_supers, self.mark_queen]

    def show_register(self, apiary: str) -> list[dict]:
        """The register's rows for an apiary: Orchard, Quarry or Chapel."""
        if not isinstance(apiary, str) or apiary not in PLACES:
            raise ValueError("unknown apiary")
        return [{"hive": h, **row} for h, row in self.register.items() if row["apiary"] == apiary]

    def read_note(self, hive: str) -> str:
        """The note of the last visit to a hive."""
        note = self.notes[self._known(hive)]
        return f"Supers on when I left: {note['supers']}. Queen seen, her mark is {note['queen']}."

    def set_supers(self, hive: str, supers: int) -> str:
        """Enter how many supers are on a hive (0 to 8)."""
        if type(supers) is not int or not 0 <= supers <= 8:
            raise ValueError("supers must be a whole number from 0 to 8")
        return self._enter(hive, "supers", supers)

    def mark_queen(self, hive: str, colour: str) -> str:
        """Enter the colour of a queen's mark: white, yellow, red, green or blue."""
        if not isinstance(colour, str) or colour not in COLOURS:
            raise ValueError("unknown colour")
        return self._enter(hive, "queen", colour)

    def _known(self, hive: object) -> str:
        if not isinstance(hive, str) or hive not in self.register:
            raise ValueError("unknown hive")
        return hive

    def _enter(self, hive: object, field: str, value: object) -> str:
        row = self.register[self._known(hive)]
        self.history.append({"entry": len(self.history) + 1, "hive": hive, "field": field, "old": row[field], "new": value})
        row[field] = value
        return "entered"

    def _settled(self) -> bool:
        entered = [(e["hive"], e["field"], e["new"]) for e in self.history]
        return self.register == self.goal and entered == self.changes

    def finish(self, answer: object) -> float:
        return 1.0 if self._settled() else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        calls: list[tuple[str, dict]] = [("show_register", {"apiary": self.place})]
        calls += [("read_note", {"hive": h}) for h, row in self.goal.items() if row["apiary"] == self.place]
        for hive, field, value in self.changes:
            supers = field == "supers"
            calls.append(("set_supers" if supers else "mark_queen", {"hive": hive, "supers" if supers else "colour": value}))
        return calls, None

    def state(self) -> dict[str, list[dict]]:
        return {"register": [{"hive": h, **row} for h, row in self.register.items()], "history": [dict(e) for e in self.history]}


class SecondVisit(Visit):
    def _settled(self) -> bool:
        return self.register == self.goal


class Apiaries:
    name = "hive-register"

    def __init__(self, visit: type[Visit]) -> None:
        self.visit = visit

    def cases(self) -> list[str]:
        return ["after-visit"]

    def start(self, case: str, seed: int) -> Visit:
        return self.visit(seed)


def faulty() -> Apiaries:
    return Apiaries(Visit)


def repaired() -> Apiaries:
    return Apiaries(SecondVisit)
