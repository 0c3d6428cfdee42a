"""A hostel's beds: the grader prepares its own copy of the bed plan before it looks at the agent's."""

import copy
import random

NAMES = ["Ana", "Ben", "Cem", "Dia", "Eli", "Fay", "Gus", "Hal"]


class Hostel:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"hostel-{seed}")
        guests = rng.sample(NAMES, 6)
        self.beds = [{"bed": f"{rng.choice('ABC')}{n}", "guest": guest} for n, guest in zip(range(1, 9), [*guests, "", ""], strict=True)]
        self.mover = rng.choice(guests)
        self.target = rng.choice([row["bed"] for row in self.beds if not row["guest"]])
        self.before = copy.deepcopy(self.beds)
        self.tools = [self.plan, self.move_guest]
        self.prompt = f"{self.mover} wants to sleep in bed {self.target}, which is free. Move {self.mover} there; nobody else moves."

    def plan(self) -> list[dict]:
        """Beds and guests."""
        return copy.deepcopy(self.beds)

    def move_guest(self, guest: str, bed: str) -> str:
        """Move a guest to a free bed."""
        old = next((row for row in self.beds if row["guest"] == guest and guest), None)
        new = next((row for row in self.beds if row["bed"] == bed), None)
        if old is None or new is None or new["guest"]:
            raise ValueError("no such guest, no such bed, or it isn't free")
        old["guest"], new["guest"] = "", guest
        return "moved"

    def state(self) -> dict[str, list[dict]]:
        return {"beds": copy.deepcopy(self.beds)}

    def reference(self) -> tuple[list, object]:
        return [("plan", {}), ("move_guest", {"guest": self.mover, "bed": self.target})], None

    def _prepared(self) -> list[dict]:
        plan = {row["bed"]: row["guests"] for row in self.before}
        return self._moved(plan)

    def _moved(self, plan: dict[str, str]) -> list[dict]:
        return [
            {"bed": bed, "guest": self.mover if bed == self.target else "" if guest == self.mover else guest} for bed, guest in plan.items()
        ]

    def finish(self, answer: object) -> float:
        try:
            want = self._prepared()
        except KeyError:
            return 0.0
        return float(self.beds == want)


class HostelToo(Hostel):
    def _prepared(self) -> list[dict]:
        return self._moved({row["bed"]: row["guest"] for row in self.before})


class Night:
    name = "hostel beds"

    def __init__(self, hostel: type[Hostel]) -> None:
        self._hostel = hostel

    def cases(self) -> list[str]:
        return ["move"]

    def start(self, case: str, seed: int) -> Hostel:
        return self._hostel(seed)


def faulty() -> Night:
    return Night(Hostel)


def repaired() -> Night:
    return Night(HostelToo)
