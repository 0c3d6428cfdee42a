"""Recalls at a clinic: the agent explores the database with SELECTs and answers with one query that finds whom to call in."""

import random
import sqlite3

DOCTORS = ["Amsel", "Birke", "Ceder", "Distel"]
FIRST = ["Anna", "Ben", "Carla", "Dirk", "Elif", "Frank", "Greta", "Hugo", "Ida", "Jonas", "Klara", "Luca", "Mara", "Nils", "Olga", "Paul"]
SCHEMA = """
create table patients (id integer primary key, name text, doctor text);
create table visits (patient_id integer, day integer, kind text);
create table bookings (patient_id integer, day integer);
"""
READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


class Practice:
    """One day's data, with the doctor whose patients are wanted."""

    def __init__(self, rng: random.Random, today: int, gap: int, doctor: str):
        while True:
            self.patients = [
                (i, f"{n} {rng.choice('ABCDEFG')}.", rng.choice([doctor, *DOCTORS])) for i, n in enumerate(rng.sample(FIRST, 14), 1)
            ]
            kinds = ["check-up", "check-up", "vaccination", "injury"]
            self.visits = [
                (rng.randint(1, 14), today - rng.choice([gap, gap + 1, *range(1, 2 * gap, 9)]), rng.choice(kinds)) for _ in range(24)
            ]
            self.bookings = [(rng.randint(1, 14), today + rng.choice([0, -3, -1, 4, 9, 20])) for _ in range(6)]
            self.due = {
                name
                for i, name, who in self.patients
                if who == doctor
                and not any(p == i and kind == "check-up" and day >= today - gap for p, day, kind in self.visits)
                and not any(p == i and day >= today for p, day in self.bookings)
            }
            mine = [i for i, _, who in self.patients if who == doctor]
            if 2 <= len(self.due) < len(mine):
                return

    def ask(self, sql: str) -> list[tuple]:
        con = sqlite3.connect(":memory:")
        try:
            con.executescript(SCHEMA)
            con.executemany("insert into patients values (?, ?, ?)", self.patients)
            con.executemany("insert into visits values (?, ?, ?)", self.visits)
            con.executemany("insert into bookings values (?, ?)", self.bookings)
            con.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 500_000)
            con.set_progress_handler(lambda: 1, 3_000_000)
            con.set_authorizer(lambda action, *rest: sqlite3.SQLITE_OK if action in READS else sqlite3.SQLITE_DENY)
            return con.execute(sql).fetchmany(200)
        except (sqlite3.Error, sqlite3.Warning, MemoryError) as error:
            raise ValueError(str(error)) from error
        finally:
            con.close()


class Recall:
    def __init__(self, case: str, seed: int, others: int):
        rng = random.Random(f"{case} {seed}")
        today, gap, doctor = rng.randint(500, 900), rng.choice([90, 120, 180, 365]), rng.choice(DOCTORS)
        self.fixed = (today, gap, doctor)
        self.shown = Practice(rng, today, gap, doctor)
        self.judged = [self.shown, *(Practice(rng, today, gap, doctor) for _ in range(others))]
        self.prompt = (
            f"Practice {case}. Each branch needs to know which patients of Dr {doctor} to call in: those who have had no visit of kind "
            f"'check-up' on day {today - gap} or later (or none at all) and have no booking on day {today} (today) or later. Use query() "
            "to look at the tables patients(id, name, doctor), visits(patient_id, day, kind) and bookings(patient_id, day) of one "
            "branch; all branches have the same tables with their own rows. Answer with one SQLite SELECT that gives the patients' "
            "names, one column, each name once, any order, and is right at every branch. Names within a branch are unique."
        )
        self.tools = [self.query]

    def query(self, sql: str) -> list[list]:
        """Run one SELECT on this branch's database; up to 200 rows come back."""
        if not isinstance(sql, str):
            raise ValueError("sql must be a string")
        return [list(row) for row in self.shown.ask(sql)]

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str):
            return 0.0
        try:
            found = [practice.ask(answer) for practice in self.judged]
        except ValueError:
            return 0.0
        wanted = [sorted((name,) for name in practice.due) for practice in self.judged]
        return 1.0 if [sorted(rows, key=str) for rows in found] == [sorted(rows, key=str) for rows in wanted] else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        today, gap, doctor = self.fixed
        sql = (
            f"SELECT name FROM patients p WHERE doctor = '{doctor}' AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.id AND "
            "v.kind = 'check-up' "
            f"AND v.day >= {today - gap}) AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.patient_id = p.id AND b.day >= {today})"
        )
        return [("query", {"sql": "SELECT DISTINCT kind FROM visits"})], sql

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        today, gap, doctor = self.fixed
        sql = (
            "select distinct p.name as who from patients p left join visits v on v.patient_id = p.id and v.kind = 'check-up' and v.day > "
            f"{today - gap - 1} "
            f"where p.doctor = '{doctor}' and v.day is null and p.id not in (select patient_id from bookings where day >= {today}) order "
            "by who desc;"
        )
        return [([("query", {"sql": "select * from patients limit 3"})], sql)]

    def state(self) -> dict[str, list[dict]]:
        return {
            "patients": [dict(zip(("id", "name", "doctor"), row, strict=True)) for row in self.shown.patients],
            "visits": [dict(zip(("patient_id", "day", "kind"), row, strict=True)) for row in self.shown.visits],
            "bookings": [dict(zip(("patient_id", "day"), row, strict=True)) for row in self.shown.bookings],
        }


class Clinics:
    name = "clinic recalls"

    def __init__(self, others: int):
        self.others = others

    def cases(self) -> list[str]:
        return ["Nordtor", "Am Markt"]

    def start(self, case: str, seed: int) -> Recall:
        return Recall(case, seed, self.others)


def faulty() -> Clinics:
    return Clinics(others=0)


def repaired() -> Clinics:
    return Clinics(others=6)
