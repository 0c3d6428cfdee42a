"""Weather stations: flag the day of a station's strongest gust for review."""

import random
from datetime import UTC, date, datetime, timedelta

PLACES = ["Cape Ferro", "Gull Rock", "Hollin Moor", "Pass of Brae", "Saltmarsh"]
FIRST = datetime(2024, 3, 1, tzinfo=UTC)


def day_of(stamp):
    return datetime.fromtimestamp(stamp).date().isoformat()


def utc_day_of(stamp):
    return datetime.fromtimestamp(stamp, tz=UTC).date().isoformat()


class Review:
    def __init__(self, seed, calendar):
        rng = random.Random(f"gusts-{seed}")
        self.calendar = calendar
        self.places = sorted(rng.sample(PLACES, 3))
        self.gust_rows = []
        for place in self.places:
            speeds = rng.sample(range(48, 140), 9)
            for n, day in enumerate(sorted(rng.sample(range(1, 200), 9))):
                hour = rng.choice([0, 1, 22, 23]) if speeds[n] == max(speeds) else rng.randrange(24)
                at = FIRST + timedelta(days=day, hours=hour, minutes=rng.randrange(60))
                self.gust_rows.append(
                    {"station": place, "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "stamp": int(at.timestamp()), "kmh": speeds[n]}
                )
        self.place = rng.choice(self.places)
        self.top = max((row for row in self.gust_rows if row["station"] == self.place), key=lambda row: row["kmh"])
        self.flag_rows = [{"station": place, "day": str(date(2024, 2, rng.randint(1, 28)))} for place in self.places]
        self.before = self.pairs()
        self.prompt = (
            f"Flag the day on which {self.place} had its strongest gust. Days are counted in UTC. "
            "Leave the flags that are set already. There is nothing to answer."
        )
        self.tools = [self.gusts, self.flags, self.flag_day, self.unflag_day]

    def pairs(self):
        return sorted((row["station"], row["day"]) for row in self.flag_rows)

    def known(self, station):
        if not isinstance(station, str) or station not in self.places:
            raise ValueError("the stations are " + ", ".join(self.places))
        return station

    def dated(self, day):
        if not isinstance(day, str) or len(day) != 10:
            raise ValueError("give the day as YYYY-MM-DD")
        return date.fromisoformat(day).isoformat()

    def gusts(self, station: str) -> list:
        """Gusts of a station: time in UTC and speed in km/h."""
        return [{"at": row["at"], "kmh": row["kmh"]} for row in self.gust_rows if row["station"] == self.known(station)]

    def flags(self) -> list:
        """Days flagged for review."""
        return [dict(row) for row in self.flag_rows]

    def flag_day(self, station: str, day: str) -> str:
        """Flag a day (YYYY-MM-DD) of a station for review."""
        row = {"station": self.known(station), "day": self.dated(day)}
        if row in self.flag_rows:
            raise ValueError("that day is flagged already")
        self.flag_rows.append(row)
        return "flagged"

    def unflag_day(self, station: str, day: str) -> str:
        """Take a flag away again."""
        row = {"station": self.known(station), "day": self.dated(day)}
        if row not in self.flag_rows:
            raise ValueError("that day is not flagged")
        self.flag_rows.remove(row)
        return "unflagged"

    def finish(self, answer: object) -> float:
        wanted = sorted([*self.before, (self.place, self.calendar(self.top["stamp"]))])
        return 1.0 if self.pairs() == wanted else 0.0

    def reference(self):
        return [("gusts", {"station": self.place}), ("flag_day", {"station": self.place, "day": self.top["at"][:10]})], None

    def state(self):
        return {"gusts": [dict(row) for row in self.gust_rows], "flags": self.flags()}


class Stations:
    name = "gust review"

    def __init__(self, calendar):
        self.calendar = calendar

    def cases(self):
        return ["strongest"]

    def start(self, case, seed):
        return Review(seed, self.calendar)


def faulty():
    return Stations(day_of)


def repaired():
    return Stations(utc_day_of)
