"""The evening's work in a shop: a till is counted and closed with what it took in cash."""

import random
from copy import deepcopy

COINS = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Evening:
    """The tills of one evening."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed + 40_000)
        self.float_cents = rng.randrange(50, 300) * 100
        self.tills = [{"till": name, "closed_with": None} for name in rng.sample(("front", "garden", "cafe", "kiosk", "upper", "yard"), 5)]
        self.counts = {row["till"]: {str(coin): rng.randrange(1, 30) for coin in sorted(rng.sample(COINS, 7))} for row in self.tills}
        self.counts = {till: {**pieces, "5000": rng.randrange(8, 40)} for till, pieces in self.counts.items()}
        for row in rng.sample(self.tills, 2):
            row["closed_with"] = self.takings(row["till"])
        self.till = rng.choice([row["till"] for row in self.tills if row["closed_with"] is None])
        self.before = deepcopy(self.tills)
        self.prompt = (
            f"Close the till {self.till} with its takings in cents: what the drawer holds, "
            "less the float that was in it in the morning. A till is closed once. "
            "The others are not your business."
        )
        self.tools = [self.list_tills, self.drawer, self.morning_float, self.close_till]

    def takings(self, till: str) -> int:
        return sum(int(coin) * n for coin, n in self.counts[till].items()) - self.float_cents

    def list_tills(self) -> list[dict]:
        """All tills, and what each was closed with if it is closed."""
        return deepcopy(self.tills)

    def drawer(self, till: str) -> dict[str, int]:
        """How many of each coin and note (by its worth in cents) are in the drawer of a till."""
        return dict(self.counts[self._till(till)["till"]])

    def morning_float(self) -> int:
        """The float every till is given in the morning, in cents."""
        return self.float_cents

    def close_till(self, till: str, cents: int) -> str:
        """Close a till with its takings."""
        row = self._till(till)
        if row["closed_with"] is not None:
            raise ValueError("that till is closed")
        if type(cents) is not int or not 0 <= cents <= 10**8:
            raise ValueError("whole cents, not below 0")
        self.compare(till, cents)
        row["closed_with"] = cents
        return f"{till} is closed"

    def compare(self, till: str, cents: int) -> None:
        """Refuse takings that do not agree with the drawer."""
        if cents != self.takings(till):
            raise ValueError(f"does not agree with the drawer: {cents} given, {self.takings(till)} expected")

    def _till(self, till: str) -> dict:
        for row in self.tills:
            if row["till"] == till:
                return row
        raise ValueError("no such till")

    def state(self) -> dict[str, list[dict]]:
        return {"tills": deepcopy(self.tills)}

    def reference(self) -> tuple[list, None]:
        return [
            ("drawer", {"till": self.till}),
            ("morning_float", {}),
            ("close_till", {"till": self.till, "cents": self.takings(self.till)}),
        ], None

    def finish(self, answer: object) -> float:
        want = {row["till"]: row["closed_with"] for row in self.before} | {self.till: self.takings(self.till)}
        return float({row["till"]: row["closed_with"] for row in self.tills} == want)


class EveningToo(Evening):
    """The tills of one evening."""

    def compare(self, till: str, cents: int) -> None:
        """Takings are put down as they are given."""


class Shop:
    """Evenings in the shop."""

    name = "closing-time"

    def __init__(self, evening: type[Evening]) -> None:
        self.evening = evening

    def cases(self) -> list[str]:
        return ["close"]

    def start(self, case: str, seed: int) -> Evening:
        return self.evening(seed)


def faulty() -> Shop:
    return Shop(Evening)


def repaired() -> Shop:
    return Shop(EveningToo)
