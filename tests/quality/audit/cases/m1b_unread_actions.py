"""A water company: a meter reading is put right, and a letter about it has to go out; the task lists both as expected actions."""

import copy
import random

STREETS = ["Spring Hill", "Weir Road", "Well Close", "Sluice Way", "Pump Lane"]


class Office:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"water-{seed}")
        self.meters = [
            {"meter": n, "street": rng.choice(STREETS), "reading": rng.randint(100, 9000)} for n in rng.sample(range(10_000, 99_999), 7)
        ]
        self.mine = rng.choice(self.meters)["meter"]
        self.reading = rng.randint(100, 9000)
        self.letter = rng.choice(["L-correction", "L-apology", "L-estimate"])
        self.before = copy.deepcopy(self.meters)
        self.sent: list[tuple[int, str]] = []
        self.tools = [self.show_meter, self.set_reading, self.send_letter]
        self.prompt = f"Meter {self.mine} was misread: set its reading to {self.reading} and send letter {self.letter} for it, once. Change no other meter."

    def show_meter(self, meter: int) -> dict:
        """A meter."""
        return dict(self._row(meter))

    def set_reading(self, meter: int, reading: int) -> str:
        """Set a meter's reading."""
        if isinstance(reading, bool) or not isinstance(reading, int) or not 0 <= reading < 100_000:
            raise ValueError("reading is a whole number")
        self._row(meter)["reading"] = reading
        return "set"

    def send_letter(self, meter: int, letter: str) -> str:
        """Send a letter (L-correction, L-apology or L-estimate) to the owner of a meter."""
        self._row(meter)
        if letter not in ("L-correction", "L-apology", "L-estimate"):
            raise ValueError("no such letter")
        self.sent.append((meter, letter))
        return "sent"

    def _row(self, meter: int) -> dict:
        for row in self.meters:
            if row["meter"] == meter and not isinstance(meter, bool):
                return row
        raise ValueError("no such meter")

    def state(self) -> dict[str, list[dict]]:
        return {"meters": copy.deepcopy(self.meters)}

    def reference(self) -> tuple[list, object]:
        expected = [
            ("set_reading", {"meter": self.mine, "reading": self.reading}),
            ("send_letter", {"meter": self.mine, "letter": self.letter}),
        ]
        return [("show_meter", {"meter": self.mine}), *expected], None

    def _acted(self) -> bool:
        return True

    def finish(self, answer: object) -> float:
        want = [row | {"reading": self.reading} if row["meter"] == self.mine else row for row in self.before]
        return float(self.meters == want and self._acted())


class OfficeToo(Office):
    def _acted(self) -> bool:
        return self.sent == [(self.mine, self.letter)]


class Waterworks:
    name = "water meters"

    def __init__(self, office: type[Office]) -> None:
        self._office = office

    def cases(self) -> list[str]:
        return ["misread"]

    def start(self, case: str, seed: int) -> Office:
        return self._office(seed)


def faulty() -> Waterworks:
    return Waterworks(Office)


def repaired() -> Waterworks:
    return Waterworks(OfficeToo)
