"""A museum's loans office: an object is lent to another house and its crate reserved."""

import functools
import random

HOUSES = ["Basel", "Kyoto", "Lima", "Oslo", "Porto"]
OBJECTS = ["astrolabe", "bronze mirror", "celadon bowl", "death mask", "enamel box", "folding screen", "globe", "hand scroll"]


def collection(case: str, seed: int) -> dict:
    rng = random.Random(f"{case}:{seed}")
    objects = [{"object": o, "length_cm": rng.randint(15, 95), "lent_to": "", "crate": ""} for o in OBJECTS]
    crates = [{"crate": f"X{n}", "inside_cm": k} for n, k in zip(rng.sample(range(10, 99), 6), rng.sample(range(25, 130), 6), strict=True)]
    biggest = max(c["inside_cm"] for c in crates)
    wanted = rng.choice([o for o in objects if o["length_cm"] + 4 <= biggest])
    return {"objects": objects, "crates": crates, "wanted": wanted["object"], "house": rng.choice(HOUSES)}


remembered = functools.lru_cache(maxsize=256)(collection)


class LoanDesk:
    def __init__(self, data: dict):
        self.objects, self.crates = data["objects"], data["crates"]
        self.wanted, self.house = data["wanted"], data["house"]
        length = self._object(self.wanted)["length_cm"]
        fitting = [c for c in self.crates if c["inside_cm"] >= length + 4]
        self.crate = min(fitting, key=lambda c: c["inside_cm"])["crate"]
        loan = {"lent_to": self.house, "crate": self.crate}
        self.goal = [o | (loan if o["object"] == self.wanted else {}) for o in self.objects]
        self.prompt = (
            f"Lend the {self.wanted} to the house in {self.house} and reserve for it the smallest crate that is at least 4 cm longer "
            "inside than the "
            "object. Nothing else is lent. No answer is needed."
        )
        self.tools = [self.describe, self.list_crates, self.lend, self.take_back]

    def _object(self, name: str) -> dict:
        for o in self.objects:
            if o["object"] == name:
                return o
        raise ValueError("we have no such object")

    def describe(self, name: str) -> dict:
        """Length and loan of one object."""
        return dict(self._object(name))

    def list_crates(self) -> list[dict]:
        """The crates with their inside length."""
        return [dict(c) for c in self.crates]

    def lend(self, name: str, house: str, crate: str) -> str:
        """Lend an object to a house in a crate."""
        row = self._object(name)
        if house not in HOUSES or crate not in [c["crate"] for c in self.crates]:
            raise ValueError("no such house or crate")
        row.update(lent_to=house, crate=crate)
        return "lent"

    def take_back(self, name: str) -> str:
        """Undo a loan."""
        self._object(name).update(lent_to="", crate="")
        return "here again"

    def finish(self, answer: object) -> float:
        return 1.0 if self.objects == self.goal else 0.0

    def reference(self):
        lend = {"name": self.wanted, "house": self.house, "crate": self.crate}
        return [("describe", {"name": self.wanted}), ("list_crates", {}), ("lend", lend)], None

    def state(self) -> dict[str, list[dict]]:
        return {"objects": [dict(o) for o in self.objects], "crates": self.list_crates()}


class Museum:
    name = "loan-desk"

    def __init__(self, build):
        self.build = build

    def cases(self) -> list[str]:
        return ["single loan", "festival"]

    def start(self, case: str, seed: int) -> LoanDesk:
        return LoanDesk(self.build(case, seed))


def faulty() -> Museum:
    return Museum(remembered)


def repaired() -> Museum:
    return Museum(collection)
