"""Purchasing: an order over the limit is released once it has been countersigned."""

import random


class Purchasing:
    """Orders of a small works, with the signatures they have."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"po/{seed}")
        self.orders = {
            f"PO{n}": {"supplier": s, "total": rng.randrange(120, 900, 5), "signed": "buyer", "status": "waiting"}
            for n, s in zip(
                rng.sample(range(100, 999), 6), rng.sample(["Ampere", "Boltwell", "Corvid", "Dunn", "Eider", "Foss"], 6), strict=True
            )
        }
        self.limit = rng.randrange(1000, 2000, 100)
        self.own = rng.choice(sorted(self.orders))
        self.orders[self.own]["total"] = self.limit + rng.randrange(50, 900, 5)
        self.goal = {k: dict(row) for k, row in self.orders.items()}
        self.goal[self.own] |= {"signed": "buyer, manager", "status": "released"}
        self.prompt = (
            f"Release the order placed with {self.orders[self.own]['supplier']}. The limit is {self.limit} euros: an order above it must "
            "be countersigned "
            "by the manager before it can be released. Leave the other orders as they are. No answer is needed."
        )
        self.tools = self._offered()

    def _offered(self) -> list:
        return [self.list_orders, self.countersign, self.release]

    def list_orders(self) -> list[dict]:
        """All orders with supplier, total in euros, signatures and status."""
        return [{"order": k} | row for k, row in self.orders.items()]

    def countersign(self, order: str) -> str:
        """Put the order before the manager, who signs it."""
        if order not in self.orders:
            raise ValueError("no such order")
        self.orders[order]["signed"] = "buyer, manager"
        return "signed by the manager"

    def release(self, order: str) -> str:
        """Release an order to the supplier."""
        row = self.orders.get(order)
        if row is None:
            raise ValueError("no such order")
        if row["total"] > self.limit and "manager" not in row["signed"]:
            raise ValueError("the manager hasn't signed this order")
        row["status"] = "released"
        return "released"

    def finish(self, answer: object) -> float:
        return 1.0 if self.orders == self.goal else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("list_orders", {}), ("countersign", {"order": self.own}), ("release", {"order": self.own})], None

    def state(self) -> dict[str, list[dict]]:
        return {"orders": self.list_orders()}


class PurchasingToo(Purchasing):
    def _offered(self) -> list:
        return [self.list_orders, self.release]


class Works:
    name = "countersign"

    def __init__(self, kind: type[Purchasing]) -> None:
        self._kind = kind

    def cases(self) -> list[str]:
        return ["release"]

    def start(self, case: str, seed: int) -> Purchasing:
        return self._kind(seed)


def faulty() -> Works:
    return Works(PurchasingToo)


def repaired() -> Works:
    return Works(Purchasing)
