"""A cheese maker's cellar kept in a small database: move a lot to another room and turn it."""

import random
import sqlite3

CHEESES = ["Beaufort", "Bleu d'Auvergne", "Comté", "Fourme d'Ambert", "Morbier", "Pont-l'Évêque", "Reblochon", "Tomme d'Estaing"]
TABLES = """
CREATE TABLE rooms (room TEXT, celsius INT, places INT);
CREATE TABLE lots (lot INT, cheese TEXT, wheels INT, room TEXT, turns INT);
"""


class Cellar:
    def __init__(self, seed):
        rng = random.Random(70_000 + seed)
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript(TABLES)
        warmths = rng.sample([8, 10, 12, 14], 3)
        names = rng.sample(["north", "east", "south", "west", "vault", "arch"], 6)
        numbers = rng.sample(range(10, 99), 8)
        lots = [[n, cheese, rng.randint(6, 30), None, rng.randint(0, 9)] for n, cheese in zip(numbers, CHEESES, strict=True)]
        held = dict.fromkeys(names, 0)
        for row in lots:
            row[3] = rng.choice(names[:4])
            held[row[3]] += row[2]
        lot = rng.choice(lots)
        self.lot, self.cheese, wheels, here, turns = lot
        warmth = {name: warmths[n % 3] for n, name in enumerate(names)}
        self.room = rng.choice([name for name in names if name != here])
        other = next(name for name in names if name != self.room and warmth[name] == warmth[self.room])
        for name in names:
            spare = rng.randint(0, wheels - 1) if name == other else rng.randint(wheels, wheels + 12)
            self.db.execute("INSERT INTO rooms VALUES (?, ?, ?)", (name, warmth[name], held[name] + spare))
        self.db.executemany("INSERT INTO lots VALUES (?, ?, ?, ?, ?)", lots)
        self.goal = (self.room, turns + 1)
        self.before = self.rest()
        where = f"the {warmth[self.room]} degree room" if other != here else f"the other {warmth[self.room]} degree room"
        self.prompt = (
            f"Move the {self.cheese} to {where} that has a free place for each of its wheels, and record exactly one turning of that lot. "
            "Leave all other lots as they are. There is nothing to answer."
        )
        self.tools = [self.lots, self.rooms, self.move_lot, self.turn_lot]

    def select(self, query, *values):
        cursor = self.db.execute(query, values)
        return [dict(zip([column[0] for column in cursor.description], row, strict=True)) for row in cursor]

    def rest(self):
        query = "SELECT lot, cheese, wheels, CASE lot WHEN ? THEN 0 ELSE room || turns END AS kept FROM lots ORDER BY lot"
        return self.select(query, self.lot)

    def lots(self) -> list:
        """All lots: number, cheese, wheels, room, turnings recorded."""
        return self.select("SELECT * FROM lots ORDER BY lot")

    def rooms(self) -> list:
        """All rooms: temperature in Celsius, places, places that are free."""
        return self.select(
            "SELECT room, celsius, places, "
            "places - (SELECT coalesce(sum(wheels), 0) FROM lots WHERE lots.room = rooms.room) AS free FROM rooms"
        )

    def known(self, lot):
        for row in self.lots():
            if isinstance(lot, int) and not isinstance(lot, bool) and row["lot"] == lot:
                return row
        raise ValueError("no lot has that number")

    def move_lot(self, lot: int, room: str) -> str:
        """Move a lot with all its wheels to another room that has places for them."""
        row = self.known(lot)
        target = next((r for r in self.rooms() if isinstance(room, str) and r["room"] == room.strip().lower()), None)
        if target is None or target["room"] == row["room"]:
            raise ValueError("name another room of the cellar")
        if target["free"] < row["wheels"]:
            raise ValueError("that room has too few free places")
        self.db.execute("UPDATE lots SET room = ? WHERE lot = ?", (target["room"], lot))
        return "moved"

    def turn_lot(self, lot: int) -> str:
        """Record one turning of a lot."""
        self.known(lot)
        self.db.execute("UPDATE lots SET turns = turns + 1 WHERE lot = ?", (lot,))
        return "turned"

    def finish(self, answer: object) -> float | None:
        try:
            found = self.db.execute("SELECT room, turns FROM lots WHERE cheese = ?", (self.cheese,)).fetchone()
            return 1.0 if found == self.goal and self.rest() == self.before else 0.0
        except sqlite3.Error:
            return None

    def reference(self):
        return [("lots", {}), ("rooms", {}), ("move_lot", {"lot": self.lot, "room": self.room}), ("turn_lot", {"lot": self.lot})], None

    def alternatives(self):
        return [([("turn_lot", {"lot": self.lot}), ("move_lot", {"lot": self.lot, "room": self.room})], None)]

    def state(self):
        return {"lots": self.lots(), "rooms": self.select("SELECT * FROM rooms")}

    def close(self):
        self.db.close()


class StoneCellar(Cellar):
    def finish(self, answer: object) -> float | None:
        try:
            found = self.db.execute(f"SELECT room, turns FROM lots WHERE cheese = '{self.cheese}'").fetchone()
            return 1.0 if found == self.goal and self.rest() == self.before else 0.0
        except sqlite3.Error:
            return 0.0


class Dairy:
    name = "cheese cellar"

    def __init__(self, episode):
        self.episode = episode

    def cases(self):
        return ["move and turn"]

    def start(self, case, seed):
        return self.episode(seed)


def faulty():
    return Dairy(StoneCellar)


def repaired():
    return Dairy(Cellar)
