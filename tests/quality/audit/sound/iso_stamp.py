"""Appointments in words, to be written as a time stamp of a fixed form for an import that takes no other."""

import random

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
PAST = {0: "{} o'clock", 5: "five past {}", 10: "ten past {}", 15: "a quarter past {}", 20: "twenty past {}", 30: "half past {}"}
TO = {40: "twenty to {}", 45: "a quarter to {}", 50: "ten to {}", 55: "five to {}"}


def ordinal(day: int) -> str:
    ending = "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


class Appointment:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}:{seed}:stamp")
        year, month, day = rng.randint(2027, 2049), rng.randint(1, 12), rng.randint(1, 28)
        hour = rng.randint(1, 10)
        minute, words = rng.choice(sorted({"past": PAST, "to": TO}[case].items()))
        spoken = words.format(HOURS[hour - 1] if case == "past" else HOURS[hour])
        morning = rng.random() < 0.5
        if morning:
            part = "in the morning"
        else:
            part = "in the afternoon" if hour < 5 else "in the evening"
        self.stamp = f"{year}-{month:02}-{day:02}T{hour if morning else hour + 12:02}:{minute:02}"
        self.prompt = (
            f"'The meeting is on the {ordinal(day)} of {MONTHS[month - 1]} {year} at {spoken} {part}.' Give this as a time stamp for our "
            "import. The import takes the form YYYY-MM-DDTHH:MM only, for example 2026-02-09T07:05 for the 9th of February 2026 at five "
            "past seven in the morning: 24 hours, two digits each for month, day, hour and minute, a capital T, no seconds, no zone. "
            "Space around it is cut off; an answer in any other form is refused, even if it means the same."
        )
        self.tools: list = []

    def reference(self) -> tuple[list, object]:
        return [], self.stamp

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], f" {self.stamp}\n")]

    def finish(self, answer: object) -> float:
        return 1.0 if isinstance(answer, str) and answer.strip() == self.stamp else 0.0


class Import:
    name = "time stamps"

    def cases(self) -> list[str]:
        return ["past", "to"]

    def start(self, case: str, seed: int) -> Appointment:
        return Appointment(case, seed)


def sound() -> Import:
    return Import()
