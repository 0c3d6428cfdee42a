"""A council books bulky-waste collections into hourly slots."""

import random

STREETS = ["Alder Way", "Mill Lane", "Canal Street", "Upper Close", "Fern Road", "Quay Row"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


class Council:
    name = "bulky waste"

    def __init__(self, bookable: range):
        self.bookable = bookable

    def cases(self) -> list[str]:
        return ["morning", "evening"]

    def start(self, case: str, seed: int) -> "Calendar":
        return Calendar(case, seed, self.bookable)


class Calendar:
    def __init__(self, case: str, seed: int, bookable: range):
        rng = random.Random(f"{seed}-{case}")
        self.bookable = bookable
        self.address = f"{rng.randint(1, 90)} {rng.choice(STREETS)}"
        self.day = rng.choice(DAYS)
        taken = {(day, hour) for day in DAYS for hour in rng.sample(range(8, 20), 5)}
        if case == "morning":
            self.hour = rng.choice([8, 9, 10])
            wish = "the first free slot of the morning"
            taken |= {(self.day, hour) for hour in range(8, self.hour)}
        else:
            self.hour = rng.choice([17, 18, 19])
            wish = "the first free slot that starts at 17:00 or later"
            taken |= {(self.day, hour) for hour in range(17, self.hour)}
        taken.discard((self.day, self.hour))
        self.bookings = [
            {"ref": ref, "day": day, "hour": hour, "address": f"{rng.randint(91, 180)} {rng.choice(STREETS)}"}
            for ref, (day, hour) in enumerate(sorted(taken), 501)
        ]
        self.next_ref = 501 + len(taken)
        self.before = [dict(row) for row in self.bookings]
        self.prompt = (
            f"The household at {self.address} has an old sofa to be fetched on {self.day}. Book one collection for it in {wish} "
            "on that day. The vans run from 8:00, and the last slot starts at 19:00. Nobody else's booking may change."
        )
        self.tools = [self.free_slots, self.bookings_on, self.book, self.cancel]

    def free_slots(self, day: str) -> list[int]:
        """The starting hours that are still free on a weekday."""
        taken = [row["hour"] for row in self.bookings_on(day)]
        return [hour for hour in range(8, 20) if hour not in taken]

    def bookings_on(self, day: str) -> list[dict]:
        """The bookings of a weekday."""
        if day not in DAYS:
            raise ValueError("day must be a weekday, such as Monday")
        return [dict(row) for row in self.bookings if row["day"] == day]

    def book(self, day: str, hour: int, address: str) -> int:
        """Book a collection; returns its reference."""
        if type(hour) is not int or hour not in self.bookable:
            raise ValueError("no collection starts at that hour")
        if not isinstance(address, str) or not address.strip():
            raise ValueError("an address is needed")
        if hour not in self.free_slots(day):
            raise ValueError("that slot is taken")
        self.bookings.append({"ref": self.next_ref, "day": day, "hour": hour, "address": address.strip()})
        self.next_ref += 1
        return self.next_ref - 1

    def cancel(self, ref: int) -> str:
        """Cancel a booking by its reference."""
        for row in self.bookings:
            if type(ref) is int and row["ref"] == ref:
                self.bookings.remove(row)
                return "cancelled"
        raise ValueError("no such booking")

    def finish(self, answer: object) -> float:
        new = [row for row in self.bookings if row not in self.before]
        kept = [row for row in self.bookings if row in self.before]
        good = len(new) == 1 and (new[0]["day"], new[0]["hour"], new[0]["address"].lower()) == (self.day, self.hour, self.address.lower())
        return float(good and kept == self.before)

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("free_slots", {"day": self.day}), ("book", {"day": self.day, "hour": self.hour, "address": self.address})], None

    def state(self) -> dict[str, list[dict]]:
        return {"bookings": [dict(row) for row in self.bookings]}


def faulty() -> Council:
    return Council(range(8, 17))


def repaired() -> Council:
    return Council(range(8, 20))
