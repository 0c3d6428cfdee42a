"""A harbour master gives a boat another berth; the harbour book is an SQLite database."""

import random
import sqlite3

BOATS = ["Sea's End", "Neptune's Fancy", "Molly's Chance", "Skipper's Rest", "Gannet", "Halcyon", "Brigid", "Tern", "Ocean Lass", "Curlew"]
SCHEMA = """
CREATE TABLE boats (name TEXT PRIMARY KEY, length_cm INTEGER, berth TEXT);
CREATE TABLE berths (berth TEXT PRIMARY KEY, takes_cm INTEGER);
"""


class Harbour:
    trouble: float | None = 0.0

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"marina:{seed}")
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript(SCHEMA)
        takes = rng.sample(range(700, 1500, 20), 11)
        berths = [f"{pier}{n}" for pier in "ABC" for n in range(1, 5)][:11]
        self.db.executemany("INSERT INTO berths VALUES (?, ?)", list(zip(berths, takes, strict=True)))
        names = rng.sample(BOATS, 6)
        taken = rng.sample(range(11), 6)
        rows = [[name, takes[b] - rng.randrange(20, 120, 5), berths[b]] for name, b in zip(names, taken, strict=True)]
        free = sorted(takes[b] for b in range(11) if b not in taken)
        self.boat = rng.choice(names)
        for row in rows:
            if row[0] == self.boat:
                row[1] = min(row[1], free[rng.randrange(1, len(free))] - 5)
                self.want = berths[takes.index(next(t for t in free if t >= row[1]))]
        self.db.executemany("INSERT INTO boats VALUES (?, ?, ?)", rows)
        self.before = self._all("boats")
        self.prompt = (
            f'Pontoon works close the berth of the boat "{self.boat}". Move her to the shortest free berth that takes her length '
            "(a berth is free when no boat has it), and leave every other boat where she lies. No answer is needed."
        )
        self.tools = [self.boats, self.berths, self.move]

    def _all(self, table: str) -> list[dict]:
        cursor = self.db.execute(f"SELECT * FROM {table} ORDER BY 1")
        return [dict(zip([c[0] for c in cursor.description], row, strict=True)) for row in cursor]

    def boats(self) -> list[dict]:
        """The boats, their lengths, and where they lie."""
        return self._all("boats")

    def berths(self) -> list[dict]:
        """All berths, free or not, and the length each takes."""
        return self._all("berths")

    def move(self, boat: str, berth: str) -> str:
        """Move a boat to a free berth that takes her."""
        lengths = {b["name"]: b["length_cm"] for b in self.boats()}
        takes = {b["berth"]: b["takes_cm"] for b in self.berths()}
        if not isinstance(boat, str) or boat not in lengths or not isinstance(berth, str) or berth not in takes:
            raise ValueError("no such boat or berth")
        if any(b["berth"] == berth for b in self.boats()):
            raise ValueError("that berth is taken")
        if takes[berth] < lengths[boat]:
            raise ValueError("that berth is too short for her")
        self.db.execute("UPDATE boats SET berth = ? WHERE name = ?", (berth, boat))
        return "moved"

    def _lies(self, boat: str) -> str:
        return self.db.execute(f"SELECT berth FROM boats WHERE name = '{boat}'").fetchone()[0]

    def finish(self, answer: object) -> float | None:
        try:
            lies = self._lies(self.boat)
            others = [b for b in self._all("boats") if b["name"] != self.boat]
        except sqlite3.Error:
            return self.trouble
        return float(lies == self.want and others == [b for b in self.before if b["name"] != self.boat])

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("boats", {}), ("berths", {}), ("move", {"boat": self.boat, "berth": self.want})], None

    def state(self) -> dict[str, list[dict]]:
        return {"boats": self._all("boats"), "berths": self._all("berths")}

    def close(self) -> None:
        self.db.close()


class HarbourToo(Harbour):
    trouble = None

    def _lies(self, boat: str) -> str:
        return self.db.execute("SELECT berth FROM boats WHERE name = ?", (boat,)).fetchone()[0]


class Marina:
    name = "marina-berths"

    def __init__(self, kind: type[Harbour]) -> None:
        self.kind = kind

    def cases(self) -> list[str]:
        return ["pontoon-works"]

    def start(self, case: str, seed: int) -> Harbour:
        return self.kind(seed)


def faulty() -> Marina:
    return Marina(Harbour)


def repaired() -> Marina:
    return Marina(HarbourToo)
