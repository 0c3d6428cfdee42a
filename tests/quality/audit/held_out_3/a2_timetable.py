"""A school's timetable desk: two lessons have been put into one room, and one of them has to move."""

import random
import sqlite3

DAYS = ["monday", "tuesday", "wednesday", "thursday"]
SUBJECTS = ["Art", "Biology", "Chemistry", "Drama", "French", "Geography", "History", "Latin", "Maths", "Music", "Physics", "Spanish"]


class Desk:
    steps = ("draft", "clash", "spread")

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed * 31 + 7)
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(
            "create table rooms (room text primary key, seats int);"
            "create table lessons (id integer primary key, subject text, day text, period int, pupils int, room text);"
        )
        for step in self.steps:
            getattr(self, "_" + step)()
        self.before = self.state()["lessons"]
        self.tools = [self.lessons, self.rooms, self.move]
        self.prompt = (
            f"On {self.day.title()}, in period {self.period}, two lessons have been put into the same room. Move one of the two into a "
            "room that is free in that "
            "period and has a seat for every pupil of the lesson; either lesson and any such room will do. Change nothing else. No "
            "answer is needed."
        )

    def _rows(self, sql: str, *values: object) -> list[dict]:
        return [dict(row) for row in self.db.execute(sql, values)]

    def _draft(self) -> None:
        names = self.rng.sample([f"{wing}{n}" for wing in "NSW" for n in range(1, 7)], 6)
        self.db.executemany("insert into rooms values (?, ?)", zip(names, (16, 20, 24, 28, 32, 36), strict=True))
        for day in DAYS:
            for period in (1, 2, 3):
                for subject in self.rng.sample(SUBJECTS, 3):
                    row = (subject, day, period, self.rng.randint(9, 24), self.rng.choice(names))
                    self.db.execute("insert into lessons (subject, day, period, pupils, room) values (?, ?, ?, ?, ?)", row)
        self.day, self.period = self.rng.choice(DAYS), self.rng.randint(1, 3)

    def _spread(self) -> None:
        """Give all lessons of a period rooms of their own that are large enough."""
        for day in DAYS:
            for period in (1, 2, 3):
                taken: set[str] = set()
                for lesson in self._rows("select * from lessons where day = ? and period = ? order by pupils desc, id", day, period):
                    large = self._rows("select room from rooms where seats >= ? order by room", lesson["pupils"])
                    fits = [r["room"] for r in large if r["room"] not in taken]
                    taken.add(room := self.rng.choice(fits))
                    self.db.execute("update lessons set room = ? where id = ?", (room, lesson["id"]))

    def _clash(self) -> None:
        """Put a second lesson of the chosen period into the largest room in use."""
        sql = "select * from lessons join rooms using (room) where day = ? and period = ? order by seats desc, id"
        here = self._rows(sql, self.day, self.period)
        self.pair = [here[0]["id"], self.rng.choice(here[1:])["id"]]
        self.db.execute("update lessons set room = ? where id = ?", (here[0]["room"], self.pair[1]))

    def lessons(self, day: str) -> list[dict]:
        """All lessons of a day (monday to thursday), by period."""
        if not isinstance(day, str) or day.strip().lower() not in DAYS:
            raise ValueError("no school on that day")
        return self._rows("select * from lessons where day = ? order by period, id", day.strip().lower())

    def rooms(self) -> list[dict]:
        """All rooms with their seats."""
        return self._rows("select * from rooms order by room")

    def move(self, lesson: int, room: str) -> str:
        """Move a lesson, given by its id, into another room in the same period."""
        if type(lesson) is not int or lesson not in {r["id"] for r in self._rows("select id from lessons")}:
            raise ValueError("no such lesson")
        if not isinstance(room, str) or room.strip().upper() not in {r["room"] for r in self.rooms()}:
            raise ValueError("no such room")
        self.db.execute("update lessons set room = ? where id = ?", (room.strip().upper(), lesson))
        return f"lesson {lesson} is now in {room.strip().upper()}"

    def state(self) -> dict[str, list[dict]]:
        return {"lessons": self._rows("select * from lessons order by id"), "rooms": self.rooms()}

    def _ways(self) -> list[tuple[list[tuple[str, dict]], object]]:
        look = [("lessons", {"day": self.day}), ("rooms", {})]
        taken = {r["room"] for r in self.before if (r["day"], r["period"]) == (self.day, self.period)}
        pupils = {r["id"]: r["pupils"] for r in self.before}
        return [
            ([*look, ("move", {"lesson": lesson, "room": r["room"]})], None)
            for lesson in reversed(self.pair)
            for r in self.rooms()
            if r["room"] not in taken and r["seats"] >= pupils[lesson]
        ]

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return self._ways()[0]

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return self._ways()[1:]

    def finish(self, answer: object) -> float:
        now = self.state()["lessons"]
        moved = [new["id"] for old, new in zip(self.before, now, strict=True) if old != new]
        seats = {r["room"]: r["seats"] for r in self.rooms()}
        shared = len({(r["day"], r["period"], r["room"]) for r in now}) < len(now)
        return float(len(moved) <= 1 and set(moved) <= set(self.pair) and not shared and all(r["pupils"] <= seats[r["room"]] for r in now))

    def close(self) -> None:
        self.db.close()


class DeskToo(Desk):
    steps = ("draft", "spread", "clash")


class School:
    name = "timetable"

    def __init__(self, desk: type[Desk]) -> None:
        self.desk = desk

    def cases(self) -> list[str]:
        return ["room"]

    def start(self, case: str, seed: int) -> Desk:
        return self.desk(seed)


def faulty() -> School:
    return School(Desk)


def repaired() -> School:
    return School(DeskToo)
