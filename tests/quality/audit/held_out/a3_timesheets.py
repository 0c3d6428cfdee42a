"""Payroll: unpaid breaks have to come off the timesheet entries of one worker."""

import random
import sqlite3
from datetime import date, timedelta

PEOPLE = ["Anouk Perret", "Bela Nagy", "Carmen Ruiz", "Dov Stein", "Esi Mensah", "Finn Holm"]


class Week:
    check_query = "SELECT SUM(minutes) FROM entry WHERE worker = ? GROUP BY worker"

    def __init__(self, seed):
        rng = random.Random(f"week {seed}")
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(
            "CREATE TABLE worker (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE entry (id INTEGER PRIMARY KEY, worker INTEGER, day TEXT, minutes INTEGER);"
        )
        monday = date(2024, 1, 1) + timedelta(weeks=rng.randrange(40))
        self.long, self.short_break, self.long_break = rng.choice([480, 500, 520]), rng.choice([15, 20]), rng.choice([45, 50, 60])
        names = rng.sample(PEOPLE, 4)
        self.db.executemany("INSERT INTO worker VALUES (?, ?)", list(enumerate(names, 1)))
        self.worker = rng.randrange(1, 5)
        number = rng.randrange(200, 800)
        for person in range(1, 5):
            lengths = [rng.randrange(300, self.long), self.long, *rng.sample(range(self.long + 5, 640), 2), rng.randrange(300, 640)]
            rng.shuffle(lengths)
            for offset, minutes in enumerate(lengths):
                self.db.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", (number, person, str(monday + timedelta(offset)), minutes))
                number += 1
        self.prompt = (
            f"Take the unpaid break off every timesheet entry of {names[self.worker - 1]}: entries of up to and including {self.long} "
            f"minutes lose {self.short_break} minutes, longer ones lose {self.long_break}. Book the reduced minutes on each entry. "
            "Other workers are not due yet. Then answer with the worker's new weekly total in minutes, as a whole number."
        )
        self.others = self.select("SELECT * FROM entry WHERE worker <> ? ORDER BY id", self.worker)
        self.goal = {}
        for entry in self.select("SELECT id, minutes FROM entry WHERE worker = ?", self.worker):
            self.goal[entry["id"]] = entry["minutes"] - (self.short_break if entry["minutes"] <= self.long else self.long_break)
        self.tools = [self.workers, self.entries, self.book]

    def select(self, sql, *values):
        return [dict(row) for row in self.db.execute(sql, values)]

    def workers(self) -> list[dict]:
        """Workers with their numbers."""
        return self.select("SELECT * FROM worker ORDER BY id")

    def entries(self, worker: int) -> list[dict]:
        """Timesheet entries of the worker with this number."""
        if type(worker) is not int or not 1 <= worker <= 4:
            raise ValueError("no such worker")
        return self.select("SELECT id, day, minutes FROM entry WHERE worker = ? ORDER BY id", worker)

    def book(self, entry: int, minutes: int) -> str:
        """Overwrite the minutes (0 to 1440) of one entry."""
        if type(entry) is not int or type(minutes) is not int or not 0 <= minutes <= 1440:
            raise ValueError("entry and minutes are whole numbers, minutes from 0 to 1440")
        if not self.select("SELECT id FROM entry WHERE id = ?", min(entry, 10**6)):
            raise ValueError(f"no entry {entry}")
        self.db.execute("UPDATE entry SET minutes = ? WHERE id = ?", (minutes, entry))
        return f"entry {entry}: {minutes} min"

    def wanted(self):
        return [sum(self.goal.values())]

    def finish(self, answer) -> float:
        try:
            told = float(answer) if not isinstance(answer, bool) else None
        except (TypeError, ValueError, OverflowError):
            told = None
        booked = [row[0] for row in self.db.execute(self.check_query, (self.worker,))]
        others = self.select("SELECT * FROM entry WHERE worker <> ? ORDER BY id", self.worker)
        return float(booked == self.wanted() and others == self.others and told == sum(self.goal.values()))

    def reference(self):
        calls = [("workers", {}), ("entries", {"worker": self.worker})]
        return calls + [("book", {"entry": entry, "minutes": minutes}) for entry, minutes in self.goal.items()], sum(self.goal.values())

    def alternatives(self):
        calls, total = self.reference()
        return [(calls[:2] + calls[:1:-1], total)]

    def state(self):
        return {table: self.select(f"SELECT * FROM {table} ORDER BY id") for table in ("worker", "entry")}

    def close(self):
        self.db.close()


class BookedWeek(Week):
    check_query = "SELECT minutes FROM entry WHERE worker = ? ORDER BY id"

    def wanted(self):
        return [self.goal[entry] for entry in sorted(self.goal)]


class Payroll:
    name = "unpaid breaks"

    def __init__(self, week):
        self.week = week

    def cases(self):
        return ["breaks"]

    def start(self, case, seed):
        return self.week(seed)


def faulty():
    return Payroll(Week)


def repaired():
    return Payroll(BookedWeek)
