"""A campus office books a seminar room for a group; several rooms would do."""

import random

SURNAMES = ["Finn", "Okoro", "Salas", "Weiss", "Duarte", "Lind", "Moreau", "Tanaka"]


class Office:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}-{seed}-rooms")
        self._slot = {"early": "08:15", "midday": "12:15", "late": "17:15"}[case]
        codes = rng.sample([f"{wing}{n}" for wing in "ABE" for n in range(101, 130)], 9)
        need = rng.randint(14, 30)
        self._rooms: dict[str, dict] = {}
        for i, code in enumerate(codes):
            big = i < 6
            seats = need + rng.randint(0, 12) if big else need - rng.randint(1, 8)
            self._rooms[code] = {"room": code, "seats": seats, "screen": i not in (4, 8)}
        self._taken: dict[tuple[str, str], str] = {}
        names = rng.sample(SURNAMES, 6)
        for code in (codes[5], codes[7]):
            self._taken[code, self._slot] = f"group {names.pop()}"
        for slot in {"08:15": ("10:15", "12:15"), "12:15": ("10:15", "17:15"), "17:15": ("12:15", "10:15")}[self._slot]:
            self._taken[rng.choice(codes), slot] = f"group {names.pop()}"
        self._who = f"group {names.pop()}"
        self._need = need
        self._fit = sorted(codes[:4])
        self._before = dict(self._taken)
        shown = sorted(self._rooms)
        self._rooms = {code: self._rooms[code] for code in shown}
        self.prompt = (
            f"Book a room at {self._slot} for '{self._who}': it must be free then, have a screen and at least {need} seats. Any room "
            "that meets this will do, whichever you like. There must be one booking for them in the end, and the bookings of others "
            "stay. No answer is asked for."
        )
        self.tools = [self.rooms, self.bookings, self.book, self.cancel]

    def rooms(self) -> list[dict]:
        """All rooms with their seats, and whether they have a screen."""
        return [dict(row) for row in self._rooms.values()]

    def bookings(self, slot: str) -> dict[str, str]:
        """Who has which room at a time (HH:MM)."""
        return {room: who for (room, at), who in sorted(self._taken.items()) if at == slot}

    def book(self, room: str, slot: str, who: str) -> str:
        """Book a room that is free at a time (08:15, 10:15, 12:15 or 17:15)."""
        if room not in self._rooms or slot not in ("08:15", "10:15", "12:15", "17:15"):
            raise ValueError("no such room or time")
        if not isinstance(who, str) or not 0 < len(who.strip()) <= 40:
            raise ValueError("say who it is for")
        if (room, slot) in self._taken:
            raise ValueError("it is taken at that time")
        self._taken[room, slot] = " ".join(who.split())
        return "booked"

    def cancel(self, room: str, slot: str) -> str:
        """Cancel the booking of a room at a time."""
        if (room, slot) not in self._taken:
            raise ValueError("no such booking")
        del self._taken[room, slot]
        return "cancelled"

    def state(self) -> dict[str, list[dict]]:
        rows = [{"room": room, "slot": slot, "who": who} for (room, slot), who in sorted(self._taken.items())]
        return {"rooms": self.rooms(), "bookings": rows}

    def _way(self, room: str) -> tuple[list, object]:
        return [("rooms", {}), ("bookings", {"slot": self._slot}), ("book", {"room": room, "slot": self._slot, "who": self._who})], None

    def reference(self) -> tuple[list, object]:
        return self._way(self._fit[0])

    def alternatives(self) -> list[tuple[list, object]]:
        return [self._way(room) for room in self._fit[1:]]

    def finish(self, answer: object) -> float:
        if any(self._taken.get(key) != who for key, who in self._before.items()):
            return 0.0
        new = [(room, slot, who) for (room, slot), who in self._taken.items() if (room, slot) not in self._before]
        if len(new) != 1:
            return 0.0
        room, slot, who = new[0]
        right = room in self._fit and slot == self._slot and who.casefold() == self._who.casefold()
        return 1.0 if right else 0.0


class Campus:
    name = "room booking"

    def cases(self) -> list[str]:
        return ["early", "midday", "late"]

    def start(self, case: str, seed: int) -> Office:
        return Office(case, seed)


def sound() -> Campus:
    return Campus()
