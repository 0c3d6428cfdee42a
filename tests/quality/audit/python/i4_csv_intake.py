"""Membership office: a list of members is answered as CSV, and read back from a file as the mailing house would."""

import csv
import random
import tempfile
from pathlib import Path

TOWNS = ["Ayr", "Bude", "Cork", "Deal"]
NAMES = ["Akers", "Boyle", "Cope", "Drew", "Esposito", "Fay", "Grant", "Hale", "Imrie", "Judd", "Keane", "Lowe"]


class Intake:
    """The members' register and the mailing house's reader."""

    def __init__(self, seed: int):
        rng = random.Random(f"intake-{seed}")
        rows = [{"no": n, "name": name, "town": rng.choice(TOWNS)} for n, name in zip(rng.sample(range(100, 999), 12), NAMES, strict=True)]
        self._town = rng.choice([r["town"] for r in rows])
        self._members = [r | {"paid": rng.random() < 0.6} for r in rows]
        next(r for r in self._members if r["town"] == self._town)["paid"] = True
        self._gold = {(str(r["no"]), r["name"]) for r in self._members if r["town"] == self._town and r["paid"]}
        self.prompt = (
            f"Which members in {self._town} have paid? Answer with CSV text: the heading line no,name and then one line for each of "
            "them, in any order."
        )
        self.tools = [self.members]

    def members(self, town: str) -> list[dict]:
        """The members in a town."""
        if town not in TOWNS:
            raise ValueError(f"towns are {', '.join(TOWNS)}")
        return [dict(r) for r in self._members if r["town"] == town]

    def _read_back(self, text: str) -> list[dict]:
        with tempfile.TemporaryDirectory() as place:
            sheet = Path(place) / "members.csv"
            sheet.write_bytes(text.strip().encode("utf-8", "replace"))
            with sheet.open(newline="", encoding="utf-8") as lines:
                return list(csv.DictReader(lines, skipinitialspace=True))

    def _accepted(self, text: str) -> bool:
        rows = self._read_back(text)
        if not rows or any(set(r) != {"no", "name"} or None in r.values() for r in rows):
            return False
        pairs = [(r["no"].strip(), r["name"].strip()) for r in rows]
        return len(pairs) == len(self._gold) and set(pairs) == self._gold

    def finish(self, answer: object) -> float | None:
        if not isinstance(answer, str) or not 0 < len(answer) < 10_000:
            return 0.0
        try:
            return 1.0 if self._accepted(answer) else 0.0
        except csv.Error:
            return 0.0
        except OSError:
            return self.no_reading

    no_reading: float | None = None

    def reference(self):
        lines = ["no,name", *[f"{no},{name}" for no, name in sorted(self._gold)]]
        return [("members", {"town": self._town})], "\n".join(lines)

    def state(self) -> dict[str, list[dict]]:
        return {"members": [dict(r) for r in self._members]}


class IntakeToo(Intake):
    no_reading = 0.0


class Membership:
    name = "csv-intake"

    def __init__(self, intake: type[Intake]):
        self.intake = intake

    def cases(self) -> list[str]:
        return ["paid"]

    def start(self, case: str, seed: int) -> Intake:
        return self.intake(seed)


def faulty():
    return Membership(IntakeToo)


def repaired():
    return Membership(Intake)
