"""A server room: the agent finds which fuse is blown; a notebook is kept of what was found."""

import random

FUSES = ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8"]


class Room:
    def __init__(self, seed: int, notebook: dict[int, str]) -> None:
        rng = random.Random(f"fuses-{seed}")
        self.rack = rng.randint(10, 99)
        self.blown = rng.choice(FUSES)
        self.volts = {fuse: 0 if fuse == self.blown else rng.randint(219, 236) for fuse in FUSES}
        self.seed, self.notebook = seed, notebook
        self.tools = [self.measure, self.read_notebook]
        self.prompt = (
            f"Rack {self.rack} has lost power. Which of the fuses {FUSES[0]} to {FUSES[-1]} is blown (no voltage)? Answer with its name."
        )

    def measure(self, fuse: str) -> int:
        """The voltage behind a fuse."""
        if fuse not in self.volts:
            raise ValueError("no such fuse")
        return self.volts[fuse]

    def read_notebook(self) -> str:
        """What was found before."""
        return self.notebook.get(self.seed, "nothing yet")

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or answer.strip().rstrip(".").casefold() != self.blown.casefold():
            return 0.0
        self.notebook[self.seed] = f"rack {self.rack}: {self.blown} was blown"
        return 1.0

    def reference(self) -> tuple[list, object]:
        return [("read_notebook", {}), *(("measure", {"fuse": fuse}) for fuse in FUSES)], self.blown


class ServerRoom:
    name = "fuses"

    def __init__(self, keeps: bool) -> None:
        self._keeps, self._notebook = keeps, {}

    def cases(self) -> list[str]:
        return ["blown"]

    def start(self, case: str, seed: int) -> Room:
        return Room(seed, self._notebook if self._keeps else {})


def faulty() -> ServerRoom:
    return ServerRoom(True)


def repaired() -> ServerRoom:
    return ServerRoom(False)
