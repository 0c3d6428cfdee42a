"""A quarry fires the charged holes of one face, with sentries at the gates and signals on the siren."""

import random
from dataclasses import asdict, dataclass

PROMPT = """You are the shotfirer at {quarry} quarry. Today you fire the face called "{face}".
The tool look shows the gates, each with the faces that its road leads to, and the holes of all faces.

1. Post a sentry at every gate whose road leads to {face}, and at no other gate. Other sentries stay where they are.
2. When all these sentries stand, sound the signal "warning", once, before the first hole is fired.
3. Fire every hole of {face} that is "charged", in any order. Fire no hole of another face.
4. After the last hole, sound the signal "all clear", once.
5. From the warning until the all clear your sentries stay at their gates. After the all clear stand all of them down.

Your final answer is not graded, only what you do is. Answer "done" when you have finished."""


@dataclass
class Gate:
    name: str
    faces: tuple[str, ...]
    sentry: bool = False


@dataclass
class Hole:
    number: int
    face: str
    status: str


class Shift:
    """One shift at the quarry."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(seed)
        faces = rng.sample(["Long Bench", "Fern Side", "Upper Lift", "Red Corner", "Sump", "Mill Face"], 3)
        self.face = faces[0]
        gates = rng.sample(["North", "Ford", "Weighbridge", "Cutting", "Larch", "Chapel", "Tip", "Old Inn"], 5 if case == "small" else 7)
        self.gates: dict[str, Gate] = {}
        own = rng.randint(2, len(gates) - 2)
        for index, name in enumerate(gates):
            reach = tuple(sorted({faces[0], *rng.sample(faces[1:], rng.randint(0, 1))})) if index < own else (rng.choice(faces[1:]),)
            self.gates[name] = Gate(name, reach, index >= own and rng.random() < 0.5)
        self.gates = dict(sorted(self.gates.items()))
        self.holes: dict[int, Hole] = {}
        for number in sorted(rng.sample(range(1, 90), 9 if case == "small" else 15)):
            self.holes[number] = Hole(number, rng.choice(faces), rng.choice(["charged", "charged", "drilled", "flooded"]))
        for number in rng.sample(sorted(self.holes), 3):
            self.holes[number] = Hole(number, self.face, "charged")
        self.posts = [gate.name for gate in self.gates.values() if self.face in gate.faces]
        self.due = [hole.number for hole in self.holes.values() if hole.face == self.face and hole.status == "charged"]
        self.log: list[tuple[str, str | int]] = []
        self.prompt = PROMPT.format(quarry=rng.choice(["Harl", "Cold Edge", "Bracken", "Stoup", "Merrow"]), face=self.face)
        self.tools = [self.look, self.post, self.stand_down, self.sound, self.fire]

    def gate(self, name: str) -> Gate:
        if name not in self.gates:
            raise ValueError(f"no gate {name}")
        return self.gates[name]

    def look(self) -> dict:
        """Show the gates with the faces their roads lead to and whether a sentry stands there, the holes, and the log of the shift."""
        return self.state()

    def post(self, gate: str) -> str:
        """Post a sentry at a gate where none stands."""
        if self.gate(gate).sentry:
            raise ValueError(f"a sentry stands at {gate}")
        self.gates[gate].sentry = True
        self.log.append(("post", gate))
        return f"sentry at {gate}"

    def stand_down(self, gate: str) -> str:
        """Stand the sentry at a gate down."""
        if not self.gate(gate).sentry:
            raise ValueError(f"no sentry stands at {gate}")
        self.gates[gate].sentry = False
        self.log.append(("stand_down", gate))
        return f"no sentry at {gate}"

    def sound(self, signal: str) -> str:
        """Sound a signal on the siren: "warning" or "all clear"."""
        if signal not in ("warning", "all clear"):
            raise ValueError("the signals are: warning, all clear")
        self.log.append(("sound", signal))
        return f"sounded {signal}"

    def fire(self, number: int) -> str:
        """Fire a charged hole."""
        if type(number) is not int:
            raise TypeError("a hole number is an integer")
        if number not in self.holes or self.holes[number].status != "charged":
            raise ValueError(f"hole {number} is not charged")
        self.holes[number].status = "fired"
        self.log.append(("fire", number))
        return f"fired {number}"

    def when(self, act: str, *subjects: str | int) -> list[int]:
        return [index for index, event in enumerate(self.log) if event[0] == act and event[1] in subjects]

    def signalled(self, clears: list[int], fired: int, down: int) -> bool:
        return len(clears) <= 1 and all(fired < index < down for index in clears)

    def finish(self, answer: object) -> float:
        moved = {subject for act, subject in self.log if act in ("post", "stand_down")}
        shots = [subject for act, subject in self.log if act == "fire"]
        warnings = self.when("sound", "warning")
        left = any(self.gates[name].sentry for name in self.posts)
        if left or moved != set(self.posts) or sorted(shots) != self.due or len(warnings) != 1:
            return 0.0
        fires = self.when("fire", *self.due)
        downs = [index for index in self.when("stand_down", *self.posts) if index > warnings[0]]
        standing = sum((act == "post") - (act == "stand_down") for act, _ in self.log[: warnings[0]])
        if standing != len(self.posts) or fires[0] < warnings[0] or downs[0] < fires[-1]:
            return 0.0
        return 1.0 if self.signalled(self.when("sound", "all clear"), fires[-1], downs[0]) else 0.0

    def script(self, posts: list[str], due: list[int]) -> list[tuple[str, dict]]:
        calls: list[tuple[str, dict]] = [("post", {"gate": name}) for name in posts]
        calls += [("sound", {"signal": "warning"}), *(("fire", {"number": number}) for number in due)]
        return [*calls, ("sound", {"signal": "all clear"}), *(("stand_down", {"gate": name}) for name in posts)]

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return self.script(self.posts, self.due), "done"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("look", {}), *self.script(self.posts[::-1], self.due[::-1])], "done")]

    def state(self) -> dict[str, list[dict]]:
        gates = [{**asdict(gate), "faces": list(gate.faces)} for gate in self.gates.values()]
        log = [{"act": act, "subject": subject} for act, subject in self.log]
        return {"gates": gates, "holes": [asdict(hole) for hole in self.holes.values()], "log": log}


class SirenShift(Shift):
    """One shift at the quarry, read from its log."""

    def signalled(self, clears: list[int], fired: int, down: int) -> bool:
        return len(clears) == 1 and fired < clears[0] < down


class Quarry:
    def __init__(self, shift: type[Shift]) -> None:
        self.name = "quarry_blast"
        self.shift = shift

    def cases(self) -> list[str]:
        return ["small", "large"]

    def start(self, case: str, seed: int) -> Shift:
        return self.shift(case, seed)


def faulty() -> Quarry:
    return Quarry(Shift)


def repaired() -> Quarry:
    return Quarry(SirenShift)
