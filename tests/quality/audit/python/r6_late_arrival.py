"""Guesthouse: a guest chats with the desk, says when they arrive and whether they bring a dog, and the booking is completed."""

import random

GUESTS = ["Marta Lind", "Noor Haddad", "Oskar Blum", "Priya Nair", "Quentin Roy", "Rosa Vidal", "Sam Okafor"]
TIMES = [f"{h}:{m:02d}" for h in range(13, 24) for m in range(0, 60, 5)]


class Chat:
    """A guest at the other end of a chat."""

    def __init__(self, time: str, dog: bool) -> None:
        self.time = time
        self.dog = dog

    def arrival(self) -> str:
        return self.time

    def hear(self, text: str) -> str | None:
        text = text.lower()
        told = []
        if any(w in text for w in ("when", "time", "hour", "arriv")):
            told.append(f"We get in at {self.arrival()}.")
        if any(w in text for w in ("dog", "pet", "animal")):
            told.append("Yes, the dog comes too." if self.dog else "No, no animals.")
        if told:
            return " ".join(told)
        return None if any(w in text for w in ("bye", "thank")) else "Sorry, what would you like to know?"


class ChatToo(Chat):
    def arrival(self) -> str:
        return random.choice(TIMES)


class Guesthouse:
    """The desk's bookings during one chat."""

    def __init__(self, chat: type[Chat], seed: int) -> None:
        rng = random.Random(f"guesthouse/{seed}")
        self._bookings = [
            {"booking": f"G{n}", "guest": g, "time": "", "dog": ""} for g, n in zip(GUESTS, rng.sample(range(10, 99), 7), strict=True)
        ]
        for row in rng.sample(self._bookings, 3):
            row.update(time=rng.choice(TIMES), dog=rng.choice(("yes", "no")))
        self._own = rng.choice([r for r in self._bookings if not r["time"]])
        self._chat = chat(rng.choice(TIMES), rng.random() < 0.5)
        facts = {"time": self._chat.time, "dog": "yes" if self._chat.dog else "no"}
        self._goal = [r | (facts if r is self._own else {}) for r in self._bookings]
        self.prompt = (
            f"You are chatting with {self._own['guest']}. Find out at what time they arrive and whether they bring a dog, and complete "
            "their booking. "
            "Other bookings stay as they are."
        )
        self.tools = [self.bookings, self.complete]

    def bookings(self) -> list[dict]:
        """All bookings; empty fields haven't been filled in."""
        return [dict(r) for r in self._bookings]

    def complete(self, booking: str, time: str, dog: str) -> str:
        """Fill in the time of arrival (13:00 to 23:55, in steps of five minutes) and 'yes' or 'no' for a dog."""
        if time not in TIMES or dog not in ("yes", "no"):
            raise ValueError("the time is 13:00 to 23:55, the dog yes or no")
        for row in self._bookings:
            if row["booking"] == booking:
                row.update(time=time, dog=dog)
                return "filled in"
        raise ValueError("no such booking")

    def reply(self, text: str) -> str | None:
        return self._chat.hear(text)

    def finish(self, answer: object) -> float:
        return 1.0 if self._bookings == self._goal else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        filled = next(r for r in self._goal if r["booking"] == self._own["booking"])
        return [("bookings", {}), ("complete", {k: filled[k] for k in ("booking", "time", "dog")})], None

    def state(self) -> dict[str, list[dict]]:
        return {"bookings": self.bookings()}


class House:
    name = "late-arrival"

    def __init__(self, chat: type[Chat]) -> None:
        self._chat = chat

    def cases(self) -> list[str]:
        return ["chat"]

    def start(self, case: str, seed: int) -> Guesthouse:
        return Guesthouse(self._chat, seed)


def faulty() -> House:
    return House(ChatToo)


def repaired() -> House:
    return House(Chat)
