"""A print shop prices a job from its job sheet and the tariff of its paper stocks."""

import json
import random
import re
from decimal import Decimal

STOCKS = ["matt 115", "gloss 135", "offset 90", "kraft 170", "linen 240"]
CUSTOMERS = ["Alder & Co", "Bistro Nord", "City Choir", "Dock Yoga", "Elm School", "Foto Frey"]
FIGURE = re.compile(r"(?:€|eur)?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(\.[0-9]{1,12})?\s*(?:€|eur|euros?|sheets?)?", re.IGNORECASE)


def figure(value):
    """The number that a value stands for, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Decimal(str(value)) if 0 <= value < 10**9 else None
    if isinstance(value, str) and len(value) < 60:
        found = FIGURE.fullmatch(value.strip())
        if found:
            return Decimal(found[1].replace(",", "") + (found[2] or ""))
    return None


class Quote:
    def __init__(self, case, seed):
        rng = random.Random(f"print {case} {seed}")
        self.tariff = [
            {
                "stock": stock,
                "price_per_sheet": rng.randrange(4, 23) / 100,
                "set_up": rng.randrange(40, 130) * 20 / 100,
                "spoilage_sheets": rng.randrange(1, 7) * 20,
            }
            for stock in STOCKS
        ]
        leaves = (1, 3) if case == "leaflet" else (4, 12)
        numbers = rng.sample(range(4100, 4200), 6)
        self.jobs = [
            {
                "number": number,
                "customer": customer,
                "stock": rng.choice(STOCKS),
                "copies": rng.randrange(10, 90) * 20,
                "sheets_per_copy": rng.randint(*leaves),
                "urgent": rng.random() < 0.4,
            }
            for number, customer in zip(numbers, CUSTOMERS, strict=True)
        ]
        job = rng.choice(self.jobs)
        stock = next(row for row in self.tariff if row["stock"] == job["stock"])
        self.number, self.stock_name = job["number"], job["stock"]
        self.sheets = job["copies"] * job["sheets_per_copy"] + stock["spoilage_sheets"]
        cents = self.sheets * round(stock["price_per_sheet"] * 100) + round(stock["set_up"] * 100)
        if job["urgent"]:
            cents = cents * 115 // 100
        self.total = f"{cents // 100}.{cents % 100:02d}"
        self.prompt = (
            f"Price job {self.number}. The sheets to order are the copies times the sheets per copy, "
            "plus the spoilage sheets of the job's stock. "
            "The total is all those sheets at the stock's price per sheet, plus its set-up, "
            "and 15 percent on top of that when the job is urgent. "
            'Answer with an object {"sheets": how many, "total": the amount in euros}. Use a decimal point.'
        )
        self.tools = [self.job, self.stock]

    def job(self, number: int) -> dict:
        """The job sheet with this number."""
        if isinstance(number, int) and not isinstance(number, bool):
            for row in self.jobs:
                if row["number"] == number:
                    return dict(row)
        raise ValueError("no job has that number")

    def stock(self, name: str) -> dict:
        """The tariff of one paper stock, prices in euros."""
        if isinstance(name, str):
            for row in self.tariff:
                if row["stock"] == name.strip().lower():
                    return dict(row)
        raise ValueError("no stock has that name; they are " + ", ".join(STOCKS))

    def agrees(self, total):
        amount = figure(total)
        return amount is not None and abs(amount - Decimal(self.total)) < Decimal("0.005")

    def finish(self, answer: object) -> float:
        if isinstance(answer, str) and len(answer) < 500:
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return 0.0
        if not isinstance(answer, dict):
            return 0.0
        return 1.0 if figure(answer.get("sheets")) == self.sheets and self.agrees(answer.get("total")) else 0.0

    def reference(self):
        return [("job", {"number": self.number}), ("stock", {"name": self.stock_name})], {"sheets": self.sheets, "total": self.total}

    def state(self):
        return {"jobs": [dict(row) for row in self.jobs], "tariff": [dict(row) for row in self.tariff]}


class QuoteDesk(Quote):
    def agrees(self, total):
        return isinstance(total, str | float) and str(total).strip() == self.total


class Shop:
    name = "print shop quotes"

    def __init__(self, episode):
        self.episode = episode

    def cases(self):
        return ["leaflet", "brochure"]

    def start(self, case, seed):
        return self.episode(case, seed)


def faulty():
    return Shop(QuoteDesk)


def repaired():
    return Shop(Quote)
