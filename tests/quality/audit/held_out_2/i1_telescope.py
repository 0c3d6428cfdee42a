"""Hours at a mountain observatory: one of tonight's requests is to be given its hour."""

import copy
import random

NIGHT = (20, 21, 22, 23, 0, 1, 2, 3)
TONIGHT = {
    "Isobel": {20: "calibration", 21: None, 22: "survey", 23: None, 0: None, 1: "survey", 2: None, 3: None},
    "Carmen": {20: None, 21: "survey", 22: None, 23: None, 0: "calibration", 1: None, 2: None, 3: None},
    "Hadley": {20: None, 21: None, 22: None, 23: "survey", 0: "survey", 1: None, 2: None, 3: "calibration"},
}
ASTRONOMERS = ["Okonjo", "Lindqvist", "Baptiste", "Moreau", "Takeda", "Veloso", "Wexler", "Yilmaz"]
TARGETS = ["M31", "M87", "NGC 253", "Vega", "Cygnus X-1", "T CrB", "Barnard's Star"]


class Night:
    def __init__(self, seed, fresh):
        rng = random.Random(f"dome {seed}")
        self.plan = fresh(TONIGHT)
        names, numbers = rng.sample(ASTRONOMERS, 5), rng.sample(range(300, 400), 5)
        self.requests = [
            {"request": n, "astronomer": a, "target": t, "dome": rng.choice(list(TONIGHT)), "not_before": rng.choice(NIGHT[:6])}
            for n, a, t in zip(numbers, names, rng.sample(TARGETS, 5), strict=True)
        ]
        self.mine = rng.choice(self.requests)
        self.before = copy.deepcopy(self.plan)
        later = NIGHT[NIGHT.index(self.mine["not_before"]) :]
        self.hour = next((h for h in later if self.plan[self.mine["dome"]][h] is None), None)
        self.prompt = (
            f"Grant request {self.mine['request']}: book, in the dome it asks for and under the astronomer's name, the first free hour "
            "of the night that is not before the one it names. The night runs 20, 21, 22, 23, 0, 1, 2, 3. Book nothing else and "
            "cancel nothing. No answer is needed."
        )
        self.tools = [self.list_requests, self.show_dome, self.book, self.cancel]

    def list_requests(self) -> list[dict]:
        """The requests for tonight."""
        return [dict(r) for r in self.requests]

    def _dome(self, dome):
        if not isinstance(dome, str) or dome not in self.plan:
            raise ValueError("the domes are " + ", ".join(self.plan))
        return self.plan[dome]

    def show_dome(self, dome: str) -> list[dict]:
        """Tonight's hours at a dome; a free hour has no user."""
        return [{"hour": h, "user": u} for h, u in self._dome(dome).items()]

    def book(self, dome: str, hour: int, user: str) -> str:
        """Book a free hour at a dome for somebody."""
        hours = self._dome(dome)
        if not isinstance(hour, int) or isinstance(hour, bool) or hour not in hours:
            raise ValueError("not an hour of the night")
        if not isinstance(user, str) or not 1 <= len(user.strip()) <= 40:
            raise ValueError("user has to be a name")
        if hours[hour] is not None:
            raise ValueError(f"that hour belongs to {hours[hour]}")
        hours[hour] = user.strip()
        return f"{dome} at {hour}: {hours[hour]}"

    def cancel(self, dome: str, hour: int) -> str:
        """Free an hour at a dome."""
        hours = self._dome(dome)
        if not isinstance(hour, int) or isinstance(hour, bool) or hours.get(hour) is None:
            raise ValueError("nothing is booked then")
        hours[hour] = None
        return "cancelled"

    def finish(self, answer: object) -> float:
        want = copy.deepcopy(self.before)
        want[self.mine["dome"]][self.hour] = self.mine["astronomer"]
        return float(self.plan == want)

    def reference(self):
        book = {"dome": self.mine["dome"], "hour": self.hour, "user": self.mine["astronomer"]}
        return [("list_requests", {}), ("show_dome", {"dome": self.mine["dome"]}), ("book", book)], None

    def state(self):
        hours = [{"dome": d, "hour": h, "user": u} for d, plan in self.plan.items() for h, u in plan.items()]
        return {"requests": self.list_requests(), "hours": hours}


class Observatory:
    name = "observatory-hours"

    def __init__(self, fresh):
        self.fresh = fresh

    def cases(self):
        return ["tonight"]

    def start(self, case, seed):
        return Night(seed, self.fresh)


def faulty():
    return Observatory(dict)


def repaired():
    return Observatory(copy.deepcopy)
