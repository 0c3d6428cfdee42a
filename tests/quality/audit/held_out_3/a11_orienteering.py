"""Results of an orienteering meet: who finished properly, and in which order."""

import random
import re

COURSES = {"green": 9, "blue": 12, "brown": 15}
CLUBS = ["Harriers", "Moorland OC", "Fellside", "Pathfinders"]


def bibs(answer: object) -> list[int] | None:
    """The bib numbers of an answer, in its order: a list, or a text with nothing but numbers and the signs between them."""
    if isinstance(answer, str):
        if len(answer) > 1000 or re.search(r"[^0-9\s,;>#()\[\]'\"]", answer):
            return None
        answer = re.findall(r"[0-9]+", answer)
    if not isinstance(answer, (list, tuple)):
        return None
    found = []
    for item in answer:
        if isinstance(item, str) and re.fullmatch(r"\s*#?[0-9]{1,6}\s*", item):
            item = int(item.strip().lstrip("#"))
        if type(item) is not int:
            return None
        found.append(item)
    return found


def listed_in_order(given: list[int], right: list[int]) -> bool:
    return bool(given) and all(a == b for a, b in zip(given, right, strict=False))


def listed_whole(given: list[int], right: list[int]) -> bool:
    return given == right


class Meet:
    name = "orienteering"

    def __init__(self, compare):
        self.compare = compare

    def cases(self):
        return list(COURSES)

    def start(self, case, seed):
        return Results(case, seed, self.compare)


class Results:
    def __init__(self, case, seed, compare):
        rng = random.Random(f"meet {seed} {case}")
        self.compare, self.course = compare, case
        numbers = rng.sample(range(100, 400), 24)
        self.entries, self.cards = [], []
        for i, bib in enumerate(numbers):
            course = list(COURSES)[i % 3]
            start = 36000 + 120 * rng.randint(0, 40)
            self.entries.append({"bib": bib, "club": rng.choice(CLUBS), "course": course, "start": start})
        for course, controls in COURSES.items():
            field = [e for e in self.entries if e["course"] == course]
            times = rng.sample(range(1900, 4300), len(field))
            short = rng.sample(field, 2)
            for entry, seconds in zip(field, times, strict=True):
                punched = controls - rng.randint(1, 3) if entry in short else controls
                self.cards.append({"bib": entry["bib"], "controls": punched, "finish": entry["start"] + seconds})
        rng.shuffle(self.cards)
        began = {e["bib"]: e["start"] for e in self.entries if e["course"] == case}
        full = [c for c in self.cards if c["bib"] in began and c["controls"] == COURSES[case]]
        self.right = [c["bib"] for c in sorted(full, key=lambda c: c["finish"] - began[c["bib"]])]
        self.tools = [self.start_list, self.card]
        self.prompt = (
            f"Make the result list of the {case} course. A runner counts only with all {COURSES[case]} controls on the card; the time is "
            "finish minus start (both in seconds of the day). "
            "Answer with a list of the bib numbers of all runners who count, the quickest first."
        )

    def start_list(self, course: str) -> list[dict]:
        """The runners of a course (green, blue or brown) with their start."""
        if not isinstance(course, str) or course.strip().lower() not in COURSES:
            raise ValueError("courses are green, blue and brown")
        return [dict(e) for e in self.entries if e["course"] == course.strip().lower()]

    def card(self, bib: int) -> dict:
        """A runner's card: how many of the controls were visited, and the finish."""
        if type(bib) is not int or not (found := [c for c in self.cards if c["bib"] == bib]):
            raise ValueError("no card with that bib number")
        return dict(found[0])

    def state(self):
        return {"entries": [dict(e) for e in self.entries], "cards": [dict(c) for c in self.cards]}

    def reference(self):
        here = [e["bib"] for e in self.entries if e["course"] == self.course]
        return [("start_list", {"course": self.course}), *(("card", {"bib": b}) for b in here)], list(self.right)

    def alternatives(self):
        calls, right = self.reference()
        return [(calls, ", ".join(map(str, right))), (calls, [str(b) for b in right])]

    def finish(self, answer):
        given = bibs(answer)
        return 1.0 if given is not None and self.compare(given, self.right) else 0.0


def faulty():
    return Meet(listed_in_order)


def repaired():
    return Meet(listed_whole)
