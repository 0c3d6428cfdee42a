"""A print shop: the paper of an order that hasn't been printed yet is changed."""

import copy
import random

PAPERS = ["matt", "gloss", "linen", "kraft", "recycled"]


class Press:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"print-{seed}")
        self.orders = [
            {"order": n, "paper": rng.choice(PAPERS), "copies": rng.randint(20, 500), "status": rng.choice(["pending", "printed"])}
            for n in rng.sample(range(100, 999), 8)
        ]
        self.mine = rng.choice(self.orders)
        self.mine["status"] = "pending"
        self.paper = rng.choice([paper for paper in PAPERS if paper != self.mine["paper"]])
        self.before = copy.deepcopy(self.orders)
        self.tools = [self.show_order, self.change_paper, self.cancel_order]
        self.prompt = (
            f"The customer of order {self.mine['order']} wants it on {self.paper} paper. Change that; the order stays in the queue."
        )

    def show_order(self, order: int) -> dict:
        """An order."""
        return dict(self._row(order))

    def change_paper(self, order: int, paper: str) -> str:
        """Change the paper of a pending order."""
        if paper not in PAPERS or self._row(order)["status"] != "pending":
            raise ValueError("no such paper, or the order isn't pending")
        self._row(order)["paper"] = paper
        return "changed"

    def cancel_order(self, order: int) -> str:
        """Cancel a pending order."""
        if self._row(order)["status"] != "pending":
            raise ValueError("the order isn't pending")
        self._row(order)["status"] = "cancelled"
        return "cancelled"

    def _row(self, order: int) -> dict:
        for row in self.orders:
            if row["order"] == order and not isinstance(order, bool):
                return row
        raise ValueError("no such order")

    def state(self) -> dict[str, list[dict]]:
        return {"orders": copy.deepcopy(self.orders)}

    def reference(self) -> tuple[list, object]:
        order = self.mine["order"]
        return [("show_order", {"order": order}), ("change_paper", {"order": order, "paper": self.paper})], None

    def finish(self, answer: object) -> float:
        return float(self._row(self.mine["order"])["status"] == "pending")


class PressToo(Press):
    def finish(self, answer: object) -> float:
        return float(self.orders == [row | {"paper": self.paper} if row["order"] == self.mine["order"] else row for row in self.before])


class PrintShop:
    name = "print orders"

    def __init__(self, press: type[Press]) -> None:
        self._press = press

    def cases(self) -> list[str]:
        return ["paper"]

    def start(self, case: str, seed: int) -> Press:
        return self._press(seed)


def faulty() -> PrintShop:
    return PrintShop(Press)


def repaired() -> PrintShop:
    return PrintShop(PressToo)
