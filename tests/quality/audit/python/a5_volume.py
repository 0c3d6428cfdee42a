"""An on-call engineer enlarges a server's volume by the book: a snapshot first, then the resize."""

import random
from dataclasses import asdict, dataclass, field

APPS = ("mail", "wiki", "builds", "metrics", "photos", "backups", "shop")
STEPS = (20, 40, 80, 120, 160, 240, 320, 480)


@dataclass
class Volume:
    """A volume, and the app that fills it."""

    name: str
    app: str
    gb: int
    used_gb: int


@dataclass
class Rack:
    """The volumes of a rack and the snapshots taken of them."""

    seed: int
    volumes: list[Volume] = field(default_factory=list)
    snapshots: list[dict] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = random.Random(f"rack.{self.seed}")
        for name, app in zip(rng.sample(range(0x1000, 0xFFFF), 6), rng.sample(APPS, 6), strict=True):
            gb = rng.choice(STEPS[:-2])
            self.volumes.append(Volume(f"vol-{name:04x}", app, gb, rng.randrange(gb // 4, gb)))
        for volume in rng.sample(self.volumes, 3):
            self.snapshots.append({"volume": volume.name, "gb": volume.gb, "used_gb": volume.used_gb // 2})
        volume = rng.choice(self.volumes)
        self.share = rng.choice((50, 60, 70))
        volume.used_gb = volume.gb * rng.randrange(self.share + 5, 99) // 100
        self.goal = [asdict(v) for v in self.volumes]
        self.name, self.old = volume.name, list(self.snapshots)
        self.new_gb = next(step for step in STEPS if step > volume.gb and volume.used_gb * 100 <= step * self.share)
        next(v for v in self.goal if v["name"] == self.name)["gb"] = self.new_gb
        self.wanted = {"volume": volume.name, "gb": volume.gb, "used_gb": volume.used_gb}
        self.prompt = f"The volume of the app {volume.app} runs full. Enlarge it as the run book says. No other volume is to be touched."
        self.tools = [self.run_book, self.list_volumes, self.list_snapshots, self.snapshot, self.resize]

    def run_book(self) -> str:
        """The chapter on full volumes."""
        return (
            "1. Take one snapshot of the volume as it is, before anything is changed. 2. "
            "Resize it to the smallest size, larger than now, of which what is used "
            f"takes at most {self.share} %. Sizes in GB: {', '.join(map(str, STEPS))}. 3. Leave older snapshots alone."
        )

    def list_volumes(self) -> list[dict]:
        """All volumes with their app, size and what is used of it."""
        return [asdict(volume) for volume in self.volumes]

    def list_snapshots(self) -> list[dict]:
        """All snapshots, each with the size of the volume when it was taken."""
        return [dict(row) for row in self.snapshots]

    def snapshot(self, name: str) -> dict:
        """Take a snapshot of a volume as it is now."""
        volume = self._volume(name)
        self.snapshots.append({"volume": volume.name, "gb": volume.gb, "used_gb": volume.used_gb})
        return dict(self.snapshots[-1])

    def resize(self, name: str, gb: int) -> str:
        """Enlarge a volume to one of the sizes on offer."""
        volume = self._volume(name)
        if type(gb) is not int or gb not in STEPS or gb <= volume.gb:
            raise ValueError("one of the sizes on offer, larger than now")
        volume.gb = gb
        return f"{name} has {gb} GB"

    def _volume(self, name: str) -> Volume:
        for volume in self.volumes:
            if volume.name == name:
                return volume
        raise ValueError("no volume of that name")

    def state(self) -> dict[str, list[dict]]:
        return {"volumes": self.list_volumes(), "snapshots": self.list_snapshots()}

    def reference(self) -> tuple[list, None]:
        looks = [("run_book", {}), ("list_volumes", {})]
        return [*looks, ("snapshot", {"name": self.name}), ("resize", {"name": self.name, "gb": self.new_gb})], None

    def kept(self, new: list[dict]) -> bool:
        return len(new) <= 1 and all(row == self.wanted for row in new)

    def finish(self, answer: object) -> float:
        count = len(self.old)
        return float(self.list_volumes() == self.goal and self.snapshots[:count] == self.old and self.kept(self.snapshots[count:]))


class RackToo(Rack):
    """The volumes of a rack and the snapshots taken of them."""

    def kept(self, new: list[dict]) -> bool:
        return new == [self.wanted]


class OnCall:
    """Nights on call."""

    name = "full-volume"

    def __init__(self, rack: type[Rack]) -> None:
        self.rack = rack

    def cases(self) -> list[str]:
        return ["full"]

    def start(self, case: str, seed: int) -> Rack:
        return self.rack(seed)


def faulty() -> OnCall:
    return OnCall(Rack)


def repaired() -> OnCall:
    return OnCall(RackToo)
