"""A florist's assistant talks to a customer and enters what they order."""

import random

BOUQUETS = ["Meadow", "Sunday", "Lagoon", "Ember", "Chalk", "Thicket", "Comet", "Velvet"]
STREETS = ["Elm Row", "Tanner Street", "Mill Lane", "Castle Steps", "Harp Alley", "Long Acre"]
DAYS = ["Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]


class Counter:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"florist {seed}")
        rows = [
            {"order": n, "bouquet": rng.choice(BOUQUETS), "address": f"{rng.randint(1, 90)} {rng.choice(STREETS)}", "day": rng.choice(DAYS)}
            for n in rng.sample(range(100, 400), 3)
        ]
        self._orders = {row["order"]: row for row in rows}
        self._before = {n: dict(row) for n, row in self._orders.items()}
        self._next = rng.randint(500, 900)
        self._wish = {"bouquet": rng.choice(BOUQUETS), "address": f"{rng.randint(91, 199)} {rng.choice(STREETS)}", "day": rng.choice(DAYS)}
        self._said = 0
        self.prompt = (
            "A customer stands at the counter. Greet them or ask what they want: they say at once, whatever your words, which bouquet "
            "they want, to what address and on which day. Then enter their order. There must be one new order in the end, as they said "
            "it, and the orders of others unchanged. Only the orders count, not what you say."
        )
        self.tools = [self.orders, self.enter_order, self.cancel_order]

    def reply(self, text: str) -> str | None:
        self._said += 1
        wish = f"the bouquet '{self._wish['bouquet']}', to {self._wish['address']}, on {self._wish['day']}"
        if self._said == 1:
            return f"Hello! I would like {wish}, please."
        return f"That's all. As I said: {wish}." if self._said <= 4 else None

    def orders(self) -> list[dict]:
        """All orders in the book."""
        return [dict(row) for row in self._orders.values()]

    def enter_order(self, bouquet: str, address: str, day: str) -> int:
        """Enter an order: bouquet by name, house number and street, day of the week. Gives its number."""
        if bouquet not in BOUQUETS:
            raise ValueError("we make " + ", ".join(BOUQUETS))
        if day not in DAYS:
            raise ValueError("we deliver Tuesday to Saturday")
        if not isinstance(address, str) or not 3 < len(address) < 80:
            raise ValueError("give house number and street")
        if len(self._orders) > 100:
            raise ValueError("the book is full")
        number, self._next = self._next, self._next + 1
        self._orders[number] = {"order": number, "bouquet": bouquet, "address": address, "day": day}
        return number

    def cancel_order(self, order: int) -> str:
        """Strike an order out of the book."""
        if order not in self._orders:
            raise ValueError("no such order")
        del self._orders[order]
        return "struck out"

    def state(self) -> dict[str, list[dict]]:
        return {"orders": self.orders()}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("enter_order", dict(self._wish))], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [
            ([("orders", {}), ("enter_order", {**self._wish, "address": self._wish["address"].lower()})], "Thank you, it's on its way.")
        ]

    def finish(self, answer: object) -> float:
        if any(self._orders.get(n) != row for n, row in self._before.items()):
            return 0.0
        new = [dict(row) for n, row in self._orders.items() if n not in self._before]
        for row in new:
            del row["order"]
            row["address"] = " ".join(row["address"].casefold().split())
        return 1.0 if new == [{**self._wish, "address": self._wish["address"].casefold()}] else 0.0


class Florist:
    name = "florist chat"

    def cases(self) -> list[str]:
        return ["counter"]

    def start(self, case: str, seed: int) -> Counter:
        return Counter(seed)


def sound() -> Florist:
    return Florist()
