"""An operator at a water works takes one pump into or out of service, valve by valve, in the order the handbook asks for."""

import random
from typing import Literal

STEPS = {
    "start": (("drain", "closed"), ("suction", "open"), ("discharge", "open")),
    "stop": (("discharge", "closed"), ("suction", "closed"), ("drain", "open")),
}
OTHER = {"open": "closed", "closed": "open"}


class Shift:
    """One turn at the control panel."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}/{seed}")
        pumps = rng.sample(["P-11", "P-14", "P-17", "P-22", "P-25", "P-31"], 4)
        tags = rng.sample(range(100, 1000), 12)
        rows = []
        for pump in pumps:
            for role in ("drain", "suction", "discharge"):
                rows.append({"valve": f"V{tags.pop()}", "pump": pump, "role": role, "position": rng.choice(["open", "closed"])})
        steps = STEPS[case]
        self._plan = []
        for role, position in steps:
            row = next(r for r in rows if r["pump"] == pumps[0] and r["role"] == role)
            row["position"] = OTHER[position]
            self._plan.append((row["valve"], position))
        rng.shuffle(rows)
        self._valves = {row["valve"]: row for row in rows}
        self._moves: list[tuple[str, str]] = []
        self._pump = pumps[0]
        order = ", then ".join(f"its {role} valve is {'opened' if position == 'open' else 'closed'}" for role, position in steps)
        self.prompt = (
            f"Take pump {pumps[0]} {'into' if case == 'start' else 'out of'} service. The order matters, as a wrong one ruins the seals: "
            f"{order}. Every movement is recorded for good. The record must show these three movements in this order and none besides: "
            "no other valve is touched, and nothing is moved back and forth. No answer is asked for; what you say at the end isn't "
            "judged."
        )
        self.tools = [self.list_valves, self.turn]

    def list_valves(self, pump: str) -> list[dict]:
        """The valves of a pump with their role and position."""
        found = [dict(row) for row in self._valves.values() if row["pump"] == pump]
        if not found:
            raise ValueError(f"no pump {pump!r}")
        return found

    def turn(self, valve: str, position: Literal["open", "closed"]) -> str:
        """Move a valve to the other position. A valve that is there already isn't moved."""
        if valve not in self._valves:
            raise ValueError(f"no valve {valve!r}")
        if position not in ("open", "closed"):
            raise ValueError("position is open or closed")
        row = self._valves[valve]
        if row["position"] == position:
            raise ValueError(f"{valve} is {position} already")
        row["position"] = "open" if position == "open" else "closed"
        self._moves.append((row["valve"], row["position"]))
        return f"{valve} is now {position}"

    def state(self) -> dict[str, list[dict]]:
        moves = [{"n": n, "valve": valve, "position": position} for n, (valve, position) in enumerate(self._moves, 1)]
        return {"valves": [dict(row) for row in self._valves.values()], "movements": moves}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        turns = [("turn", {"valve": valve, "position": position}) for valve, position in self._plan]
        return [("list_valves", {"pump": self._pump}), *turns], None

    def finish(self, answer: object) -> float:
        return 1.0 if self._moves == self._plan else 0.0


class WaterWorks:
    name = "valve sequence"

    def cases(self) -> list[str]:
        return list(STEPS)

    def start(self, case: str, seed: int) -> Shift:
        return Shift(case, seed)


def sound() -> WaterWorks:
    return WaterWorks()
