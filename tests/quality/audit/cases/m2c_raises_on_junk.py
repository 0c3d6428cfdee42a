"""Prime factors of batch numbers: the answer is a product."""

import math
import random


class Batch:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"primes-{seed}")
        self.factors = sorted(rng.choice([2, 3, 5, 7, 11, 13]) for _ in range(4))
        self.tools: list = []
        self.prompt = (
            f"Write {math.prod(self.factors)} as a product of primes, smallest first, each as often as it occurs, with * between them. Answer with "
            "the product alone."
        )

    def _parts(self, answer: object) -> list[int]:
        return [int(one) for one in str(answer).split("*")]

    def finish(self, answer: object) -> float:
        return float(self._parts(answer) == self.factors)

    def reference(self) -> tuple[list, object]:
        return [], " * ".join(map(str, self.factors))


class BatchToo(Batch):
    def _parts(self, answer: object) -> list[int]:
        try:
            return super()._parts(str(answer).strip().rstrip(".").replace("×", "*"))
        except ValueError:
            return []


class Factory:
    name = "batch primes"

    def __init__(self, batch: type[Batch]) -> None:
        self._batch = batch

    def cases(self) -> list[str]:
        return ["primes"]

    def start(self, case: str, seed: int) -> Batch:
        return self._batch(seed)


def faulty() -> Factory:
    return Factory(Batch)


def repaired() -> Factory:
    return Factory(BatchToo)
