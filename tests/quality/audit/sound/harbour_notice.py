"""Reading a harbour master's notice: one fact is asked for, and it stands in the text."""

import random
import re

SHIPS = ["Adelheid", "Bonny Kate", "Cormorant", "Dagny", "Evening Star", "Fulmar", "Gudrun", "Halcyon"]


class Notice:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}@{seed}")
        moved, waiting, leaving, tug = rng.sample(SHIPS, 4)
        old, new, third, fourth = rng.sample(range(2, 60), 4)
        times = [f"{hour:02}:{rng.randrange(0, 60, 5):02}" for hour in rng.sample(range(4, 23), 3)]
        sentences = [
            f"The {leaving} sails from berth {third} at {times[0]}.",
            f"The {moved} shifts from berth {old} to berth {new} at {times[1]}, with the tug {tug} alongside.",
            f"The {waiting} stays at anchor until {times[2]} and is then expected at berth {fourth}.",
        ]
        rng.shuffle(sentences)
        question, self._fact = {
            "berth": (f"To which berth does the {moved} shift? Answer with the number of the berth alone.", str(new)),
            "ship": (f"Which ship is expected at berth {fourth}? Answer with her name alone; capitals don't matter.", waiting),
            "time": (f"At what time does the ship leave that sails from berth {third}? Answer as HH:MM, as in the notice.", times[0]),
        }[case]
        self.prompt = f"Notice to mariners. {' '.join(sentences)}\n\n{question}"
        self.tools: list = []

    def reference(self) -> tuple[list, object]:
        return [], self._fact

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], f"  {self._fact.upper()}\n")]

    def finish(self, answer: object) -> float:
        if isinstance(answer, bool):
            return 0.0
        if isinstance(answer, (int, float)):
            return 1.0 if self._fact.isdigit() and answer == int(self._fact) else 0.0
        if not isinstance(answer, str):
            return 0.0
        said = re.sub(r"\s+", " ", answer).strip().casefold()
        return 1.0 if said == self._fact.casefold() else 0.0


class Harbour:
    name = "harbour notice"

    def cases(self) -> list[str]:
        return ["berth", "ship", "time"]

    def start(self, case: str, seed: int) -> Notice:
        return Notice(case, seed)


def sound() -> Harbour:
    return Harbour()
