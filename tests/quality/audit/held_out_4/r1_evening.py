"""An evening school fills the free places of its courses from the waiting lists."""

import random
import sqlite3

SCHEMA = """
CREATE TABLE courses (code TEXT PRIMARY KEY, title TEXT NOT NULL, places INTEGER NOT NULL);
CREATE TABLE people (number INTEGER PRIMARY KEY, name TEXT NOT NULL, owes INTEGER NOT NULL);
CREATE TABLE enrolments (id INTEGER PRIMARY KEY AUTOINCREMENT, course TEXT NOT NULL, person INTEGER NOT NULL, UNIQUE (course, person));
CREATE TABLE waiting (course TEXT NOT NULL, person INTEGER NOT NULL, joined INTEGER NOT NULL, PRIMARY KEY (course, person));
"""
TITLES = ["Upholstery", "Welsh for Beginners", "Life Drawing", "Bookbinding", "Car Care", "Italian", "Lacemaking", "Astronomy"]
FIRST = ["Ada", "Bram", "Cleo", "Dov", "Edie", "Femi", "Gwen", "Hugo", "Ines", "Jomo", "Kit", "Lena", "Milo", "Nia", "Otto", "Pia"]
LAST = ["Abbot", "Brandt", "Cole", "Diaz", "Ewart", "Frost", "Gill", "Hale", "Iqbal", "Jarvis", "Kaur", "Lund", "Moss", "Nash"]

PROMPT = """You run the office of the {town} evening school. Fill the free places of all courses from their waiting lists.

- A course has as many free places as its places less its enrolments.
- For each course, enrol people from its own waiting list. The free places go to those with the lowest joined numbers
  among the people who may be enrolled; if these are fewer than the free places, all of them are enrolled.
- People who owe fees (owes is more than 0) may not be enrolled. They stay on the waiting list.
- Enrolling people takes them off that course's waiting list. People may be enrolled in several courses.
- Change nothing else.

Your final answer is not graded, only the enrolments and the waiting lists are. Answer "done" when you have finished."""


class Term:
    """One round of filling places."""

    enrolled = "SELECT id, course, person FROM enrolments ORDER BY id"

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(seed)
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript(SCHEMA)
        names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], 30)
        numbers = sorted(rng.sample(range(1000, 2000), len(names)))
        people = [(number, name, rng.choice([0, 0, 0, 15, 40])) for number, name in zip(numbers, names)]
        paid = [number for number, _, owes in people if owes == 0]
        courses, enrolments, waiting = [], [], []
        for title in rng.sample(TITLES, {"spring": 3, "autumn": 5}[case]):
            code = f"{title[:3].upper()}{rng.randint(10, 99)}"
            eligible = rng.sample(paid, rng.randint(1, 3))
            others = rng.sample([number for number in numbers if number not in eligible], rng.randint(5, 9))
            inside = rng.randint(2, len(others) - 2)
            queue = eligible + others[inside:]
            rng.shuffle(queue)
            courses.append((code, title, inside + rng.randint(1, 3)))
            enrolments += [(code, number) for number in others[:inside]]
            waiting += [(code, number, joined) for number, joined in zip(queue, sorted(rng.sample(range(1, 60), len(queue))))]
        rng.shuffle(enrolments)
        rng.shuffle(waiting)
        self.db.executemany("INSERT INTO courses VALUES (?, ?, ?)", courses)
        self.db.executemany("INSERT INTO people VALUES (?, ?, ?)", people)
        self.db.executemany("INSERT INTO enrolments (course, person) VALUES (?, ?)", enrolments)
        self.db.executemany("INSERT INTO waiting VALUES (?, ?, ?)", waiting)
        self.db.commit()
        self.moves = self.plan()
        self.gold = self.outcome(self.moves)
        self.prompt = PROMPT.format(town=rng.choice(["Rushden", "Petworth", "Maldon", "Keswick", "Ludlow"]))
        self.tools = [self.list_courses, self.show_course, self.enrol]

    def rows(self, query: str, *values: str | int) -> list[dict]:
        cursor = self.db.execute(query, values)
        return [dict(zip([column[0] for column in cursor.description], row)) for row in cursor]

    def plan(self) -> list[tuple[str, int]]:
        moves: list[tuple[str, int]] = []
        for course in self.list_courses():
            queue = [row["person"] for row in self.show_course(course["code"])["waiting"] if row["owes"] == 0]
            moves += [(course["code"], person) for person in queue[: course["free"]]]
        return moves

    def outcome(self, moves: list[tuple[str, int]]) -> list[list[tuple]]:
        copy = sqlite3.connect(":memory:")
        self.db.backup(copy)
        for course, person in moves:
            self.move(copy, course, person)
        dump = self.dump(copy)
        copy.close()
        return dump

    def dump(self, db: sqlite3.Connection) -> list[list[tuple]]:
        queries = ("SELECT * FROM courses ORDER BY code", "SELECT * FROM people ORDER BY number", self.enrolled)
        return [db.execute(query).fetchall() for query in (*queries, "SELECT * FROM waiting ORDER BY course, person")]

    def move(self, db: sqlite3.Connection, course: str, person: int) -> None:
        db.execute("INSERT INTO enrolments (course, person) VALUES (?, ?)", (course, person))
        db.execute("DELETE FROM waiting WHERE course = ? AND person = ?", (course, person))
        db.commit()

    def list_courses(self) -> list[dict]:
        """List the courses with code, title, places and free places."""
        taken = "(SELECT COUNT(*) FROM enrolments WHERE course = code)"
        return self.rows(f"SELECT code, title, places, places - {taken} AS free FROM courses ORDER BY code")

    def show_course(self, code: str) -> dict:
        """Show the people enrolled in a course and its waiting list with joined number and fees owed, lowest joined number first."""
        if code not in [row["code"] for row in self.list_courses()]:
            raise ValueError(f"no course {code}")
        people = self.rows("SELECT person, name FROM enrolments JOIN people ON number = person WHERE course = ? ORDER BY person", code)
        waiting = "SELECT person, name, joined, owes FROM waiting JOIN people ON number = person WHERE course = ? ORDER BY joined"
        return {"enrolled": people, "waiting": self.rows(waiting, code)}

    def enrol(self, code: str, number: int) -> str:
        """Enrol a person from a course's waiting list in that course."""
        waiting = [row["person"] for row in self.show_course(code)["waiting"]]
        if type(number) is not int:
            raise TypeError("a person's number is an integer")
        if number not in waiting:
            raise ValueError(f"{number} does not wait for {code}")
        if next(row["free"] for row in self.list_courses() if row["code"] == code) < 1:
            raise ValueError(f"{code} is full")
        self.move(self.db, code, number)
        return f"{number} is enrolled in {code}"

    def finish(self, answer: object) -> float:
        return 1.0 if self.dump(self.db) == self.gold else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("enrol", {"code": course, "number": person}) for course, person in self.moves], "done"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        calls: list[tuple[str, dict]] = [("list_courses", {})]
        for course, person in self.moves:
            calls += [("show_course", {"code": course}), ("enrol", {"code": course, "number": person})]
        return [(calls, "done")]

    def state(self) -> dict[str, list[dict]]:
        return {name: self.rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in ("courses", "people", "enrolments", "waiting")}

    def close(self) -> None:
        self.db.close()


class ListedTerm(Term):
    """One round of filling places, listed by course."""

    enrolled = "SELECT course, person FROM enrolments ORDER BY course, person"


class School:
    def __init__(self, term: type[Term]) -> None:
        self.name = "evening_school"
        self.term = term

    def cases(self) -> list[str]:
        return ["spring", "autumn"]

    def start(self, case: str, seed: int) -> Term:
        return self.term(case, seed)


def faulty() -> School:
    return School(Term)


def repaired() -> School:
    return School(ListedTerm)
