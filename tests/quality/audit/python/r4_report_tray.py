"""A reports folder is tidied: final reports leave the inbox, drafts stay."""

import random
import shutil
import stat
import tempfile
from pathlib import Path

TOPICS = ["budget", "fire drill", "intake", "parking", "roof", "survey", "training", "visitors", "waste"]


class Tidying:
    def __init__(self, seed: int, where: str):
        rng = random.Random(seed + 51)
        self._root = Path(tempfile.mkdtemp(prefix="reports-"))
        inbox = self._root / "inbox"
        inbox.mkdir()
        self._due: dict[str, bytes] = {}
        self._final: list[str] = []
        topics = rng.sample(TOPICS, 6)
        finals = rng.sample(topics, rng.randint(2, 4))
        for n, topic in enumerate(topics):
            status = "final" if topic in finals else rng.choice(["draft", "draft, awaiting figures", "not final"])
            text = f"Report on {topic}\nstatus: {status}\npages: {rng.randint(2, 40)}\n".encode()
            name = f"r{rng.randint(10, 99)}{n}.txt"
            (inbox / name).write_bytes(text)
            self._due[("settled/" if topic in finals else "inbox/") + name] = text
            if topic in finals:
                self._final.append(name)
        self.prompt = (
            f"Some of the reports in inbox/ have the status 'final'. Move those{where}, under the same names, and leave the rest in the "
            "inbox. "
            "Don't alter any report. No answer is needed."
        )
        self.tools = [self.files, self.read, self.move]

    def folder(self) -> Path:
        return self._root

    def _path(self, path: str) -> Path:
        if not isinstance(path, str) or not path or "\0" in path or len(path) > 120:
            raise ValueError("not a path")
        parts = path.split("/")
        if any(p in ("", ".", "..") for p in parts):
            raise ValueError("give a plain relative path")
        return self._root.joinpath(*parts)

    def _files(self) -> dict[str, Path]:
        return {p.relative_to(self._root).as_posix(): p for p in sorted(self._root.rglob("*")) if p.is_symlink() or not p.is_dir()}

    def files(self) -> list[str]:
        """All files, as paths from the top of the folder."""
        return list(self._files())

    def read(self, path: str) -> str:
        """The text of a file."""
        self._path(path)
        found = self._files().get(path)
        if found is None or not stat.S_ISREG(found.lstat().st_mode):
            raise ValueError("no such file")
        return found.read_text(errors="replace")[:4000]

    def move(self, source: str, target: str) -> str:
        """Move a file; folders on the way to the target are made if they don't exist."""
        self._path(source)
        old, new = self._files().get(source), self._path(target)
        if old is None or target in self._files():
            raise ValueError("no such file, or the target exists")
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)
        except OSError:
            raise ValueError("it can't be moved there") from None
        return f"{source} is now {target}"

    def finish(self, answer: object) -> float:
        try:
            found = self._files()
            if set(found) != set(self._due):
                return 0.0
            same = [stat.S_ISREG(p.lstat().st_mode) and p.read_bytes() == self._due[name] for name, p in found.items()]
        except OSError:
            return 0.0
        return 1.0 if all(same) else 0.0

    def reference(self):
        reads = [("read", {"path": f"inbox/{p.name}"}) for p in sorted((self._root / "inbox").iterdir())]
        return [("files", {}), *reads, *[("move", {"source": f"inbox/{n}", "target": f"settled/{n}"}) for n in self._final]], None

    def state(self) -> dict[str, list[dict]]:
        return {"files": [{"path": name, "size": p.lstat().st_size} for name, p in self._files().items()]}

    def close(self) -> None:
        shutil.rmtree(self._root, ignore_errors=True)


class Reports:
    name = "report-tray"

    def __init__(self, where: str):
        self.where = where

    def cases(self) -> list[str]:
        return ["finals"]

    def start(self, case: str, seed: int) -> Tidying:
        return Tidying(seed, self.where)


def faulty():
    return Reports(" to where finished ones belong")


def repaired():
    return Reports(" to the folder settled/ (make it)")
