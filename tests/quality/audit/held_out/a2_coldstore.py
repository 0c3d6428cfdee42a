"""Building controls of a cold store: one fan was left in manual and has to go back to automatic."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, replace

ROOMS = ["Dairy", "Flowers", "Fish", "Berries", "Pastry", "Meat"]


@dataclass(frozen=True)
class Fan:
    fan: str
    room: str
    mode: str
    percent: int


class Controls:
    """Holds the fans of one site."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed * 7 + 3)
        rooms = rng.sample(ROOMS, 4)
        self.cards = {room: rng.randrange(45, 75, 5) for room in rooms}
        labels = rng.sample(range(10, 99), 8)
        self.fans = {f"F{n}": Fan(f"F{n}", rooms[i // 2], "auto", self.cards[rooms[i // 2]]) for i, n in enumerate(labels)}
        self.goal = self.fans[rng.choice(list(self.fans))]
        self.disturb(self.goal.fan, rng.choice([15, 20, 90, 100]))
        self.start = dict(self.fans)
        self.prompt = (
            f"After cleaning, fan {self.goal.fan} in the {self.goal.room} room was left in manual. Put it back to mode auto at the "
            "percentage on the room's card. Touch no other fan. Finish without an answer."
        )
        self.tools = [self.list_fans, self.room_card, self.set_fan]

    def disturb(self, fan: str, percent: int) -> None:
        replace(self.fans[fan], mode="manual", percent=percent)

    def list_fans(self) -> list[dict]:
        """List every fan with its room, mode and percentage."""
        return [asdict(fan) for fan in self.fans.values()]

    def room_card(self, room: str) -> int:
        """Read the fan percentage printed on a room's card."""
        if room not in self.cards:
            raise ValueError(f"no card for {room!r}")
        return self.cards[room]

    def set_fan(self, fan: str, mode: str, percent: int) -> dict:
        """Set a fan's mode ("auto" or "manual") and percentage (0 to 100)."""
        if fan not in self.fans or mode not in ("auto", "manual"):
            raise ValueError("unknown fan or mode")
        if type(percent) is not int or not 0 <= percent <= 100:
            raise ValueError("percent must be a whole number from 0 to 100")
        self.fans[fan] = replace(self.fans[fan], mode=mode, percent=percent)
        return asdict(self.fans[fan])

    def finish(self, answer: object) -> float:
        return 1.0 if self.fans == self.start | {self.goal.fan: self.goal} else 0.0

    def reference(self) -> tuple[list, None]:
        fix = {"fan": self.goal.fan, "mode": "auto", "percent": self.goal.percent}
        return [("list_fans", {}), ("room_card", {"room": self.goal.room}), ("set_fan", fix)], None

    def alternatives(self) -> list:
        half = {"fan": self.goal.fan, "mode": "auto", "percent": 0}
        calls, answer = self.reference()
        return [(calls[1:], answer), ([("set_fan", half), *calls], answer)]

    def state(self) -> dict[str, list[dict]]:
        return {"fans": self.list_fans(), "cards": [{"room": r, "percent": p} for r, p in self.cards.items()]}


class SiteControls(Controls):
    def disturb(self, fan: str, percent: int) -> None:
        self.fans[fan] = replace(self.fans[fan], mode="manual", percent=percent)


class ColdStore:
    def __init__(self, controls: type[Controls]) -> None:
        self.name, self.controls = "cold store fans", controls

    def cases(self) -> list[str]:
        return ["after cleaning"]

    def start(self, case: str, seed: int) -> Controls:
        return self.controls(seed)


def faulty() -> ColdStore:
    return ColdStore(Controls)


def repaired() -> ColdStore:
    return ColdStore(SiteControls)
