"""Payroll of a bakery: a week's pay is worked out from the clock cards and the pay rules."""

import random
import re

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
STAFF = ("Ines", "Jonah", "Kadri", "Lwazi", "Mira")


class Week:
    """One week of clock cards."""

    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}|{seed}")
        self._cards = [{"name": n, "day": d, "hours": rng.choice((5, 6, 6.5, 7, 7.5, 8))} for n in STAFF for d in DAYS]
        self._rates = {n: rng.randrange(1200, 2100, 20) / 100 for n in STAFF}
        self._who = rng.choice(STAFF)
        self.prompt = (
            f"How much gross pay does {self._who} get for the week on the cards, by the pay rules ({case} bakery)? Answer in euros."
        )
        self.tools = [self.cards, self.rate, self.rules]

    def cards(self, name: str) -> list[dict]:
        """Hours worked by one person, day by day."""
        if name not in STAFF:
            raise ValueError("nobody of that name works here")
        return [{"day": c["day"], "hours": c["hours"]} for c in self._cards if c["name"] == name]

    def rate(self, name: str) -> float:
        """A person's rate in euros for an hour."""
        if name not in STAFF:
            raise ValueError("nobody of that name works here")
        return self._rates[name]

    def rules(self) -> str:
        """The pay rules."""
        return "The first 40 hours of a week are paid at the plain rate, hours beyond 40 at one and a half times the rate."

    def _hours(self) -> float:
        return sum(c["hours"] for c in self._cards if c["name"] == self._who)

    def _due(self) -> float:
        hours = self._hours()
        return round((min(hours, 40) + 1.5 * max(hours - 40, 0)) * self._rates[self._who], 2)

    def _key(self) -> float:
        return self._due()

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            plain = answer.strip().removeprefix("€").removesuffix("€").removesuffix("EUR").removesuffix("euros").strip()
            plain = plain.replace(",", "")
            answer = float(plain) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", plain) else None
        if isinstance(answer, bool) or not isinstance(answer, int | float) or not 0 <= answer < 10**9:
            return 0.0
        return 1.0 if abs(answer - self._key()) < 0.011 else 0.0

    def reference(self):
        return [("rules", {}), ("cards", {"name": self._who}), ("rate", {"name": self._who})], self._due()

    def state(self) -> dict[str, list[dict]]:
        return {"cards": [dict(c) for c in self._cards], "rates": [{"name": n, "rate": r} for n, r in self._rates.items()]}


class WeekToo(Week):
    def _key(self) -> float:
        return round(self._hours() * self._rates[self._who], 2)


class Bakery:
    name = "shift-pay"

    def __init__(self, week: type[Week]):
        self.week = week

    def cases(self) -> list[str]:
        return ["Harbour", "Mill Lane"]

    def start(self, case: str, seed: int) -> Week:
        return self.week(case, seed)


def faulty() -> Bakery:
    return Bakery(WeekToo)


def repaired() -> Bakery:
    return Bakery(Week)
