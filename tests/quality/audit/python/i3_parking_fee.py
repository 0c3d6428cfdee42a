"""Parking office: the fee for a stay is worked out from the zone's prices."""

import datetime as dt
import random
import re

ZONES = ("A", "B", "C", "D")


class Stay:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}/{seed}")
        self._prices = {z: {"weekday": rng.randrange(160, 400, 10), "weekend": rng.randrange(40, 150, 10)} for z in ZONES}
        self._zone = rng.choice(ZONES)
        self._halves = rng.randint(2, 17)
        saturday = dt.date(2026, 1, 3) + dt.timedelta(weeks=rng.randrange(50))
        self._day = saturday + dt.timedelta(days=rng.choice((0, 1) if case == "weekend" else (2, 3, 4, 5, 6)))
        begin = rng.randint(12, 24)
        end = begin + self._halves
        self.prompt = (
            f"On {self._day.strftime('%Y-%m-%d')} a car stood in zone {self._zone} from {self._clock(begin)} to {self._clock(end)}. What "
            "is the fee, in "
            "cents? Every half hour begun is charged at the price of that day's kind, weekday or weekend (Saturday and Sunday). Answer "
            "with the number."
        )
        self.tools = [self.prices]

    @staticmethod
    def _clock(half: int) -> str:
        return f"{half // 2:02d}:{half % 2 * 30:02d}"

    def prices(self, zone: str) -> dict[str, int]:
        """The prices of a zone (A to D) in cents for a half hour."""
        if zone not in self._prices:
            raise ValueError("zones are A to D")
        return dict(self._prices[zone])

    def _fee(self, day: dt.date) -> int:
        return self._halves * self._prices[self._zone]["weekend" if day.weekday() >= 5 else "weekday"]

    def _charged_on(self) -> dt.date:
        return self._day

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            m = re.fullmatch(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(?: cents)?", answer.strip())
            answer = int(m[1].replace(",", "")) if m else None
        right = isinstance(answer, int | float) and not isinstance(answer, bool) and answer == self._fee(self._charged_on())
        return 1.0 if right else 0.0

    def reference(self):
        return [("prices", {"zone": self._zone})], self._fee(self._day)

    def state(self) -> dict[str, list[dict]]:
        return {"prices": [{"zone": z} | p for z, p in self._prices.items()]}


class StayToo(Stay):
    def _charged_on(self) -> dt.date:
        return dt.datetime.now().date()


class ParkingOffice:
    name = "parking-fee"

    def __init__(self, stay: type[Stay]):
        self.stay = stay

    def cases(self) -> list[str]:
        return ["weekday", "weekend"]

    def start(self, case: str, seed: int) -> Stay:
        return self.stay(case, seed)


def faulty():
    return ParkingOffice(StayToo)


def repaired():
    return ParkingOffice(Stay)
