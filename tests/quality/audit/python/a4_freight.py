"""A freight forwarder's clerk puts a container onto another ship."""

import copy
import random
from datetime import date, timedelta

PORTS = ("Santos", "Busan", "Mombasa", "Gdynia")
SHIPS = ("Astrid", "Beaufort", "Calypso", "Dorado", "Elbe Star", "Fulmar", "Grebe", "Halcyon", "Ibis")


class Yard:
    """Containers waiting in the yard, and the ships that may take them."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"yard-{seed}")
        self.ships = []
        for name in SHIPS:
            leaves = date(2031, 5, 1) + timedelta(days=rng.randrange(1, 40))
            while any(ship["leaves"] == str(leaves) for ship in self.ships):
                leaves += timedelta(days=1)
            self.ships.append({"ship": name, "port": "", "leaves": str(leaves), "free": rng.randrange(0, 6)})
        port = rng.choice(PORTS)
        for at, ship in enumerate(rng.sample(self.ships, 9)):
            ship["port"] = port if at < 5 else rng.choice([p for p in PORTS if p != port])
        going = sorted((ship for ship in self.ships if ship["port"] == port), key=lambda s: s["leaves"])
        late = going[rng.randrange(0, 3)]
        going[-1]["free"] = rng.randrange(1, 6)
        after = [ship for ship in going if ship["leaves"] > late["leaves"]]
        self.goal_ship = next(ship["ship"] for ship in after if ship["free"])
        self.boxes = []
        for number in rng.sample(range(100_000, 999_999), 9):
            ship = rng.choice(self.ships)
            self.boxes.append({"box": f"KRU{number}", "port": ship["port"], "ship": ship["ship"], "held": rng.random() < 0.2})
        self.box = self.boxes[rng.randrange(9)]["box"]
        self._find(self.box).update(port=port, ship=late["ship"], held=False)
        self.start = copy.deepcopy((self.boxes, self.ships))
        self.prompt = (
            f"Container {self.box} misses its ship, the {late['ship']}. Rebook it onto the "
            "first ship to the same port that leaves after that one and has room. "
            "Everything else in the yard stays as it is."
        )
        self.tools = [self.container, self.containers_on, self.ships_to, self.rebook, self.hold, self.release]

    def container(self, box: str) -> dict:
        """One container: its port, its ship and whether it is held back."""
        return dict(self._find(box))

    def containers_on(self, ship: str) -> list[str]:
        """The containers booked on a ship."""
        return [row["box"] for row in self.boxes if row["ship"] == ship]

    def ships_to(self, port: str) -> list[dict]:
        """The ships to a port, with the day each leaves and its free places."""
        found = [dict(ship) for ship in self.ships if ship["port"] == port]
        if not found:
            raise ValueError("no ship goes there")
        return found

    def rebook(self, box: str, ship: str) -> str:
        """Put a container onto another ship to its port that has a free place."""
        row = self._find(box)
        new = next((s for s in self.ships if s["ship"] == ship and s["port"] == row["port"]), None)
        if new is None or new["free"] == 0 or row["ship"] == ship:
            raise ValueError("that ship does not go there, is full, or has the container already")
        next(s for s in self.ships if s["ship"] == row["ship"])["free"] += 1
        new["free"] -= 1
        row["ship"] = ship
        return f"{box} goes on the {ship}"

    def hold(self, box: str) -> str:
        """Hold a container back."""
        self._find(box)["held"] = True
        return f"{box} held"

    def release(self, box: str) -> str:
        """Let a container go that was held back."""
        self._find(box)["held"] = False
        return f"{box} released"

    def _find(self, box: str) -> dict:
        for row in self.boxes:
            if row["box"] == box:
                return row
        raise ValueError("no such container")

    def state(self) -> dict[str, list[dict]]:
        return {"containers": copy.deepcopy(self.boxes), "ships": copy.deepcopy(self.ships)}

    def reference(self) -> tuple[list, None]:
        port = self._find(self.box)["port"]
        calls = [("container", {"box": self.box}), ("ships_to", {"port": port}), ("rebook", {"box": self.box, "ship": self.goal_ship})]
        return calls, None

    def goal(self) -> dict[str, list[dict]]:
        boxes, ships = copy.deepcopy(self.start)
        row = next(row for row in boxes if row["box"] == self.box)
        for ship in ships:
            ship["free"] += (ship["ship"] == row["ship"]) - (ship["ship"] == self.goal_ship)
        row["ship"] = self.goal_ship
        return {"containers": boxes, "ships": ships}

    def looked_at(self, state: dict[str, list[dict]]) -> object:
        return [row for row in state["containers"] if row["box"] == self.box]

    def finish(self, answer: object) -> float:
        return float(self.looked_at(self.state()) == self.looked_at(self.goal()))


class YardToo(Yard):
    """Containers waiting in the yard, and the ships that may take them."""

    def looked_at(self, state: dict[str, list[dict]]) -> object:
        return state


class Forwarder:
    """Days at the forwarder's."""

    name = "freight-rebooking"

    def __init__(self, yard: type[Yard]) -> None:
        self.yard = yard

    def cases(self) -> list[str]:
        return ["missed-ship"]

    def start(self, case: str, seed: int) -> Yard:
        return self.yard(seed)


def faulty() -> Forwarder:
    return Forwarder(Yard)


def repaired() -> Forwarder:
    return Forwarder(YardToo)
