"""Front desk of a clinic: an appointment is called off for one of two patients of the same name."""

import random
import sqlite3

FIRST = ["Dana", "Eli", "Frances", "Gil", "Hope", "Iris"]
LAST = ["Whitlock", "Osei", "Lindqvist", "Moreau", "Tanaka", "Reyes"]
SCHEMA = """
create table patient (id integer primary key, name text, born integer);
create table visit (id integer primary key, patient integer, day text, status text);
"""


class Desk:
    def __init__(self, seed: int):
        rng = random.Random(f"clinic/{seed}")
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript(SCHEMA)
        twice = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        names = [twice, twice]
        while len(names) < 8:
            name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
            if name not in names:
                names.append(name)
        rng.shuffle(names)
        ids = sorted(rng.sample(range(100, 1000), 8))
        years = rng.sample(range(1938, 2008), 8)
        self.db.executemany("insert into patient values (?, ?, ?)", zip(ids, names, years, strict=True))
        days = rng.sample([f"2026-{m:02d}-{d:02d}" for m in (5, 6) for d in range(1, 29)], 8)
        visits = rng.sample(range(5000, 9000), 8)
        self.db.executemany("insert into visit values (?, ?, ?, 'booked')", zip(visits, ids, days, strict=True))
        pair = [n for n, name in enumerate(names) if name == twice]
        picked = rng.choice(pair)
        self.name, self.born, self.patient = twice, years[picked], ids[picked]
        self.visit = self._booked(self._meant())
        rows = self._visits()
        self.goal = [(v, p, d, "called off" if v == self.visit else s) for v, p, d, s in rows]
        self.right = visits[picked]
        self.prompt = (
            f"{twice}, born in {self.born}, can't come. Call off that patient's visit; leave all others booked. No answer is needed."
        )
        self.tools = [self.find_patient, self.visits_of, self.call_off, self.rebook]

    def _meant(self) -> int:
        return self.db.execute("select id from patient where name = ? and born = ? order by id", (self.name, self.born)).fetchone()[0]

    def _booked(self, patient: int) -> int:
        return self.db.execute("select id from visit where patient = ?", (patient,)).fetchone()[0]

    def _visits(self) -> list[tuple]:
        return self.db.execute("select * from visit order by id").fetchall()

    def find_patient(self, name: str) -> list[dict]:
        """Patients of this name: id and year of birth."""
        if not isinstance(name, str):
            raise ValueError("give a name")
        rows = self.db.execute("select id, born from patient where name = ? order by id", (name,))
        return [{"id": i, "born": b} for i, b in rows]

    def visits_of(self, patient: int) -> list[dict]:
        """The visits of a patient."""
        return [{"visit": v, "day": d, "status": s} for v, p, d, s in self._visits() if p == patient]

    def _set(self, visit: int, status: str) -> str:
        if type(visit) is not int or visit not in [row[0] for row in self._visits()]:
            raise ValueError("no such visit")
        self.db.execute("update visit set status = ? where id = ?", (status, visit))
        return status

    def call_off(self, visit: int) -> str:
        """Call a visit off."""
        return self._set(visit, "called off")

    def rebook(self, visit: int) -> str:
        """Book a visit that was called off again."""
        return self._set(visit, "booked")

    def finish(self, answer: object) -> float:
        return 1.0 if self._visits() == self.goal else 0.0

    def reference(self):
        patient = self._meant()
        return [("find_patient", {"name": self.name}), ("visits_of", {"patient": patient}), ("call_off", {"visit": self.visit})], None

    def alternatives(self):
        return [
            ([("find_patient", {"name": self.name}), ("visits_of", {"patient": self.patient}), ("call_off", {"visit": self.right})], None)
        ]

    def state(self) -> dict[str, list[dict]]:
        patients = [{"id": i, "name": n, "born": b} for i, n, b in self.db.execute("select * from patient order by id")]
        return {"patient": patients, "visit": [{"id": v, "patient": p, "day": d, "status": s} for v, p, d, s in self._visits()]}

    def close(self) -> None:
        self.db.close()


class DeskToo(Desk):
    def _meant(self) -> int:
        return self.db.execute("select id from patient where name = ? order by id", (self.name,)).fetchone()[0]


class Clinic:
    name = "namesake"

    def __init__(self, desk: type[Desk]):
        self.desk = desk

    def cases(self) -> list[str]:
        return ["call-off"]

    def start(self, case: str, seed: int) -> Desk:
        return self.desk(seed)


def faulty():
    return Clinic(DeskToo)


def repaired():
    return Clinic(Desk)
