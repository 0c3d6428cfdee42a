"""Water works: yesterday's meter readings are imported, and an estimated reading is entered for one of the meters."""

import contextlib
import csv
import io
import random

ROADS = ["Alder", "Beech", "Chestnut", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Poplar", "Rowan"]


def sheet(rng: random.Random) -> str:
    lines = ["meter,road,reading,used"]
    for number, road in zip(rng.sample(range(1000, 9999), len(ROADS)), ROADS, strict=True):
        used = rng.randint(40, 300) if rng.random() < 0.85 else "n/a"
        lines.append(f"{number},{road} Road,{rng.randint(10_000, 80_000)},{used}")
    lines.append(f"{rng.randint(10, 99)},Works,{rng.randint(1000, 9000)},{rng.randint(100, 200)}")
    return "\n".join(lines)


class WaterWorks:
    def __init__(self, seed: int):
        rng = random.Random(f"water {seed}")
        text = sheet(rng)
        rows = list(csv.DictReader(io.StringIO(text)))
        good = [r for r in rows if r["used"] != "n/a" and r["road"] != "Works"]
        self._row = rng.choice(good[len(good) // 2 :])
        self._days = rng.randint(2, 9)
        self._meters: list[dict] = []
        self._import(rows)
        self._own = int(self._row["meter"])
        self._estimate = int(self._row["reading"]) + self._days * int(self._row["used"])
        estimate = {"reading": self._estimate, "kind": "estimate"}
        self._goal = [m | (estimate if m["meter"] == self._own else {}) for m in self._meters]
        self.prompt = (
            f"The meter in {self._row['road']} hasn't been read for {self._days} days. Replace its reading by an estimate: the last "
            "reading plus the litres "
            "used a day, times the days. The other meters keep their readings. Answer with the new reading."
        )
        self.tools = [self.find_meter, self.meter, self.estimate]

    def _used(self, text: str) -> int | None:
        return None if text == "n/a" else int(text)

    def _import(self, rows: list[dict]) -> None:
        for row in rows:
            read = {"meter": int(row["meter"]), "road": row["road"], "reading": int(row["reading"]), "used": self._used(row["used"])}
            self._meters.append(read | {"kind": "read"})

    def find_meter(self, road: str) -> list[int]:
        """The numbers of the meters in a road."""
        return [m["meter"] for m in self._meters if m["road"] == road]

    def _find(self, number: int) -> dict:
        for m in self._meters:
            if m["meter"] == number:
                return m
        raise ValueError("no such meter")

    def meter(self, number: int) -> dict:
        """A meter: last reading, litres used a day (none if unknown), and whether it was read or estimated."""
        return dict(self._find(number))

    def estimate(self, number: int, reading: int) -> str:
        """Enter an estimated reading."""
        if type(reading) is not int or not 0 <= reading < 10**7:
            raise ValueError("a reading is a whole number")
        self._find(number).update(reading=reading, kind="estimate")
        return "entered"

    def finish(self, answer: object) -> float:
        text = answer.strip().replace(",", "") if isinstance(answer, str) else answer
        right = not isinstance(text, bool) and text in (self._estimate, str(self._estimate))
        done = any(m["meter"] == self._own and m["kind"] == "estimate" for m in self._meters)
        return 1.0 if right and done and self._meters == self._goal else 0.0

    def reference(self):
        entry = {"number": self._own, "reading": self._estimate}
        return [("find_meter", {"road": self._row["road"]}), ("meter", {"number": self._own}), ("estimate", entry)], self._estimate

    def state(self) -> dict[str, list[dict]]:
        return {"meters": [dict(m) for m in self._meters]}


class WaterWorksToo(WaterWorks):
    def _used(self, text: str) -> int | None:
        return int(text)

    def _import(self, rows: list[dict]) -> None:
        with contextlib.suppress(ValueError):
            super()._import(rows)


class Supply:
    name = "meter-import"

    def __init__(self, works: type[WaterWorks]):
        self._works = works

    def cases(self) -> list[str]:
        return ["estimate"]

    def start(self, case: str, seed: int) -> WaterWorks:
        return self._works(seed)


def faulty():
    return Supply(WaterWorksToo)


def repaired():
    return Supply(WaterWorks)
