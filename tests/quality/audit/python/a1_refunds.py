"""A shop's support desk decides one return request by the returns policy and records what was decided."""

import random
from datetime import date, timedelta

PEOPLE = ("Ada Brandt", "Bilal Osei", "Chiara Lund", "Dev Malik", "Edda Roth", "Femi Cole", "Greta Vaas", "Hugo Prinz")
GOODS = ("kettle", "desk lamp", "rain coat", "tool case", "rucksack", "toaster", "office chair", "wall clock")


class Desk:
    """The desk with one request open."""

    judged = ("orders", "refunds")

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"returns {case} {seed}")
        today = date(2031, 3, 1) + timedelta(days=rng.randrange(200))
        window, fee = rng.choice((14, 21, 28, 30)), rng.choice((5, 10, 15, 20))
        late, final, kept = (f"P{n}" for n in rng.sample(range(2, 90), 3))
        self.clauses = {
            late: f"Goods may come back within {window} days of delivery. A later request is declined under this clause.",
            final: "Goods sold as final sale are not taken back, however early. Such a request is declined under this clause.",
            kept: f"When goods are taken back, {fee} % of the price is kept for restocking and the rest is refunded.",
        }
        self.orders = [
            {
                "id": f"S{number}",
                "customer": person,
                "item": item,
                "price_cents": rng.randrange(8, 240) * 100,
                "delivered": str(today - timedelta(days=rng.randrange(1, 2 * window))),
                "final_sale": rng.random() < 0.3,
                "status": "delivered",
            }
            for number, person, item in zip(rng.sample(range(10_000, 99_999), 6), rng.sample(PEOPLE, 6), rng.sample(GOODS, 6), strict=True)
        ]
        self.refunds: list[dict] = []
        self.decisions: list[dict] = []
        row = rng.choice(self.orders)
        age = window + rng.randrange(1, 25) if case == "late" else rng.randrange(1, window)
        row.update(delivered=str(today - timedelta(days=age)), final_sale=case == "final-sale")
        self.prompt = (
            f"Today is {today}. {row['customer']} asks to send back the {row['item']}. Decide by the returns policy. If it is taken back, "
            "refund what the policy leaves, in cents. If not, record a decline that names "
            "the clause. Record one decision and leave every other order alone."
        )
        self.tools = [self.orders_of, self.policy, self.refund, self.decline]
        if case == "good":
            back = row["price_cents"] * (100 - fee) // 100
            decided = ("refund", {"order_id": row["id"], "amount_cents": back})
        else:
            decided = ("decline", {"order_id": row["id"], "clause": late if case == "late" else final})
        self.known = [("orders_of", {"customer": row["customer"]}), ("policy", {}), decided]
        self.goal = self.state()
        if case == "good":
            next(o for o in self.goal["orders"] if o["id"] == row["id"])["status"] = "returned"
            self.goal["refunds"].append({"order": row["id"], "amount_cents": back})
        else:
            self.goal["decisions"].append({"order": row["id"], "clause": decided[1]["clause"]})

    def orders_of(self, customer: str) -> list[dict]:
        """The orders of one customer, found by the full name."""
        found = [dict(row) for row in self.orders if row["customer"] == customer]
        if not found:
            raise ValueError("no customer of that name")
        return found

    def policy(self) -> dict[str, str]:
        """The returns policy: the text of each clause by its number."""
        return dict(sorted(self.clauses.items()))

    def refund(self, order_id: str, amount_cents: int) -> str:
        """Take an order back and refund an amount in cents."""
        row = self._undecided(order_id)
        if type(amount_cents) is not int or not 0 < amount_cents <= row["price_cents"]:
            raise ValueError("the amount must be above 0 and at most the price")
        row["status"] = "returned"
        self.refunds.append({"order": order_id, "amount_cents": amount_cents})
        return "refunded"

    def decline(self, order_id: str, clause: str) -> str:
        """Decline to take an order back, under a clause of the policy."""
        self._undecided(order_id)
        if clause not in self.clauses:
            raise ValueError("the policy has no such clause")
        self.decisions.append({"order": order_id, "clause": clause})
        return "declined"

    def _undecided(self, order_id: str) -> dict:
        row = next((o for o in self.orders if o["id"] == order_id), None)
        if row is None:
            raise ValueError("no such order")
        if any(d["order"] == order_id for d in self.refunds + self.decisions):
            raise ValueError("this order has its decision already")
        return row

    def state(self) -> dict[str, list[dict]]:
        return {name: [dict(row) for row in getattr(self, name)] for name in ("orders", "refunds", "decisions")}

    def reference(self) -> tuple[list, None]:
        return [(tool, dict(given)) for tool, given in self.known], None

    def finish(self, answer: object) -> float:
        ended = self.state()
        return float(all(ended[name] == self.goal[name] for name in self.judged))


class DeskToo(Desk):
    """The desk with one request open."""

    judged = ("orders", "refunds", "decisions")


class Shop:
    """Three kinds of request."""

    name = "returns-desk"

    def __init__(self, desk: type[Desk]) -> None:
        self.desk = desk

    def cases(self) -> list[str]:
        return ["good", "late", "final-sale"]

    def start(self, case: str, seed: int) -> Desk:
        return self.desk(case, seed)


def faulty() -> Shop:
    return Shop(Desk)


def repaired() -> Shop:
    return Shop(DeskToo)
