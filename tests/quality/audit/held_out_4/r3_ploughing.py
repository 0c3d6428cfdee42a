"""The secretary of a ploughing match reads the judges' sheets and names places."""

import csv
import io
import random
from collections.abc import Callable

CLASSES = ["vintage", "reversible", "horse", "classic", "novice"]
FIRST = ["Alf", "Bess", "Col", "Dot", "Ern", "Flo", "Gil", "Hob", "Ivy", "Jem", "Ken", "Liz", "Mab", "Ned", "Oli", "Peg"]
LAST = ["Ackland", "Beale", "Crowe", "Dyer", "Eddy", "Farr", "Goss", "Hext", "Jago", "Kitto", "Luxton", "Madge", "Nott", "Oke"]

TASKS = {
    "prizes": "Name the three competitors with the most points in the {name} class, the one with the most points first.",
    "cut": "Name the three competitors with the fewest points in the {name} class, the one with the fewest points first.",
}
PROMPT = """You are the secretary of the {place} ploughing match. There is one sheet for each class, a CSV text with the columns
plot, competitor, club, points. Some competitors have withdrawn: their points field is empty, and they do not count.
No two competitors of a class have the same points.

{task}
Answer with a JSON list of the three names, written as on the sheet."""


class Match:
    """One match with a question on one of its classes."""

    def __init__(self, case: str, seed: int, ranked: Callable[[list[dict]], list[dict]]) -> None:
        rng = random.Random(seed)
        names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], 40)
        self.sheets: dict[str, str] = {}
        classes = rng.sample(CLASSES, 3)
        for name in classes:
            count = rng.randint(8, 12)
            points = rng.sample(range(84, 120), count)
            out = io.StringIO()
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["plot", "competitor", "club", "points"])
            withdrawn = rng.sample(range(count), rng.randint(0, 2))
            for index in range(count):
                club = rng.choice(["Tamar", "Exe Vale", "Moorside", "Culm"])
                writer.writerow([index + 1, names.pop(), club, "" if index in withdrawn else points[index]])
            self.sheets[name] = out.getvalue()
        rows = [row for row in csv.DictReader(io.StringIO(self.sheets[classes[0]])) if row["points"]]
        order = [row["competitor"] for row in ranked(rows)]
        self.answer = order[:3] if case == "prizes" else order[:-4:-1]
        self.asked = classes[0]
        place = rng.choice(["Bratton", "Holsworthy", "Cheriton", "Morchard", "Witheridge"])
        self.prompt = PROMPT.format(place=place, task=TASKS[case].format(name=classes[0]))
        self.tools = [self.list_sheets, self.read_sheet]

    def list_sheets(self) -> list[str]:
        """List the classes for which there is a sheet."""
        return sorted(self.sheets)

    def read_sheet(self, name: str) -> str:
        """Return the sheet of a class as CSV text."""
        if not isinstance(name, str):
            raise TypeError("a class is given by its name")
        if name not in self.sheets:
            raise ValueError(f"no sheet for {name}")
        return self.sheets[name]

    def finish(self, answer: object) -> float:
        if not isinstance(answer, list) or not all(isinstance(name, str) for name in answer):
            return 0.0
        return 1.0 if [name.strip() for name in answer] == self.answer else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        calls: list[tuple[str, dict]] = [("list_sheets", {}), *(("read_sheet", {"name": name}) for name in self.list_sheets())]
        return calls, list(self.answer)

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("read_sheet", {"name": self.asked})], list(self.answer))]

    def state(self) -> dict[str, list[dict]]:
        return {name: list(csv.DictReader(io.StringIO(text))) for name, text in sorted(self.sheets.items())}


def by_points(rows: list[dict]) -> list[dict]:
    """Order the rows of a sheet, most points first."""
    return sorted(rows, key=lambda row: row["points"], reverse=True)


def by_score(rows: list[dict]) -> list[dict]:
    """Order the rows of a sheet, most points first."""
    return sorted(rows, key=lambda row: int(row["points"]), reverse=True)


class Society:
    def __init__(self, ranked: Callable[[list[dict]], list[dict]]) -> None:
        self.name = "ploughing_match"
        self.ranked = ranked

    def cases(self) -> list[str]:
        return list(TASKS)

    def start(self, case: str, seed: int) -> Match:
        return Match(case, seed, self.ranked)


def faulty() -> Society:
    return Society(by_points)


def repaired() -> Society:
    return Society(by_score)
