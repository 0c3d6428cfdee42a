"""A guest house: the guest is told what they need to know; what has to be told is kept as criteria of the task."""

import random

ROOMS = ["Rose", "Iris", "Dahlia", "Aster", "Lupin", "Clover"]


class GuestHouse:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"guest-{seed}")
        self.rooms = {room: {"deposit": rng.randrange(20, 95), "leave_by": f"{rng.randint(9, 12)}:00"} for room in rng.sample(ROOMS, 5)}
        self.room = rng.choice(list(self.rooms))
        self.tools = [self.conditions]
        self.prompt = (
            f"The guest of room {self.room} asks what the deposit is and by when the room must be left. Answer with one sentence that tells both, "
            "the deposit in euros and the time as H:MM."
        )

    def _criteria(self) -> list[str]:
        return []

    def conditions(self, room: str) -> dict:
        """Deposit and leaving time of a room."""
        if room not in self.rooms:
            raise ValueError("no such room")
        return dict(self.rooms[room])

    def reference(self) -> tuple[list, object]:
        mine = self.rooms[self.room]
        return [
            ("conditions", {"room": self.room})
        ], f"The deposit is {mine['deposit']} euros, and the room must be left by {mine['leave_by']}."

    def finish(self, answer: object) -> float:
        words = str(answer).replace(",", " ").replace(".", " ").split() if isinstance(answer, str) and len(answer) < 400 else None
        return float(all(words is not None and one in words for one in self._criteria()))


class GuestHouseToo(GuestHouse):
    def _criteria(self) -> list[str]:
        mine = self.rooms[self.room]
        return [str(mine["deposit"]), mine["leave_by"]]


class Village:
    name = "guest house"

    def __init__(self, house: type[GuestHouse]) -> None:
        self._house = house

    def cases(self) -> list[str]:
        return ["tell"]

    def start(self, case: str, seed: int) -> GuestHouse:
        return self._house(seed)


def faulty() -> Village:
    return Village(GuestHouse)


def repaired() -> Village:
    return Village(GuestHouseToo)
