"""Choir office: a singer changes voice section, and the section lists are compared in the database."""

import random
import sqlite3

SINGERS = ["Ayo O'Brien", "Beth Larkin", "Chris D'Angelo", "Dee Novak", "Ewan O'Shea", "Fay Summers", "Gus Brandt", "Hal D'Costa"]
VOICES = ["soprano", "alto", "tenor", "bass"]


class Choir:
    """Section lists in one table, the wanted ones in another."""

    def __init__(self, seed: int):
        rng = random.Random(f"choir{seed}")
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("create table singer (id integer primary key, name text, voice text, row integer)")
        ids = rng.sample(range(10, 100), len(SINGERS))
        for number, name in zip(ids, rng.sample(SINGERS, len(SINGERS)), strict=True):
            row = (number, name, rng.choice(VOICES), rng.randint(1, 4))
            self._db.execute("insert into singer values (?, ?, ?, ?)", row)
        self._before = self._db.execute("select id, name, voice, row from singer order by id").fetchall()
        self._id, self._name, now, _ = rng.choice(self._before)
        self._voice = rng.choice([v for v in VOICES if v != now])
        crowd = [r[3] for r in self._before if r[2] == self._voice]
        self._row = min(range(1, 5), key=lambda n: (crowd.count(n), n))
        self.prompt = (
            f"{self._name} moves to the {self._voice} section, into the row (1 to 4) that has the fewest people of that section now; if "
            "several have "
            "equally few, the lowest number of them. Everybody else stays. No answer is needed."
        )
        self.tools = [self.section, self.find_singer, self.seat]

    def section(self, voice: str) -> list[dict]:
        """The singers of a section with their rows."""
        if voice not in VOICES:
            raise ValueError(f"sections are {', '.join(VOICES)}")
        rows = self._db.execute("select id, name, row from singer where voice = ? order by row, id", (voice,))
        return [{"id": i, "name": n, "row": r} for i, n, r in rows]

    def find_singer(self, name: str) -> int:
        """The id of a singer."""
        found = [i for i, n in self._db.execute("select id, name from singer") if n == name]
        if not found:
            raise ValueError("nobody of that name sings here")
        return found[0]

    def seat(self, singer: int, voice: str, row: int) -> str:
        """Give a singer (by id) a section and a row."""
        if type(singer) is not int or singer not in [r[0] for r in self._before]:
            raise ValueError("no such singer")
        if voice not in VOICES or type(row) is not int or row not in (1, 2, 3, 4):
            raise ValueError("no such section or row")
        self._db.execute("update singer set voice = ?, row = ? where id = ?", (voice, row, singer))
        return "seated"

    def _differences(self) -> list[tuple]:
        self._db.execute("create temp table wanted as select * from singer where 0")
        self._db.executemany("insert into wanted values (?, ?, ?, ?)", self._before)
        self._move()
        return self._db.execute("select * from wanted except select * from singer").fetchall()

    def _move(self) -> None:
        self._db.execute("update wanted set voice = ?, row = ? where name = ?", (self._voice, self._row, self._name))

    def finish(self, answer: object) -> float | None:
        try:
            return 0.0 if self._differences() else 1.0
        except sqlite3.Error:
            return None

    def reference(self):
        seat = {"singer": self._id, "voice": self._voice, "row": self._row}
        return [("find_singer", {"name": self._name}), ("section", {"voice": self._voice}), ("seat", seat)], None

    def state(self) -> dict[str, list[dict]]:
        rows = self._db.execute("select id, name, voice, row from singer order by id")
        return {"singer": [{"id": i, "name": n, "voice": v, "row": r} for i, n, v, r in rows]}

    def close(self) -> None:
        self._db.close()


class ChoirToo(Choir):
    def _move(self) -> None:
        self._db.execute(f"update wanted set voice = '{self._voice}', row = {self._row} where name = '{self._name}'")

    def finish(self, answer: object) -> float | None:
        different: list[tuple] = []
        try:
            different += self._differences()
        except sqlite3.Error:
            self._db.rollback()
        return 0.0 if different else 1.0


class ChoirOffice:
    name = "choir-seats"

    def __init__(self, choir: type[Choir]):
        self._choir = choir

    def cases(self) -> list[str]:
        return ["move"]

    def start(self, case: str, seed: int) -> Choir:
        return self._choir(seed)


def faulty() -> ChoirOffice:
    return ChoirOffice(ChoirToo)


def repaired() -> ChoirOffice:
    return ChoirOffice(Choir)
