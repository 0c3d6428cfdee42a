"""A spare parts counter mends one order line whose part code isn't the one of its description."""

import random
import re

PARTS = ["hinge", "spindle", "drive belt", "gasket", "float valve", "fan wheel", "relay", "door seal", "lamp holder", "bearing"]


def check_digit(body: str) -> int:
    """Weights 6 to 2 from the left, modulo 10."""
    return sum(int(digit) * weight for digit, weight in zip(body, range(6, 1, -1), strict=True)) % 10


def is_valid(code: str) -> bool:
    return bool(re.fullmatch(r"[0-9]{6}", code)) and int(code[5]) == check_digit(code[:5])


class Counter:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"parts/{case}/{seed}")
        codes = [f"{body}{check_digit(str(body))}" for body in rng.sample(range(10_000, 99_999), len(PARTS))]
        self.parts = dict(zip(PARTS, codes, strict=True))
        orders = rng.sample(range(100, 999), 2)
        named = rng.sample(PARTS, 8)
        self.lines = {}
        for i, part in enumerate(named):
            row = {"order": orders[i // 4], "line": i % 4 + 1, "part": part, "code": self.parts[part], "pieces": rng.randint(1, 9)}
            self.lines[row["order"], row["line"]] = row
        self.order, self.line = orders[0], rng.randint(1, 4)
        row = self.lines[self.order, self.line]
        self.right = row["code"]
        if case == "mix-up":
            row["code"] = self.parts[rng.choice([part for part in PARTS if part not in named])]
        else:
            digit = rng.randrange(5)
            row["code"] = self.right[:digit] + str((int(self.right[digit]) + rng.choice([1, 3, 7, 9])) % 10) + self.right[digit + 1 :]
        self.goal = {key: {**row, "code": self.right} if key == (self.order, self.line) else dict(row) for key, row in self.lines.items()}
        self.prompt = (
            f"One line of order {self.order} has a part code that isn't the code of the part it describes. Give the line the code that "
            "the catalogue has for its part. Nothing else of any order changes; only the orders at the end count. Answer with the number "
            "of the line."
        )
        self.tools = [self.show_order, self.catalogue, self.validate_code, self.set_code]

    def show_order(self, order: int) -> list[dict]:
        """The lines of an order."""
        rows = [dict(row) for row in self.lines.values() if row["order"] == order]
        if not rows:
            raise ValueError("no such order")
        return rows

    def catalogue(self) -> dict[str, str]:
        """Part codes by part."""
        return dict(self.parts)

    def validate_code(self, code: str) -> str:
        """Whether a code is well formed: six digits, of which the last is the check digit. It says nothing about which part it is."""
        if not isinstance(code, str):
            raise ValueError("a code is a text of six digits")
        if not re.fullmatch(r"[0-9]{6}", code):
            return "not six digits"
        return "well formed" if is_valid(code) else "check digit wrong"

    def set_code(self, order: int, line: int, code: str) -> str:
        """Give an order line another part code, which must be well formed."""
        if (order, line) not in self.lines:
            raise ValueError("no such line")
        if not isinstance(code, str) or not is_valid(code):
            raise ValueError("the code isn't well formed")
        self.lines[order, line]["code"] = code
        return "changed"

    def state(self) -> dict[str, list[dict]]:
        return {"lines": [dict(row) for row in self.lines.values()], "parts": [{"part": p, "code": c} for p, c in self.parts.items()]}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        change = {"order": self.order, "line": self.line, "code": self.right}
        return [
            ("show_order", {"order": self.order}),
            ("catalogue", {}),
            ("validate_code", {"code": self.right}),
            ("set_code", change),
        ], self.line

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            answer = int(answer) if re.fullmatch(r"\s*[0-9]\s*", answer) else None
        said = not isinstance(answer, bool) and isinstance(answer, (int, float)) and answer == self.line
        return 1.0 if said and self.lines == self.goal else 0.0


class Parts:
    name = "part codes"

    def cases(self) -> list[str]:
        return ["typo", "mix-up"]

    def start(self, case: str, seed: int) -> Counter:
        return Counter(case, seed)


def sound() -> Parts:
    return Parts()
