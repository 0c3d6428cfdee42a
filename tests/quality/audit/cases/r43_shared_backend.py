"""A pattern library for knitters: the agent makes a copy of somebody's pattern under its own name."""

import copy
import random

PATTERNS = ["fisherman", "cable", "moss", "lattice", "basket", "feather", "tulip", "wave"]
OWNERS = ["ada", "bo", "cleo", "dag", "eva"]


class Account:
    def __init__(self, seed: int, shelf: dict[int, list[dict]]) -> None:
        rng = random.Random(f"knit-{seed}")
        rows = [{"pattern": pattern, "owner": rng.choice(OWNERS), "copied_from": ""} for pattern in rng.sample(PATTERNS, 6)]
        self.mine = dict(rng.choice(rows))
        self.before = copy.deepcopy(rows)
        self.patterns = shelf.setdefault(seed, rows)
        self.tools = [self.search, self.make_copy]
        self.prompt = f"Make a copy of {self.mine['owner']}'s pattern {self.mine['pattern']} in the account guest. Change nothing else."

    def search(self, pattern: str) -> list[dict]:
        """All patterns of a name."""
        return [dict(row) for row in self.patterns if row["pattern"] == pattern]

    def make_copy(self, pattern: str, owner: str) -> str:
        """Copy somebody's pattern into the account guest."""
        if not any(row["pattern"] == pattern and row["owner"] == owner for row in self.patterns):
            raise ValueError("no such pattern")
        made = {"pattern": pattern, "owner": "guest", "copied_from": owner}
        if made in self.patterns:
            raise ValueError("guest has that already")
        self.patterns.append(made)
        return "copied"

    def state(self) -> dict[str, list[dict]]:
        return {"patterns": copy.deepcopy(self.patterns)}

    def reference(self) -> tuple[list, object]:
        asked = {"pattern": self.mine["pattern"], "owner": self.mine["owner"]}
        return [("search", {"pattern": self.mine["pattern"]}), ("make_copy", asked)], None

    def finish(self, answer: object) -> float:
        made = {"pattern": self.mine["pattern"], "owner": "guest", "copied_from": self.mine["owner"]}
        return float(self.patterns == [*self.before, made])


class Knitters:
    name = "pattern library"

    def __init__(self, shares: bool) -> None:
        self._shares, self._shelf = shares, {}

    def cases(self) -> list[str]:
        return ["copy"]

    def start(self, case: str, seed: int) -> Account:
        return Account(seed, self._shelf if self._shares else {})


def faulty() -> Knitters:
    return Knitters(True)


def repaired() -> Knitters:
    return Knitters(False)
