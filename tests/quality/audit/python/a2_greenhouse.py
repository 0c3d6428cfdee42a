"""A nursery's greenhouses: an assistant sets the vents and the misting of one house by the chart of its crop."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, replace
from typing import Any

CROPS = ("tomato", "orchid", "cucumber", "fern", "pepper")


@dataclass(frozen=True)
class House:
    """A greenhouse as the control panel shows it."""

    name: str
    crop: str
    vent_percent: int
    mist_seconds: int


class Panel:
    """The control panel for a morning's round."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed ^ 0x5EED)
        starts = [-10, *sorted(rng.sample(range(16, 34), 3))]
        self.bands = list(zip(starts, [*(n - 1 for n in starts[1:]), 50], strict=True))
        self.charts = {crop: list(zip(rng.sample(range(0, 101, 5), 4), rng.sample(range(10, 200, 10), 4), strict=True)) for crop in CROPS}
        self.warmth, self.houses = {}, {}
        for name, crop in zip(rng.sample("ABCDEFGH", 5), rng.sample(CROPS, 5), strict=True):
            now = rng.randrange(4)
            self.warmth[name] = rng.randint(max(self.bands[now][0], 5), min(self.bands[now][1], 40))
            self.houses[name] = House(name, crop, *self.charts[crop][self.band_before(now)])
            self.goal = replace(self.houses[name], **self.setting(crop, now))
        self.before = dict(self.houses)
        self.prompt = (
            f"Set the vents and the misting of greenhouse {self.goal.name} as the chart of its crop says for the temperature it has now. "
            "The panel still shows the setting of an hour ago. The other houses have been seen to already."
        )
        self.tools = [self.sensors, self.chart, self.set_vent, self.set_mist]

    def band_before(self, now: int) -> int:
        """The band of temperature an hour ago."""
        return self.rng.randrange(4)

    def setting(self, crop: str, band: int) -> dict[str, int]:
        return dict(zip(("vent_percent", "mist_seconds"), self.charts[crop][band], strict=True))

    def sensors(self, house: str) -> dict[str, Any]:
        """What grows in a house, its temperature in whole degrees and its present setting."""
        return {**asdict(self._house(house)), "degrees": self.warmth[house]}

    def chart(self, crop: str) -> list[dict[str, int]]:
        """A crop's chart: the vents and the misting for each band of temperature (both ends included)."""
        if crop not in CROPS:
            raise ValueError("no chart for that crop")
        return [{"from": low, "to": high, **self.setting(crop, n)} for n, (low, high) in enumerate(self.bands)]

    def set_vent(self, house: str, percent: int) -> str:
        """Open the vents of a house by 0 to 100 percent."""
        if type(percent) is not int or not 0 <= percent <= 100:
            raise ValueError("0 to 100, whole")
        self.houses[house] = replace(self._house(house), vent_percent=percent)
        return f"{house}: vents at {percent} %"

    def set_mist(self, house: str, seconds: int) -> str:
        """Let a house be misted for 0 to 300 seconds an hour."""
        if type(seconds) is not int or not 0 <= seconds <= 300:
            raise ValueError("0 to 300, whole")
        self.houses[house] = replace(self._house(house), mist_seconds=seconds)
        return f"{house}: mist for {seconds} s"

    def _house(self, name: str) -> House:
        if not isinstance(name, str) or name not in self.houses:
            raise ValueError("no such house")
        return self.houses[name]

    def state(self) -> dict[str, list[dict]]:
        return {"houses": [asdict(house) for house in self.houses.values()]}

    def reference(self) -> tuple[list[tuple[str, dict]], None]:
        name = self.goal.name
        vent, mist = (
            ("set_vent", {"house": name, "percent": self.goal.vent_percent}),
            ("set_mist", {"house": name, "seconds": self.goal.mist_seconds}),
        )
        return [("sensors", {"house": name}), ("chart", {"crop": self.goal.crop}), vent, mist], None

    def finish(self, answer: object) -> float:
        return 1.0 if self.houses == {**self.before, self.goal.name: self.goal} else 0.0


class PanelToo(Panel):
    """The control panel for a morning's round."""

    def band_before(self, now: int) -> int:
        return self.rng.choice([band for band in range(4) if band != now])


class Nursery:
    """Mornings at the nursery."""

    name = "greenhouse-round"
    panel: type[Panel] = Panel

    def cases(self) -> list[str]:
        return ["round"]

    def start(self, case: str, seed: int) -> Panel:
        return self.panel(seed)


class NurseryToo(Nursery):
    """Mornings at the nursery."""

    panel = PanelToo


def faulty() -> Nursery:
    return Nursery()


def repaired() -> Nursery:
    return NurseryToo()
