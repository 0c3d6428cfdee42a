"""A restaurant shares out its tip jar at the end of the week."""

import random
from collections import Counter

STAFF = ["Amaia", "Bogdan", "Chiara", "Dmitri", "Efua", "Farid", "Greta", "Hiro"]
DAYS = ["Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


class Week:
    def __init__(self, seed: int):
        rng = random.Random(1000 + seed)
        people = rng.sample(STAFF, 6)
        off, busy = people[-2:], people[:-2]
        while True:
            self.shifts = [{"day": d, "name": n, "hours": rng.randint(3, 9)} for d in DAYS for n in rng.sample(busy, 2)]
            self.hours = Counter()
            for s in self.shifts:
                self.hours[s["name"]] += s["hours"]
            if len(set(self.hours.values())) == len(busy):
                break
        self.jar = sum(self.hours.values()) * rng.randint(61, 239)
        self.tips = {n: 0 for n in sorted(busy + off)}
        self.tools = [self.list_shifts, self.list_tips, self.set_tip]
        self.prompt = (
            f"There are {self.jar} cents in this week's tip jar. Share all of it out among those who worked this week, in proportion to "
            "the hours each worked in all (the shares come out in whole cents). Who did not work gets nothing. Set every share with "
            "set_tip; no answer is needed."
        )

    def list_shifts(self) -> list[dict]:
        """This week's shifts."""
        return [dict(s) for s in self.shifts]

    def list_tips(self) -> list[dict]:
        """Everyone on the payroll, with the tip set so far, in cents."""
        return [{"name": n, "cents": c} for n, c in self.tips.items()]

    def set_tip(self, name: str, cents: int) -> dict:
        """Set one person's share of the jar, in whole cents; it replaces what was set before."""
        if not isinstance(name, str) or name not in self.tips:
            raise ValueError("nobody of that name is on the payroll")
        if not isinstance(cents, int) or isinstance(cents, bool) or not 0 <= cents <= self.jar:
            raise ValueError("cents has to be a whole number, from 0 to what is in the jar")
        self.tips[name] = cents
        return {"name": name, "cents": cents}

    def fair(self) -> bool:
        paid = {n for n, c in self.tips.items() if c > 0}
        return paid == set(self.hours) and sum(self.tips.values()) == self.jar

    def finish(self, answer: object) -> float:
        return float(self.fair())

    def shares(self) -> dict[str, int]:
        cents_an_hour = self.jar // sum(self.hours.values())
        return {n: h * cents_an_hour for n, h in sorted(self.hours.items())}

    def reference(self):
        return [("list_shifts", {})] + [("set_tip", {"name": n, "cents": c}) for n, c in self.shares().items()], None

    def alternatives(self):
        calls = [("set_tip", {"name": n, "cents": self.shares().get(n, 0)}) for n in reversed(self.tips)]
        return [([("list_tips", {}), *calls], None)]

    def state(self):
        return {"shifts": self.list_shifts(), "tips": self.list_tips()}


class WeekToo(Week):
    def fair(self) -> bool:
        return {n: c for n, c in self.tips.items() if c > 0} == self.shares()


class Restaurant:
    name = "tip-jar"

    def __init__(self, week):
        self.week = week

    def cases(self):
        return ["week"]

    def start(self, case, seed):
        return self.week(seed)


def faulty():
    return Restaurant(Week)


def repaired():
    return Restaurant(WeekToo)
