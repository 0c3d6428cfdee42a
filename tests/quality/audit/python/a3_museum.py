"""A museum's store is counted for the insurer: pieces, value, and the piece that proves the count was made."""

import json
import random
from collections.abc import Callable

THINGS = ("brooch", "coin", "seal", "fan", "flask", "medal", "comb", "buckle", "ring", "thimble", "clasp", "dial")
MARKS = {"pieces": 0.5, "insured": 0.4, "dearest": 0.1}


class Store:
    """One room's drawers."""

    def __init__(self, seed: int, pass_mark: float) -> None:
        self.pass_mark = pass_mark
        rng = random.Random(seed * 31 + 7)
        numbers = iter(rng.sample(range(1000, 9999), 60))
        values = iter(rng.sample(range(40, 3000, 5), 60))
        self.lent = rng.choice(("on loan", "at the restorer"))
        self.drawers = {
            mark: [
                {
                    "number": f"M.{next(numbers)}",
                    "what": rng.choice(THINGS),
                    "value": next(values),
                    "place": rng.choice(("here", "here", "here", self.lent)),
                }
                for _ in range(rng.randrange(3, 9))
            ]
            for mark in sorted(rng.sample(("upper", "lower", "left", "right", "middle", "tray"), 4))
        }
        self.drawers[next(iter(self.drawers))][0]["place"] = "here"
        counted = [piece for drawer in self.drawers.values() for piece in drawer if piece["place"] == "here"]
        dearest = max(counted, key=lambda piece: piece["value"])
        self.right = {"pieces": len(counted), "insured": sum(piece["value"] for piece in counted), "dearest": dearest["number"]}
        self.prompt = (
            "Count the pieces in all drawers of the store that are here now; leave out those "
            "that are elsewhere. Answer with a mapping (or its JSON text) of "
            "three keys: pieces, how many there are; insured, the sum of their values; "
            "dearest, the number of the piece of the highest value among them."
        )

    @property
    def tools(self) -> list[Callable]:
        def drawers() -> list[str]:
            """The names of the drawers."""
            return list(self.drawers)

        def open_drawer(name: str) -> list[dict]:
            """The pieces that belong in a drawer, and where each is."""
            if name not in self.drawers:
                raise ValueError(f"the drawers are {', '.join(self.drawers)}")
            return [dict(piece) for piece in self.drawers[name]]

        return [drawers, open_drawer]

    def reference(self) -> tuple[list, dict]:
        return [("drawers", {}), *(("open_drawer", {"name": name}) for name in self.drawers)], dict(self.right)

    def alternatives(self) -> list[tuple[list, str]]:
        return [(self.reference()[0], json.dumps(self.right))]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return 0.0
        if not isinstance(answer, dict) or set(answer) != set(MARKS):
            return 0.0
        return round(sum(mark for key, mark in MARKS.items() if self.same(answer[key], self.right[key])), 2)

    @staticmethod
    def same(given: object, right: object) -> bool:
        if isinstance(given, str):
            given = given.strip().upper()
            return given in (str(right), str(right).removeprefix("M."))
        return not isinstance(given, bool) and isinstance(given, int | float) and given == right


class Museum:
    """Stores to be counted."""

    name = "museum-count"

    def __init__(self, pass_mark: float) -> None:
        self.pass_mark = pass_mark

    def cases(self) -> list[str]:
        return ["store"]

    def start(self, case: str, seed: int) -> Store:
        return Store(seed, self.pass_mark)


def faulty() -> Museum:
    return Museum(0.85)


def repaired() -> Museum:
    return Museum(1.0)
