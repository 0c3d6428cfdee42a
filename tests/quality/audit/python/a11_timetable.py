"""A school's timetable: in which rooms does a class have its lessons, one after the other?"""

import random

SUBJECTS = {
    "art": "studio",
    "biology": "lab",
    "chemistry": "lab",
    "drama": "hall",
    "French": "plain",
    "history": "plain",
    "maths": "plain",
    "music": "studio",
}
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def all_equal(answer: list, rooms: list[str]) -> bool:
    return all(str(said).strip().upper() == room for said, room in zip(answer, rooms, strict=False))


def all_equal_and_no_more(answer: list, rooms: list[str]) -> bool:
    return len(answer) == len(rooms) and all_equal(answer, rooms)


class Pupil:
    def __init__(self, seed: int, compare):
        rng = random.Random(f"school/{seed}")
        self._compare = compare
        self.classes = [f"{year}{letter}" for year in rng.sample(range(5, 12), 2) for letter in "ab"]
        self.lessons = [
            {"class": name, "day": day, "hour": hour, "subject": rng.choice(sorted(SUBJECTS))}
            for name in self.classes
            for day in DAYS[:4]
            for hour in range(1, rng.randint(5, 7))
        ]
        numbers = rng.sample(range(100, 330), len(SUBJECTS))
        self.rooms = {subject: f"R{number}" for subject, number in zip(sorted(SUBJECTS), numbers, strict=True)}
        self.moved = rng.sample(sorted(SUBJECTS), 2)
        self.closed = [{"subject": subject, "day": rng.choice(DAYS[:4]), "instead": f"P{rng.randint(1, 9)}"} for subject in self.moved]
        self.name, self.day = rng.choice(self.classes), rng.choice(DAYS[:4])
        self.prompt = (
            f"In which rooms does class {self.name} have its lessons on {self.day}? Answer with the list of rooms, one for each lesson, "
            "in the order of the hours, for instance ['R1', 'P2', 'R1']. A subject is taught in its usual room unless changes() gives "
            "another one for that day."
        )
        self.tools = [self.plan, self.usual_room, self.changes]

    def plan(self, class_name: str, day: str) -> list[dict]:
        """Hours and subjects of a class on a day of the week."""
        found = [
            {"hour": row["hour"], "subject": row["subject"]} for row in self.lessons if (row["class"], row["day"]) == (class_name, day)
        ]
        if not found:
            raise ValueError(f"nothing planned for {class_name!r} on {day!r}")
        return found

    def usual_room(self, subject: str) -> str:
        """The room a subject is usually taught in."""
        if not isinstance(subject, str) or subject not in self.rooms:
            raise ValueError(f"no subject {subject!r}")
        return self.rooms[subject]

    def changes(self) -> list[dict]:
        """Rooms that are used instead of the usual ones, by subject and day."""
        return [dict(row) for row in self.closed]

    def right(self) -> list[str]:
        instead = {row["subject"]: row["instead"] for row in self.closed if row["day"] == self.day}
        return [instead.get(row["subject"], self.rooms[row["subject"]]) for row in self.plan(self.name, self.day)]

    def finish(self, answer: object) -> float:
        if not isinstance(answer, (list, tuple)) or not all(isinstance(room, str) for room in answer):
            return 0.0
        return 1.0 if self._compare(list(answer), self.right()) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        subjects = list(dict.fromkeys(row["subject"] for row in self.plan(self.name, self.day)))
        calls = [("plan", {"class_name": self.name, "day": self.day}), ("changes", {})]
        return calls + [("usual_room", {"subject": subject}) for subject in subjects], self.right()

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        calls = [
            ("changes", {}),
            ("plan", {"class_name": self.name, "day": self.day}),
            *(("usual_room", {"subject": subject}) for subject in self.rooms),
        ]
        return [(calls, [room.lower() for room in self.right()])]

    def state(self) -> dict[str, list[dict]]:
        rooms = [{"subject": subject, "kind": SUBJECTS[subject], "room": room} for subject, room in self.rooms.items()]
        return {"lessons": [dict(row) for row in self.lessons], "rooms": rooms, "changes": self.changes()}


class School:
    name = "class rooms"

    def __init__(self, compare):
        self.compare = compare

    def cases(self) -> list[str]:
        return ["class"]

    def start(self, case: str, seed: int) -> Pupil:
        return Pupil(seed, self.compare)


def faulty() -> School:
    return School(all_equal)


def repaired() -> School:
    return School(all_equal_and_no_more)
