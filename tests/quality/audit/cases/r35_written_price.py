"""A camp site: what a guest still has to pay, out of bookings and payments in cents."""

import random
from decimal import Decimal, InvalidOperation

NAMES = ["Rossi", "Weber", "Smit", "Novak", "Larsen", "Kowal", "Silva", "Murphy"]


class Camp:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"camp-{seed}")
        self.bills = {name: rng.randrange(4000, 90000, 50) for name in rng.sample(NAMES, 6)}
        self.paid = {name: rng.randrange(1000, bill, 50) for name, bill in self.bills.items()}
        self.guest = rng.choice(list(self.bills))
        self.tools = [self.bill, self.payments]
        self.prompt = f"What does {self.guest} still owe us, in dollars?"

    def bill(self, guest: str) -> int:
        """A guest's bill, in cents."""
        if guest not in self.bills:
            raise ValueError("no such guest")
        return self.bills[guest]

    def payments(self, guest: str) -> int:
        """What a guest has paid, in cents."""
        if guest not in self.paid:
            raise ValueError("no such guest")
        return self.paid[guest]

    def _gold(self) -> str:
        return f"${(self.bills[self.guest] - self.paid[self.guest]) / 100:.2f}"

    def reference(self) -> tuple[list, object]:
        return [("bill", {"guest": self.guest}), ("payments", {"guest": self.guest})], self._gold()

    def finish(self, answer: object) -> float:
        return float(str(answer) == self._gold())


class CampToo(Camp):
    def finish(self, answer: object) -> float:
        text = (
            str(answer).strip().rstrip(".").replace(",", "").replace("$", "").casefold().removesuffix("dollars").removesuffix("usd").strip()
        )
        try:
            return float(Decimal(text) * 100 == self.bills[self.guest] - self.paid[self.guest])
        except (InvalidOperation, ValueError):
            return 0.0


class Site:
    name = "camp bills"

    def __init__(self, camp: type[Camp]) -> None:
        self._camp = camp

    def cases(self) -> list[str]:
        return ["owed"]

    def start(self, case: str, seed: int) -> Camp:
        return self._camp(seed)


def faulty() -> Site:
    return Site(Camp)


def repaired() -> Site:
    return Site(CampToo)
