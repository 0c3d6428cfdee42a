"""Two settings files are merged into a third, with a list of settings that a site may not change."""

import random
import shutil
import stat
import tempfile
from pathlib import Path

KEYS = ["cache", "depth", "edge", "fanout", "grace", "horizon", "interval", "jitter", "keepalive", "latency", "mirror", "notify"]
GIVEN = ("base.conf", "site.conf", "locked.txt")
OUT = "merged.conf"


def parse(text: str) -> dict[str, str] | None:
    """key = value lines; blank lines and lines that start with # are skipped. None if a line is neither, or a key comes twice."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not key or key in values:
            return None
        values[key] = value
    return values


def conf(values: dict[str, str]) -> str:
    return "".join(f"{key} = {value}\n" for key, value in values.items())


class Merge:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"conf-{seed}")
        keys = rng.sample(KEYS, 8 + rng.randint(1, 4))
        base = {key: str(rng.randint(1, 400)) for key in keys[:8]}
        site = {key: str(int(base[key]) + rng.randint(1, 90)) for key in keys[:5]} | {key: str(rng.randint(1, 400)) for key in keys[8:]}
        locked = sorted([*rng.sample(keys[:5], 2), keys[6]])
        self.goal = {**base, **{key: value for key, value in site.items() if key not in locked}}
        site = dict(rng.sample(sorted(site.items()), len(site)))
        self.files = {"base.conf": conf(base), "site.conf": conf(site), "locked.txt": "\n".join(locked) + "\n"}
        self.root = Path(tempfile.mkdtemp(prefix="conf-"))
        for name, text in self.files.items():
            (self.root / name).write_bytes(text.encode())
        self.prompt = (
            f"Write {OUT} beside the three files of the folder: all settings of base.conf and site.conf, where the value of site.conf "
            "wins, except for settings named in locked.txt, which keep the value of base.conf. One 'key = value' a line, each key once, "
            "in any order; blank lines and comment lines that start with # are fine. The three files must be left as they are. Answer "
            "with the number of settings in your file."
        )
        self.tools = [self.read, self.write]

    def folder(self) -> Path:
        return self.root

    def _text(self, name: str) -> str | None:
        path = self.root / name
        try:
            info = path.lstat()
            return path.read_bytes().decode("utf-8") if stat.S_ISREG(info.st_mode) and info.st_size < 50_000 else None
        except (OSError, ValueError):
            return None

    def read(self, name: str) -> str:
        """Read base.conf, site.conf, locked.txt or merged.conf."""
        if name not in (*GIVEN, OUT):
            raise ValueError("there are base.conf, site.conf, locked.txt and, once written, merged.conf")
        text = self._text(name)
        if text is None:
            raise ValueError(f"{name} can't be read")
        return text

    def write(self, name: str, text: str) -> str:
        """Write one of the files anew."""
        if name not in (*GIVEN, OUT) or not isinstance(text, str) or len(text) > 10_000:
            raise ValueError("give one of the four names, and a text of at most 10000 characters")
        data = text.encode("utf-8")
        path = self.root / name
        try:
            if path.is_symlink() or (path.exists() and not path.is_file()):
                raise ValueError("that is no plain file")
            path.write_bytes(data)
        except OSError as error:
            raise ValueError("it can't be written") from error
        return "written"

    def state(self) -> dict[str, list[dict]]:
        return {"files": [{"name": name, "text": self._text(name)} for name in (*GIVEN, OUT)]}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [*(("read", {"name": name}) for name in GIVEN), ("write", {"name": OUT, "text": conf(self.goal)})], len(self.goal)

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        lines = [f"{key}={value}" for key, value in sorted(self.goal.items())]
        return [([("write", {"name": OUT, "text": "# merged\n\n" + "\n".join(lines)})], str(len(lines)))]

    def finish(self, answer: object) -> float:
        if any(self._text(name) != text for name, text in self.files.items()):
            return 0.0
        merged = self._text(OUT)
        if merged is None or parse(merged) != self.goal:
            return 0.0
        if isinstance(answer, str):
            return 1.0 if answer.strip() == str(len(self.goal)) else 0.0
        return 1.0 if answer == len(self.goal) else 0.0

    def close(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


class Settings:
    name = "config folder"

    def cases(self) -> list[str]:
        return ["merge"]

    def start(self, case: str, seed: int) -> Merge:
        return Merge(seed)


def sound() -> Settings:
    return Settings()
