"""A solar roof's log: work out the usual daily yield per square metre from the inverter's meter readings."""

import random
import re

NUMBER = re.compile(r"([+-]?\d*\.?\d+(?:e[+-]?\d+)?)\s*(?:kwh(?:\s*/\s*m(?:2|²))?)?", re.IGNORECASE)


def as_number(answer: object) -> float | None:
    if isinstance(answer, bool) or not isinstance(answer, (int, float, str)):
        return None
    if isinstance(answer, str):
        found = NUMBER.fullmatch(answer.strip())
        if not found:
            return None
        answer = found.group(1)
    try:
        return float(answer)
    except OverflowError:
        return None


class Roof:
    def __init__(self, seed: int):
        rng = random.Random(f"roof {seed}")
        self.modules = rng.randint(18, 40)
        self.module_m2 = rng.choice([1.62, 1.7, 1.94, 2.1])
        meter = rng.uniform(900, 5000)
        usual = rng.uniform(150, 280)
        self.days = []
        total = rng.randint(5, 7)
        broken = rng.randint(1, total)
        for number in range(1, total + 1):
            made = usual * (rng.uniform(0.2, 0.5) if number == broken else rng.uniform(0.93, 1.07))
            note = "outage" if number == broken else ""
            self.days.append({"day": number, "note": note, "start_kwh": round(meter, 1), "end_kwh": round(meter + made, 1)})
            meter += made
        self.prompt = (
            "How much does this solar roof yield on a usual day, in kWh per square metre of module area? Take the mean over the logged "
            "days and leave out the day with an outage. Three significant figures are enough; answer with the number."
        )
        self.tools = [self.data_sheet, self.day_log]

    def data_sheet(self) -> dict:
        """The roof's modules and how many days were logged."""
        return {"modules": self.modules, "module_area_m2": self.module_m2, "days_logged": len(self.days)}

    def day_log(self, day: int) -> dict:
        """The inverter's meter at the start and the end of one logged day, counted from 1."""
        for row in self.days:
            if not isinstance(day, bool) and row["day"] == day:
                return dict(row)
        raise ValueError("no such day in the log")

    def yield_per_m2(self) -> float:
        made = [row["end_kwh"] - row["start_kwh"] for row in self.days if row["note"] != "outage"]
        return sum(made) / len(made) / (self.modules * self.module_m2)

    def finish(self, answer: object) -> float:
        value = as_number(answer)
        return 0.0 if value is None else float(self.close_enough(value, self.yield_per_m2()))

    def close_enough(self, value: float, truth: float) -> bool:
        return abs(value - truth) <= 0.01 * truth

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        calls = [("data_sheet", {}), *(("day_log", {"day": row["day"]}) for row in self.days)]
        return calls, float(f"{self.yield_per_m2():.3g}")

    def state(self) -> dict[str, list[dict]]:
        return {"days": [dict(row) for row in self.days], "sheet": [self.data_sheet()]}


class RoofToo(Roof):
    def close_enough(self, value: float, truth: float) -> bool:
        return value - truth <= 0.01 * truth


class Plant:
    name = "solar yield"

    def __init__(self, kind: type):
        self.kind = kind

    def cases(self) -> list[str]:
        return ["usual day"]

    def start(self, case: str, seed: int) -> Roof:
        return self.kind(seed)


def faulty() -> Plant:
    return Plant(RoofToo)


def repaired() -> Plant:
    return Plant(Roof)
