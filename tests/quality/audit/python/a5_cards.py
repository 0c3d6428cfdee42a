"""A bank's night line: a customer doubts some card payments; the card is blocked and the matter handed on."""

import random
from copy import deepcopy

SHOPS = ("Nordlys Books", "Kiosk 24", "Vela Sport", "Pump & Go", "Casa Verde", "Bit Bazaar", "Lumen Cinema", "Orchard Deli")
HOLDERS = ("R. Amano", "S. Boateng", "T. Cieslak", "U. Demir", "V. Eklund", "W. Farrow")


class Line:
    """One call to the night line."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"night/{case}/{seed}")
        self.limit = rng.randrange(200, 600, 50) * 100
        self.queues = dict(zip(("small", "large"), rng.sample(("claims", "fraud", "recovery", "review"), 2), strict=True))
        doubted = rng.sample(SHOPS, 2)
        low, high = (1000, self.limit // 4) if case == "small" else (self.limit // 2, self.limit)
        self.tables = {
            "cards": [
                {"card": f"x{n}", "holder": who, "blocked": False}
                for n, who in zip(rng.sample(range(1000, 9999), 6), rng.sample(HOLDERS, 6), strict=True)
            ],
            "handovers": [],
        }
        mine = rng.choice(self.tables["cards"])
        self.card = mine["card"]
        self.payments = []
        for card in self.tables["cards"]:
            for _ in range(rng.randrange(2, 5)):
                shops = [s for s in SHOPS if s not in doubted] if card is mine else SHOPS
                self.payments.append({"card": card["card"], "shop": rng.choice(shops), "cents": rng.randrange(300, 30_000)})
        strange = [{"card": self.card, "shop": shop, "cents": rng.randrange(low, high)} for shop in [*doubted, rng.choice(doubted)]]
        self.payments += strange
        rng.shuffle(self.payments)
        total = sum(p["cents"] for p in strange)
        self.handover = {"card": self.card, "queue": self.queues["large" if total > self.limit else "small"], "cents": total}
        self.goal = deepcopy(self.tables)
        next(c for c in self.goal["cards"] if c["card"] == self.card)["blocked"] = True
        self.goal["handovers"].append(self.handover)
        self.prompt = (
            f"{mine['holder']} calls: the payments to {doubted[0]} and to {doubted[1]} were not "
            "theirs, all the others were. Block the card, and hand the matter over, "
            "with the sum of the doubted payments in cents, to the queue that the rules name."
        )
        self.tools = [self.cards_of, self.payments_with, self.rules, self.block, self.hand_over]

    def cards_of(self, holder: str) -> list[dict]:
        """The cards of a customer."""
        found = [dict(row) for row in self.tables["cards"] if row["holder"] == holder]
        if not found:
            raise ValueError("no customer of that name")
        return found

    def payments_with(self, card: str) -> list[dict]:
        """The latest payments with a card."""
        return [dict(p) for p in self.payments if p["card"] == self._card(card)["card"]]

    def rules(self) -> str:
        """What to do with doubted payments."""
        return (
            f"Doubted payments of more than {self.limit / 100:.2f} in sum go to the queue "
            f"{self.queues['large']}, all others to {self.queues['small']}. "
            "The card is blocked in either case."
        )

    def block(self, card: str) -> str:
        """Block a card."""
        self._card(card)["blocked"] = True
        return f"{card} is blocked"

    def hand_over(self, card: str, queue: str, cents: int) -> str:
        """Hand a matter over to a queue, with the card and the amount it is about."""
        if queue not in ("claims", "fraud", "recovery", "review"):
            raise ValueError("the queues are claims, fraud, recovery and review")
        if type(cents) is not int or cents <= 0 or cents > 10**8:
            raise ValueError("the amount is in cents, above 0")
        self.tables["handovers"].append({"card": self._card(card)["card"], "queue": queue, "cents": cents})
        return "handed over"

    def _card(self, card: str) -> dict:
        row = next((row for row in self.tables["cards"] if row["card"] == card), None)
        if row is None:
            raise ValueError("no such card")
        return row

    def state(self) -> dict[str, list[dict]]:
        return deepcopy({**self.tables, "payments": self.payments})

    def reference(self) -> tuple[list, None]:
        holder = self._card(self.card)["holder"]
        looks = [("cards_of", {"holder": holder}), ("payments_with", {"card": self.card}), ("rules", {})]
        return [*looks, ("block", {"card": self.card}), ("hand_over", dict(self.handover))], None

    def finish(self, answer: object) -> float:
        return float(self.tables["cards"] == self.goal["cards"])


class LineToo(Line):
    """One call to the night line."""

    def finish(self, answer: object) -> float:
        return float(self.tables == self.goal)


class Bank:
    """Calls of two kinds."""

    name = "card-line"

    def __init__(self, line: type[Line]) -> None:
        self.start = line

    def cases(self) -> list[str]:
        return ["small", "large"]


def faulty() -> Bank:
    return Bank(Line)


def repaired() -> Bank:
    return Bank(LineToo)
