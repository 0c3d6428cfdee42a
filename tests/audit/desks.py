"""Small environments in the protocol for plain Python: a parcel desk in several makes, and a quiz."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hana", "Ivo", "Juno")


class Desk:
    """Parcels on shelves; one is to be handed out, and its fee told."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"desk-{seed}")
        self.parcels = [
            {"id": n, "owner": name, "shelf": rng.choice("ABC"), "out": False}
            for n, name in enumerate(rng.sample(NAMES, 5), 100 + seed % 50)
        ]
        self.notes: list[dict[str, Any]] = []
        self.mine = self.parcels[rng.randrange(5)]
        self.fee = rng.randrange(3, 90)
        self.prompt = f"Hand out the parcel of {self.mine['owner']} and answer with the fee that the desk names. Change nothing else."
        self.tools = [self.find_parcel, self.hand_out, self.move_parcel]
        self.start = copy.deepcopy(self.parcels)

    def find_parcel(self, owner: str) -> dict[str, Any]:
        """The parcel of an owner, with the fee."""
        for row in self.parcels:
            if row["owner"] == owner:
                return {**row, "fee": self.fee}
        raise ValueError("nobody of that name")

    def hand_out(self, id: int) -> str:
        """Hand a parcel out."""
        self._row(id)["out"] = True
        return "handed out"

    def move_parcel(self, id: int, shelf: str) -> str:
        """Put a parcel onto another shelf."""
        if shelf not in ("A", "B", "C"):
            raise ValueError("shelves are A, B and C")
        self._row(id)["shelf"] = shelf
        return "moved"

    def _row(self, id: int) -> dict[str, Any]:
        for row in self.parcels:
            if row["id"] == id:
                return row
        raise ValueError("no such parcel")

    def state(self) -> dict[str, list[dict[str, Any]]]:
        return {"parcels": copy.deepcopy(self.parcels)}

    def reference(self) -> tuple[list[tuple[str, dict[str, Any]]], Any]:
        return [("find_parcel", {"owner": self.mine["owner"]}), ("hand_out", {"id": self.mine["id"]})], self.fee

    def right(self, answer: object) -> bool:
        try:
            return not isinstance(answer, bool) and float(str(answer).strip()) == self.fee
        except ValueError:
            return False

    def finish(self, answer: object) -> float | None:
        wanted = [{**row, "out": row["id"] == self.mine["id"]} for row in self.start]
        return float(self.parcels == wanted and self.right(answer))


class Lax(Desk):
    """Looks at the one row alone."""

    def finish(self, answer: object) -> float | None:
        return float(bool(self.mine["out"]) and self.right(answer))


class Deaf(Desk):
    """Its reference fails."""

    def finish(self, answer: object) -> float | None:
        return 0.0


class Mute(Desk):
    """Offers no solution."""

    def reference(self) -> tuple[list[tuple[str, dict[str, Any]]], Any]:
        raise NotImplementedError


class Vague(Desk):
    """Shows no state, and is content if any parcel is out."""

    def state(self) -> dict[str, list[dict[str, Any]]]:
        raise NotImplementedError

    def finish(self, answer: object) -> float | None:
        return float(any(row["out"] for row in self.parcels) and self.right(answer))


class Hourly(Desk):
    """Draws from what no seed decides."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.prompt += f" ({random.SystemRandom().random()})"


class Fragile(Desk):
    """Doesn't start on odd seeds."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        if seed % 2:
            raise RuntimeError("the desk is shut")


class Same(Desk):
    """Seven instances, whatever the seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed % 7)


class Environment:
    """Tasks that differ in name alone, unless told otherwise."""

    def __init__(self, name: str, make: Callable[[int], Desk], cases: tuple[str, ...] = ("hand-out",)) -> None:
        self.name, self.make, self._cases = name, make, cases

    def cases(self) -> list[str]:
        return list(self._cases)

    def start(self, case: str, seed: int) -> Desk:
        return self.make(seed)


def sound() -> Environment:
    return Environment("parcel-desk", Desk)


def lax() -> Environment:
    return Environment("parcel-desk-lax", Lax)


def deaf() -> Environment:
    return Environment("parcel-desk-deaf", Deaf)


def mute() -> Environment:
    return Environment("parcel-desk-mute", Mute)


def vague() -> Environment:
    return Environment("parcel-desk-vague", Vague)


def hourly() -> Environment:
    return Environment("parcel-desk-hourly", Hourly)


def fragile() -> Environment:
    return Environment("parcel-desk-fragile", Fragile)


def same() -> Environment:
    return Environment("parcel-desk-same", Same)


def three() -> Environment:
    return Environment("parcel-desks", Desk, ("north", "south", "west"))


class Shared(Environment):
    """One desk for all episodes."""

    def __init__(self) -> None:
        super().__init__("parcel-desk-shared", Desk)
        self.desks: dict[int, Desk] = {}

    def start(self, case: str, seed: int) -> Desk:
        return self.desks.setdefault(seed, Desk(seed))


def shared() -> Environment:
    return Shared()
