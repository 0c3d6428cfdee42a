"""A rowing club's log: today's session is entered, with the date of the club's own calendar."""

import copy
import datetime
import random

BOATS = ["Heron", "Otter", "Kestrel", "Pike", "Swift", "Marten"]


class Boathouse:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"rowing-{seed}")
        self.today = self._today(rng)
        self.boat, self.kilometres = rng.choice(BOATS), rng.randint(4, 28)
        day = datetime.date.fromisoformat(self.today)
        self.log = [
            {"day": (day - datetime.timedelta(days=back)).isoformat(), "boat": rng.choice(BOATS), "kilometres": rng.randint(4, 28)}
            for back in (9, 6, 4, 2)
        ]
        self.before = copy.deepcopy(self.log)
        self.tools = [self.calendar, self.show_log, self.enter]
        self.prompt = (
            f"Enter today's session in the log: {self.kilometres} kilometres in {self.boat}. The calendar tool says what day it is."
        )

    def _today(self, rng: random.Random) -> str:
        return datetime.date.today().isoformat()

    def _due(self) -> str:
        return datetime.date.today().isoformat()

    def calendar(self) -> str:
        """Today's date, as YYYY-MM-DD."""
        return self.today

    def show_log(self) -> list[dict]:
        """All sessions so far."""
        return copy.deepcopy(self.log)

    def enter(self, day: str, boat: str, kilometres: int) -> str:
        """Enter a session in the log; the day as YYYY-MM-DD."""
        if boat not in BOATS or isinstance(kilometres, bool) or not isinstance(kilometres, int) or not 0 < kilometres < 100:
            raise ValueError("a boat of ours, and 1 to 99 kilometres")
        self.log.append({"day": datetime.date.fromisoformat(day).isoformat(), "boat": boat, "kilometres": kilometres})
        return "entered"

    def state(self) -> dict[str, list[dict]]:
        return {"log": copy.deepcopy(self.log)}

    def reference(self) -> tuple[list, object]:
        return [("calendar", {}), ("enter", {"day": self.today, "boat": self.boat, "kilometres": self.kilometres})], None

    def finish(self, answer: object) -> float:
        return float(self.log == [*self.before, {"day": self._due(), "boat": self.boat, "kilometres": self.kilometres}])


class BoathouseToo(Boathouse):
    def _today(self, rng: random.Random) -> str:
        return (datetime.date(2031, 1, 1) + datetime.timedelta(days=rng.randint(0, 900))).isoformat()

    def _due(self) -> str:
        return self.today


class Club:
    name = "rowing log"

    def __init__(self, boathouse: type[Boathouse]) -> None:
        self._boathouse = boathouse

    def cases(self) -> list[str]:
        return ["enter"]

    def start(self, case: str, seed: int) -> Boathouse:
        return self._boathouse(seed)


def faulty() -> Club:
    return Club(Boathouse)


def repaired() -> Club:
    return Club(BoathouseToo)
