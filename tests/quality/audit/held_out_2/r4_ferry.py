"""A ferry office rebooks the passengers of a sailing that has been called off."""

import random
from dataclasses import asdict, dataclass, replace

ROUTES = ["Oban-Craignure", "Ullapool-Stornoway", "Uig-Lochmaddy"]
NAMES = ["Anwar", "Bright", "Costa", "Duffy", "Eriksen", "Fraser", "Grant", "Haldane", "Iqbal", "Jonas", "Kerr", "Lamont"]
CAUSES = {"WX": "gales in the sound", "MX": "a fault in the port engine", "CR": "too few crew being fit for duty"}
CODES = " Reasons are recorded by code: WX for weather, MX for mechanical trouble, CR for want of crew."


@dataclass(frozen=True)
class Sailing:
    sailing: str
    route: str
    departs: str


@dataclass(frozen=True)
class Booking:
    ref: str
    name: str
    sailing: str
    vehicle: bool
    reason: str = ""


class Office:
    def __init__(self, seed: int, note: str) -> None:
        rng = random.Random(seed * 7 + 3)
        ids = [f"S{n}" for n in rng.sample(range(100, 999), 9)]
        hours = sorted(rng.sample(range(6, 22), 9))
        order = [r for r in ROUTES for _ in range(3)]
        rng.shuffle(order)
        self.sailings = [Sailing(i, r, f"{h:02d}:{rng.choice((0, 15, 30, 45)):02d}") for i, r, h in zip(ids, order, hours, strict=True)]
        route = rng.choice(ROUTES)
        first, second, _ = [s for s in self.sailings if s.route == route]
        self.off, self.then = first.sailing, second.sailing
        rest = [s.sailing for s in self.sailings if s.sailing != self.off]
        sails = [self.off] * rng.randint(2, 4)
        sails += [rng.choice(rest) for _ in range(11 - len(sails))]
        rng.shuffle(sails)
        refs = rng.sample(range(10000, 99999), 11)
        rows = zip(refs, rng.sample(NAMES, 11), sails, strict=True)
        self.bookings = {f"B{n}": Booking(f"B{n}", name, sail, rng.random() < 0.5) for n, name, sail in rows}
        self.before = dict(self.bookings)
        self.code = rng.choice(sorted(CAUSES))
        rng.shuffle(self.sailings)
        self.prompt = (
            f"Sailing {self.off} is called off because of {CAUSES[self.code]}. Move each of its bookings to the next later sailing of the "
            f"same route today, and record the reason with each move.{note} Leave all other bookings alone. There is room for all. "
            "No answer is needed."
        )
        self.tools = [self.list_sailings, self.list_bookings, self.move_booking]

    def list_sailings(self) -> list[dict]:
        """Today's sailings, in no order."""
        return [asdict(s) for s in self.sailings]

    def list_bookings(self) -> list[dict]:
        """All of today's bookings."""
        return [asdict(b) for b in self.bookings.values()]

    def move_booking(self, ref: str, sailing: str, reason: str) -> dict:
        """Move one booking to another sailing and record the reason."""
        if not isinstance(ref, str) or ref not in self.bookings:
            raise ValueError("no such booking")
        if not isinstance(sailing, str) or all(s.sailing != sailing for s in self.sailings):
            raise ValueError("no such sailing")
        if not isinstance(reason, str) or len(reason) > 80:
            raise ValueError("the reason has to be a string of at most 80 characters")
        self.bookings[ref] = replace(self.bookings[ref], sailing=sailing, reason=reason.strip())
        return asdict(self.bookings[ref])

    def finish(self, answer: object) -> float:
        for ref, old in self.before.items():
            new = self.bookings[ref]
            if old.sailing != self.off:
                if new != old:
                    return 0.0
            elif new.sailing != self.then or new.reason.upper() != self.code:
                return 0.0
        return 1.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        due = [ref for ref, b in self.before.items() if b.sailing == self.off]
        moves = [("move_booking", {"ref": ref, "sailing": self.then, "reason": self.code}) for ref in due]
        return [("list_sailings", {}), ("list_bookings", {}), *moves], None

    def state(self) -> dict[str, list[dict]]:
        return {"sailings": self.list_sailings(), "bookings": self.list_bookings()}


class Ferries:
    name = "ferry-rebooking"

    def __init__(self, note: str) -> None:
        self.note = note

    def cases(self) -> list[str]:
        return ["called-off"]

    def start(self, case: str, seed: int) -> Office:
        return Office(seed, self.note)


def faulty() -> Ferries:
    return Ferries("")


def repaired() -> Ferries:
    return Ferries(CODES)
