"""A housing association takes a broken lift out of service and tells the tenants when the engineer comes."""

from __future__ import annotations

import random
from datetime import date, timedelta

HOUSES = ["Alder House", "Birch Court", "Cedar Tower", "Dogwood Point"]
STATES = ("running", "out of service", "goods only")


class Desk:
    fewest = 0

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}-{seed}")
        today = date(2027, 3, 1) + timedelta(days=rng.randrange(200))
        numbers = rng.sample(range(11, 99), 7)
        self.lifts = [{"lift": f"E{n}", "house": HOUSES[i % 4], "status": "running"} for i, n in enumerate(numbers)]
        rng.shuffle(self.lifts)
        self.visits = []
        for lift in self.lifts:
            for gap in (-rng.randint(3, 60), rng.randint(1, 12), rng.randint(15, 60)):
                self.visits.append({"lift": lift["lift"], "date": (today + timedelta(days=gap)).isoformat()})
        rng.shuffle(self.visits)
        old = rng.choice(HOUSES)
        self.notices = [{"house": old, "date": (today - timedelta(days=9)).isoformat(), "text": "The bin store is being painted."}]
        self.lift = rng.choice(self.lifts)["lift"]
        self.goal_status = "out of service" if case == "stuck" else "goods only"
        self.comes = min(v["date"] for v in self.visits if v["lift"] == self.lift and v["date"] >= today.isoformat())
        self.house = next(r["house"] for r in self.lifts if r["lift"] == self.lift)
        self.lifts_before = [dict(r) for r in self.lifts]
        self.notices_before = [dict(r) for r in self.notices]
        what = "is stuck between two floors" if case == "stuck" else "must not carry people until its brake has been seen to"
        self.prompt = (
            f'Today is {today.isoformat()}. Lift {self.lift} {what}. Set its status to "{self.goal_status}", and post one notice to '
            "the house it is in, dated with the day of the engineer's next visit to this lift, so that the tenants know; word the text "
            "as you see fit. Change no other lift and post no other notice. No answer is needed."
        )
        self.tools = [self.list_lifts, self.list_visits, self.list_notices, self.set_status, self.post_notice]

    def list_lifts(self) -> list[dict]:
        """All lifts, the houses they are in, and their status."""
        return [dict(r) for r in self.lifts]

    def list_visits(self) -> list[dict]:
        """The engineer's visits, past and planned, in no order."""
        return [dict(r) for r in self.visits]

    def list_notices(self) -> list[dict]:
        """The notices posted to tenants."""
        return [dict(r) for r in self.notices]

    def set_status(self, lift: str, status: str) -> str:
        """Set a lift's status: running, out of service, or goods only."""
        row = next((r for r in self.lifts if isinstance(lift, str) and r["lift"] == lift), None)
        if row is None or not isinstance(status, str) or status not in STATES:
            raise ValueError("no such lift or status")
        row["status"] = status
        return f"{row['lift']} is {status}"

    def post_notice(self, house: str, date: str, text: str) -> str:
        """Post a notice to the tenants of a house, dated with the day (YYYY-MM-DD) it is about."""
        if not isinstance(house, str) or house not in HOUSES:
            raise ValueError("no such house")
        if not isinstance(date, str) or not isinstance(text, str) or not 1 <= len(text.strip()) <= 600:
            raise ValueError("the date is a string, the text has 1 to 600 characters")
        self.notices.append({"house": house, "date": iso(date), "text": text.strip()})
        return "posted"

    def finish(self, answer: object) -> float:
        want = [{**r, "status": self.goal_status} if r["lift"] == self.lift else r for r in self.lifts_before]
        kept, new = self.notices[: len(self.notices_before)], self.notices[len(self.notices_before) :]
        told = self.fewest <= len(new) <= 1 and all((n["house"], n["date"]) == (self.house, self.comes) for n in new)
        return 1.0 if self.lifts == want and kept == self.notices_before and told else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        text = f"Lift {self.lift} is {self.goal_status}. The engineer comes on {self.comes}."
        notice = {"house": self.house, "date": self.comes, "text": text}
        reads = [("list_lifts", {}), ("list_visits", {})]
        return [*reads, ("set_status", {"lift": self.lift, "status": self.goal_status}), ("post_notice", notice)], None

    def state(self) -> dict[str, list[dict]]:
        return {"lifts": self.list_lifts(), "visits": self.list_visits(), "notices": self.list_notices()}


def iso(text: str) -> str:
    return date.fromisoformat(text).isoformat()


class DeskToo(Desk):
    fewest = 1


class Association:
    name = "lift-notices"

    def __init__(self, desk: type[Desk]) -> None:
        self.desk = desk

    def cases(self) -> list[str]:
        return ["stuck", "brake"]

    def start(self, case: str, seed: int) -> Desk:
        return self.desk(case, seed)


def faulty() -> Association:
    return Association(Desk)


def repaired() -> Association:
    return Association(DeskToo)
