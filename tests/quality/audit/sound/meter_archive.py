"""A utility's archive of meter readings, some thousands of them; one meter of a district has run backwards."""

import random
import sqlite3
from typing import Literal

SCHEMA = """
create table meters (meter integer primary key, district text not null);
create table readings (meter integer not null, month integer not null, kwh integer not null, primary key (meter, month));
create table flags (meter integer primary key, reason text not null);
"""
DISTRICTS = [f"{side} {kind}" for side in ("Upper", "Lower", "East", "West") for kind in ("Quay", "Field", "Cross", "Gate")]
MONTHS = 12


def _fill(db: sqlite3.Connection, rng: random.Random, district: str) -> int:
    numbers = rng.sample(range(10_000, 99_999), 20 * len(DISTRICTS))
    odd: dict[int, str] = {}
    for i, name in enumerate(DISTRICTS):
        here = numbers[20 * i : 20 * i + 20]
        back, still = rng.sample(here, 2)
        odd |= {back: "back", still: "still"}
        if name == district:
            target = back
        for meter in here:
            db.execute("insert into meters values (?, ?)", (meter, name))
            value = rng.randint(100, 9000)
            for month in range(1, MONTHS + 1):
                if month == MONTHS and meter in odd:
                    value -= rng.randint(5, 60) if odd[meter] == "back" else 0
                else:
                    value += rng.randint(20, 400)
                db.execute("insert into readings values (?, ?, ?)", (meter, month, value))
    return target


class Archive:
    """An open connection to the archive."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"meters.{seed}")
        self.district = rng.choice(DISTRICTS)
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript(SCHEMA)
        self.meter = _fill(self.db, rng, self.district)
        self.prompt = (
            f"In the district {self.district} exactly one meter shows less in month {MONTHS} than in month {MONTHS - 1}. Flag this meter "
            "with the reason 'rollback'. No other meter may carry a flag when you are done. Answer with the number of the meter."
        )
        self.tools = [self.meters, self.month, self.flag, self.unflag]

    def meters(self, district: str) -> list[int]:
        """Numbers of the meters in a district."""
        rows = [m for (m,) in self.db.execute("select meter from meters where district = ? order by meter", (str(district),))]
        if not rows:
            raise ValueError("no such district")
        return rows

    def month(self, district: str, month: int) -> dict[str, int]:
        """What the meters of a district showed in a month, 1 to 12, by meter."""
        if type(month) is not int or not 1 <= month <= MONTHS:
            raise ValueError("month is 1 to 12")
        sql = "select meter, kwh from readings join meters using (meter) where district = ? and month = ? order by meter"
        return {str(m): kwh for m, kwh in self.db.execute(sql, (str(district), month))}

    def _known(self, meter: int) -> None:
        if type(meter) is not int or not 0 < meter < 100_000:
            raise ValueError("a meter has a number of five digits")
        if not self.db.execute("select 1 from meters where meter = ?", (meter,)).fetchone():
            raise ValueError("no such meter")

    def flag(self, meter: int, reason: Literal["rollback", "stuck", "leak"]) -> str:
        """Flag a meter; a flag it has is replaced."""
        self._known(meter)
        if reason not in ("rollback", "stuck", "leak"):
            raise ValueError("reason is rollback, stuck or leak")
        self.db.execute("insert or replace into flags values (?, ?)", (meter, reason))
        return "flagged"

    def unflag(self, meter: int) -> str:
        """Take the flag off a meter."""
        self._known(meter)
        self.db.execute("delete from flags where meter = ?", (meter,))
        return "no flag"

    def state(self) -> dict[str, list[dict]]:
        tables = {}
        for table, columns in (("meters", "meter, district"), ("readings", "meter, month, kwh"), ("flags", "meter, reason")):
            rows = self.db.execute(f"select {columns} from {table} order by 1, 2")
            tables[table] = [dict(zip(columns.split(", "), row, strict=True)) for row in rows]
        return tables

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        reads = [("month", {"district": self.district, "month": month}) for month in (MONTHS - 1, MONTHS)]
        return [*reads, ("flag", {"meter": self.meter, "reason": "rollback"})], self.meter

    def finish(self, answer: object) -> float:
        flags = self.db.execute("select meter, reason from flags").fetchall()
        said = answer.strip() == str(self.meter) if isinstance(answer, str) else answer == self.meter
        return 1.0 if said and flags == [(self.meter, "rollback")] else 0.0

    def close(self) -> None:
        self.db.close()


class Utility:
    name = "meter archive"

    def cases(self) -> list[str]:
        return ["december"]

    def start(self, case: str, seed: int) -> Archive:
        return Archive(seed)


def sound() -> Utility:
    return Utility()
