"""A council's recycling rota: fill in the next collection of every street, with public holidays in the way."""

import random
from datetime import date, timedelta

STREETS = ["Mill Lane", "Church Row", "Tanner Street", "Pound Hill", "Quay Side", "Orchard Close", "Station Road", "Weir Walk"]


def due(last: date, cycle: int, holidays: set[date]) -> date:
    day = last + timedelta(days=cycle)
    if day in holidays:
        day += timedelta(days=1)
    return day


def due_too(last: date, cycle: int, holidays: set[date]) -> date:
    day = last + timedelta(days=cycle)
    while day in holidays:
        day += timedelta(days=1)
    return day


class Rota:
    def __init__(self, seed: int, rule) -> None:
        rng = random.Random(seed)
        rng.random()
        eve = date(rng.randint(2024, 2028), rng.choice([3, 4, 12]), rng.randint(20, 28))
        self.holidays = [eve, eve + timedelta(days=1), eve + timedelta(days=rng.choice([5, 6, 7]))]
        self.streets = []
        for place, street in enumerate(rng.sample(STREETS, 5)):
            cycle = rng.choice([7, 14])
            if place == 0:
                falls = rng.choice(self.holidays[:2])
            elif place == 1:
                falls = self.holidays[2]
            else:
                falls = eve + timedelta(days=rng.choice([-4, -3, -2, -1, 2, 3, 4, 8, 9]))
            self.streets.append({"street": street, "cycle_days": cycle, "last": (falls - timedelta(days=cycle)).isoformat(), "next": None})
        rng.shuffle(self.streets)
        plain = {s["street"]: date.fromisoformat(s["last"]) + timedelta(days=s["cycle_days"]) for s in self.streets}
        closed = set(self.holidays)
        self.key = {s["street"]: rule(date.fromisoformat(s["last"]), s["cycle_days"], closed).isoformat() for s in self.streets}
        self.moved = sum(day in closed for day in plain.values())
        self.prompt = (
            "Fill in the next collection of every street on the rota. It falls cycle_days after the last one, on any day of the week; one "
            "that falls on a public holiday takes place on the first day after it that is not a public holiday. At the end, answer with "
            "the number of streets whose collection is put off by a holiday."
        )
        self.tools = [self.rota, self.public_holidays, self.set_next]

    def rota(self) -> list[dict]:
        """The streets with their cycle, last and next collection."""
        return [dict(s) for s in self.streets]

    def public_holidays(self) -> list[str]:
        """The public holidays of the season (YYYY-MM-DD); there are no others."""
        return [d.isoformat() for d in self.holidays]

    def set_next(self, street: str, day: str) -> str:
        """Set the next collection (YYYY-MM-DD) of a street."""
        row = next((s for s in self.streets if isinstance(street, str) and s["street"] == street), None)
        if row is None or not isinstance(day, str):
            raise ValueError("unknown street, or the day is not a string")
        row["next"] = date.fromisoformat(day.strip()).isoformat()
        return f"{street}: {row['next']}"

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            text = answer.strip()
            answer = int(text) if text in set("0123456789") else None
        if isinstance(answer, bool) or not isinstance(answer, (int, float)) or answer != self.moved:
            return 0.0
        return float(all(s["next"] == self.key[s["street"]] for s in self.streets))

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        shut, calls = self.public_holidays(), [("rota", {}), ("public_holidays", {})]
        for s in self.streets:
            days = (date.fromisoformat(s["last"]) + timedelta(days=s["cycle_days"] + n) for n in range(9))
            calls.append(("set_next", {"street": s["street"], "day": next(d.isoformat() for d in days if d.isoformat() not in shut)}))
        return calls, self.moved

    def state(self) -> dict[str, list[dict]]:
        return {"rota": self.rota(), "holidays": [{"day": d} for d in self.public_holidays()]}


class Council:
    name = "recycling-rota"

    def __init__(self, rule) -> None:
        self.rule = rule

    def cases(self) -> list[str]:
        return ["season"]

    def start(self, case: str, seed: int) -> Rota:
        return Rota(seed, self.rule)


def faulty() -> Council:
    return Council(due)


def repaired() -> Council:
    return Council(due_too)
