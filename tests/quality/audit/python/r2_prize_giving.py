"""School office: the pupil with the best mark of a form is named for the prize giving."""

import random
import unicodedata

FIRST = ["Zoë", "José", "Anaïs", "Siân", "Renée", "Björn", "Chloé", "Agnès"]
LAST = ["O\u2019Neill", "D\u2019Arcy", "N\u2019Diaye", "O\u2019Dowd", "L\u2019Estrange", "M\u2019Bala", "D\u2019Souza", "O\u2019Hara"]


def folded(name: object) -> object:
    if not isinstance(name, str):
        return None
    for mark in "\u2018\u2019\u02bc\u00b4`":
        name = name.replace(mark, "'")
    return " ".join(unicodedata.normalize("NFKC", name).casefold().strip(" .\n").split())


def as_is(name: object) -> object:
    return name


class Office:
    """The roll and the marks of one form."""

    def __init__(self, name_key, case: str, seed: int) -> None:
        rng = random.Random(f"{case}/{seed}")
        self._key = name_key
        names = rng.sample([f"{a} {b}" for a in FIRST for b in LAST], 9)
        self._roll = [{"no": n, "name": name} for n, name in enumerate(names, 1)]
        marks = rng.sample(range(40, 100), 9)
        self._marks = [{"no": n, "mark": m} for n, m in enumerate(marks, 1)]
        rng.shuffle(self._marks)
        best = max(self._marks, key=lambda row: row["mark"])
        self._winner = names[best["no"] - 1]
        self.prompt = (
            f"The {case} prize goes to the pupil of the form with the highest mark. Which pupil is it? Answer with first and last name."
        )
        self.tools = [self.roll, self.marks]

    def roll(self) -> list[dict]:
        """The pupils of the form, by number."""
        return [dict(r) for r in self._roll]

    def marks(self) -> list[dict]:
        """The marks of the form's last test, by pupil's number."""
        return [dict(r) for r in self._marks]

    def finish(self, answer: object) -> float:
        return float(self._key(answer) == self._key(self._winner))

    def reference(self):
        return [("roll", {}), ("marks", {})], self._winner

    def state(self) -> dict[str, list[dict]]:
        return {"roll": self.roll(), "marks": self.marks()}


class School:
    name = "prize-giving"

    def __init__(self, name_key) -> None:
        self._key = name_key

    def cases(self) -> list[str]:
        return ["French", "geometry", "drawing"]

    def start(self, case: str, seed: int) -> Office:
        return Office(self._key, case, seed)


def faulty() -> School:
    return School(as_is)


def repaired() -> School:
    return School(folded)
