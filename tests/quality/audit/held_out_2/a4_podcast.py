"""The back office of a podcast: two episodes change places in the calendar."""

import random
from copy import deepcopy
from datetime import date, timedelta
from typing import Any

TITLES = ["Salt", "The Long Wave", "Paper Towns", "Night Trains", "Fermented", "A Map of Bells", "Cold Storage", "Lost Fonts", "Dust"]
BRANDS = ["Quillworks", "Barley & Co", "Noma Lamps", "Tidewell", "Oatside", "Kestrel Bikes"]


class Calendar:
    compared = ("episodes",)

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"podcast{seed}")
        monday = date(2031, 1, 6) + timedelta(weeks=rng.randrange(40))
        numbers = rng.sample(range(40, 99), 6)
        brands = rng.sample(BRANDS, 4)
        self.data: dict[str, list[dict[str, Any]]] = {
            "episodes": [
                {"episode": n, "title": title, "airs": (monday + timedelta(weeks=week)).isoformat(), "sponsor": rng.choice(brands)}
                for week, (n, title) in enumerate(zip(numbers, rng.sample(TITLES, 6), strict=True))
            ],
            "sponsors": [{"sponsor": b, "rate_eur": rng.randrange(200, 900, 10), "active": rng.random() < 0.8} for b in brands],
        }
        rng.shuffle(self.data["episodes"])
        self.one, self.two = rng.sample(self.data["episodes"], 2)
        self.goal = deepcopy(self.data)
        for row in self.goal["episodes"]:
            if row["episode"] == self.one["episode"]:
                row["airs"] = self.two["airs"]
            elif row["episode"] == self.two["episode"]:
                row["airs"] = self.one["airs"]
        self.swap = [(self.one["episode"], self.two["airs"]), (self.two["episode"], self.one["airs"])]
        self.prompt = (
            f'Let the episodes "{self.one["title"]}" and "{self.two["title"]}" change places: each airs on the day planned for the other. '
            "Nothing else in the back office may change, neither episodes nor sponsors. No answer is needed."
        )
        self.tools = [self.episodes, self.sponsors, self.set_air_date, self.set_rate, self.set_active]

    def episodes(self) -> list[dict]:
        """Planned episodes with air dates and sponsors."""
        return deepcopy(self.data["episodes"])

    def sponsors(self) -> list[dict]:
        """Sponsors with the rate for a spot, and whether they are active."""
        return deepcopy(self.data["sponsors"])

    def _find(self, table: str, key: str, value: object, kind: type) -> dict[str, Any]:
        if isinstance(value, kind) and not isinstance(value, bool):
            for row in self.data[table]:
                if row[key] == value:
                    return row
        raise ValueError(f"no such {key}")

    def set_air_date(self, episode: int, airs: str) -> dict:
        """Plan an episode for a day (YYYY-MM-DD)."""
        row = self._find("episodes", "episode", episode, int)
        if not isinstance(airs, str):
            raise ValueError("airs has to be a date, YYYY-MM-DD")
        row["airs"] = date.fromisoformat(airs).isoformat()
        return dict(row)

    def set_rate(self, sponsor: str, rate_eur: int) -> dict:
        """Set what a sponsor pays for a spot, in whole euros."""
        row = self._find("sponsors", "sponsor", sponsor, str)
        if not isinstance(rate_eur, int) or isinstance(rate_eur, bool) or not 0 < rate_eur < 10_000:
            raise ValueError("rate_eur has to be a whole number from 1 to 9999")
        row["rate_eur"] = rate_eur
        return dict(row)

    def set_active(self, sponsor: str, active: bool) -> dict:
        """Take a sponsor on again, or let them rest."""
        row = self._find("sponsors", "sponsor", sponsor, str)
        if not isinstance(active, bool):
            raise ValueError("active has to be true or false")
        row["active"] = active
        return dict(row)

    def finish(self, answer: object) -> float:
        return 1.0 if all(self.data[table] == self.goal[table] for table in self.compared) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("episodes", {})] + [("set_air_date", {"episode": n, "airs": day}) for n, day in self.swap], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("set_air_date", {"episode": n, "airs": day}) for n, day in reversed(self.swap)], None)]

    def state(self) -> dict[str, list[dict]]:
        return deepcopy(self.data)


class CalendarToo(Calendar):
    compared = ("episodes", "sponsors")


class Studio:
    def __init__(self, kind: type[Calendar]) -> None:
        self.name, self.kind = "podcast-calendar", kind

    def cases(self) -> list[str]:
        return ["change-places"]

    def start(self, case: str, seed: int) -> Calendar:
        return self.kind(seed)


def faulty() -> Studio:
    return Studio(Calendar)


def repaired() -> Studio:
    return Studio(CalendarToo)
