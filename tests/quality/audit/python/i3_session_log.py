"""Physiotherapy practice: today's session is entered for a client."""

import datetime as dt
import random

CLIENTS = ["Aiko Mori", "Ben Adler", "Carla Nunes", "Dev Patel", "Elin Berg", "Fadi Khoury"]


class Practice:
    """Clients and their sessions."""

    def __init__(self, seed: int):
        rng = random.Random(f"physio/{seed}")
        self._day = dt.date(2026, 1, 1) + dt.timedelta(days=rng.randrange(360))
        ids = rng.sample(range(200, 999), len(CLIENTS))
        self._clients = [{"id": i, "name": n, "usual_minutes": rng.randrange(20, 65, 5)} for i, n in zip(ids, CLIENTS, strict=True)]
        self._sessions = []
        for _ in range(8):
            self._sessions.append(
                {"client": rng.choice(ids), "day": f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}", "minutes": 30}
            )
        self._client = rng.choice(self._clients)
        self._before = [dict(s) for s in self._sessions]
        self.prompt = (
            f"Today is {self._today().isoformat()}. {self._client['name']} was here for a session of the usual length. Enter it under "
            "today's date "
            "(as YYYY-MM-DD). No answer is needed."
        )
        self.tools = [self.clients, self.sessions, self.enter, self.strike_last]

    def _today(self) -> dt.date:
        return self._day

    def clients(self) -> list[dict]:
        """The clients, with id and usual length of a session."""
        return [dict(c) for c in self._clients]

    def sessions(self, client: int) -> list[dict]:
        """The sessions of a client."""
        return [dict(s) for s in self._sessions if s["client"] == client]

    def enter(self, client: int, day: str, minutes: int) -> str:
        """Enter a session: client's id, day as YYYY-MM-DD, length in minutes."""
        if type(minutes) is not int or not 5 <= minutes <= 240 or client not in [c["id"] for c in self._clients]:
            raise ValueError("unknown client, or no sensible length")
        self._sessions.append({"client": client, "day": dt.date.fromisoformat(day).isoformat(), "minutes": minutes})
        return "entered"

    def strike_last(self) -> str:
        """Strike the session entered last; older ones can't be struck."""
        if len(self._sessions) <= len(self._before):
            raise ValueError("nothing has been entered today")
        self._sessions.pop()
        return "struck"

    def _new(self, day: dt.date) -> dict:
        return {"client": self._client["id"], "day": day.isoformat(), "minutes": self._client["usual_minutes"]}

    def finish(self, answer: object) -> float:
        return 1.0 if self._sessions == [*self._before, self._new(self._today())] else 0.0

    def reference(self):
        return [("clients", {}), ("enter", self._new(self._today()))], None

    def state(self) -> dict[str, list[dict]]:
        return {"clients": self.clients(), "sessions": [dict(s) for s in self._sessions]}


class PracticeToo(Practice):
    def _today(self) -> dt.date:
        return dt.date.today()


class Physio:
    name = "session-log"

    def __init__(self, practice: type[Practice]):
        self._practice = practice

    def cases(self) -> list[str]:
        return ["today"]

    def start(self, case: str, seed: int) -> Practice:
        return self._practice(seed)


def faulty() -> Physio:
    return Physio(PracticeToo)


def repaired() -> Physio:
    return Physio(Practice)
