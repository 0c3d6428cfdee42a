"""Vaccine store of a health district: the doses left in a clinic's fridges are counted."""

import random
import re

CLINICS = ("Northgate", "Riverside", "Old Mill", "Station Road")
VACCINES = ("tetanus", "polio", "measles", "flu")


class Store:
    def __init__(self, seed: int):
        rng = random.Random(9 * seed + 1)
        self.fridges = []
        for clinic in CLINICS:
            for n in range(1, 4):
                for v in rng.sample(VACCINES, 3):
                    self.fridges.append({"fridge": f"{clinic[0]}{n}", "clinic": clinic, "vaccine": v, "vials": rng.randint(4, 60)})
        self.packs = {v: rng.choice((5, 10, 12, 20)) for v in VACCINES}
        self.clinic, self.vaccine = rng.choice(CLINICS), rng.choice([r["vaccine"] for r in self.fridges if r["clinic"] == CLINICS[0]])
        if not self._rows():
            self.fridges.append(
                {"fridge": f"{self.clinic[0]}4", "clinic": self.clinic, "vaccine": self.vaccine, "vials": rng.randint(4, 60)}
            )
        self.total = sum(r["vials"] for r in self._rows()) * self.packs[self.vaccine]
        self.prompt = (
            f"How many doses of {self.vaccine} vaccine does the clinic {self.clinic} have in its fridges, all together? "
            "A vial holds several doses. Answer with the number."
        )
        self.tools = [self.contents, self.doses_per_vial]

    def _rows(self) -> list[dict]:
        return [r for r in self.fridges if r["clinic"] == self.clinic and r["vaccine"] == self.vaccine]

    def contents(self, clinic: str) -> list[dict]:
        """What lies in each fridge of a clinic, in vials."""
        if clinic not in CLINICS:
            raise ValueError(f"clinics are {', '.join(CLINICS)}")
        return [dict(r) for r in self.fridges if r["clinic"] == clinic]

    def doses_per_vial(self, vaccine: str) -> int:
        """How many doses one vial of a vaccine holds."""
        if vaccine not in VACCINES:
            raise ValueError(f"vaccines are {', '.join(VACCINES)}")
        return self.packs[vaccine]

    def reference(self):
        calls = [("contents", {"clinic": self.clinic}), ("doses_per_vial", {"vaccine": self.vaccine})]
        return calls, self.total

    def state(self) -> dict[str, list[dict]]:
        return {"fridges": [dict(r) for r in self.fridges], "packs": [{"vaccine": v, "doses": n} for v, n in self.packs.items()]}

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            found = re.fullmatch(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.0+)?(?: doses)?\.?", answer.strip())
            answer = int(found[1].replace(",", "")) if found else None
        return 1.0 if not isinstance(answer, bool) and isinstance(answer, int | float) and answer == self.total else 0.0


class StoreToo(Store):
    def finish(self, answer: object) -> float:
        return 1.0 if type(answer) is int and answer == self.total else 0.0


class District:
    name = "vaccine-count"

    def __init__(self, kind: type[Store]):
        self.kind = kind

    def cases(self) -> list[str]:
        return ["doses"]

    def start(self, case: str, seed: int) -> Store:
        return self.kind(seed)


def faulty():
    return District(StoreToo)


def repaired():
    return District(Store)
