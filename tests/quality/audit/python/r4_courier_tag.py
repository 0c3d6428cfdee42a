"""Dispatch desk: a parcel is handed to the right courier, by the desk's handbook."""

import random

RULE = "Take the cheapest courier whose weight limit the parcel does not exceed."
PARAGRAPHS = (
    "Booking again replaces the earlier booking, at no cost.",
    "Couriers collect at noon; nobody needs to be told.",
)
HEAVY = "A parcel of 15 kg or more carries the tag HEAVY; a lighter one carries no tag."


class Dispatch:
    handbook_text = (RULE, *PARAGRAPHS, HEAVY)

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"dispatch {seed}")
        limits = rng.sample(range(31, 60), 2) + rng.sample(range(8, 14), 2)
        prices = rng.sample(range(500, 1900), 4)
        names = rng.sample(["Swift", "Ox & Cart", "Meridian", "Bluebird", "Atlas"], 4)
        self._couriers = [{"courier": n, "limit_kg": k, "price": p} for n, k, p in zip(names, limits, prices, strict=True)]
        rng.shuffle(self._couriers)
        numbers = rng.sample(range(100, 1000), 6)
        self._parcels = {f"B{n}": {"weight_kg": rng.randint(4, 30), "courier": "", "tag": ""} for n in numbers}
        self._parcel = rng.choice(sorted(self._parcels))
        weight = self._parcels[self._parcel]["weight_kg"] = rng.randint(9, 30)
        fits = [c for c in self._couriers if c["limit_kg"] >= weight]
        self._booking = {"courier": min(fits, key=lambda c: c["price"])["courier"], "tag": "HEAVY" if weight >= 15 else ""}
        self._goal = {k: row | (self._booking if k == self._parcel else {}) for k, row in self._parcels.items()}
        self.prompt = f"Book a courier for parcel {self._parcel}, as the handbook says. The other parcels wait. No answer is needed."
        self.tools = [self.handbook, self.parcel, self.couriers, self.book]

    def handbook(self) -> str:
        """The desk's handbook."""
        return "\n".join(self.handbook_text)

    def parcel(self, number: str) -> dict:
        """One parcel: weight in kg, and the booking if there is one."""
        if number not in self._parcels:
            raise ValueError("no such parcel")
        return dict(self._parcels[number])

    def couriers(self) -> list[dict]:
        """The couriers with weight limit and price in cents."""
        return [dict(c) for c in self._couriers]

    def book(self, number: str, courier: str, tag: str = "") -> str:
        """Book a courier for a parcel; a tag of up to ten letters can be printed on the label."""
        if number not in self._parcels or courier not in [c["courier"] for c in self._couriers]:
            raise ValueError("unknown parcel or courier")
        if not isinstance(tag, str) or len(tag) > 10:
            raise ValueError("a tag has at most ten letters")
        self._parcels[number] |= {"courier": courier, "tag": tag.strip().upper()}
        return "booked"

    def finish(self, answer: object) -> float:
        return 1.0 if self._parcels == self._goal else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        calls = [
            ("handbook", {}),
            ("parcel", {"number": self._parcel}),
            ("couriers", {}),
            ("book", {"number": self._parcel, **self._booking}),
        ]
        return calls, None

    def state(self) -> dict[str, list[dict]]:
        return {"parcels": [{"number": n} | row for n, row in self._parcels.items()], "couriers": self.couriers()}


class DispatchToo(Dispatch):
    handbook_text = (RULE, *PARAGRAPHS)


class Depot:
    name = "courier-tag"

    def __init__(self, desk: type[Dispatch]) -> None:
        self.desk = desk

    def cases(self) -> list[str]:
        return ["parcel"]

    def start(self, case: str, seed: int) -> Dispatch:
        return self.desk(seed)


def faulty() -> Depot:
    return Depot(DispatchToo)


def repaired() -> Depot:
    return Depot(Dispatch)
