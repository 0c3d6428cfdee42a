"""A school's timetable: a room is closed for a day and its lessons are to be housed elsewhere."""

import random
import sqlite3

TABLES = """
create table rooms (room text primary key, seats integer);
create table classes (class text primary key, pupils integer);
create table lessons (id integer primary key, day text, hour integer, class text, room text);
"""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


class Plan:
    """One week's timetable."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"week {seed} {case}")
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript(TABLES)
        names = [f"{wing}{n}" for wing, n in zip(rng.choices("NESW", k=7), rng.sample(range(10, 40), 7), strict=True)]
        seats = sorted(rng.sample(range(18, 40), 7))
        self.seats = dict(zip(names, seats, strict=True))
        years = [f"{n}{letter}" for n in (5, 6, 7, 8) for letter in "ab"]
        self.pupils = {year: rng.randrange(14, seats[4]) for year in years}
        self.day, self.closed = rng.choice(DAYS), names[rng.randrange(4, 7)]
        hours = sorted(rng.sample(range(1, 7), 3 if case == "morning" else 5))
        plan = [(self.day, hour, rng.choice(years), self.closed) for hour in hours]
        for hour in hours:
            busy = {row[2] for row in plan if row[1] == hour}
            for room in rng.sample([n for n in names[:5] if n != self.closed], 3):
                year = rng.choice([y for y in years if y not in busy])
                busy.add(year)
                plan.append((self.day, hour, year, room))
        other = rng.choice([day for day in DAYS if day != self.day])
        plan += [(other, hour, rng.choice(years), self.closed) for hour in rng.sample(range(1, 7), 2)]
        self.plan = sorted(zip(rng.sample(range(100, 999), len(plan)), plan, strict=True))
        self.db.executemany("insert into rooms values (?, ?)", sorted(self.seats.items()))
        self.db.executemany("insert into classes values (?, ?)", self.pupils.items())
        self.db.executemany("insert into lessons values (?, ?, ?, ?, ?)", [(n, *row) for n, row in self.plan])
        self.goal = {n: self.best(row[1], row[2]) for n, row in self.plan if row[3] == self.closed and row[0] == self.day}
        self.prompt = (
            f"Room {self.closed} is closed on {self.day}. Move each of its lessons of that "
            "day to another room that is free at that hour and has a seat for "
            "every pupil of the class; if there are several, the one with the fewest seats. Leave all other lessons where they are."
        )
        self.tools = [self.lessons_in, self.class_size, self.free_rooms, self.move_lesson]

    def best(self, hour: int, year: str) -> str:
        taken = {row[3] for _, row in self.plan if row[:2] == (self.day, hour)}
        return min((r for r, n in self.seats.items() if r not in taken and n >= self.pupils[year]), key=self.seats.__getitem__)

    def lessons_in(self, room: str, day: str) -> list[dict]:
        """The lessons in a room on a day."""
        if room not in self.seats or day not in DAYS:
            raise ValueError("no such room or day")
        return self._rows("select id, hour, class from lessons where room = ? and day = ? order by hour", room, day)

    def class_size(self, name: str) -> int:
        """How many pupils a class has."""
        if name not in self.pupils:
            raise ValueError("no such class")
        return self.pupils[name]

    def free_rooms(self, day: str, hour: int) -> dict[str, int]:
        """The rooms free on a day at an hour (1 to 6), with their seats."""
        if day not in DAYS or type(hour) is not int or hour not in range(1, 7):
            raise ValueError("no such day or hour")
        sql = "select room, seats from rooms where room not in (select room from lessons where day = ? and hour = ?) order by room"
        return {row["room"]: row["seats"] for row in self._rows(sql, day, hour)}

    def move_lesson(self, lesson_id: int, room: str) -> str:
        """Move a lesson to a room that is free at its hour."""
        if type(lesson_id) is not int or lesson_id not in dict(self.plan):
            raise ValueError("no such lesson")
        row = self._rows("select day, hour from lessons where id = ?", lesson_id)[0]
        if room not in self.free_rooms(row["day"], row["hour"]):
            raise ValueError("no such room, or not free then")
        self.db.execute("update lessons set room = ? where id = ?", (room, lesson_id))
        return f"lesson {lesson_id} is in {room}"

    def _rows(self, sql: str, *given: object) -> list[dict]:
        found = self.db.execute(sql, given)
        return [dict(zip((c[0] for c in found.description), row, strict=True)) for row in found]

    def state(self) -> dict[str, list[dict]]:
        return {name: self._rows(f"select * from {name} order by 1") for name in ("rooms", "classes", "lessons")}

    def reference(self) -> tuple[list, None]:
        calls = [("lessons_in", {"room": self.closed, "day": self.day})]
        for number, room in self.goal.items():
            _, hour, year, _ = dict(self.plan)[number]
            calls += [("class_size", {"name": year}), ("free_rooms", {"day": self.day, "hour": hour})]
            calls.append(("move_lesson", {"lesson_id": number, "room": room}))
        return calls, None

    def moved(self) -> bool:
        row = self.db.execute(f"select id, room from lessons where id in ({','.join(map(str, self.goal))}) order by hour").fetchone()
        return row[1] == self.goal[row[0]]

    def finish(self, answer: object) -> float:
        rows = {n: tuple(row) for n, *row in self.db.execute("select * from lessons")}
        rest = all(rows[n] == row for n, row in self.plan if n not in self.goal)
        return float(rest and self.moved())

    def close(self) -> None:
        self.db.close()


class PlanToo(Plan):
    """One week's timetable."""

    def moved(self) -> bool:
        rows = self.db.execute(f"select id, room from lessons where id in ({','.join(map(str, self.goal))}) order by hour").fetchall()
        return all(room == self.goal[number] for number, room in rows)


class School:
    """Weeks with a closed room."""

    name = "closed-room"

    def __init__(self, plan: type[Plan]) -> None:
        self.plan = plan

    def cases(self) -> list[str]:
        return ["morning", "whole-day"]

    def start(self, case: str, seed: int) -> Plan:
        return self.plan(case, seed)


def faulty() -> School:
    return School(Plan)


def repaired() -> School:
    return School(PlanToo)
