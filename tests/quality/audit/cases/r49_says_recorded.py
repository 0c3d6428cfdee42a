"""A blood bank's store, brought over from another system: bags are moved and used up by tool calls."""

import copy
import random

GROUPS = ["A+", "A-", "B+", "B-", "O+", "O-"]


class Store:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"blood-{seed}")
        self.bags = [{"bag": f"B{n}", "group": rng.choice(GROUPS), "fridge": rng.randint(1, 3)} for n in rng.sample(range(100, 999), 8)]
        self.mine = rng.choice(self.bags)["bag"]
        self.fridge = rng.randint(4, 6)
        self.before = copy.deepcopy(self.bags)
        self.tools = [self.show_bag, self.move_bag]
        self.prompt = f"Move bag {self.mine} to fridge {self.fridge}. All other bags stay where they are."

    def show_bag(self, bag: str) -> object:
        """Group and fridge of a bag."""
        return self._call("show", bag)

    def move_bag(self, bag: str, fridge: int) -> object:
        """Move a bag to another fridge, 1 to 6."""
        return self._call("move", bag, fridge)

    def _call(self, what: str, *args: object) -> object:
        return "recorded"

    def state(self) -> dict[str, list[dict]]:
        return {"bags": copy.deepcopy(self.bags)}

    def reference(self) -> tuple[list, object]:
        return [("show_bag", {"bag": self.mine}), ("move_bag", {"bag": self.mine, "fridge": self.fridge})], None

    def finish(self, answer: object) -> float:
        return float(self.bags == [row | {"fridge": self.fridge} if row["bag"] == self.mine else row for row in self.before])


class StoreToo(Store):
    def _call(self, what: str, *args: object) -> object:
        row = next((one for one in self.bags if one["bag"] == args[0]), None)
        if row is None:
            raise ValueError("no such bag")
        if what == "show":
            return dict(row)
        if isinstance(args[1], bool) or args[1] not in range(1, 7):
            raise ValueError("fridge is 1 to 6")
        row["fridge"] = int(args[1])  # type: ignore[call-overload]
        return "moved"


class BloodBank:
    name = "blood store"

    def __init__(self, store: type[Store]) -> None:
        self._store = store

    def cases(self) -> list[str]:
        return ["move"]

    def start(self, case: str, seed: int) -> Store:
        return self._store(seed)


def faulty() -> BloodBank:
    return BloodBank(Store)


def repaired() -> BloodBank:
    return BloodBank(StoreToo)
