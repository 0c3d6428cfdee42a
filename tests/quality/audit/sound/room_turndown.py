"""A hotel desk checks one guest in, and may leave something nice in the room."""

import random

GIFTS = ["slippers", "fruit", "card", "candle", "chocolate"]


class FrontDesk:
    def __init__(self, case, seed):
        rng = random.Random(f"{seed}|{case}")
        kinds = ["single", "double", "suite"]
        self.rooms = {}
        for floor in range(1, 6):
            for kind in kinds:
                self.rooms[floor * 100 + rng.randint(0, 30) * 3 + kinds.index(kind)] = {"kind": kind, "floor": floor}
        names = rng.sample(["Ababio", "Brandt", "Coelho", "Dube", "Eriksen", "Fontaine", "Gupta", "Horvat", "Ito"], 8)
        self.guest = names[0]
        self.stays = {}
        wanted = [n for n, r in self.rooms.items() if r["kind"] == case]
        self.room = wanted[rng.randint(1, 3)]
        for number in wanted:  # those below the lowest free one are taken
            if number < self.room:
                self.stays[number] = names[len(self.stays) + 1]
        for number in rng.sample([n for n, r in self.rooms.items() if r["kind"] != case], 3):
            self.stays[number] = names[len(self.stays) + 1]
        self.items = [(number, rng.choice(GIFTS)) for number in sorted(self.stays)[:2]]
        self.before = (dict(self.stays), list(self.items))
        self.prompt = (
            f"Guest {self.guest} has just arrived and has booked a {case} room. Check them in to the free {case} room on the lowest "
            f"floor. If you like you may also leave items in the room that {self.guest} gets (any, or none: that is up to you and isn't "
            "judged). In other rooms leave nothing, and other guests stay where they are. Only how things stand at the end counts; no "
            "answer is asked for."
        )
        self.tools = [self.find_rooms, self.check_in, self.check_out, self.leave_item]

    def find_rooms(self, kind: str) -> list:
        """Rooms of a kind (single, double, suite): number, floor and who is in."""
        found = [{"room": n, "floor": r["floor"], "guest": self.stays.get(n)} for n, r in self.rooms.items() if r["kind"] == kind]
        if not found:
            raise ValueError("kind is single, double or suite")
        return found

    def check_in(self, guest: str, room: int) -> str:
        """Check an arrived guest in to a free room."""
        if guest != self.guest and guest not in self.before[0].values():
            raise ValueError("nobody of that name has a booking")
        if room not in self.rooms or room in self.stays:
            raise ValueError("no such room, or it is taken")
        if guest in self.stays.values():
            raise ValueError("that guest has a room")
        self.stays[int(room)] = guest
        return "checked in"

    def check_out(self, guest: str) -> str:
        """Check a guest out of their room."""
        for number, who in self.stays.items():
            if who == guest:
                del self.stays[number]
                return "checked out"
        raise ValueError("that guest has no room")

    def leave_item(self, room: int, item: str) -> str:
        """Leave an item (slippers, fruit, card, candle, chocolate) in a room."""
        if room not in self.rooms:
            raise ValueError("no such room")
        if item not in GIFTS:
            raise ValueError("we have " + ", ".join(GIFTS))
        if len(self.items) > 50:
            raise ValueError("the trolley is empty")
        self.items.append((int(room), item))
        return "left there"

    def state(self):
        return {
            "rooms": [{"room": n, **r} for n, r in self.rooms.items()],
            "stays": [{"room": n, "guest": g} for n, g in sorted(self.stays.items())],
            "items": [{"room": n, "item": item} for n, item in self.items],
        }

    def reference(self):
        kind = self.rooms[self.room]["kind"]
        return [
            ("find_rooms", {"kind": kind}),
            ("check_in", {"guest": self.guest, "room": self.room}),
            ("leave_item", {"room": self.room, "item": "card"}),
        ], None

    def alternatives(self):
        check_in = ("check_in", {"guest": self.guest, "room": self.room})
        fruit = ("leave_item", {"room": self.room, "item": "fruit"})
        return [([check_in], None), ([fruit, fruit, check_in], "Welcome!")]

    def finish(self, answer: object):
        stays, items = self.before
        elsewhere = [entry for entry in self.items if entry[0] != self.room]
        return 1.0 if self.stays == {**stays, self.room: self.guest} and elsewhere == items else 0.0


class Hotel:
    name = "room turndown"

    def cases(self):
        return ["single", "double", "suite"]

    def start(self, case, seed):
        return FrontDesk(case, seed)


def sound():
    return Hotel()
