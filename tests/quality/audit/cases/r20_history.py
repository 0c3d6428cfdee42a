"""A toll calculator in a repository: the band limits in toll.py are wrong and have to be mended."""

import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

SOURCE = '''"""Tolls by length."""


def toll(metres):
    if metres <= {first}:
        return {low}
    if metres <= {second}:
        return {middle}
    return {high}
'''

RUNNER = """
import json, sys
space = {"__name__": "toll"}
exec(compile(sys.argv[1], "toll.py", "exec"), space)
results = [space["toll"](one) for one in json.loads(sys.argv[2])]
sys.stdout.write("\\n" + json.dumps(results))
"""


class Repository:
    depth = 2

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"toll-{seed}")
        self.first, self.second = rng.randint(4, 6), rng.randint(9, 14)
        self.cents = [rng.randint(200, 400), rng.randint(500, 800), rng.randint(900, 1500)]
        self.right, broken = self._source(self.first, self.second), self._source(self.first + 1, self.second - 2)
        self.lengths = [*range(1, 20), rng.randint(20, 40)]
        self.room = Path(tempfile.mkdtemp(prefix="toll-"))
        (self.room / "toll.py").write_text(broken)
        (self.room / ".git").mkdir()
        commits, parent = [(broken, "Add tolls"), (self.right, "Mend the band limits")], ""
        for text, words in commits[: self.depth]:
            parent = self._commit(text, words, parent)
            if text == broken:
                (self.room / ".git/HEAD").write_text(parent + "\n")
        (self.room / ".git/packed-refs").write_text(f"{parent} refs/remotes/origin/main\n")
        self.tools = [self.read_file, self.write_file, self.git_log, self.git_show]
        self.prompt = (
            f"toll.py is wrong: vehicles up to and including {self.first} metres pay {self.cents[0]} cents, up to and including {self.second} "
            f"metres {self.cents[1]}, longer ones {self.cents[2]}. Mend toll(metres) in toll.py."
        )

    def _source(self, first: int, second: int) -> str:
        values = {"first": first, "second": second, "low": self.cents[0], "middle": self.cents[1], "high": self.cents[2]}
        text = SOURCE
        for name, value in values.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    def _object(self, kind: str, body: bytes) -> str:
        whole = f"{kind} {len(body)}".encode() + b"\0" + body
        name = hashlib.sha1(whole).hexdigest()
        path = self.room / ".git/objects" / name[:2] / name[2:]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zlib.compress(whole))
        return name

    def _commit(self, text: str, words: str, parent: str) -> str:
        blob = self._object("blob", text.encode())
        tree = self._object("tree", b"100644 toll.py\0" + bytes.fromhex(blob))
        above = f"parent {parent}\n" if parent else ""
        who = "Road Office <roads@example.org> 1700000000 +0000"
        return self._object("commit", f"tree {tree}\n{above}author {who}\ncommitter {who}\n\n{words}\n".encode())

    def read_file(self) -> str:
        """The text of toll.py."""
        return (self.room / "toll.py").read_text(errors="replace")

    def write_file(self, text: str) -> str:
        """Replace toll.py."""
        if not isinstance(text, str):
            raise ValueError("text must be a string")
        (self.room / "toll.py").write_text(text, errors="replace")
        return "written"

    def git_log(self) -> list[str]:
        """All objects of the repository, by name."""
        return sorted(path.parent.name + path.name for path in (self.room / ".git/objects").glob("??/*"))

    def git_show(self, name: str) -> str:
        """An object's content."""
        if name not in self.git_log():
            raise ValueError("no such object")
        return zlib.decompress((self.room / ".git/objects" / name[:2] / name[2:]).read_bytes()).decode("latin-1")

    def finish(self, answer: object) -> float:
        path = self.room / "toll.py"
        source = path.read_text(errors="replace") if path.is_file() else ""
        want = [self.cents[0] if m <= self.first else self.cents[1] if m <= self.second else self.cents[2] for m in self.lengths]
        if "\0" in source or len(source) > 50_000:
            return 0.0
        line = [sys.executable, "-I", "-c", RUNNER, source, json.dumps(self.lengths)]
        try:
            done = subprocess.run(line, capture_output=True, timeout=5, check=False)
        except subprocess.TimeoutExpired:
            return 0.0
        try:
            return float(json.loads(done.stdout.splitlines()[-1]) == want)
        except (ValueError, IndexError):
            return 0.0

    def reference(self) -> tuple[list, object]:
        return [("read_file", {}), ("write_file", {"text": self.right})], None

    def folder(self) -> Path:
        return self.room

    def close(self) -> None:
        shutil.rmtree(self.room, ignore_errors=True)


class RepositoryToo(Repository):
    depth = 1


class RoadOffice:
    name = "toll bands"

    def __init__(self, repository: type[Repository]) -> None:
        self._repository = repository

    def cases(self) -> list[str]:
        return ["bands"]

    def start(self, case: str, seed: int) -> Repository:
        return self._repository(seed)


def faulty() -> RoadOffice:
    return RoadOffice(Repository)


def repaired() -> RoadOffice:
    return RoadOffice(RepositoryToo)
