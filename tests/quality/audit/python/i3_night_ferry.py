"""Harbour office: the passengers of one day's sailings are added up."""

import datetime as dt
import random
import re
from types import SimpleNamespace

SHIPS = ["Alca", "Fratercula", "Morus", "Puffinus", "Sterna"]
BASE = 1_772_323_200  # 2026-03-01, midnight UTC


def harbour(day_of) -> SimpleNamespace:
    def start(case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"harbour-{seed}")
        day = rng.randint(2, 26)
        sailings = []
        for offset in (-1, 0, 0, 0, 0, 1):
            for hour in (rng.choice((0, 1, 2, 3)), rng.choice((21, 22, 23))):
                at = BASE + 86_400 * (day - 1 + offset) + 3600 * hour + 60 * rng.randrange(0, 60)
                sailings.append({"ship": rng.choice(SHIPS), "at": at, "passengers": rng.randint(20, 900)})
        rng.shuffle(sailings)
        right = sum(s["passengers"] for s in sailings if (s["at"] - BASE) // 86_400 == day - 1)
        gold = sum(s["passengers"] for s in sailings if day_of(s["at"]) == dt.date(2026, 3, day))

        def log(ship: str) -> list[dict]:
            """The sailings of a ship, with time in UTC."""
            if ship not in SHIPS:
                raise ValueError("no such ship")
            mine = [s for s in sailings if s["ship"] == ship]
            return [{"sailed": stamp(s["at"]), "passengers": s["passengers"]} for s in mine]

        def stamp(at: int) -> str:
            return (dt.datetime(1970, 1, 1) + dt.timedelta(seconds=at)).isoformat(sep=" ", timespec="minutes")

        def finish(answer: object) -> float:
            if isinstance(answer, str):
                m = re.fullmatch(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(?: passengers)?", answer.strip())
                answer = int(m[1].replace(",", "")) if m else None
            return 1.0 if isinstance(answer, int | float) and not isinstance(answer, bool) and answer == gold else 0.0

        return SimpleNamespace(
            prompt=(
                f"How many passengers sailed on {day} March 2026 (UTC), on all ships together? The ships are {', '.join(SHIPS)}. Answer "
                "with the number."
            ),
            tools=[log],
            finish=finish,
            reference=lambda: ([("log", {"ship": s}) for s in SHIPS], right),
            state=lambda: {"sailings": [{"ship": s["ship"], "sailed": stamp(s["at"]), "passengers": s["passengers"]} for s in sailings]},
        )

    return SimpleNamespace(name="night-ferry", cases=lambda: ["passengers"], start=start)


def faulty() -> SimpleNamespace:
    return harbour(lambda at: dt.datetime.fromtimestamp(at).date())


def repaired() -> SimpleNamespace:
    return harbour(lambda at: dt.datetime.fromtimestamp(at, dt.UTC).date())
