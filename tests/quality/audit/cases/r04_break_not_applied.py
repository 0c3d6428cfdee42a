"""A bus company's fare module was broken by a late change; the agent mends it in the folder."""

import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = '''"""Fares in cents."""


def fare(zones, child):
    cents = {base} + {step} * (zones - 1)
    return cents // 2 if child else cents
'''

RUNNER = """
import json, sys
space = {"__name__": "fares"}
exec(compile(sys.argv[1], "fares.py", "exec"), space)
results = [space["fare"](*one) for one in json.loads(sys.argv[2])]
sys.stdout.write("\\n" + json.dumps(results))
"""


class Depot:
    whole = "(zones-1)"

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"fares-{seed}")
        self.base, self.step = rng.randrange(120, 300, 10), rng.randrange(30, 95, 5)
        self.right = SOURCE.replace("{base}", str(self.base)).replace("{step}", str(self.step))
        broken = self.right.replace(self.whole, "zones")
        self.rides = [[rng.randint(1, 9), rng.random() < 0.5] for _ in range(12)] + [[3, False], [4, True]]
        self.room = Path(tempfile.mkdtemp(prefix="fares-"))
        (self.room / "fares.py").write_text(broken)
        self.tools = [self.read_file, self.write_file]
        self.prompt = (
            f"Since last night's change fares.py charges wrong fares. A ride costs {self.base} cents for the first zone and {self.step} "
            "cents for each further zone; children pay half, rounded down. Mend fare(zones, child) in fares.py."
        )

    def _path(self, name: str) -> Path:
        if name != "fares.py":
            raise ValueError("there is only fares.py")
        return self.room / name

    def read_file(self, name: str) -> str:
        """The text of a file."""
        return self._path(name).read_text(errors="replace")

    def write_file(self, name: str, text: str) -> str:
        """Replace a file's text."""
        if not isinstance(text, str):
            raise ValueError("text must be a string")
        self._path(name).write_text(text, errors="replace")
        return "written"

    def finish(self, answer: object) -> float:
        source = (self.room / "fares.py").read_text(errors="replace") if (self.room / "fares.py").is_file() else ""
        want = [(self.base + self.step * (zones - 1)) // (2 if child else 1) for zones, child in self.rides]
        if "\0" in source or len(source) > 50_000:
            return 0.0
        line = [sys.executable, "-I", "-c", RUNNER, source, json.dumps(self.rides)]
        try:
            done = subprocess.run(line, capture_output=True, timeout=5, check=False)
        except subprocess.TimeoutExpired:
            return 0.0
        try:
            return float(json.loads(done.stdout.splitlines()[-1]) == want)
        except (ValueError, IndexError):
            return 0.0

    def reference(self) -> tuple[list, object]:
        return [("read_file", {"name": "fares.py"}), ("write_file", {"name": "fares.py", "text": self.right})], None

    def folder(self) -> Path:
        return self.room

    def close(self) -> None:
        shutil.rmtree(self.room, ignore_errors=True)


class DepotToo(Depot):
    whole = "(zones - 1)"


class Buses:
    name = "bus fares"

    def __init__(self, depot: type[Depot]) -> None:
        self._depot = depot

    def cases(self) -> list[str]:
        return ["mend"]

    def start(self, case: str, seed: int) -> Depot:
        return self._depot(seed)


def faulty() -> Buses:
    return Buses(Depot)


def repaired() -> Buses:
    return Buses(DepotToo)
