"""Homework in sums: the answer has the line of reckoning and the result."""

import random
import re


class Sheet:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"sheet-{seed}")
        self.boxes, self.eggs, self.broken = rng.randint(4, 30), rng.choice([6, 10, 12]), rng.randint(2, 20)
        self.tools: list = []
        self.prompt = (
            f"A farm packs {self.boxes} boxes of {self.eggs} eggs; {self.broken} eggs break. How many are left? Answer with an object: reckoning (the "
            "product and what is taken off, in one line) and left (the number)."
        )

    def _shows(self, line: str) -> bool:
        return " ".join(line.split()) == f"{self.boxes} * {self.eggs} - {self.broken}"

    def finish(self, answer: object) -> float:
        if not isinstance(answer, dict):
            return 0.0
        try:
            left = float(str(answer.get("left")).strip().replace(",", ""))
        except ValueError:
            return 0.0
        return float(left == self.boxes * self.eggs - self.broken and self._shows(str(answer.get("reckoning"))))

    def reference(self) -> tuple[list, object]:
        return [], {"reckoning": f"{self.boxes} * {self.eggs} - {self.broken}", "left": self.boxes * self.eggs - self.broken}


class SheetToo(Sheet):
    def _shows(self, line: str) -> bool:
        plain = "".join(line.casefold().split())
        for sign in "×·x":
            plain = plain.replace(sign, "*")
        plain = plain.replace("−", "-").replace("–", "-")
        product, left = self.boxes * self.eggs, self.boxes * self.eggs - self.broken
        orders = f"{self.boxes}\\*{self.eggs}|{self.eggs}\\*{self.boxes}"
        return bool(re.fullmatch(rf"(?:{orders})(?:={product}[,;]?(?:{product})?)?-{self.broken}(?:={left})?\.?", plain))


class Homework:
    name = "egg sums"

    def __init__(self, sheet: type[Sheet]) -> None:
        self._sheet = sheet

    def cases(self) -> list[str]:
        return ["eggs"]

    def start(self, case: str, seed: int) -> Sheet:
        return self._sheet(seed)


def faulty() -> Homework:
    return Homework(Sheet)


def repaired() -> Homework:
    return Homework(SheetToo)
