"""A clinic's front desk moves one patient's appointment to the first time that suits."""

import random
import sqlite3
from datetime import date, timedelta

FIRST = ("Amir", "Berta", "Coen", "Dalia", "Ewa", "Farid", "Gina", "Hamza", "Ines", "Jonas")
LAST = ("Abel", "Bauer", "Costa", "Diaz", "Engel", "Fuchs", "Gomez")
TIMES = ("09:00", "10:30", "13:00", "14:30")
BOOK = """
create table appointments (id integer primary key, patient text, doctor text, day text, time text, status text);
"""


class Book:
    """The appointment book of one week."""

    pass_mark = 1

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"book:{seed}")
        monday = date(2032, 1, 5) + timedelta(weeks=rng.randrange(50))
        self.days = [str(monday + timedelta(days=n)) for n in range(5)]
        self.doctors = rng.sample(("Dr Achterberg", "Dr Bello", "Dr Czerny", "Dr Dahl"), 2)
        people = [f"{a} {b}" for a in FIRST for b in LAST]
        rng.shuffle(people)
        bound = rng.randrange(2, 4)
        rows = []
        for doctor in self.doctors:
            for at, day in enumerate(self.days):
                full = doctor == self.doctors[0] and at == bound and rng.random() < 0.5
                rows += [(people.pop(), doctor, day, time) for time in (TIMES if full else rng.sample(TIMES, rng.randrange(1, 4)))]
        rng.shuffle(rows)
        ids = sorted(rng.sample(range(200, 999), len(rows)))
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(BOOK)
        self.db.executemany(
            "insert into appointments values (?, ?, ?, ?, ?, 'booked')", [(n, *row) for n, row in zip(ids, rows, strict=True)]
        )
        early = [(n, *row) for n, row in zip(ids, rows, strict=True) if row[1] == self.doctors[0] and row[2] < self.days[bound]]
        self.number, self.patient, self.doctor, _, _ = rng.choice(early)
        taken = {row[2:] for row in rows if row[1] == self.doctor}
        self.goal = next((day, time) for day in self.days[bound:] for time in TIMES if (day, time) not in taken)
        self.read = [day for day in self.days[bound:] if day <= self.goal[0]]
        self.before = self.state()["appointments"]
        self.prompt = (
            f"{self.patient} cannot come before {self.days[bound]}. Move the appointment "
            f"with {self.doctor} to that doctor's first free time on that day or "
            f"later. The clinic is open from {self.days[0]} to {self.days[-1]}. All other appointments stay as they are."
        )
        self.tools = [self.appointments_of, self.free_times, self.move, self.cancel]

    def appointments_of(self, patient: str) -> list[dict]:
        """A patient's appointments, by the full name."""
        rows = self._rows("select * from appointments where patient = ?", self._word(patient))
        if not rows:
            raise ValueError("no such patient")
        return rows

    def free_times(self, doctor: str, day: str) -> list[str]:
        """The times at which a doctor is free on a day (YYYY-MM-DD)."""
        if doctor not in self.doctors or day not in self.days:
            raise ValueError("no such doctor, or closed on that day")
        taken = self._rows("select time from appointments where doctor = ? and day = ? and status = 'booked'", doctor, day)
        return [time for time in TIMES if {"time": time} not in taken]

    def move(self, appointment: int, day: str, time: str) -> dict:
        """Move a booked appointment to another free time of the same doctor."""
        row = self._booked(appointment)
        if time not in self.free_times(row["doctor"], day):
            raise ValueError("the doctor is not free then")
        self.db.execute("update appointments set day = ?, time = ? where id = ?", (day, time, row["id"]))
        return {**row, "day": day, "time": time}

    def cancel(self, appointment: int) -> str:
        """Cancel a booked appointment."""
        self.db.execute("update appointments set status = 'cancelled' where id = ?", (self._booked(appointment)["id"],))
        return "cancelled"

    @staticmethod
    def _word(value: str) -> str:
        if not isinstance(value, str) or len(value) > 100:
            raise ValueError("a short text, please")
        return value

    def _booked(self, number: int) -> dict:
        if type(number) is not int or not 0 < number < 10**6:
            raise ValueError("an appointment is named by its number")
        rows = self._rows("select * from appointments where id = ? and status = 'booked'", number)
        if not rows:
            raise ValueError("no booked appointment has that number")
        return rows[0]

    def _rows(self, sql: str, *given: object) -> list[dict]:
        return [dict(row) for row in self.db.execute(sql, given)]

    def state(self) -> dict[str, list[dict]]:
        return {"appointments": self._rows("select * from appointments order by id")}

    def reference(self) -> tuple[list, None]:
        looks = [("free_times", {"doctor": self.doctor, "day": day}) for day in self.read]
        move = ("move", {"appointment": self.number, "day": self.goal[0], "time": self.goal[1]})
        return [("appointments_of", {"patient": self.patient}), *looks, move], None

    def settled(self, row: dict) -> bool:
        return row["status"] == "booked" and row["doctor"] == self.doctor and row["patient"] == self.patient

    def finish(self, answer: object) -> float:
        after = self.state()["appointments"]
        others = all(old == new for old, new in zip(self.before, after, strict=True) if old["id"] != self.number)
        return float(others and self.settled(next(row for row in after if row["id"] == self.number)))

    def close(self) -> None:
        self.db.close()


class BookToo(Book):
    """The appointment book of one week."""

    def settled(self, row: dict) -> bool:
        return super().settled(row) and (row["day"], row["time"]) == self.goal


class Clinic:
    """Weeks of one clinic."""

    name = "clinic-desk"

    def __init__(self, book: type[Book]) -> None:
        self.book = book

    def cases(self) -> list[str]:
        return ["move"]

    def start(self, case: str, seed: int) -> Book:
        return self.book(case, seed)


def faulty() -> Clinic:
    return Clinic(Book)


def repaired() -> Clinic:
    return Clinic(BookToo)
