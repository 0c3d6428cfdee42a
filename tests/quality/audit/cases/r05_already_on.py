"""A greenhouse controller: switch one vent's fan on."""

import copy
import random

VENTS = ["north", "east", "south", "west", "ridge", "door", "propagator", "store"]


class Controller:
    at_start = True

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"vents-{seed}")
        self.fans = [{"vent": vent, "fan": rng.random() < 0.5, "degrees": rng.randint(14, 32)} for vent in rng.sample(VENTS, 6)]
        self.wanted = rng.choice(self.fans)
        self.wanted["fan"] = self.at_start
        self.before = copy.deepcopy(self.fans)
        self.tools = [self.read_vent, self.set_fan]
        self.prompt = f"It is getting hot. Switch the fan of the {self.wanted['vent']} vent on, and change no other fan."

    def read_vent(self, vent: str) -> dict:
        """Temperature and fan of a vent."""
        return dict(self._row(vent))

    def set_fan(self, vent: str, on: bool) -> str:
        """Switch a vent's fan on or off."""
        if not isinstance(on, bool):
            raise ValueError("on must be true or false")
        self._row(vent)["fan"] = on
        return "switched"

    def _row(self, vent: str) -> dict:
        for row in self.fans:
            if row["vent"] == vent:
                return row
        raise ValueError("no such vent")

    def state(self) -> dict[str, list[dict]]:
        return {"fans": copy.deepcopy(self.fans)}

    def reference(self) -> tuple[list, object]:
        return [("set_fan", {"vent": self.wanted["vent"], "on": True})], None

    def finish(self, answer: object) -> float:
        want = [row | {"fan": True} if row["vent"] == self.wanted["vent"] else row for row in self.before]
        return float(self.fans == want)


class ControllerToo(Controller):
    at_start = False


class Greenhouse:
    name = "greenhouse fans"

    def __init__(self, controller: type[Controller]) -> None:
        self._controller = controller

    def cases(self) -> list[str]:
        return ["fan-on"]

    def start(self, case: str, seed: int) -> Controller:
        return self._controller(seed)


def faulty() -> Greenhouse:
    return Greenhouse(Controller)


def repaired() -> Greenhouse:
    return Greenhouse(ControllerToo)
