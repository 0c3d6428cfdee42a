"""A workshop's gauge register: gauges whose calibration has lapsed are withdrawn from use."""

import random
from datetime import date, timedelta

KINDS = ["micrometer", "dial gauge", "torque wrench", "height gauge", "pressure gauge", "bore gauge"]


class Register:
    def __init__(self, seed: int):
        self.seed = seed
        rng = random.Random(1000 + seed)
        spans = [(-700, -400), (-390, -60), (-50, -2), (1, 90), (100, 2200), (2300, 9000)]
        spread = [rng.randint(*span) for span in spans]
        gauges = [((date(2026, 3, 2) + timedelta(days=days)).isoformat(), None) for days in spread]
        gauges.append(("2024-02-17", "2024-02-20"))
        rng.shuffle(gauges)
        self.rows = [
            {"tag": f"G-{number}", "kind": rng.choice(KINDS), "calibration_due": due, "withdrawn_on": withdrawn}
            for number, (due, withdrawn) in zip(sorted(rng.sample(range(10, 99), 7)), gauges, strict=True)
        ]
        self.before = self.gauges()
        self.prompt = (
            f"Today is {self.today()}. Withdraw every gauge still in use whose calibration was due before today, and enter today's date as "
            "its date of withdrawal. A gauge due today is still good. Leave the others as they are."
        )
        self.tools = [self.gauges, self.gauge, self.withdraw, self.put_back]

    def today(self) -> date:
        return date.today()

    def gauges(self) -> list[dict]:
        """The register; withdrawn_on is empty for gauges in use."""
        return [dict(row) for row in self.rows]

    def gauge(self, tag: str) -> dict:
        """The entry of one gauge."""
        return dict(self.find(tag))

    def find(self, tag: str) -> dict:
        for row in self.rows:
            if row["tag"] == tag:
                return row
        raise ValueError("no gauge has that tag")

    def withdraw(self, tag: str, day: str) -> str:
        """Withdraw a gauge in use as of a day, written YYYY-MM-DD."""
        row = self.find(tag)
        if row["withdrawn_on"]:
            raise ValueError("already withdrawn")
        row["withdrawn_on"] = date.fromisoformat(day).isoformat()
        return f"{tag} withdrawn"

    def put_back(self, tag: str) -> str:
        """Put a withdrawn gauge back in use."""
        row = self.find(tag)
        if not row["withdrawn_on"]:
            raise ValueError("the gauge is in use")
        row["withdrawn_on"] = None
        return f"{tag} in use"

    def lapsed(self) -> list[str]:
        return [row["tag"] for row in self.before if not row["withdrawn_on"] and row["calibration_due"] < self.today().isoformat()]

    def finish(self, answer: object) -> float:
        lapsed, day = self.lapsed(), self.today().isoformat()
        return float(self.rows == [{**row, "withdrawn_on": day} if row["tag"] in lapsed else row for row in self.before])

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("gauges", {}), *(("withdraw", {"tag": tag, "day": self.today().isoformat()}) for tag in self.lapsed())], None

    def state(self) -> dict[str, list[dict]]:
        return {"gauges": self.gauges()}


class RegisterToo(Register):
    def today(self) -> date:
        return date(2026, 3, 2) + timedelta(days=self.seed % 28)


class Workshop:
    name = "gauge register"

    def __init__(self, register: type):
        self.register = register

    def cases(self) -> list[str]:
        return ["lapsed"]

    def start(self, case: str, seed: int) -> Register:
        return self.register(seed)


def faulty() -> Workshop:
    return Workshop(Register)


def repaired() -> Workshop:
    return Workshop(RegisterToo)
