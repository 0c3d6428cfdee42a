"""Yes or no: can one get from one stop to another by bus, changing as often as one likes?"""

import random

STOPS = [
    "Abbey",
    "Baths",
    "Cross",
    "Docks",
    "Exchange",
    "Fair",
    "Gasworks",
    "Hill",
    "Infirmary",
    "Junction",
    "Kiln",
    "Lock",
    "Market",
    "Nursery",
    "Orchard",
    "Priory",
    "Quarry",
    "Rise",
    "Station",
    "Tollgate",
]


class Question:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"bus {case} {seed}")
        stops = rng.sample(STOPS, 14 if case == "town" else 20)
        cut = rng.randint(6, len(stops) - 6)
        groups = [stops[:cut], stops[cut:]]
        lines = []
        for group in groups:
            first = rng.sample(group, 3)
            lines.append(first)
            joined, rest = list(first), [stop for stop in group if stop not in first]
            while rest:  # every further line meets one that is there
                new = [rest.pop() for _ in range(min(len(rest), 2))]
                lines.append([rng.choice(joined), *new])
                joined += new
        for line in lines:
            rng.shuffle(line)
        rng.shuffle(lines)
        self.yes = rng.random() < 0.5
        if self.yes:
            start, end = rng.sample(rng.choice(groups), 2)
        else:
            start, end = (rng.choice(group) for group in rng.sample(groups, 2))
        listing = "\n".join(f"Line {n}: {' - '.join(line)}" for n, line in enumerate(lines, 1))
        self.tools: list = []
        self.prompt = (
            f"Buses stop at these stops and run both ways:\n{listing}\nOne can change wherever two lines share a stop, as often as one "
            f"likes. Can one get from {start} to {end} by bus? Answer yes or no."
        )

    def reference(self) -> tuple[list, object]:
        return [], "yes" if self.yes else "no"

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], "Yes." if self.yes else "No."), ([], self.yes)]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            answer = {"yes": True, "no": False}.get(answer.strip().rstrip(".").casefold())
        return 1.0 if answer is self.yes else 0.0


class Buses:
    name = "bus reach"

    def cases(self) -> list[str]:
        return ["town", "valley"]

    def start(self, case: str, seed: int) -> Question:
        return Question(case, seed)


def sound() -> Buses:
    return Buses()
