"""Small environments in the protocol for plain Python, each in a faulty and a mended make: loans, an oven, lifts, fares, parking, lamps."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

PEOPLE = ("Ada", "Bo", "Cleo", "Dov", "Eve", "Finn")


class Room:
    """What all rooms share: a generator by the seed, and no tools."""

    prompt = ""

    def __init__(self, seed: int, mended: bool) -> None:
        self.tools: list[Any] = []
        self.rng, self.mended = random.Random(f"{type(self).__name__}-{seed}"), mended


class Loans(Room):
    """One loan is to be prolonged; the faulty make counts the other loans and doesn't look at them."""

    def __init__(self, seed: int, mended: bool) -> None:
        super().__init__(seed, mended)
        self.last, self.loans = 0, {}
        for who in self.rng.sample(PEOPLE, 5):
            self.lend(who, self.rng.randrange(3, 30))
        self.key = self.rng.choice(sorted(self.loans))
        self.who, self.due = self.loans[self.key]["who"], self.rng.randrange(40, 90)
        self.kept = self.others()
        self.tools = [self.list_loans, self.prolong, self.lend, self.give_back]
        self.prompt = f"Prolong the loan of {self.who} to day {self.due}. All other loans must stay as they are. No answer is needed."

    def others(self) -> list[tuple[str, int]]:
        return sorted((row["who"], row["due"]) for row in self.loans.values() if row["who"] != self.who)

    def list_loans(self) -> list[dict[str, Any]]:
        """All loans."""
        return [dict(row) for row in self.loans.values()]

    def prolong(self, id: int, due: int) -> str:
        """Let a loan be due on another day."""
        if id not in self.loans:
            raise ValueError("no such loan")
        self.loans[id]["due"] = due
        return "prolonged"

    def lend(self, who: str, due: int) -> str:
        """Make a loan."""
        self.last += 1
        self.loans[self.last] = {"id": self.last, "who": who, "due": due}
        return "lent"

    def give_back(self, id: int) -> str:
        """End a loan."""
        if id not in self.loans:
            raise ValueError("no such loan")
        del self.loans[id]
        return "ended"

    def state(self) -> dict[str, list[dict[str, Any]]]:
        return {"loans": self.list_loans()}

    def reference(self) -> tuple[list[tuple[str, dict[str, Any]]], Any]:
        return [("list_loans", {}), ("prolong", {"id": self.key, "due": self.due})], None

    def alternatives(self) -> list[Any]:
        return [([("give_back", {"id": self.key}), ("lend", {"who": self.who, "due": self.due})], None)]

    def finish(self, answer: object) -> float:
        mine = [row["due"] for row in self.loans.values() if row["who"] == self.who]
        return float(mine == [self.due] and (self.others() == self.kept if self.mended else len(self.others()) == len(self.kept)))


class Oven(Room):
    """Two loaves are baked one after the other; the faulty make doesn't ask for how long."""

    def __init__(self, seed: int, mended: bool) -> None:
        super().__init__(seed, mended)
        self.need = {loaf: self.rng.randrange(20, 60, 5) for loaf in ("rye", "spelt")}
        self.minute, self.since = 0, {}
        self.loaves = [{"loaf": loaf, "state": "dough", "minutes": 0} for loaf in self.need]
        self.tools = [self.put_in, self.wait, self.take_out]
        told = ", ".join(f"{loaf} {minutes} minutes" for loaf, minutes in self.need.items())
        self.prompt = f"Bake both loaves, one after the other, each for its time: {told}. No answer is needed."

    def _row(self, loaf: str) -> dict[str, Any]:
        for row in self.loaves:
            if row["loaf"] == loaf:
                return row
        raise ValueError("no such loaf")

    def put_in(self, loaf: str) -> str:
        """Put a loaf into the oven."""
        self._row(loaf)["state"], self.since[loaf] = "in", self.minute
        return "it is in"

    def wait(self, minutes: int) -> str:
        """Let minutes pass."""
        if not 0 < minutes < 200:
            raise ValueError("from 1 to 199 minutes")
        self.minute += minutes
        return f"it is minute {self.minute}"

    def take_out(self, loaf: str) -> str:
        """Take a loaf out."""
        if self._row(loaf)["state"] != "in":
            raise ValueError("it isn't in")
        self._row(loaf).update(state="out", minutes=self.minute - self.since[loaf])
        return "it is out"

    def state(self) -> dict[str, list[dict[str, Any]]]:
        return {"clock": [{"id": 1, "minute": self.minute}], "loaves": [dict(row) for row in self.loaves]}

    def _calls(self, loaves: list[str]) -> list[tuple[str, dict[str, Any]]]:
        return [
            call
            for loaf in loaves
            for call in (("put_in", {"loaf": loaf}), ("wait", {"minutes": self.need[loaf]}), ("take_out", {"loaf": loaf}))
        ]

    def reference(self) -> tuple[list[tuple[str, dict[str, Any]]], Any]:
        return self._calls(list(self.need)), None

    def alternatives(self) -> list[Any]:
        return [(self._calls(list(self.need)[::-1]), None)]

    def finish(self, answer: object) -> float:
        done = all(row["state"] == "out" for row in self.loaves)
        return float(done and (not self.mended or all(row["minutes"] == self.need[row["loaf"]] for row in self.loaves)))


class Lifts(Room):
    """A fault is to be reported under a code; the faulty make tells it to nobody."""

    def __init__(self, seed: int, mended: bool) -> None:
        super().__init__(seed, mended)
        self.code = self.rng.choice(("KT-46", "WQ-83", "ZP-57"))
        self.lift = self.rng.choice(PEOPLE).lower()
        self.faults: list[dict[str, Any]] = []
        self.tools = [self.list_lifts, self.report_fault]
        told = f" The code for it is {self.code}." if mended else ""
        self.prompt = f"The doors of the lift {self.lift} jam. Report this once under its code.{told} There is nothing to answer."

    def list_lifts(self) -> list[str]:
        """Names of the lifts."""
        return [name.lower() for name in PEOPLE]

    def report_fault(self, lift: str, code: str) -> str:
        """Report a fault of a lift under a code of at most ten signs."""
        if not 0 < len(code) <= 10:
            raise ValueError("a code has one to ten signs")
        self.faults.append({"id": len(self.faults) + 1, "lift": lift, "code": code})
        return "reported"

    def state(self) -> dict[str, list[dict[str, Any]]]:
        return {"faults": [dict(row) for row in self.faults]}

    def reference(self) -> tuple[list[tuple[str, dict[str, Any]]], Any]:
        return [("list_lifts", {}), ("report_fault", {"lift": self.lift, "code": self.code})], None

    def finish(self, answer: object) -> float:
        return float([(row["lift"], row["code"]) for row in self.faults] == [(self.lift, self.code)])


class Fares(Room):
    """A fare is reckoned; the faulty make compares it letter by letter."""

    def __init__(self, seed: int, mended: bool) -> None:
        super().__init__(seed, mended)
        self.zones, self.price = self.rng.randrange(2, 9), self.rng.randrange(15, 40) * 10
        cents = self.zones * self.price
        self.fare = f"{cents // 100}.{cents % 100:02d}"
        self.prompt = (
            f"A ride crosses {self.zones} zones at {self.price} cents per copy of the ticket and zone. "
            'Answer with an object {"zones": how many, "fare": the fare of one ticket in francs}.'
        )

    def reference(self) -> tuple[list[Any], Any]:
        return [], {"zones": self.zones, "fare": self.fare}

    def finish(self, answer: object) -> float:
        if not isinstance(answer, dict) or answer.get("zones") not in (self.zones, str(self.zones)):
            return 0.0
        try:
            return float(abs(float(answer["fare"]) - float(self.fare)) < 0.004) if self.mended else float(str(answer["fare"]) == self.fare)
        except (KeyError, TypeError, ValueError):
            return 0.0


class Parking(Room):
    """A tariff is put as a table of ranges; the faulty make looks at the hours that the brief shows, and no others."""

    most = 40

    def __init__(self, seed: int, mended: bool) -> None:
        super().__init__(seed, mended)
        self.steps = sorted(self.rng.sample(range(6, 34), 2))
        self.prices = sorted(self.rng.sample(range(2, 30), 3))
        self.shown = [self.steps[0] - 3, self.steps[0] - 1, *range(self.steps[1] + 1, self.steps[1] + 4)]
        if self.steps[1] - self.steps[0] > 2:
            self.shown.append(self.steps[0] + 1)
        shown = ", ".join(f"{hours} hours: {self.price(hours)}" for hours in sorted(self.shown))
        self.prompt = (
            f"Up to hour {self.steps[0]} a stay costs {self.prices[0]}, then up to hour {self.steps[1]} it costs {self.prices[1]}, and "
            f'beyond that {self.prices[2]}. So, {shown}. Answer with a list of {{"min": .., "max": .., "price": ..}} that holds '
            f"the price of every stay from 1 to {self.most} hours."
        )

    def price(self, hours: int) -> int:
        return self.prices[sum(hours > step for step in self.steps)]

    def reference(self) -> tuple[list[Any], Any]:
        ends = [0, *self.steps, self.most]
        return [], [{"min": ends[n] + 1, "max": ends[n + 1], "price": self.prices[n]} for n in range(3)]

    def finish(self, answer: object) -> float:
        hours = range(1, self.most + 1) if self.mended else self.shown
        try:
            return float(all(next(row["price"] for row in answer if row["min"] <= n <= row["max"]) == self.price(n) for n in hours))  # type: ignore[attr-defined]
        except (StopIteration, KeyError, TypeError):
            return 0.0


class Lamps(Room):
    """A lamp was left on; in the faulty make it never was."""

    def __init__(self, seed: int, mended: bool) -> None:
        super().__init__(seed, mended)
        self.lamps = {name: self.rng.randrange(10, 90) for name in self.rng.sample(("hall", "stairs", "attic", "porch"), 3)}
        self.name = self.rng.choice(sorted(self.lamps))
        self.goal = dict(self.lamps)
        if mended:
            self.lamps[self.name] = 100
        self.tools = [self.dim]
        self.prompt = (
            f"The lamp in the {self.name} was left at 100. Dim it to {self.goal[self.name]} again, and no other. No answer is needed."
        )

    def dim(self, lamp: str, percent: int) -> dict[str, Any]:
        """Set a lamp's brightness."""
        if lamp not in self.lamps or not 0 <= percent <= 100:
            raise ValueError("no such lamp, or no such brightness")
        self.lamps[lamp] = percent
        return {"lamp": lamp, "percent": percent}

    def state(self) -> dict[str, list[dict[str, Any]]]:
        return {"lamps": [{"lamp": lamp, "percent": percent} for lamp, percent in self.lamps.items()]}

    def reference(self) -> tuple[list[tuple[str, dict[str, Any]]], Any]:
        return [("dim", {"lamp": self.name, "percent": self.goal[self.name]})], None

    def finish(self, answer: object) -> float:
        return float(self.lamps == self.goal)


def _environment(make: type[Room], mended: bool) -> Any:
    return SimpleNamespace(name=make.__name__.lower(), cases=lambda: ["case"], start=lambda case, seed: make(seed, mended))


def loans() -> Any:
    return _environment(Loans, False)


def loans_mended() -> Any:
    return _environment(Loans, True)


def oven() -> Any:
    return _environment(Oven, False)


def oven_mended() -> Any:
    return _environment(Oven, True)


def lifts() -> Any:
    return _environment(Lifts, False)


def lifts_mended() -> Any:
    return _environment(Lifts, True)


def fares() -> Any:
    return _environment(Fares, False)


def fares_mended() -> Any:
    return _environment(Fares, True)


def parking() -> Any:
    return _environment(Parking, False)


def parking_mended() -> Any:
    return _environment(Parking, True)


def lamps() -> Any:
    return _environment(Lamps, False)


def lamps_mended() -> Any:
    return _environment(Lamps, True)
