"""Accounts of a print shop: the total of an invoice is asked for."""

import math
import random
import re
from decimal import Decimal

JOBS = ["flyers", "posters", "menus", "envelopes", "labels", "brochures", "cards"]


class Invoice:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}:{seed}")
        self._book = {f"PR-{n}": self._lines(rng) for n in rng.sample(range(200, 900), 5)}
        self._number = rng.choice(sorted(self._book))
        extra = ""
        self._cents = sum(row["pieces"] * row["cents_each"] for row in self._book[self._number])
        if case == "rush":
            self._cents += 2500
            extra = " The customer also pays the flat rush fee of 25 dollars, which isn't among the lines."
        self.prompt = f"What does invoice {self._number} come to, in dollars?{extra} Answer with the amount."
        self.tools = [self.invoice]

    @staticmethod
    def _lines(rng: random.Random) -> list[dict]:
        rows = [
            {"job": j, "pieces": rng.randint(20, 120), "cents_each": rng.randrange(40, 900, 5)} for j in rng.sample(JOBS, rng.randint(2, 4))
        ]
        return [*rows, {"job": "set-up", "pieces": 1, "cents_each": rng.randrange(3000, 9000, 5)}]

    def invoice(self, number: str) -> list[dict]:
        """The lines of an invoice: pieces, and cents for each piece."""
        if number not in self._book:
            raise ValueError("no such invoice")
        return [dict(row) for row in self._book[number]]

    def finish(self, answer: object) -> float:
        return 1.0 if self._agrees(answer) else 0.0

    def _agrees(self, answer: object) -> bool:
        return in_cents(answer) == self._cents

    def reference(self):
        return [("invoice", {"number": self._number})], f"{self._cents / 100:.2f}"

    def state(self) -> dict[str, list[dict]]:
        return {"lines": [{"invoice": n} | row for n, rows in self._book.items() for row in rows]}


class InvoiceToo(Invoice):
    def _agrees(self, answer: object) -> bool:
        return answer == f"{self._cents / 100:.2f}"


def in_cents(answer: object) -> int | None:
    if isinstance(answer, bool):
        return None
    if isinstance(answer, int):
        return answer * 100
    if isinstance(answer, float):
        near = answer * 100
        return round(near) if math.isfinite(near) and abs(near - round(near)) < 1e-4 else None
    if isinstance(answer, str) and len(answer) < 60:
        text = re.sub(r"(?i)^(usd|us\$|\$)|(usd|us\$|dollars?|\$)\.?$", "", answer.strip()).strip()
        if re.fullmatch(r"([0-9]{1,3}(,[0-9]{3})+|[0-9]+)(\.[0-9]+)?", text):
            amount = Decimal(text.replace(",", "")) * 100
            return int(amount) if amount == int(amount) else None
    return None


class PrintShop:
    name = "print-invoice"

    def __init__(self, kind: type[Invoice]):
        self.kind = kind

    def cases(self) -> list[str]:
        return ["plain", "rush"]

    def start(self, case: str, seed: int) -> Invoice:
        return self.kind(case, seed)


def faulty() -> PrintShop:
    return PrintShop(InvoiceToo)


def repaired() -> PrintShop:
    return PrintShop(Invoice)
