"""Parcel lockers: a parcel is moved to the locker its size calls for."""

import random
import uuid

SIZES = {"S": 30, "M": 45, "L": 60, "XL": 90}


def random_label(rng: random.Random) -> str:
    return uuid.uuid4().hex[:8]


def drawn_label(rng: random.Random) -> str:
    return f"{rng.getrandbits(32):08x}"


class Lockers:
    def __init__(self, label, seed: int):
        rng = random.Random(f"lockers-{seed}")
        self.lockers = [{"locker": n, "size": s, "parcel": ""} for n, s in enumerate(rng.sample(list(SIZES) * 3, 12), 1)]
        self.parcels = []
        for row in rng.sample(self.lockers, 5):
            row["parcel"] = label(rng)
            self.parcels.append({"parcel": row["parcel"], "longest_cm": rng.randint(12, SIZES[row["size"]])})
        counter = {"parcel": label(rng), "longest_cm": rng.randint(12, 60)}
        self.parcels.append(counter)
        self.own = counter["parcel"]
        free = [r for r in self.lockers if not r["parcel"] and SIZES[r["size"]] >= counter["longest_cm"]]
        best = min(SIZES[r["size"]] for r in free)
        self.right = [r["locker"] for r in free if SIZES[r["size"]] == best]
        self.before = [dict(r) for r in self.lockers]
        self.prompt = (
            f"Parcel {self.own} lies on the counter. Put it into a free locker of the smallest size that takes it (a parcel may be as "
            "long as the locker's "
            "size: S 30, M 45, L 60, XL 90 cm). The other parcels stay. Answer with the number of the locker."
        )
        self.tools = [self.show_lockers, self.measure, self.put, self.take_out]

    def show_lockers(self) -> list[dict]:
        """All lockers, with size and the parcel in them."""
        return [dict(r) for r in self.lockers]

    def measure(self, parcel: str) -> int:
        """The longest side of a parcel in cm."""
        for p in self.parcels:
            if p["parcel"] == parcel:
                return p["longest_cm"]
        raise ValueError("no such parcel")

    def put(self, parcel: str, locker: int) -> str:
        """Put a parcel from the counter into a free locker that takes it."""
        length = self.measure(parcel)
        row = next((r for r in self.lockers if r["locker"] == locker), None)
        if row is None or row["parcel"] or SIZES[row["size"]] < length or any(r["parcel"] == parcel for r in self.lockers):
            raise ValueError("no such locker, or it's taken or too small, or the parcel is in a locker already")
        row["parcel"] = parcel
        return "put"

    def take_out(self, parcel: str) -> str:
        """Take a parcel out of its locker, back to the counter."""
        for r in self.lockers:
            if r["parcel"] == parcel and self.measure(parcel):
                r["parcel"] = ""
                return "on the counter"
        raise ValueError("that parcel isn't in a locker")

    def finish(self, answer: object) -> float:
        text = answer.strip() if isinstance(answer, str) else answer
        for n in self.right:
            due = [r | ({"parcel": self.own} if r["locker"] == n else {}) for r in self.before]
            if self.lockers == due:
                return 1.0 if not isinstance(text, bool) and text in (n, str(n)) else 0.0
        return 0.0

    def _way(self, locker: int):
        return [("measure", {"parcel": self.own}), ("show_lockers", {}), ("put", {"parcel": self.own, "locker": locker})], locker

    def reference(self):
        return self._way(self.right[0])

    def alternatives(self):
        return [self._way(n) for n in self.right[1:]]

    def state(self) -> dict[str, list[dict]]:
        return {"lockers": self.show_lockers(), "parcels": [dict(p) for p in self.parcels]}


class Station:
    name = "locker-labels"

    def __init__(self, label):
        self.label = label

    def cases(self) -> list[str]:
        return ["counter"]

    def start(self, case: str, seed: int) -> Lockers:
        return Lockers(self.label, seed)


def faulty():
    return Station(random_label)


def repaired():
    return Station(drawn_label)
