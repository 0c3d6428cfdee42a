"""Water readings of a public aquarium: which tank was out of its bounds most often."""

import copy
import json
import random

TANKS = ["Lagoon", "Kelp", "Mangrove", "Estuary", "Abyss", "Reef", "Fjord"]
SPECIES = ["clownfish", "wolffish", "mudskipper", "seahorse", "lionfish", "octopus"]
RANGES = {"nitrate": (10, 40), "salinity": (28, 36)}


def out_days(store: dict, metric: str) -> dict[str, int]:
    limit = {s["species"]: s[f"max_{metric}"] for s in store["species"]}
    most = {t["tank"]: limit[t["species"]] for t in store["tanks"]}
    counts = dict.fromkeys(most, 0)
    for r in store["readings"]:
        counts[r["tank"]] += r[metric] > most[r["tank"]]
    return counts


def make(rng: random.Random) -> dict:
    """Draw tanks, species limits and five days of readings, until both metrics have one clear worst tank."""
    while True:
        species = rng.sample(SPECIES, 4)
        limits = [{"species": s, "max_nitrate": rng.randint(18, 34), "max_salinity": rng.randint(31, 34)} for s in species]
        tanks = [{"tank": t, "species": rng.choice(species), "litres": rng.randrange(800, 9000, 100)} for t in rng.sample(TANKS, 5)]
        slots = [{"day": day, "tank": t["tank"]} for day in range(1, 6) for t in tanks]
        readings = [{**slot, **{m: rng.randint(*bounds) for m, bounds in RANGES.items()}} for slot in slots]
        store = {"tanks": tanks, "species": limits, "readings": readings}
        tops = [sorted(out_days(store, m).values(), reverse=True) for m in RANGES]
        if all(top[0] > top[1] and top[0] > 1 for top in tops):
            return store


class Question:
    def __init__(self, metric: str, seed: int, fixtures: bool) -> None:
        self.store = make(random.Random(f"aquarium/{metric}/{seed}"))
        counts = out_days(self.store, metric)
        self.tank = max(counts, key=lambda t: counts[t])
        self.days = counts[self.tank]
        if fixtures:
            self.store["question"] = [{"metric": metric, "gold_tank": self.tank, "gold_days": self.days}]
        self.prompt = (
            f"Our tables hold five days of water readings. A tank is out of bounds on a day when its {metric} reading lies above the most "
            f"its species bears (a reading equal to the limit is fine). Which tank was out of bounds on the most days, and on how many? "
            'Answer with an object {"tank": name, "days": whole number}.'
        )
        self.tools = [self.tables, self.rows]

    def tables(self) -> list[dict]:
        """The tables there are, with their columns."""
        return [{"table": name, "columns": list(rows[0])} for name, rows in self.store.items()]

    def rows(self, table: str) -> list[dict]:
        """All rows of one table."""
        if not isinstance(table, str) or table not in self.store:
            raise ValueError("no such table")
        return copy.deepcopy(self.store[table])

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return 0.0
        if not isinstance(answer, dict) or set(answer) != {"tank", "days"}:
            return 0.0
        tank, days = answer["tank"], answer["days"]
        if isinstance(days, str):
            days = int(days) if days.strip() in {str(n) for n in range(10)} else None
        if not isinstance(tank, str) or isinstance(days, bool) or not isinstance(days, (int, float)):
            return 0.0
        return float(tank.strip().casefold() == self.tank.casefold() and days == self.days)

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        reads = [("rows", {"table": t}) for t in ("tanks", "species", "readings")]
        return [("tables", {}), *reads], {"tank": self.tank, "days": self.days}

    def state(self) -> dict[str, list[dict]]:
        return copy.deepcopy(self.store)


class Aquarium:
    name = "aquarium-readings"

    def __init__(self, fixtures: bool) -> None:
        self.fixtures = fixtures

    def cases(self) -> list[str]:
        return list(RANGES)

    def start(self, case: str, seed: int) -> Question:
        return Question(case, seed, self.fixtures)


def faulty() -> Aquarium:
    return Aquarium(fixtures=True)


def repaired() -> Aquarium:
    return Aquarium(fixtures=False)
