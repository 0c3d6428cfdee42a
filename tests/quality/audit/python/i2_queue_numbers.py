"""Citizens' office: waiting people are called to the right counter, by the numbers on their slips."""

import itertools
import random

COUNTERS = {"passport": "1", "driving licence": "2", "registration": "3", "parking permit": "4"}
RUNNING = itertools.count(100)


class Hall:
    def __init__(self, seed: int) -> None:
        self._rng = random.Random(f"hall {seed}")
        self._slips = []
        self._first = self._first_number()
        for n in range(9):
            matter = self._rng.choice(list(COUNTERS))
            self._slips.append({"slip": self._first + n, "matter": matter, "counter": ""})
        self._matter = self._rng.choice([s["matter"] for s in self._slips])
        self._called = [s["slip"] for s in self._slips if s["matter"] == self._matter]
        self.prompt = (
            f"The waiting hall holds the slips {self._first} to {self._first + 8}. Call everybody who has come for a {self._matter} to "
            "counter "
            f"{COUNTERS[self._matter]}; call nobody else. Answer with the lowest slip number that you called."
        )
        self.tools = [self.slip, self.call]

    def _first_number(self) -> int:
        return self._rng.randint(100, 900)

    def _find(self, number: int) -> dict:
        for row in self._slips:
            if row["slip"] == number:
                return row
        raise ValueError("nobody holds that slip")

    def slip(self, number: int) -> str:
        """What the holder of a slip has come for."""
        return self._find(number)["matter"]

    def call(self, number: int, counter: str) -> str:
        """Call the holder of a slip to a counter (1 to 4)."""
        row = self._find(number)
        if counter not in ("1", "2", "3", "4"):
            raise ValueError("counters are 1 to 4")
        row["counter"] = counter
        return "called"

    def finish(self, answer: object) -> float:
        due = [COUNTERS[self._matter] if s["matter"] == self._matter else "" for s in self._slips]
        text = answer.strip() if isinstance(answer, str) else answer
        right = not isinstance(text, bool) and text in (self._called[0], str(self._called[0]))
        return 1.0 if right and [s["counter"] for s in self._slips] == due else 0.0

    def reference(self):
        reads = [("slip", {"number": s["slip"]}) for s in self._slips]
        return [*reads, *[("call", {"number": n, "counter": COUNTERS[self._matter]}) for n in self._called]], self._called[0]

    def state(self) -> dict[str, list[dict]]:
        return {"slips": [dict(s) for s in self._slips]}


class HallToo(Hall):
    def _first_number(self) -> int:
        return min(next(RUNNING) for _ in range(9))


class CitizensOffice:
    name = "queue-numbers"

    def __init__(self, hall: type[Hall]) -> None:
        self._hall = hall

    def cases(self) -> list[str]:
        return ["morning"]

    def start(self, case: str, seed: int) -> Hall:
        return self._hall(seed)


def faulty() -> CitizensOffice:
    return CitizensOffice(HallToo)


def repaired() -> CitizensOffice:
    return CitizensOffice(Hall)
