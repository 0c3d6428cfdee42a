"""A seed vault: the agent flags lots for regrowing or takes old ones out of the collection."""

import copy
import random

GENERA = ["Papaver", "Silene", "Campanula", "Gentiana"]
ASKED = {"regrow": "regrow", "retire": "retired"}
TASKS = {
    "regrow": "Flag every stored {genus} lot whose viability is under {viability} percent: set its status to 'regrow'.",
    "retire": "Take every stored {genus} lot gathered before {year} out of the collection: set its status to 'retired'.",
}


class VaultSession:
    criteria = {"regrow": ["status_set"], "retirement": ["status_set"]}

    def __init__(self, case, seed):
        rng = random.Random(f"{case}/{seed}")
        self.case = case
        genus, other = rng.sample(GENERA, 2)
        year, viability = rng.randrange(1990, 2006), rng.randrange(45, 71)
        self.lots = {}
        numbers = rng.sample(range(1000, 9999), 14)
        for i, number in enumerate(numbers):
            old, weak = (i % 2 == 0, i % 3 == 0) if i < 9 else (True, True)
            self.lots[f"L{number}"] = {
                "genus": genus if i < 9 else other,
                "gathered": year - rng.randrange(1, 15) if old else year + rng.randrange(0, 12),
                "viability": viability - rng.randrange(1, 30) if weak else viability + rng.randrange(0, 25),
                "status": "retired" if i == 6 else "stored",
            }
        self.before = copy.deepcopy(self.lots)
        self.due = sorted(
            k
            for k, v in self.lots.items()
            if v["genus"] == genus
            and v["status"] == "stored"
            and (v["viability"] < viability if case == "regrow" else v["gathered"] < year)
        )
        self.genus = genus
        self.prompt = (
            TASKS[case].format(genus=genus, viability=viability, year=year)
            + " Lots that are not stored any more stay as they are, and so does everything else. No answer is needed."
        )
        self.tools = [self.list_lots, self.read_lot, self.set_status]

    def list_lots(self, genus: str) -> list[str]:
        """Numbers of all lots of a genus."""
        if not isinstance(genus, str) or genus not in GENERA:
            raise ValueError(f"genus must be one of {', '.join(GENERA)}")
        return sorted(k for k, v in self.lots.items() if v["genus"] == genus)

    def read_lot(self, lot: str) -> dict:
        """One lot's record."""
        return dict(self._lot(lot))

    def set_status(self, lot: str, status: str) -> str:
        """Set a lot's status: 'stored', 'regrow' or 'retired'."""
        row = self._lot(lot)
        if not isinstance(status, str) or status not in ("stored", "regrow", "retired"):
            raise ValueError("status must be 'stored', 'regrow' or 'retired'")
        row["status"] = status
        return "saved"

    def _lot(self, lot):
        if not isinstance(lot, str) or lot not in self.lots:
            raise ValueError("no such lot")
        return self.lots[lot]

    def status_set(self):
        return all(self.lots[k]["status"] == ASKED[self.case] for k in self.due)

    def finish(self, answer):
        if any(self.lots[k] != row for k, row in self.before.items() if k not in self.due):
            return 0.0
        return float(all(getattr(self, name)() for name in self.criteria.get(self.case, [])))

    def reference(self):
        calls = [("list_lots", {"genus": self.genus})]
        calls += [("read_lot", {"lot": k}) for k in sorted(k for k, v in self.before.items() if v["genus"] == self.genus)]
        return calls + [("set_status", {"lot": k, "status": ASKED[self.case]}) for k in self.due], None

    def state(self):
        return {"lots": [{"lot": k, **v} for k, v in self.lots.items()]}


class VaultSessionB(VaultSession):
    criteria = {"regrow": ["status_set"], "retire": ["status_set"]}


class Vault:
    name = "seed-vault"

    def __init__(self, session):
        self.session = session

    def cases(self):
        return list(TASKS)

    def start(self, case, seed):
        return self.session(case, seed)


def faulty():
    return Vault(VaultSession)


def repaired():
    return Vault(VaultSessionB)
