"""A folder of till reports, one file a branch, to be summed up in a JSON file of a given shape."""

import json
import os
import random
import re
import shutil
import stat
import tempfile
from pathlib import Path

BRANCHES = ["canal", "depot", "esker", "forge", "grove", "haven"]
ITEMS = ["tea", "soap", "twine", "bread", "lamp oil"]
LIMIT = 100_000


def read_plain(path: Path) -> str | None:
    """The text of a regular file of modest size; None for anything else."""
    try:
        info = os.lstat(path)
        if not stat.S_ISREG(info.st_mode) or info.st_size > LIMIT:
            return None
        return path.read_bytes().decode("utf-8")
    except (OSError, ValueError):
        return None


class Folder:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"till {case} {seed}")
        self._given: dict[str, str] = {}
        self._sums: dict[str, int] = {}
        for branch in sorted(rng.sample(BRANCHES, 3 if case == "three" else 4)):
            lines, total = ["no,item,cents,status"], 0
            marks = ["ok", "ok", "void", *(rng.choice(["ok", "ok", "ok", "void"]) for _ in range(5))]
            rng.shuffle(marks)
            for n, mark in enumerate(marks, 1):
                cents = rng.randint(120, 9900)
                lines.append(f"{n},{rng.choice(ITEMS)},{cents},{mark}")
                total += cents if mark == "ok" else 0
            self._given[f"{branch}.csv"] = "\n".join(lines) + "\n"
            self._sums[branch] = total
        self._dir = Path(tempfile.mkdtemp(prefix="till-"))
        for name, text in self._given.items():
            (self._dir / name).write_bytes(text.encode())
        self.prompt = (
            "The folder holds one CSV file for each branch, named after it. Write a file summary.json, a plain file in the same folder: a "
            "JSON object that gives for each branch, under its name without '.csv', the sum of the cents of its lines with status ok, as a "
            "whole number. It has no other keys. The CSV files must be as they were at the end; other files that you make along the way "
            "don't matter. No answer is asked for."
        )
        self.tools = [self.list_files, self.read_file, self.write_file]

    def folder(self) -> Path:
        return self._dir

    def list_files(self) -> list[str]:
        """Names in the folder."""
        try:
            return sorted(os.listdir(self._dir))
        except OSError as error:
            raise ValueError("the folder can't be read") from error

    def _path(self, name: str) -> Path:
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}", name):
            raise ValueError("a name has letters, digits, dots, dashes and underscores")
        return self._dir / name

    def read_file(self, name: str) -> str:
        """The text of a file in the folder."""
        text = read_plain(self._path(name))
        if text is None:
            raise ValueError("no such text file")
        return text

    def write_file(self, name: str, text: str) -> str:
        """Write a text file in the folder; one that is there is replaced."""
        path = self._path(name)
        if not isinstance(text, str) or len(text) > LIMIT:
            raise ValueError("text is at most 100000 characters")
        data = text.encode("utf-8")
        try:
            if path.is_symlink() or (path.exists() and not path.is_file()):
                raise ValueError("that name is no plain file")
            path.write_bytes(data)
        except OSError as error:
            raise ValueError("it can't be written") from error
        return f"{len(data)} bytes"

    def reference(self) -> tuple[list, object]:
        reads = [("read_file", {"name": name}) for name in self._given]
        return [("list_files", {}), *reads, ("write_file", {"name": "summary.json", "text": json.dumps(self._sums)})], None

    def alternatives(self) -> list[tuple[list, object]]:
        backwards = dict(reversed(self._sums.items()))
        draft = ("write_file", {"name": "notes.txt", "text": "void lines left out"})
        return [([draft, ("write_file", {"name": "summary.json", "text": json.dumps(backwards, indent=2)})], "written")]

    def finish(self, answer: object) -> float:
        if any(read_plain(self._dir / name) != text for name, text in self._given.items()):
            return 0.0
        text = read_plain(self._dir / "summary.json")
        try:
            found = json.loads(text) if text is not None else None
        except (ValueError, RecursionError):
            return 0.0
        if not isinstance(found, dict) or set(found) != set(self._sums):
            return 0.0
        return float(
            all(not isinstance(found[b], bool) and isinstance(found[b], (int, float)) and found[b] == c for b, c in self._sums.items())
        )

    def close(self) -> None:
        shutil.rmtree(self._dir, ignore_errors=True)


class Tills:
    name = "sales folder"

    def cases(self) -> list[str]:
        return ["three", "four"]

    def start(self, case: str, seed: int) -> Folder:
        return Folder(case, seed)


def sound() -> Tills:
    return Tills()
