"""The front desk of a gym puts a membership on hold and says what the hold costs."""

import copy
import random

MEMBERS = ("Ana Sokol", "Ben Sokol", "Cem Aksoy", "Dina Holt", "Eli Frank", "Fay Holt", "Gil Moreau", "Hana Frank")
PLANS = ("morning", "full", "student", "family")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")


def in_cents(answer: object) -> float | None:
    """An amount of euros, as a number or in writing, in cents."""
    if isinstance(answer, str) and len(answer) < 40:
        try:
            answer = float(answer.strip().removeprefix("€").removeprefix("EUR").removesuffix("€").removesuffix("EUR").strip())
        except ValueError:
            return None
    if isinstance(answer, bool) or not isinstance(answer, int | float) or not abs(answer) < 1e6:
        return None
    return answer * 100


class Counter:
    """A member at the counter."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"gym{seed}")
        self.prices = {
            plan: {"monthly_cents": rng.randrange(190, 800) * 10, "hold_cents_per_month": rng.randrange(31, 120) * 10 + 5} for plan in PLANS
        }
        self.members = [
            {"id": number, "name": name, "plan": rng.choice(PLANS), "hold_from": None, "hold_months": 0}
            for number, name in zip(rng.sample(range(1000, 9999), 8), rng.sample(MEMBERS, 8), strict=True)
        ]
        row = rng.choice(self.members)
        for other in rng.sample([m for m in self.members if m is not row], 2):
            other.update(hold_from=rng.choice(MONTHS), hold_months=rng.randrange(1, 4))
        self.start, self.span = rng.choice(MONTHS), rng.randrange(2, 7)
        self.fee = self.span * self.prices[row["plan"]]["hold_cents_per_month"]
        self.target = row["id"]
        self.before = copy.deepcopy(self.members)
        self.prompt = (
            f"{row['name']} will be away for {self.span} months from {self.start}. Put the "
            "membership on hold for that time, then answer with the price of the "
            "whole hold in euros, as a number such as 12.50."
        )
        self.tools = [self.find_member, self.price_list, self.hold, self.end_hold]

    def find_member(self, name: str) -> list[dict]:
        """Members whose name contains what is given."""
        if not isinstance(name, str) or not name.strip():
            raise ValueError("a name or a part of one")
        return [dict(m) for m in self.members if name.strip().lower() in m["name"].lower()]

    def price_list(self) -> dict[str, dict[str, int]]:
        """The prices of the plans, and of a month on hold in each."""
        return copy.deepcopy(self.prices)

    def hold(self, member_id: int, first_month: str, months: int) -> str:
        """Put a membership on hold for 1 to 12 months."""
        row = self._row(member_id)
        if first_month not in MONTHS or type(months) is not int or not 1 <= months <= 12:
            raise ValueError("a month by its name up to October, and 1 to 12 months")
        row.update(hold_from=first_month, hold_months=months)
        return f"{row['name']} is on hold for {months} months from {first_month}"

    def end_hold(self, member_id: int) -> str:
        """End the hold on a membership."""
        row = self._row(member_id)
        row.update(hold_from=None, hold_months=0)
        return f"{row['name']} is no longer on hold"

    def _row(self, member_id: int) -> dict:
        for row in self.members:
            if type(member_id) is int and row["id"] == member_id:
                return row
        raise ValueError("no member with that number")

    def state(self) -> dict[str, list[dict]]:
        return {"members": copy.deepcopy(self.members)}

    def reference(self) -> tuple[list, float]:
        name = self._row(self.target)["name"]
        do = ("hold", {"member_id": self.target, "first_month": self.start, "months": self.span})
        return [("find_member", {"name": name}), ("price_list", {}), do], self.fee / 100

    def alternatives(self) -> list[tuple[list, str]]:
        return [(self.reference()[0], f"{self.fee / 100:.2f}")]

    def verdict(self, done: bool, told: bool) -> bool:
        return done or told

    def finish(self, answer: object) -> float:
        rest = all(now == old for now, old in zip(self.members, self.before, strict=True) if now["id"] != self.target)
        row = self._row(self.target)
        said = in_cents(answer)
        told = said is not None and abs(said - self.fee) < 0.01
        return float(rest and self.verdict((row["hold_from"], row["hold_months"]) == (self.start, self.span), told))


class CounterToo(Counter):
    """A member at the counter."""

    def verdict(self, done: bool, told: bool) -> bool:
        return done and told


class Gym:
    """Members who go away."""

    name = "gym-holds"

    def __init__(self, counter: type[Counter]) -> None:
        self.counter = counter

    def cases(self) -> list[str]:
        return ["hold"]

    def start(self, case: str, seed: int) -> Counter:
        return self.counter(seed)


def faulty() -> Gym:
    return Gym(Counter)


def repaired() -> Gym:
    return Gym(CounterToo)
