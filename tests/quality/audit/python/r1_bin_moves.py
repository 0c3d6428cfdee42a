"""Warehouse floor: a product is moved to the roomiest bin of another aisle; bins count how often their card was looked at."""

import hashlib
import json
import random

SKUS = ["bolt-m6", "bolt-m8", "hinge", "castor", "bracket", "dowel"]


class Floor:
    def __init__(self, seed: int):
        rng = random.Random(40_000 + seed)
        self._bins = {}
        for aisle in "ABC":
            frees = rng.sample(range(30, 90), 4)
            for n in range(4):
                self._bins[f"{aisle}{n + 1}"] = {"size": 0, "free": frees[n], "stock": {}, "looks": 0}
        for card in self._bins.values():
            card["stock"] = {sku: rng.randint(3, 14) for sku in rng.sample(SKUS, rng.randint(1, 3))}
            card["size"] = card.pop("free") + sum(card["stock"].values())
        self._source = rng.choice(["A1", "A2", "A3", "A4"])
        self._aisle = rng.choice("BC")
        self._sku = rng.choice(sorted(self._bins[self._source]["stock"]))
        self._target = max((b for b in self._bins if b[0] == self._aisle), key=self._free)
        self._quantity = self._bins[self._source]["stock"][self._sku]
        self._gold = self._digest(self._goal())
        self.prompt = (
            f"Move all the {self._sku} that lies in bin {self._source} to the bin of aisle {self._aisle} that has the most free space now. "
            "Everything else in the warehouse stays where it is. No answer is needed."
        )
        self.tools = [self.aisle, self.card, self.move]

    def _free(self, code: str) -> int:
        return self._bins[code]["size"] - sum(self._bins[code]["stock"].values())

    def _goal(self) -> dict:
        bins = json.loads(json.dumps(self._bins))
        bins[self._source]["stock"].pop(self._sku)
        bins[self._source]["looks"] += 1
        stock = bins[self._target]["stock"]
        stock[self._sku] = stock.get(self._sku, 0) + self._quantity
        return bins

    def _digest(self, bins: dict) -> str:
        told = {code: {key: card[key] for key in self.counted} for code, card in bins.items()}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

    counted = ("size", "stock")

    def aisle(self, letter: str) -> list[dict]:
        """The bins of one aisle (A, B or C) with their free space in pieces."""
        if letter not in ("A", "B", "C"):
            raise ValueError("the aisles are A, B and C")
        return [{"bin": code, "free": self._free(code)} for code in self._bins if code[0] == letter]

    def card(self, code: str) -> dict:
        """The card of one bin: what lies in it, and how many pieces of each."""
        if code not in self._bins:
            raise ValueError("no such bin")
        self._bins[code]["looks"] += 1
        return {"bin": code, "stock": dict(self._bins[code]["stock"])}

    def move(self, sku: str, source: str, target: str, pieces: int) -> str:
        """Move pieces of one product from a bin to another."""
        if source not in self._bins or target not in self._bins or source == target:
            raise ValueError("name two bins")
        have = self._bins[source]["stock"]
        if type(pieces) is not int or not 0 < pieces <= have.get(sku, 0) or pieces > self._free(target):
            raise ValueError("there aren't so many, or they don't fit")
        have[sku] -= pieces
        if not have[sku]:
            del have[sku]
        self._bins[target]["stock"][sku] = self._bins[target]["stock"].get(sku, 0) + pieces
        return "moved"

    def finish(self, answer: object) -> float:
        return 1.0 if self._digest(self._bins) == self._gold else 0.0

    def reference(self):
        move = {"sku": self._sku, "source": self._source, "target": self._target, "pieces": self._quantity}
        return [("aisle", {"letter": self._aisle}), ("card", {"code": self._source}), ("move", move)], None

    def state(self) -> dict[str, list[dict]]:
        stock = [{"bin": b, "sku": s, "pieces": n} for b, c in self._bins.items() for s, n in sorted(c["stock"].items())]
        return {"bins": [{"bin": b, "size": c["size"]} for b, c in self._bins.items()], "stock": stock}


class FloorToo(Floor):
    counted = ("size", "stock", "looks")


class Warehouse:
    name = "bin-moves"

    def __init__(self, kind: type[Floor]):
        self.kind = kind

    def cases(self) -> list[str]:
        return ["consolidate"]

    def start(self, case: str, seed: int) -> Floor:
        return self.kind(seed)


def faulty():
    return Warehouse(FloorToo)


def repaired():
    return Warehouse(Floor)
