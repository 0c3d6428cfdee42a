"""A small reporting repository: one SQL report gives wrong figures and is to be repaired in its file."""

import contextlib
import itertools
import random
import shutil
import sqlite3
import tempfile
from pathlib import Path

WORDS = (
    {"one": "depot", "many": "trips", "qty": "km", "done": "driven", "open": "planned", "off": "cancelled"},
    {"one": "clinic", "many": "visits", "qty": "minutes", "done": "attended", "open": "booked", "off": "missed"},
    {"one": "branch", "many": "orders", "qty": "units", "done": "shipped", "open": "packed", "off": "returned"},
)
SCHEMA = """CREATE TABLE {one} (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE {many} (id INTEGER PRIMARY KEY, {one}_id INTEGER, day TEXT, {qty} INTEGER, status TEXT);
"""
QUERY = """SELECT p.name, COALESCE(SUM(c.{qty}), 0) AS total
FROM {one} AS p
LEFT JOIN {many} AS c
  ON c.{one}_id = p.id
  AND c.status = '{done}'
  AND c.day >= '{first}'
  AND c.day < '{after}'
GROUP BY p.id
ORDER BY p.name;
"""
OTHER = """SELECT name, (SELECT IFNULL(TOTAL({qty}), 0) FROM {many} WHERE {one}_id = {one}.id AND status = '{done}'
  AND day LIKE '{month}-%') FROM {one} ORDER BY 1"""
SLIPS = (
    ("LEFT JOIN {many} AS c", "JOIN {many} AS c"),
    ("c.status = '{done}'", "c.status <> '{open}'"),
    ("c.day < '{after}'", "c.day <= '{after}'"),
    ("SUM(c.{qty})", "COUNT(c.{qty})"),
)
TOWNS = ("Arnhem", "Bergen", "Cadiz", "Derry", "Esbjerg", "Faro", "Ghent", "Halle")
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)


class Repo:
    """One checked-out repository."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"report~{seed}")
        month = rng.randrange(1, 12)
        self.words = {
            **rng.choice(WORDS),
            "first": f"2033-{month:02d}-01",
            "after": f"2033-{month + 1:02d}-01",
            "month": f"2033-{month:02d}",
        }
        self.schema = SCHEMA.format(**self.words)
        self.hidden = [self.data(rng) for _ in range(3)]
        self.files = {
            "schema.sql": self.schema.encode(),
            "sample.sql": self.data(rng)[0].encode(),
            "report.sql": self.with_slip(*rng.choice(SLIPS)).encode(),
        }
        self.root = Path(tempfile.mkdtemp(prefix="report"))
        for path, data in self.files.items():
            (self.root / path).write_bytes(data)
        self.prompt = (
            "report.sql is to list each {one} of schema.sql: its name, and the total {qty} of "
            "its {many} with status {done} whose day is in {month}, 0 where there "
            "are none; by name. Its figures are wrong. Repair report.sql (one SELECT, "
            "for SQLite). Other files stay as they are, and no new ones."
        ).format(**self.words)
        self.tools = [self.list_files, self.read_file, self.write_file, self.run_report]

    def with_slip(self, find: str, put: str) -> str:
        return QUERY.format(**self.words).replace(find, put)

    def data(self, rng: random.Random) -> tuple[str, list[tuple[str, int]]]:
        """Rows as SQL, and what a right report says of them."""
        w, sql, rows = self.words, [], itertools.count(1)
        totals = {}
        for at, town in enumerate(rng.sample(TOWNS, 5)):
            sql.append(f"INSERT INTO {w['one']} VALUES ({at + 1}, '{town}');")
            totals[town] = 0
            plan = [] if at == 0 else [(w["done"], f"{w['month']}-{n:02d}") for n in rng.sample(range(1, 29), rng.randrange(1, 4))]
            if at in (1, 2):
                plan += [
                    (w["off"], f"{w['month']}-17"),
                    (w["open"], f"{w['month']}-20"),
                    (w["done"], w["after"]),
                    (w["done"], "2032-12-31"),
                ]
            for status, day in plan:
                qty = rng.randrange(2, 90)
                sql.append(f"INSERT INTO {w['many']} VALUES ({next(rows)}, {at + 1}, '{day}', {qty}, '{status}');")
                totals[town] += qty if status == w["done"] and day.startswith(w["month"]) else 0
        return "\n".join(sql) + "\n", sorted(totals.items())

    def run(self, query: str, rows: str) -> list[tuple]:
        db, ticks = sqlite3.connect(":memory:"), itertools.count()
        try:
            db.executescript(self.schema + rows)
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 20_000)
            db.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 60)
            db.set_progress_handler(lambda: next(ticks) > 50, 10_000)
            db.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
            return db.execute(query).fetchmany(50)
        except (sqlite3.Error, sqlite3.Warning) as why:
            raise ValueError(str(why)) from why
        finally:
            db.close()

    def folder(self) -> Path:
        return self.root

    def list_files(self) -> list[str]:
        """The files of the repository."""
        return sorted(p.name for p in self.root.iterdir()) if self.root.is_dir() else []

    def read_file(self, name: str) -> str:
        """The text of a file."""
        if name not in self.list_files():
            raise ValueError("no such file")
        return self._bytes(name).decode()

    def write_file(self, name: str, text: str) -> str:
        """Write the text of one of the repository's files anew."""
        if name not in self.files:
            raise ValueError("no such file")
        if not isinstance(text, str) or len(text) > 10_000:
            raise ValueError("text, at most 10000 characters")
        if not self.root.is_dir() or ((self.root / name).exists() and not (self.root / name).is_file()):
            raise ValueError("cannot be written")
        (self.root / name).write_bytes(text.encode())
        return "written"

    def run_report(self) -> list[list]:
        """Run report.sql on the rows of sample.sql."""
        return [list(row) for row in self.run(self._bytes("report.sql").decode(), self.files["sample.sql"].decode())]

    def _bytes(self, name: str) -> bytes:
        at = self.root / name
        if at.is_symlink() or not at.is_file() or at.stat().st_size > 100_000:
            raise ValueError(f"{name} is no plain file")
        return at.read_bytes()

    def reference(self) -> tuple[list, None]:
        write = ("write_file", {"name": "report.sql", "text": QUERY.format(**self.words)})
        return [("read_file", {"name": "schema.sql"}), ("read_file", {"name": "report.sql"}), write], None

    def alternatives(self) -> list[tuple[list, None]]:
        return [([("read_file", {"name": "schema.sql"}), ("write_file", {"name": "report.sql", "text": OTHER.format(**self.words)})], None)]

    def finish(self, answer: object) -> float:
        try:
            if self.list_files() != sorted(self.files) or any(self._bytes(n) != d for n, d in self.files.items() if n != "report.sql"):
                return 0.0
            query = self._bytes("report.sql").decode()
            return float(all(self.run(query, rows) == totals for rows, totals in self.hidden))
        except (OSError, ValueError):
            return 0.0

    def close(self) -> None:
        with contextlib.suppress(RecursionError):
            shutil.rmtree(self.root, ignore_errors=True)


class RepoToo(Repo):
    """One checked-out repository."""

    def with_slip(self, find: str, put: str) -> str:
        return QUERY.format(**self.words).replace(find.format(**self.words), put.format(**self.words))


class Reports:
    """Repositories of one kind."""

    name = "report-repair"

    def __init__(self, repo: type[Repo]) -> None:
        self.repo = repo

    def cases(self) -> list[str]:
        return ["repair"]

    def start(self, case: str, seed: int) -> Repo:
        return self.repo(case, seed)


def faulty() -> Reports:
    return Reports(Repo)


def repaired() -> Reports:
    return Reports(RepoToo)
