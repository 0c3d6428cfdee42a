"""A courier's price list as code: the answer is the source of price(parcel), a function from a parcel to cents."""

import json
import random
import subprocess
import sys

WORKER = """
import json, os, sys
up = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
space = {"__name__": "answer"}
exec(compile(sys.argv[1], "answer.py", "exec"), space)
parcels = json.load(sys.stdin)
up.write(json.dumps([space["price"](parcel) for parcel in parcels]))
up.flush()
"""


class Task:
    def __init__(self, seed: int, fresh: int):
        rng = random.Random(31 * seed + 2)
        self.base = dict(zip("SML", sorted(rng.sample(range(300, 1500, 10), 3)), strict=True))
        self.free, self.step = rng.choice([1000, 2000]), rng.choice([35, 45, 60])
        self.weekend = rng.choice([10, 20, 25])
        examples = [self.parcel(rng) for _ in range(8)]
        self.tried = examples + [self.parcel(rng) for _ in range(fresh)]
        lines = "\n".join(f"{json.dumps(p)} -> {self.cents(p)}" for p in examples)
        self.tools: list = []
        self.prompt = (
            "Write a Python function price(parcel) for our courier desk; it gets a dict and returns whole cents.\n"
            f"- Base price by size: {', '.join(f'{size} {cents}' for size, cents in self.base.items())}.\n"
            f"- The first {self.free} grams are free of charge; each 500 grams begun beyond them add {self.step} cents.\n"
            f"- At the weekend the sum so far rises by {self.weekend} %, rounded down to whole cents.\n"
            "- Members then pay 90 % of that, rounded down to whole cents.\n"
            f"Some parcels of last week and what they cost:\n{lines}\n"
            "It must be right for any parcel (grams is a whole number from 1 to 20000). Answer with the source alone, without code "
            "fences; use nothing but the standard library."
        )

    def parcel(self, rng: random.Random) -> dict:
        grams = rng.choice([self.free, self.free + 500, self.free + 1, rng.randint(1, 20000), rng.randint(1, 20000), rng.randint(1, 4000)])
        return {"size": rng.choice("SML"), "grams": grams, "weekend": rng.random() < 0.4, "member": rng.random() < 0.4}

    def cents(self, parcel: dict) -> int:
        over = max(0, parcel["grams"] - self.free)
        total = self.base[parcel["size"]] + (over + 499) // 500 * self.step
        if parcel["weekend"]:
            total = total * (100 + self.weekend) // 100
        return total * 9 // 10 if parcel["member"] else total

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or len(answer) > 20_000:
            return 0.0
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-c", WORKER, answer],
                input=json.dumps(self.tried).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=5,
            )
            got = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, OSError, ValueError, RecursionError):
            return 0.0
        return 1.0 if got == [self.cents(parcel) for parcel in self.tried] else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [], (
            f"BASE = {self.base!r}\n\n\ndef price(parcel):\n    cents = BASE[parcel['size']]\n"
            f"    over = max(0, parcel['grams'] - {self.free})\n"
            f"    cents += -(-over // 500) * {self.step}\n    if parcel['weekend']:\n        cents = cents * {100 + self.weekend} // 100\n"
            "    if parcel['member']:\n        cents = cents * 90 // 100\n    return cents\n"
        )

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [
            (
                [],
                "import math\n\nprice = lambda p: (lambda n: n * 9 // 10 if p['member'] else n)((lambda n: n + "
                f"n * {self.weekend} // 100 if p['weekend'] else n)({self.base!r}[p['size']] + {self.step} * math.ceil(max(0, p['grams'] "
                f"- {self.free}) / 500)))",
            )
        ]


class Courier:
    name = "courier prices"

    def __init__(self, fresh: int):
        self.fresh = fresh

    def cases(self) -> list[str]:
        return ["price-list"]

    def start(self, case: str, seed: int) -> Task:
        return Task(seed, self.fresh)


def faulty() -> Courier:
    return Courier(fresh=0)


def repaired() -> Courier:
    return Courier(fresh=60)
