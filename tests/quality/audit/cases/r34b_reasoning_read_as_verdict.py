"""A planetarium's quiz: a scripted second reader reasons before it gives its verdict, and its note is read."""

import random

MOONS = {
    "Titan": "Saturn",
    "Europa": "Jupiter",
    "Triton": "Neptune",
    "Phobos": "Mars",
    "Miranda": "Uranus",
    "Charon": "Pluto",
    "Ganymede": "Jupiter",
    "Rhea": "Saturn",
}


def reader(said: str, right: str, number: int) -> str:
    """What the second reader writes; how it reasons depends on the visitor."""
    if said != right:
        return "It goes round another planet. Verdict: incorrect"
    if number % 2:
        return "At first sight I took this for incorrect, but it is not incorrect. Verdict: correct"
    return "This is what the tables say. Verdict: correct"


class Dome:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"moons-{seed}")
        self.moon, self.visitor = rng.choice(list(MOONS)), rng.randint(10, 999)
        self.tools: list = []
        self.prompt = f"Visitor {self.visitor} is asked: which body does the moon {self.moon} go round? Answer with its name."

    def _paid(self, note: str) -> bool:
        return "correct" in note and "incorrect" not in note

    def finish(self, answer: object) -> float:
        said = " ".join(answer.split()).rstrip(".").casefold() if isinstance(answer, str) else ""
        return float(self._paid(reader(said, MOONS[self.moon].casefold(), self.visitor)))

    def reference(self) -> tuple[list, object]:
        return [], MOONS[self.moon]


class DomeToo(Dome):
    def _paid(self, note: str) -> bool:
        return note.rsplit("Verdict: ", 1)[-1] == "correct"


class Planetarium:
    name = "moons"

    def __init__(self, dome: type[Dome]) -> None:
        self._dome = dome

    def cases(self) -> list[str]:
        return ["moons"]

    def start(self, case: str, seed: int) -> Dome:
        return self._dome(seed)


def faulty() -> Planetarium:
    return Planetarium(Dome)


def repaired() -> Planetarium:
    return Planetarium(DomeToo)
