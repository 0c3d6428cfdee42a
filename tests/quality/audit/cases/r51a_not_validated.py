"""An assay register: whether a method is validated, after its record."""

import random
import re

METHODS = ["titration", "electrophoresis", "turbidity", "chromatography", "colorimetry", "refractometry"]


class Register:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"assay-{seed}")
        self.records = {method: [rng.randint(0, 9) for _ in range(3)] for method in rng.sample(METHODS, 5)}
        self.limit = rng.randint(4, 7)
        self.method = rng.choice(list(self.records))
        self.records[self.method] = [rng.randint(0, self.limit) for _ in range(3)]
        if rng.random() < 0.4:
            self.records[self.method][rng.randrange(3)] = rng.randint(self.limit + 1, 9)
        self.valid = max(self.records[self.method]) <= self.limit
        self.tools = [self.record]
        self.prompt = (
            f"A method is validated if none of its three deviations is above {self.limit}. Is {self.method} validated? Answer with one of: "
            "validated; not validated."
        )

    def record(self, method: str) -> list[int]:
        """The deviations of a method."""
        if method not in self.records:
            raise ValueError("no such method")
        return self.records[method]

    def _claims(self, text: str) -> bool | None:
        return True if "validated" in text else None

    def finish(self, answer: object) -> float:
        text = " ".join(str(answer).casefold().split()).strip(" .")
        return float(self._claims(text) is self.valid)

    def reference(self) -> tuple[list, object]:
        return [("record", {"method": self.method})], "validated" if self.valid else "not validated"


class RegisterToo(Register):
    def _claims(self, text: str) -> bool | None:
        hit = re.fullmatch(r"(?:the answer is |it is |is )?(not |not yet )?validated", text)
        return None if hit is None else not hit.group(1)


class Laboratory:
    name = "assay register"

    def __init__(self, register: type[Register]) -> None:
        self._register = register

    def cases(self) -> list[str]:
        return ["validated"]

    def start(self, case: str, seed: int) -> Register:
        return self._register(seed)


def faulty() -> Laboratory:
    return Laboratory(Register)


def repaired() -> Laboratory:
    return Laboratory(RegisterToo)
