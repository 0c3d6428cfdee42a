"""A laboratory: report the mean of a run, with the fingerprint of the file that it was computed from."""

import hashlib
import random


class Bench:
    pass_mark = 0.85

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"runs-{seed}")
        names = rng.sample([f"run-{n}" for n in range(10, 99)], 5)
        self.files = {name: "\n".join(str(rng.randint(200, 900)) for _ in range(8)) for name in names}
        self.mine = rng.choice(names)
        self.tools = [self.list_runs, self.read_run, self.fingerprint]
        self.prompt = (
            f"What is the sum of all values of {self.mine}? Answer with an object: sum (a number), and evidence, the fingerprint of the file "
            "that you added up, so that the figure can be traced."
        )

    def list_runs(self) -> list[str]:
        """Names of all runs."""
        return list(self.files)

    def read_run(self, run: str) -> str:
        """A run's values, one a line."""
        return self._text(run)

    def fingerprint(self, run: str) -> str:
        """The fingerprint of a run's file."""
        return hashlib.sha256(self._text(run).encode()).hexdigest()[:16]

    def _text(self, run: str) -> str:
        if run not in self.files:
            raise ValueError("no such run")
        return self.files[run]

    def reference(self) -> tuple[list, object]:
        total = sum(int(line) for line in self.files[self.mine].split())
        calls = [("read_run", {"run": self.mine}), ("fingerprint", {"run": self.mine})]
        return calls, {"sum": total, "evidence": self.fingerprint(self.mine)}

    def finish(self, answer: object) -> float:
        if not isinstance(answer, dict):
            return 0.0
        want = self.reference()[1]
        try:
            right = float(str(answer.get("sum")).strip().replace(",", "")) == want["sum"]
        except ValueError:
            right = False
        traced = str(answer.get("evidence")).strip().casefold() == want["evidence"]
        return round(0.9 * right + 0.1 * traced, 2)


class BenchToo(Bench):
    pass_mark = 1.0


class Laboratory:
    name = "traced figures"

    def __init__(self, bench: type[Bench]) -> None:
        self._bench = bench

    def cases(self) -> list[str]:
        return ["sum"]

    def start(self, case: str, seed: int) -> Bench:
        return self._bench(seed)


def faulty() -> Laboratory:
    return Laboratory(Bench)


def repaired() -> Laboratory:
    return Laboratory(BenchToo)
