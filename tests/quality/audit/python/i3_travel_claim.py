"""Travel expenses: a receipt in foreign money is converted at the office's rate and paid out."""

import http.client
import random

RATES = {"CHF": 1.05, "NOK": 0.088, "GBP": 1.17, "CZK": 0.04, "SEK": 0.09}


def table_rate(currency: str, table: dict[str, float]) -> float:
    return table[currency]


def market_rate(currency: str, table: dict[str, float]) -> float:
    link = http.client.HTTPConnection("192.0.2.10", 80, timeout=0.05)
    try:
        link.request("GET", f"/latest?from={currency}&to=EUR")
        return float(link.getresponse().read(100))
    except (OSError, ValueError, http.client.HTTPException):
        return RATES[currency]
    finally:
        link.close()


class Claim:
    def __init__(self, rate_for, seed: int):
        rng = random.Random(f"claim {seed}")
        self._rate_for = rate_for
        self.table = {c: round(r * rng.uniform(1.08, 1.3), 4) for c, r in RATES.items()}
        self.claims = [
            {"claim": n, "name": name, "amount": rng.randint(200, 4000), "currency": rng.choice(list(RATES)), "paid_cents": 0}
            for n, name in zip(rng.sample(range(10, 99), 5), ["Ana", "Boris", "Carmen", "Daan", "Elif"], strict=True)
        ]
        self.own = rng.choice(self.claims)["claim"]
        name = next(c["name"] for c in self.claims if c["claim"] == self.own)
        self.prompt = (
            f"Pay out {name}'s travel claim in euros, at the rate in the office's table (euros for one unit of the foreign money), "
            "rounded to the "
            "cent. The other claims wait. No answer is needed."
        )
        self.tools = [self.list_claims, self.rate, self.pay]

    def list_claims(self) -> list[dict]:
        """All claims, with amount, currency and what has been paid."""
        return [dict(c) for c in self.claims]

    def rate(self, currency: str) -> float:
        """The rate of a currency in the office's table."""
        if currency not in self.table:
            raise ValueError("that currency isn't in the table")
        return self.table[currency]

    def pay(self, claim: int, cents: int) -> str:
        """Set what is paid out for a claim, in euro cents."""
        if type(cents) is not int or not 0 <= cents <= 10**7:
            raise ValueError("cents are a whole number")
        for c in self.claims:
            if c["claim"] == claim:
                c["paid_cents"] = cents
                return "paid"
        raise ValueError("no such claim")

    def finish(self, answer: object) -> float:
        for c in self.claims:
            due = c["amount"] * self._rate_for(c["currency"], self.table) * 100 if c["claim"] == self.own else 0
            if abs(c["paid_cents"] - due) > (0.501 if due else 0):
                return 0.0
        return 1.0

    def reference(self):
        own = next(c for c in self.claims if c["claim"] == self.own)
        cents = round(own["amount"] * self.table[own["currency"]] * 100)
        return [("list_claims", {}), ("rate", {"currency": own["currency"]}), ("pay", {"claim": self.own, "cents": cents})], None

    def state(self) -> dict[str, list[dict]]:
        return {"claims": self.list_claims(), "rates": [{"currency": c, "rate": r} for c, r in self.table.items()]}


class Expenses:
    name = "travel-claim"

    def __init__(self, rate_for):
        self.rate_for = rate_for

    def cases(self) -> list[str]:
        return ["payout"]

    def start(self, case: str, seed: int) -> Claim:
        return Claim(self.rate_for, seed)


def faulty():
    return Expenses(market_rate)


def repaired():
    return Expenses(table_rate)
