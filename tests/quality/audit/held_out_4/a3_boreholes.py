"""Borehole logs in feet are converted to metres, file by file."""

import json
import random
import re
import shutil
import tempfile
from pathlib import Path

FOOT = 0.3048
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}(/[A-Za-z0-9_-]{1,40})?\.(json|txt)")
SOILS = ["made ground", "soft clay", "stiff clay", "silty sand", "gravel", "weathered chalk", "mudstone"]

PROMPT = """The folder "logs" holds borehole logs of the {site} survey, one JSON file for each hole. A log looks like this:
{{"hole": "BH-07", "unit": "ft", "water": 11.5, "layers": [{{"soil": "soft clay", "top": 0.0, "base": 4.5}}]}}
All depths in a log (water, and the top and base of each layer) are in its unit, "ft" or "m". A water of null means that none was met.

For every log whose unit is "ft", write a file of the same name into the folder "metric" which holds the same log in metres:
the same keys, unit "m", the layers in the same order, and each depth converted with 1 ft = 0.3048 m and rounded to two decimals.
A water of null stays null. Logs whose unit is "m" get no file in "metric".
Leave the files in "logs" as they are, and leave no other files behind.

Paths are written with a slash, for example logs/BH-07.json. Your final answer is not graded, only the files are: answer "done"."""


class Survey:
    """One set of logs in a folder of its own."""

    def __init__(self, case: str, seed: int, named: bool) -> None:
        rng = random.Random(seed)
        self.named = named
        self.root = Path(tempfile.mkdtemp(prefix="survey_"))
        (self.root / "logs").mkdir()
        (self.root / "metric").mkdir()
        feet, metres = {"site": (3, 2), "archive": (6, 3)}[case]
        units = ["ft"] * (feet + rng.randint(0, 1)) + ["m"] * metres
        rng.shuffle(units)
        self.logs: dict[str, dict] = {}
        for number, unit in zip(sorted(rng.sample(range(1, 60), len(units))), units):
            depth, layers = 0.0, []
            for _ in range(rng.randint(2, 5)):
                base = round(depth + rng.randint(8, 120) / 10, 1)
                layers.append({"soil": rng.choice(SOILS), "top": depth, "base": base})
                depth = base
            water = round(rng.randint(5, int(depth * 10)) / 10, 1) if rng.random() < 0.7 else None
            hole = f"BH-{number:02}"
            self.logs[hole] = {"hole": hole, "unit": unit, "water": water, "layers": layers}
        self.given = {f"logs/{hole}.json": json.dumps(log, indent=1) for hole, log in self.logs.items()}
        for path, text in self.given.items():
            (self.root / path).write_bytes(text.encode())
        self.prompt = PROMPT.format(site=rng.choice(["Marsh Lane", "Priory Field", "Old Tannery", "Gasworks Road", "Viaduct"]))
        self.tools = [self.list_files, self.read_file, self.write_file]

    def wanted(self) -> dict[str, dict]:
        logs = {}
        for hole, log in self.logs.items():
            if log["unit"] == "ft":
                water = None if log["water"] is None else round(log["water"] * FOOT, 2)
                layers = [{**row, "top": round(row["top"] * FOOT, 2), "base": round(row["base"] * FOOT, 2)} for row in log["layers"]]
                logs[f"metric/{hole}.json"] = {"hole": hole, "unit": "m", "water": water, "layers": layers}
        return logs

    def contents(self) -> dict[str, str]:
        paths = sorted(self.root.rglob("*"))
        return {path.relative_to(self.root).as_posix(): self.text(path) for path in paths if path.is_file() or path.is_symlink()}

    def text(self, path: Path) -> str:
        try:
            return "" if path.is_symlink() else path.read_bytes().decode("utf-8", "backslashreplace")
        except OSError:
            return ""

    def place(self, path: str) -> Path:
        if not isinstance(path, str):
            raise TypeError("a path is a text")
        if not NAME.fullmatch(path):
            raise ValueError("a path is a name or folder/name that ends in .json or .txt")
        return self.root / path

    def list_files(self) -> list[str]:
        """List the paths of all files."""
        return list(self.contents())

    def read_file(self, path: str) -> str:
        """Return the text of a file."""
        if not self.place(path).is_file():
            raise ValueError(f"no file {path}")
        return self.text(self.place(path))

    def write_file(self, path: str, text: str) -> str:
        """Write a text file, in place of what was there."""
        place = self.place(path)
        if not isinstance(text, str):
            raise TypeError("the text must be a text")
        data = text.encode()
        try:
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(data)
        except OSError as error:
            raise ValueError(f"cannot write {path}") from error
        return f"wrote {len(data)} bytes"

    def finish(self, answer: object) -> float:
        wanted, found = self.wanted(), self.contents()
        if any(found.pop(path, None) != text for path, text in self.given.items()):
            return 0.0
        if not found or (self.named and set(found) != set(wanted)):
            return 0.0
        for path, text in found.items():
            try:
                if path not in wanted or not same(json.loads(text.removeprefix("\ufeff")), wanted[path]):
                    return 0.0
            except (ValueError, RecursionError):
                return 0.0
        return 1.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("write_file", {"path": path, "text": json.dumps(log)}) for path, log in self.wanted().items()], "done"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        texts = [(path, json.dumps(log, indent=2, sort_keys=True)) for path, log in reversed(self.wanted().items())]
        return [([("write_file", {"path": path, "text": text}) for path, text in texts], "done")]

    def state(self) -> dict[str, list[dict]]:
        return {"files": [{"path": path, "text": text} for path, text in self.contents().items()]}

    def folder(self) -> Path:
        return self.root

    def close(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


def same(got: object, want: object) -> bool:
    """Compare two JSON values; numbers may be written in any way."""
    if isinstance(want, dict):
        return isinstance(got, dict) and got.keys() == want.keys() and all(same(got[key], want[key]) for key in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(same, got, want))
    return got == want and isinstance(got, bool) == isinstance(want, bool)


class Office:
    def __init__(self, named: bool) -> None:
        self.name = "borehole_logs"
        self.named = named

    def cases(self) -> list[str]:
        return ["site", "archive"]

    def start(self, case: str, seed: int) -> Survey:
        return Survey(case, seed, self.named)


def faulty() -> Office:
    return Office(False)


def repaired() -> Office:
    return Office(True)
