"""Labels of laboratory samples: the answer is a regular expression that tells proper labels from bad ones."""

import json
import random
import re
import string
import subprocess
import sys

SITES = ["AX", "BD", "CK", "DM", "FR", "GL", "HV", "KN", "LT", "MO", "PR", "SV", "TY", "WZ"]
MATCH = "import json, re, sys; p = re.compile(sys.argv[1]); print(json.dumps([bool(p.fullmatch(s)) for s in json.load(sys.stdin)]))"


class Lab:
    """Writes proper labels and spoils them."""

    def __init__(self, rng: random.Random):
        self.sites = sorted(rng.sample(SITES, 4))
        self.marks = sorted(rng.sample("RDFQX", 2))
        self.digits = rng.choice([4, 5])

    def proper(self, rng: random.Random) -> str:
        number = "".join(rng.choice(string.digits) for _ in range(self.digits))
        return f"{rng.choice(self.sites)}-{number}" + rng.choice(["", "", *(f"/{mark}" for mark in self.marks)])

    def spoilt(self, rng: random.Random) -> str:
        label = self.proper(rng)
        site, _, rest = label.partition("-")
        return rng.choice(
            [
                f"{rng.choice([s for s in SITES if s not in self.sites])}-{rest}",
                f"{site}-{rng.choice(string.digits)}{rest}",
                f"{site}-{rest[1:]}",
                label.lower(),
                label.replace("-", ""),
                f"{site}-{rest[: self.digits]}/{rng.choice([m for m in 'RDFQX' if m not in self.marks])}",
                f"{site}-{rest[: self.digits]}{self.marks[0]}",
                f"{label}/{self.marks[1]}{self.marks[0]}",
                f"{site}-{rest[:2]}{rng.choice('OIl')}{rest[3:]}",
            ]
        )


def draw(make, rng: random.Random, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        label = make(rng)
        if label not in found:
            found.append(label)
    return found


class Sheet:
    def __init__(self, seed: int):
        rng = random.Random(f"lab/{seed}")
        self.lab = Lab(rng)
        self.good, self.bad = draw(self.lab.proper, rng, 6), draw(self.lab.spoilt, rng, 6)
        self.judged = self.batch(rng)
        self.tools: list = []
        self.prompt = (
            "We sort sample labels with Python's re.fullmatch and need the pattern. A proper label is one of the site codes "
            f"{', '.join(self.lab.sites)}, a dash, exactly {self.lab.digits} digits (0 to 9), and then nothing more, or a slash and one "
            f"of the letters {' or '.join(self.lab.marks)}. Capitals matter.\nProper, for instance: {', '.join(self.good)}.\n"
            f"Not proper: {', '.join(self.bad)}.\n"
            "Every label that comes in must be told rightly. Answer with the pattern alone, without quotes or slashes around it, at "
            "most 200 characters."
        )

    def batch(self, rng: random.Random) -> list[tuple[str, bool]]:
        return [(label, True) for label in self.good] + [(label, False) for label in self.bad]

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or not 0 < len(answer.strip()) <= 200:
            return 0.0
        labels = [label for label, _ in self.judged]
        try:
            said = subprocess.run(
                [sys.executable, "-I", "-c", MATCH, answer.strip()], input=json.dumps(labels).encode(), capture_output=True, timeout=5
            ).stdout
            return 1.0 if json.loads(said) == [proper for _, proper in self.judged] else 0.0
        except (subprocess.TimeoutExpired, OSError, ValueError):
            return 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [], f"(?:{'|'.join(self.lab.sites)})-[0-9]{{{self.lab.digits}}}(?:/[{''.join(self.lab.marks)}])?"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        one, two = (re.escape(mark) for mark in self.lab.marks)
        return [([], f"^({'|'.join(reversed(self.lab.sites))})-{r'[0-9]' * self.lab.digits}(|/{one}|/{two})$")]


class SheetToo(Sheet):
    def batch(self, rng: random.Random) -> list[tuple[str, bool]]:
        more = [(label, True) for label in draw(self.lab.proper, rng, 60)] + [(label, False) for label in draw(self.lab.spoilt, rng, 120)]
        return super().batch(rng) + more


class Sorter:
    name = "sample labels"

    def __init__(self, sheet: type[Sheet]):
        self.sheet = sheet

    def cases(self) -> list[str]:
        return ["intake"]

    def start(self, case: str, seed: int) -> Sheet:
        return self.sheet(seed)


def faulty() -> Sorter:
    return Sorter(Sheet)


def repaired() -> Sorter:
    return Sorter(SheetToo)
