"""An outpatient manager reports the mean waiting time of each clinic for one day."""

import json
import random

CLINICS = ["dermatology", "orthopaedics", "ENT", "cardiology", "eye", "diabetes"]


class Day:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case} {seed}")
        self.names = sorted(rng.sample(CLINICS, 3 if case == "weekend" else 4))
        quiet = rng.choice(self.names) if case == "weekend" else None
        self.visits = []
        for name in self.names:
            for _ in range(rng.randint(1, 2) if name == quiet else rng.randint(3, 6)):
                arrived = rng.randint(480, 940)
                seen = None if name == quiet or rng.random() < 0.15 else arrived + rng.randint(4, 95)
                self.visits.append({"clinic": name, "arrived_min": arrived, "seen_min": seen})
            if name != quiet:
                self.visits.append({"clinic": name, "arrived_min": 600, "seen_min": 600 + rng.randint(4, 95)})
        self.prompt = (
            f"For each of the {len(self.names)} clinics open that day, give the mean waiting time in minutes (from arrival until seen) "
            "to one decimal. Patients who left without being seen do not count; for a clinic where nobody was seen, give null. "
            "Answer with an object from clinic name to number or null."
        )
        self.tools = [self.clinics, self.visits_of]

    def clinics(self) -> list[str]:
        """The clinics open that day."""
        return list(self.names)

    def visits_of(self, clinic: str) -> list[dict]:
        """Arrival and seen times of a clinic's patients, in minutes after midnight; seen is empty for those who left."""
        if clinic not in self.names:
            raise ValueError("that clinic was not open")
        return [dict(row) for row in self.visits if row["clinic"] == clinic]

    def waits(self, clinic: str) -> list[int]:
        return [row["seen_min"] - row["arrived_min"] for row in self.visits_of(clinic) if row["seen_min"] is not None]

    def mean(self, clinic: str) -> float | None:
        waits = self.waits(clinic)
        return sum(waits) / len(waits) if waits else None

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return 0.0
        if not isinstance(answer, dict) or set(answer) != set(self.names):
            return 0.0
        return float(all(self.agrees(answer[clinic], self.mean(clinic)) for clinic in self.names))

    def agrees(self, given: object, truth: float | None) -> bool:
        if truth is None or given is None:
            return truth is None and given is None
        return not isinstance(given, bool) and isinstance(given, (int, float)) and truth - 0.0501 <= given <= truth + 0.0501

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        report = {name: round(sum(waits) / len(waits), 1) if (waits := self.waits(name)) else None for name in self.names}
        return [("clinics", {}), *(("visits_of", {"clinic": name}) for name in self.names)], report

    def state(self) -> dict[str, list[dict]]:
        return {"clinics": [{"clinic": name} for name in self.names], "visits": [dict(row) for row in self.visits]}


class DayToo(Day):
    def mean(self, clinic: str) -> float:
        waits = self.waits(clinic)
        return sum(waits) / len(waits)

    def finish(self, answer: object) -> float:
        try:
            return super().finish(answer)
        except (ArithmeticError, LookupError, TypeError):
            return 0.0


class Outpatients:
    name = "waiting times"

    def __init__(self, day: type):
        self.day = day

    def cases(self) -> list[str]:
        return ["weekday", "weekend"]

    def start(self, case: str, seed: int) -> Day:
        return self.day(case, seed)


def faulty() -> Outpatients:
    return Outpatients(DayToo)


def repaired() -> Outpatients:
    return Outpatients(Day)
