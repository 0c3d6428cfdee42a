"""A lock with a three-part code: each part is read off an instrument, and a notebook helps to remember."""

import random
from typing import ClassVar

INSTRUMENTS = ("barometer", "compass", "hygrometer", "clock", "scales", "thermometer")


class Room:
    notes: list[str]

    def __init__(self, seed: int):
        rng = random.Random(f"room-{seed}")
        self._readings = {name: rng.randint(100, 999) for name in INSTRUMENTS}
        self._order = rng.sample(INSTRUMENTS, 3)
        self._set_up()
        self.prompt = (
            f"The lock wants the readings of the {self._order[0]}, the {self._order[1]} and the {self._order[2]}, in this order and "
            "joined by hyphens. "
            "You may keep notes; nobody looks at them. Answer with the code."
        )
        self.tools = [self.read, self.write_note, self.read_notes]

    def _set_up(self) -> None:
        self.notes = []

    def read(self, instrument: str) -> int:
        """Read an instrument."""
        if instrument not in INSTRUMENTS:
            raise ValueError(f"instruments are {', '.join(INSTRUMENTS)}")
        return self._readings[instrument]

    def write_note(self, text: str) -> str:
        """Write a line into the notebook."""
        if not isinstance(text, str) or len(text) > 200:
            raise ValueError("a note is a line of up to 200 characters")
        self.notes.append(text)
        return "written"

    def read_notes(self) -> list[str]:
        """Everything in the notebook."""
        return list(self.notes)

    def _code(self) -> str:
        return "-".join(str(self._readings[name]) for name in self._order)

    def finish(self, answer: object) -> float:
        return 1.0 if isinstance(answer, str) and answer.replace(" ", "").strip(".") == self._code() else 0.0

    def reference(self):
        calls = []
        for name in self._order:
            calls += [("read", {"instrument": name}), ("write_note", {"text": f"{name} {self._readings[name]}"})]
        return [*calls, ("read_notes", {})], self._code()

    def state(self) -> dict[str, list[dict]]:
        return {"readings": [{"instrument": k, "reading": v} for k, v in self._readings.items()]}


class RoomToo(Room):
    book: ClassVar[list[str]] = []

    def _set_up(self) -> None:
        self.notes = self.book


class Escape:
    name = "lab-notebook"

    def __init__(self, room: type[Room]):
        self.room = room

    def cases(self) -> list[str]:
        return ["lock"]

    def start(self, case: str, seed: int) -> Room:
        return self.room(seed)


def faulty():
    return Escape(RoomToo)


def repaired():
    return Escape(Room)
