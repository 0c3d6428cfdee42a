"""A bakery's price list: three prices are wrong, and three acceptance checks should go from red to green."""

import copy
import random

BREADS = ["rye", "spelt", "brioche", "bagel", "focaccia", "pretzel", "baguette", "scone"]


class PriceList:
    pass_mark = 0.6

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"bread-{seed}")
        chosen = rng.sample(BREADS, 7)
        self.right = {bread: rng.randrange(90, 600, 5) for bread in chosen}
        self.prices = [{"bread": bread, "cents": self.right[bread]} for bread in chosen]
        wrong = rng.sample(chosen, 3)
        for row in self.prices:
            if row["bread"] in wrong:
                row["cents"] += rng.choice([-40, -30, 25, 55])
        self.before = copy.deepcopy(self.prices)
        still = [bread for bread in chosen if bread not in wrong]
        self.checked = self._checked(wrong, still)
        self.tools = [self.till_price, self.list_price, self.set_price]
        self.prompt = (
            "Three of our seven list prices differ from what the till rightly takes. Find them and set the list prices to the till's: "
            f"{', '.join(chosen)}. Leave the others."
        )

    def _checked(self, wrong: list[str], still: list[str]) -> list[str]:
        return [wrong[0], *still[:2]]

    def till_price(self, bread: str) -> int:
        """What the till takes, in cents."""
        if bread not in self.right:
            raise ValueError("no such bread")
        return self.right[bread]

    def list_price(self, bread: str) -> int:
        """What the list says, in cents."""
        return self._row(bread)["cents"]

    def set_price(self, bread: str, cents: int) -> str:
        """Set a list price."""
        if isinstance(cents, bool) or not isinstance(cents, int) or not 0 < cents < 10_000:
            raise ValueError("cents is a whole number")
        self._row(bread)["cents"] = cents
        return "set"

    def _row(self, bread: str) -> dict:
        for row in self.prices:
            if row["bread"] == bread:
                return row
        raise ValueError("no such bread")

    def state(self) -> dict[str, list[dict]]:
        return {"prices": copy.deepcopy(self.prices)}

    def reference(self) -> tuple[list, object]:
        reads = [call for row in self.before for call in (("till_price", {"bread": row["bread"]}), ("list_price", {"bread": row["bread"]}))]
        wrong = [row["bread"] for row in self.before if row["cents"] != self.right[row["bread"]]]
        return reads + [("set_price", {"bread": bread, "cents": self.right[bread]}) for bread in wrong], None

    def finish(self, answer: object) -> float:
        untouched = [row for row in self.before if row["cents"] == self.right[row["bread"]]]
        if any(row not in self.prices for row in untouched):
            return 0.0
        green = sum(self._row(bread)["cents"] == self.right[bread] for bread in self.checked)
        return green / len(self.checked)


class PriceListToo(PriceList):
    pass_mark = 1.0

    def _checked(self, wrong: list[str], still: list[str]) -> list[str]:
        return wrong


class Bakery:
    name = "price list"

    def __init__(self, prices: type[PriceList]) -> None:
        self._prices = prices

    def cases(self) -> list[str]:
        return ["compare"]

    def start(self, case: str, seed: int) -> PriceList:
        return self._prices(seed)


def faulty() -> Bakery:
    return Bakery(PriceList)


def repaired() -> Bakery:
    return Bakery(PriceListToo)
