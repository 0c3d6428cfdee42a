"""A ferry line's booking office: a party takes a later sailing and wants to know the difference in price."""

import random
import sqlite3
from contextlib import closing

SETUP = """
create table sailings (sailing text primary key, route text, leaves text, car_places integer, adult integer, car integer);
create table bookings (ref text primary key, name text, sailing text, adults integer, cars integer);
"""
ROUTES = ("Inner Isles", "North Sound", "Long Crossing")
NAMES = ("Quist", "Rada", "Solberg", "Tamm", "Ulm", "Vasko", "Wirth")


class Ferry:
    """The office's books on one day."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"sail away {seed}")
        self.db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(SETUP)
        self.route = rng.choice(ROUTES)
        fares = rng.sample(range(900, 4000, 50), 15), rng.sample(range(2000, 9000, 100), 15)
        sailings = []
        for at in range(15):
            route = self.route if at < 6 else rng.choice([r for r in ROUTES if r != self.route])
            day, hour = divmod(at % 6, 2)
            sailings.append(
                [
                    f"{rng.choice('PQRS')}{at + 40}",
                    route,
                    f"2031-07-{10 + day} {7 + 6 * hour:02d}:{rng.randrange(60):02d}",
                    rng.randrange(2, 9),
                    fares[0][at],
                    fares[1][at],
                ]
            )
        for at in rng.sample((2, 3, 4), rng.randrange(3)):
            sailings[at][3] = 0
        bookings = [
            [f"{rng.randrange(16**5):05X}", who, rng.choice(sailings)[0], rng.randrange(1, 5), rng.randrange(2)]
            for who in rng.sample(NAMES, 7)
        ]
        old = sailings[rng.randrange(2)]
        bookings[rng.randrange(7)][2:] = [old[0], rng.randrange(2, 6), 1]
        self.ref, self.party, _, adults, _ = next(b for b in bookings if b[2] == old[0] and b[3] > 1 and b[4])
        new = next(s for s in sailings[2:6] if s[3])
        self.target = new[0]
        self.difference = adults * (new[4] - old[4]) + new[5] - old[5]
        rng.shuffle(bookings)
        self.db.executemany("insert into sailings values (?, ?, ?, ?, ?, ?)", rng.sample(sailings, 15))
        self.db.executemany("insert into bookings values (?, ?, ?, ?, ?)", bookings)
        self.goal = self.state()
        next(b for b in self.goal["bookings"] if b["ref"] == self.ref)["sailing"] = self.target
        for row in self.goal["sailings"]:
            row["car_places"] += (row["sailing"] == old[0]) - (row["sailing"] == self.target)
        self.prompt = (
            f"The party {self.party} (booking {self.ref}) cannot sail on 10 July. Rebook it onto the "
            "first sailing of its route from 11 July on that has a place for the car. "
            "Then answer by how many cents the journey gets dearer (a negative number if it "
            "gets cheaper): a whole number, from the fares of the two sailings."
        )
        self.tools = [self.booking, self.sailing, self.sailings_on, self.rebook]

    def booking(self, ref: str) -> dict:
        """A booking by its reference."""
        return self._one("select * from bookings where ref = ?", ref)

    def sailing(self, sailing: str) -> dict:
        """A sailing: its route, when it leaves, the places left for cars, and its fares in cents for an adult and for a car."""
        return self._one("select * from sailings where sailing = ?", sailing)

    def sailings_on(self, route: str) -> list[dict]:
        """The sailings of a route, in order."""
        rows = self.db.execute("select sailing, leaves from sailings where route = ? order by leaves", (self._text(route),)).fetchall()
        return [dict(row) for row in rows]

    def rebook(self, ref: str, sailing: str) -> str:
        """Put a booking onto another sailing of the same route."""
        row, new = self.booking(ref), self.sailing(sailing)
        old = self.sailing(row["sailing"])
        if new["route"] != old["route"] or new["sailing"] == old["sailing"] or new["car_places"] < row["cars"]:
            raise ValueError("another sailing of the same route, with places enough")
        self.db.execute("update sailings set car_places = car_places + ? where sailing = ?", (row["cars"], old["sailing"]))
        self.db.execute("update sailings set car_places = car_places - ? where sailing = ?", (row["cars"], new["sailing"]))
        self.db.execute("update bookings set sailing = ? where ref = ?", (new["sailing"], row["ref"]))
        return f"{ref} sails on {new['leaves']}"

    @staticmethod
    def _text(value: str) -> str:
        if not isinstance(value, str) or len(value) > 60:
            raise ValueError("a short text")
        return value

    def _one(self, sql: str, key: str) -> dict:
        row = self.db.execute(sql, (self._text(key),)).fetchone()
        if row is None:
            raise ValueError(f"nothing found for {key!r}")
        return dict(row)

    def state(self) -> dict[str, list[dict]]:
        with closing(self.db.cursor()) as look:
            return {name: [dict(row) for row in look.execute(f"select * from {name} order by 1")] for name in ("sailings", "bookings")}

    def reference(self) -> tuple[list, int]:
        old = self.booking(self.ref)["sailing"]
        names = (old, *(s["sailing"] for s in self.sailings_on(self.route) if s["leaves"] >= "2031-07-11"))
        looks = [("sailing", {"sailing": name}) for name in names[: names.index(self.target) + 1]]
        calls = [("booking", {"ref": self.ref}), ("sailings_on", {"route": self.route}), *looks]
        return [*calls, ("rebook", {"ref": self.ref, "sailing": self.target})], self.difference

    def said(self, answer: object) -> bool:
        return True

    def finish(self, answer: object) -> float:
        return float(self.state() == self.goal and self.said(answer))

    def close(self) -> None:
        self.db.close()


class FerryToo(Ferry):
    """The office's books on one day."""

    def said(self, answer: object) -> bool:
        if isinstance(answer, str) and len(answer) < 20:
            try:
                answer = int(answer.strip().removesuffix("cents"))
            except ValueError:
                return False
        return not isinstance(answer, bool) and isinstance(answer, int | float) and answer == self.difference


class Harbour:
    """Days at the office."""

    name = "ferry-office"

    def __init__(self, ferry: type[Ferry]) -> None:
        self.ferry = ferry

    def cases(self) -> list[str]:
        return ["later-sailing"]

    def start(self, case: str, seed: int) -> Ferry:
        return self.ferry(seed)


def faulty() -> Harbour:
    return Harbour(Ferry)


def repaired() -> Harbour:
    return Harbour(FerryToo)
