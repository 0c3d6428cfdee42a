"""Housekeeping desk of a small hotel: the room board is brought up to date after the morning's departures."""

import random

STATES = ("clean", "inspected", "dirty", "out of order")


class Board:
    pass_mark = 1.0

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}-{seed}")
        self._floor = rng.randint(1, 4)
        self._rooms: list[dict] = []
        self._signed: list[str] = []
        for floor in range(1, 5):
            rows = [{"stay": "departed", "state": rng.choice(("clean", "inspected"))} for _ in range(2)]
            rows += [{"stay": rng.choice(("departed", "staying", "arriving")), "state": rng.choice(STATES)} for _ in range(3)]
            rng.shuffle(rows)
            self._rooms += [{"room": f"{floor}{n:02d}", "floor": floor} | row for n, row in enumerate(rows, 1)]
        at_work = "The night desk has closed the departures" if case == "weekday" else "The weekend's checkouts are through"
        self.prompt = (
            f"{at_work} on floor {self._floor}. Set every room of that floor whose guest has departed to 'dirty' on the board, "
            "except rooms that are out of order, which stay so. Change nothing else. No answer is needed."
        )
        self._start = [dict(r) for r in self._rooms]
        self.tools = [self.board, self.set_state, self.set_states]

    def _room(self, number: str) -> dict:
        for row in self._rooms:
            if row["room"] == number:
                return row
        raise ValueError("no such room")

    def board(self, floor: int) -> list[dict]:
        """The rooms of one floor, with the guest's stay and the room's state."""
        if floor not in (1, 2, 3, 4):
            raise ValueError("floors are 1 to 4")
        return [dict(r) for r in self._rooms if r["floor"] == floor]

    def set_state(self, room: str, state: str) -> str:
        """Set the state of one room: clean, inspected, dirty or out of order."""
        row = self._room(room)
        if state not in STATES:
            raise ValueError(f"states are {', '.join(STATES)}")
        row["state"] = state
        self._signed.append(room)
        return f"{room} is {state}"

    def set_states(self, rooms: list[str], state: str) -> str:
        """Set several rooms to the same state at once; nothing is set if one of them doesn't exist."""
        if not isinstance(rooms, list) or state not in STATES:
            raise ValueError(f"give a list of rooms and one of {', '.join(STATES)}")
        for row in [self._room(r) for r in rooms]:
            row["state"] = state
        return f"{len(rooms)} rooms are {state}"

    def _due(self) -> list[str]:
        here = [r for r in self._start if r["floor"] == self._floor and r["stay"] == "departed"]
        return [r["room"] for r in here if r["state"] not in ("out of order", "dirty")]

    def _as_wanted(self) -> bool:
        due = self._due()
        return self._rooms == [r | {"state": "dirty"} if r["room"] in due else r for r in self._start]

    def finish(self, answer: object) -> float:
        return float(self._as_wanted())

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("board", {"floor": self._floor}), *[("set_state", {"room": r, "state": "dirty"}) for r in self._due()]], None

    def state(self) -> dict[str, list[dict]]:
        return {"rooms": [dict(r) for r in self._rooms]}


class BoardToo(Board):
    def finish(self, answer: object) -> float:
        return float(self._as_wanted() and sorted(self._signed) == sorted(self._due()))


class Hotel:
    name = "hotel-board"

    def __init__(self, episode: type[Board]) -> None:
        self._episode = episode

    def cases(self) -> list[str]:
        return ["weekday", "weekend"]

    def start(self, case: str, seed: int) -> Board:
        return self._episode(case, seed)


def faulty() -> Hotel:
    return Hotel(BoardToo)


def repaired() -> Hotel:
    return Hotel(Board)
