"""A waterworks: alarms, pumps and their logs; which pump set off last night's alarm?"""

import random
import string


class Watch:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{seed}~{case}")
        letters = rng.sample(string.ascii_uppercase, 3)
        self.pumps = [
            {"tag": f"{letter}-{number}", "hall": letter, "limit": rng.randint(60, 90)}
            for letter in letters
            for number in rng.sample(range(10, 99), 5)
        ]
        self.alarm = {"hall": rng.choice(letters), "minute": rng.randint(60, 280)}
        self.log = []
        here = [pump for pump in self.pumps if pump["hall"] == self.alarm["hall"]]
        self._guilty = rng.choice(here)
        for pump in self.pumps:
            for step in (-9, -4, 0, 6):
                elsewhere = pump["hall"] != self.alarm["hall"] and rng.random() < 0.3
                over = elsewhere or (step == 0 and pump is self._guilty) or (step == 6 and pump is here[0])
                load = pump["limit"] + (rng.randint(1, 9) if over else -rng.randint(0, 20))
                self.log.append({"tag": pump["tag"], "minute": self.alarm["minute"] + step, "load": load})
        rng.shuffle(self.log)
        self.prompt = (
            f"Last night at {case} an alarm rang in hall {self.alarm['hall']}. It is rung by the one pump of that hall whose load was "
            "above its own limit in the minute of the alarm. Which pump was it? Answer with its tag alone."
        )
        self.tools = [self.alarms, self.pumps_in, self.loads]

    def alarms(self) -> list[dict]:
        """Alarms of last night: hall and minute after midnight."""
        return [dict(self.alarm)]

    def pumps_in(self, hall: str) -> list[dict]:
        """Tags and load limits of the pumps of a hall."""
        found = [{"tag": pump["tag"], "limit": pump["limit"]} for pump in self.pumps if pump["hall"] == hall]
        if not found:
            raise ValueError(f"no hall {hall!r}")
        return found

    def loads(self, tag: str) -> list[dict]:
        """Logged loads of a pump."""
        found = [{"minute": row["minute"], "load": row["load"]} for row in self.log if row["tag"] == tag]
        if not found:
            raise ValueError(f"no pump {tag!r}")
        return sorted(found, key=lambda row: row["minute"])

    def names(self, answer: str) -> bool:
        return self._guilty["tag"] in answer.upper()

    def finish(self, answer: object) -> float:
        return 1.0 if isinstance(answer, str) and self.names(answer) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        hall = self.alarm["hall"]
        looks = [("loads", {"tag": pump["tag"]}) for pump in self.pumps if pump["hall"] == hall]
        return [("alarms", {}), ("pumps_in", {"hall": hall}), *looks], self._guilty["tag"]

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [(self.reference()[0], f" {self._guilty['tag'].lower()}.")]

    def state(self) -> dict[str, list[dict]]:
        return {"pumps": [dict(row) for row in self.pumps], "alarms": self.alarms(), "log": [dict(row) for row in self.log]}


class WatchToo(Watch):
    def names(self, answer: str) -> bool:
        return self._guilty["tag"] == answer.upper().strip(" \t\n.'\"`")


class Waterworks:
    name = "pump alarm"

    def __init__(self, watch: type[Watch]):
        self.watch = watch

    def cases(self) -> list[str]:
        return ["Seewerk", "Uferwerk"]

    def start(self, case: str, seed: int) -> Watch:
        return self.watch(case, seed)


def faulty() -> Waterworks:
    return Waterworks(Watch)


def repaired() -> Waterworks:
    return Waterworks(WatchToo)
