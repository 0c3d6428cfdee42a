"""Stock of a hardware store is corrected after a count; checks are written to a log, and the log is read."""

import copy
import random
import re

GOODS = ["hinge", "bolt", "washer", "bracket", "dowel", "rivet", "screw", "anchor"]


class Stock:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"stock-{seed}")
        self.stock = [{"good": good, "rack": rng.choice(["A", "B"]), "pieces": rng.randint(20, 400)} for good in rng.sample(GOODS, 7)]
        self.counted = {row["good"]: row["pieces"] + rng.choice([-7, -3, 4, 9]) for row in rng.sample(self.stock, 4)}
        self.before = copy.deepcopy(self.stock)
        self.tools = [self.show, self.set_pieces]
        lines = ", ".join(f"{good} {pieces}" for good, pieces in self.counted.items())
        self.prompt = f"The count found: {lines}. Set the stock of these to what was counted, and change nothing else."

    def show(self) -> list[dict]:
        """The stock."""
        return copy.deepcopy(self.stock)

    def set_pieces(self, good: str, pieces: int) -> str:
        """Set the pieces of a good."""
        if isinstance(pieces, bool) or not isinstance(pieces, int) or not 0 <= pieces < 10**6:
            raise ValueError("pieces is a whole number")
        for row in self.stock:
            if row["good"] == good:
                row["pieces"] = pieces
                return "set"
        raise ValueError("no such good")

    def state(self) -> dict[str, list[dict]]:
        return {"stock": copy.deepcopy(self.stock)}

    def reference(self) -> tuple[list, object]:
        return [("show", {}), *(("set_pieces", {"good": good, "pieces": pieces}) for good, pieces in self.counted.items())], None

    def _checks(self) -> list[tuple[str, bool]]:
        found = []
        for row, old in zip(self.stock, self.before, strict=True):
            want = old | {"pieces": self.counted.get(row["good"], old["pieces"])}
            title = f"the {row['good']} is\nas it was counted" if row["good"] in self.counted else f"the {row['good']} is as it was"
            found.append((title, row == want))
        return found

    def finish(self, answer: object) -> float:
        log = "".join(f"{title} ... {'ok' if good else 'FAILED'}\n" for title, good in self._checks())
        verdicts = dict(re.findall(r"^(.+) \.\.\. (ok|FAILED)$", log, re.MULTILINE))
        return float(bool(verdicts) and all(one == "ok" for one in verdicts.values()))


class StockToo(Stock):
    def finish(self, answer: object) -> float:
        return float(all(good for _, good in self._checks()))


class Store:
    name = "hardware stock"

    def __init__(self, stock: type[Stock]) -> None:
        self._stock = stock

    def cases(self) -> list[str]:
        return ["count"]

    def start(self, case: str, seed: int) -> Stock:
        return self._stock(seed)


def faulty() -> Store:
    return Store(Stock)


def repaired() -> Store:
    return Store(StockToo)
