"""A greenhouse's watering plan: the agent sets how long each valve runs so that every bed gets its litres."""

import random

BEDS = ["tomato", "pepper", "basil", "lettuce", "fennel"]


class Plan:
    def __init__(self, seed):
        rng = random.Random(f"water-{seed}")
        owners = BEDS + [rng.choice(BEDS)]
        rng.shuffle(owners)
        self.valves = {f"V{i}": {"bed": bed, "rate": rng.randint(2, 9), "minutes": rng.randint(5, 25)} for i, bed in enumerate(owners, 1)}
        self.need = self._water()
        self.fixes = []
        for bed in sorted(rng.sample(BEDS, 3)):
            valve = next(v for v, row in self.valves.items() if row["bed"] == bed)
            right = self.valves[valve]["minutes"]
            self.fixes.append((valve, right))
            self.valves[valve]["minutes"] = rng.choice([m for m in range(1, 31) if abs(m - right) > 2])
        self._sheet = None
        self.prompt = (
            "Set the watering plan so that every bed of the greenhouse gets exactly the litres it "
            "needs, no more and no less. A valve gives its rate (litres a minute) "
            "times its minutes to its bed; a bed may have two valves, and how it is shared between them does "
            "not matter. No answer is needed: the plan as it stands at the end is what counts."
        )
        self.tools = [self.list_beds, self.list_valves, self.set_minutes, self.simulate]

    def _water(self):
        litres = dict.fromkeys(BEDS, 0)
        for row in self.valves.values():
            litres[row["bed"]] += row["rate"] * row["minutes"]
        return litres

    def _run(self):
        if self._sheet is None:
            self._sheet = self._water()
        return self._sheet

    def list_beds(self) -> dict[str, int]:
        """Litres that each bed needs."""
        return dict(self.need)

    def list_valves(self) -> list[dict]:
        """All valves: bed, rate in litres a minute, minutes set."""
        return [{"valve": v, **row} for v, row in self.valves.items()]

    def set_minutes(self, valve: str, minutes: int) -> str:
        """Set how long a valve runs, 0 to 120 minutes."""
        if not isinstance(valve, str) or valve not in self.valves:
            raise ValueError("no such valve")
        if isinstance(minutes, bool) or not isinstance(minutes, int) or not 0 <= minutes <= 120:
            raise ValueError("minutes must be a whole number from 0 to 120")
        self.valves[valve]["minutes"] = minutes
        self._changed()
        return f"{valve} runs {minutes} min"

    def simulate(self) -> dict[str, int]:
        """Dry run of the plan: the litres each bed would get."""
        return dict(self._run())

    def _changed(self):
        pass

    def finish(self, answer):
        return float(self._run() == self.need)

    def reference(self):
        calls = [("list_beds", {}), ("list_valves", {})]
        return calls + [("set_minutes", {"valve": v, "minutes": m}) for v, m in self.fixes] + [("simulate", {})], None

    def alternatives(self):
        return [([("set_minutes", {"valve": v, "minutes": m}) for v, m in reversed(self.fixes)], None)]

    def state(self):
        return {"valves": self.list_valves(), "beds": [{"bed": b, "needs": n} for b, n in self.need.items()]}


class PlanB(Plan):
    def _changed(self):
        self._sheet = None


class Greenhouse:
    name = "greenhouse-watering"

    def __init__(self, plan):
        self._plan = plan

    def cases(self):
        return ["weekly-plan"]

    def start(self, case, seed):
        return self._plan(seed)


def faulty():
    return Greenhouse(Plan)


def repaired():
    return Greenhouse(PlanB)
