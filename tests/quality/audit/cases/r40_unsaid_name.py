"""A dairy: the answer is a small Python module after a written specification, tried by tests that nobody outside sees."""

import json
import random
import subprocess
import sys

TESTS = """
import json, sys, types
milk = types.ModuleType("milk")
exec(compile(sys.argv[1], "milk.py", "exec"), milk.__dict__)
sys.modules["milk"] = milk
try:
    from milk import IMPORTS
except ImportError:
    sys.stdout.write("\\n[]")
    sys.exit()
sys.stdout.write("\\n" + json.dumps([butterfat(*one) for one in json.loads(sys.argv[2])]))
"""


class Dairy:
    imports = "butterfat, round_half_up"

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"milk-{seed}")
        self.loss = rng.randint(2, 30)
        self.cases = [[rng.randint(100, 9000), rng.randint(30, 55)] for _ in range(12)]
        self.tools: list = []
        self.prompt = (
            "Write the Python module milk.py with one function, butterfat(litres, permille): the kilograms of butterfat in so many litres of milk "
            f"of so many grams a litre, less {self.loss} per cent that are lost, rounded to whole kilograms (half a kilogram counts as one). All "
            "arguments and results are whole numbers. Answer with the source alone."
        )

    def _fat(self, litres: int, permille: int) -> int:
        return (litres * permille * (100 - self.loss) * 2 + 100_000) // 200_000

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or "\0" in answer or len(answer) > 20_000 or any(0xD800 <= ord(c) < 0xE000 for c in answer):
            return 0.0
        line = [sys.executable, "-I", "-c", TESTS.replace("IMPORTS", self.imports), answer, json.dumps(self.cases)]
        try:
            done = subprocess.run(line, capture_output=True, timeout=4, check=False)
        except subprocess.TimeoutExpired:
            return 0.0
        try:
            return float(json.loads(done.stdout.splitlines()[-1]) == [self._fat(*one) for one in self.cases])
        except (ValueError, IndexError):
            return 0.0

    def reference(self) -> tuple[list, object]:
        return [], (
            "def round_half_up(top, bottom):\n    return (2 * top + bottom) // (2 * bottom)\n\n\ndef butterfat(litres, permille):\n"
            f"    return round_half_up(litres * permille * {100 - self.loss}, 100_000)\n"
        )

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], f"def butterfat(litres, permille):\n    return (litres * permille * {100 - self.loss} + 50_000) // 100_000\n")]


class DairyToo(Dairy):
    imports = "butterfat"


class Cooperative:
    name = "butterfat"

    def __init__(self, dairy: type[Dairy]) -> None:
        self._dairy = dairy

    def cases(self) -> list[str]:
        return ["milk"]

    def start(self, case: str, seed: int) -> Dairy:
        return self._dairy(seed)


def faulty() -> Cooperative:
    return Cooperative(Dairy)


def repaired() -> Cooperative:
    return Cooperative(DairyToo)
