"""An archive where every look-up leaves a line in a journal; some boxes are to be moved to another class."""

import random
import sqlite3

SUBJECTS = ["bridges", "fires", "fairs", "floods", "schools"]
CLASSES = ["open", "closed", "on request", "digitised"]


class Reading:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"boxes {seed}")
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.execute("create table boxes (box integer primary key, subject text, year integer, class text)")
        self.db.execute("create table journal (entry integer primary key, what text)")
        self.subject, other = rng.sample(SUBJECTS, 2)
        self.limit = rng.randint(1890, 1930)
        old, new = rng.sample(CLASSES, 2)
        self.new = new
        numbers = rng.sample(range(1000, 9999), 14)
        rows = []
        for i, number in enumerate(numbers):
            subject = self.subject if i < 6 else other if i < 9 else rng.choice([s for s in SUBJECTS if s != self.subject])
            year = self.limit - rng.randint(1, 30) if i % 2 == 0 else self.limit + rng.randint(0, 30)
            rows.append((number, subject, year, old if i < 6 else rng.choice([c for c in CLASSES if c != new])))
        self.db.executemany("insert into boxes values (?, ?, ?, ?)", rng.sample(rows, len(rows)))
        self.goal = sorted((n, s, y, new if s == self.subject and y < self.limit else c) for n, s, y, c in rows)
        self.due = [n for n, s, y, _ in sorted(rows) if s == self.subject and y < self.limit]
        self.prompt = (
            f"Put every box about {self.subject} from before {self.limit} into the class '{new}'; a box of the year {self.limit} itself "
            "doesn't count as before. Boxes about other subjects, and later ones, stay in their class. Each look-up and each change "
            "writes itself into the journal: that is as it should be, and the journal isn't judged. Only the classes at the end count. "
            "No answer is asked for."
        )
        self.tools = [self.find, self.open_box, self.reclassify]

    def _note(self, what: str) -> None:
        self.db.execute("insert into journal (what) values (?)", (what,))

    def _box(self, box: int) -> tuple:
        if type(box) is not int or not 0 < box < 10_000:
            raise ValueError("boxes have numbers of four digits")
        row = self.db.execute("select box, subject, year, class from boxes where box = ?", (box,)).fetchone()
        if row is None:
            raise ValueError("no such box")
        return row

    def find(self, subject: str) -> list[int]:
        """Numbers of the boxes about a subject."""
        if subject not in SUBJECTS:
            raise ValueError("subjects: " + ", ".join(SUBJECTS))
        self._note(f"find {subject}")
        return [n for (n,) in self.db.execute("select box from boxes where subject = ? order by box", (subject,))]

    def open_box(self, box: int) -> dict:
        """What is known of a box: subject, year, class."""
        number, subject, year, klass = self._box(box)
        self._note(f"open {number}")
        return {"box": number, "subject": subject, "year": year, "class": klass}

    def reclassify(self, box: int, to: str) -> str:
        """Put a box into a class: open, closed, on request or digitised."""
        number = self._box(box)[0]
        if to not in CLASSES:
            raise ValueError("classes: " + ", ".join(CLASSES))
        self.db.execute("update boxes set class = ? where box = ?", (to, number))
        self._note(f"reclassify {number}")
        return f"now {to}"

    def state(self) -> dict[str, list[dict]]:
        boxes = self.db.execute("select box, subject, year, class from boxes order by box")
        journal = self.db.execute("select entry, what from journal order by entry")
        return {
            "boxes": [dict(zip(("box", "subject", "year", "class"), row, strict=True)) for row in boxes],
            "journal": [{"entry": entry, "what": what} for entry, what in journal],
        }

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        opens = [("open_box", {"box": n}) for n, subject, _, _ in self.goal if subject == self.subject]
        return [("find", {"subject": self.subject}), *opens, *(("reclassify", {"box": n, "to": self.new}) for n in self.due)], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("reclassify", {"box": n, "to": self.new}) for n in reversed(self.due)], None)]

    def finish(self, answer: object) -> float:
        rows = self.db.execute("select box, subject, year, class from boxes order by box").fetchall()
        return 1.0 if rows == self.goal else 0.0

    def close(self) -> None:
        self.db.close()


class TownArchive:
    name = "archive desk"

    def cases(self) -> list[str]:
        return ["reading room"]

    def start(self, case: str, seed: int) -> Reading:
        return Reading(seed)


def sound() -> TownArchive:
    return TownArchive()
