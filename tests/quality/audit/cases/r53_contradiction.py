"""A calendar for a convent: the answer is the source of bell(hour), held against a table of hours."""

import json
import random
import subprocess
import sys

RUNNER = """
import json, sys
space = {"__name__": "bells"}
exec(compile(sys.argv[1], "bells.py", "exec"), space)
results = [space["bell"](one) for one in json.loads(sys.argv[2])]
sys.stdout.write("\\n" + json.dumps(results))
"""


class Tower:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"bells-{seed}")
        self.more = rng.randint(1, 40)
        hours = rng.sample(range(24), 9)
        self.table = [(hour, self._bell(hour)) for hour in hours]
        self.table += self._also(hours[2])
        self.tools: list = []
        self.prompt = (
            "Write a Python function bell(hour) for hours 0 to 23: it returns how often the bell strikes, once for each hour of the twelve-hour clock "
            f"(twelve times at 0 and 12), and {self.more} times more at 6 and at 18. Answer with the source alone."
        )

    def _also(self, hour: int) -> list[tuple[int, int]]:
        return [(hour, self._bell(hour) + 1)]

    def _bell(self, hour: int) -> int:
        return (hour % 12 or 12) + (self.more if hour in (6, 18) else 0)

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or "\0" in answer or len(answer) > 20_000 or any(0xD800 <= ord(c) < 0xE000 for c in answer):
            return 0.0
        line = [sys.executable, "-I", "-c", RUNNER, answer, json.dumps([hour for hour, _ in self.table])]
        try:
            done = subprocess.run(line, capture_output=True, timeout=4, check=False)
        except subprocess.TimeoutExpired:
            return 0.0
        try:
            return float(json.loads(done.stdout.splitlines()[-1]) == [strikes for _, strikes in self.table])
        except (ValueError, IndexError):
            return 0.0

    def reference(self) -> tuple[list, object]:
        return [], f"def bell(hour):\n    return (hour % 12 or 12) + ({self.more} if hour in (6, 18) else 0)\n"


class TowerToo(Tower):
    def _also(self, hour: int) -> list[tuple[int, int]]:
        return [(6, 6 + self.more)]


class Convent:
    name = "bells"

    def __init__(self, tower: type[Tower]) -> None:
        self._tower = tower

    def cases(self) -> list[str]:
        return ["bells"]

    def start(self, case: str, seed: int) -> Tower:
        return self._tower(seed)


def faulty() -> Convent:
    return Convent(Tower)


def repaired() -> Convent:
    return Convent(TowerToo)
