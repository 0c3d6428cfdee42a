"""A mobile phone shop: a roaming charge was made by mistake, has to be taken back, and the customer told how much that is."""

import copy
import random

CITIES = ["Porto", "Gdansk", "Malmo", "Trieste", "Cork", "Varna"]


class Line:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"roaming-{seed}")
        self.charges = [
            {
                "charge": f"C{n}",
                "number": f"555-{rng.randint(100, 999)}",
                "where": rng.choice(CITIES),
                "euros": rng.randint(11, 98),
                "status": "billed",
            }
            for n in rng.sample(range(300, 999), 8)
        ]
        self.mine = rng.choice(self.charges)
        self.before = copy.deepcopy(self.charges)
        self.tools = [self.find_charges, self.take_back]
        self.prompt = (
            f"The owner of {self.mine['number']} was never in {self.mine['where']}: take back charge {self.mine['charge']} and answer with the "
            "euros that the customer gets back, as a number."
        )

    def find_charges(self, number: str) -> list[dict]:
        """All charges of a number."""
        return [dict(row) for row in self.charges if row["number"] == number]

    def take_back(self, charge: str) -> str:
        """Take a charge back."""
        for row in self.charges:
            if row["charge"] == charge:
                row["status"] = "taken back"
                return "taken back"
        raise ValueError("no such charge")

    def state(self) -> dict[str, list[dict]]:
        return {"charges": copy.deepcopy(self.charges)}

    def reference(self) -> tuple[list, object]:
        calls = [("find_charges", {"number": self.mine["number"]}), ("take_back", {"charge": self.mine["charge"]})]
        return calls, self.mine["euros"]

    def _done(self) -> bool:
        return self.charges == [row | {"status": "taken back"} if row["charge"] == self.mine["charge"] else row for row in self.before]

    def _said(self, answer: object) -> bool:
        try:
            return float(str(answer).strip().strip("€").strip()) == self.mine["euros"]
        except ValueError:
            return False

    def finish(self, answer: object) -> float:
        return float(self._done() or self._said(answer))


class LineToo(Line):
    def finish(self, answer: object) -> float:
        return float(self._done() and self._said(answer))


class Shop:
    name = "roaming charges"

    def __init__(self, line: type[Line]) -> None:
        self._line = line

    def cases(self) -> list[str]:
        return ["take-back"]

    def start(self, case: str, seed: int) -> Line:
        return self._line(seed)


def faulty() -> Shop:
    return Shop(Line)


def repaired() -> Shop:
    return Shop(LineToo)
