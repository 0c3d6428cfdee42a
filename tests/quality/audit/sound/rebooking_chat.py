"""A railway agent rebooks a passenger, who says in two messages what it is about, and names the price difference."""

import random
import re

TIMES = ["06:40", "08:10", "11:25", "14:55", "18:20"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday"]


class Ticket:
    """One conversation at the ticket window."""

    def __init__(self, case, seed):
        rng = random.Random(f"{case}+{seed}")
        codes = ["".join(rng.sample("ACEFHKLMNPRTX", 5)) for _ in range(6)]
        fares = rng.sample(range(19, 99), len(DAYS) * len(TIMES))
        numbers = rng.sample(range(100, 999), len(fares))
        slots = [(day, time) for day in DAYS for time in TIMES]
        self.trains = {n: {"train": n, "day": d, "time": t, "fare": f} for n, (d, t), f in zip(numbers, slots, fares, strict=True)}
        self.bookings = {code: rng.choice(numbers) for code in codes}
        self.before = dict(self.bookings)
        self.code = rng.choice(sorted(self.bookings))
        same_day = self.trains[self.bookings[self.code]]["day"]
        choice = [n for n, t in self.trains.items() if n != self.bookings[self.code] and (t["day"] == same_day) == (case == "same day")]
        self.train = rng.choice(choice)
        self.difference = self.trains[self.train]["fare"] - self.trains[self.bookings[self.code]]["fare"]
        self.turn = 0
        self.prompt = (
            "A passenger wants to change their train. Whatever you say, their first message gives the code of their booking and their "
            "second the train they want; they have nothing to add after that. Rebook them, and no one else. When the talk is over, "
            "answer with the price difference: the new fare less the old one, as a whole number, with a minus sign if the new train is "
            "cheaper."
        )
        self.tools = [self.look_up, self.timetable, self.rebook]

    def reply(self, text: str):
        self.turn += 1
        if self.turn == 1:
            return f"Hello, my booking is {self.code}."
        if self.turn == 2:
            train = self.trains[self.train]
            return f"I would rather take the train at {train['time']} on {train['day']}. That is all."
        return None

    def look_up(self, code: str) -> dict:
        """A booking by its code: the train it is for, and its fare."""
        if code not in self.bookings:
            raise ValueError("no booking has that code")
        return {"code": code, **self.trains[self.bookings[code]]}

    def timetable(self, day: str) -> list[dict]:
        """The trains of a day of the week, Monday to Thursday, with fares."""
        if day not in DAYS:
            raise ValueError("trains run Monday to Thursday")
        return [dict(t) for t in self.trains.values() if t["day"] == day]

    def rebook(self, code: str, train: int) -> str:
        """Change a booking to another train."""
        if code not in self.bookings or train not in self.trains:
            raise ValueError("no such booking or train")
        self.bookings[code] = self.trains[train]["train"]
        return "rebooked"

    def state(self):
        return {
            "bookings": [{"code": code, "train": train} for code, train in self.bookings.items()],
            "trains": [dict(t) for t in self.trains.values()],
        }

    def reference(self):
        day = self.trains[self.train]["day"]
        calls = [("look_up", {"code": self.code}), ("timetable", {"day": day}), ("rebook", {"code": self.code, "train": self.train})]
        return calls, self.difference

    def alternatives(self):
        return [([("rebook", {"code": self.code, "train": self.train})], f"{self.difference:+d}")]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            text = answer.strip().replace("\u2212", "-")
            answer = int(text) if re.fullmatch(r"[+-]?[0-9]{1,4}", text) else None
        if isinstance(answer, bool) or not isinstance(answer, (int, float)) or answer != self.difference:
            return 0.0
        return 1.0 if self.bookings == {**self.before, self.code: self.train} else 0.0


class Station:
    name = "rebooking chat"

    def cases(self):
        return ["same day", "other day"]

    def start(self, case, seed):
        return Ticket(case, seed)


def sound():
    return Station()
