"""A chromatography lab: one client's samples have to be measured within a given instrument time."""

import random
from dataclasses import dataclass, field

FIT = 25


@dataclass
class Bench:
    seed: int
    samples: dict = field(default_factory=dict)
    tray: list = field(default_factory=list)
    measured: list = field(default_factory=list)
    minute: int = 0
    column: str = ""
    stopped: int = -1

    def __post_init__(self):
        rng = random.Random(self.seed)
        columns = rng.sample(["C8", "C18", "phenyl", "amino"], 2)
        self.client, other = rng.sample(["Ostrava Dyes", "Brook Farm", "Lindqvist", "Port Authority"], 2)
        for i, number in enumerate(rng.sample(range(100, 999), 9)):
            whose = self.client if i < 6 else other
            self.samples[f"S{number}"] = {"client": whose, "column": columns[i % 2], "minutes": rng.randint(4, 12)}
        self.mine = [s for s, row in self.samples.items() if row["client"] == self.client]
        self.limit = sum(self.samples[s]["minutes"] for s in self.mine) + 2 * FIT + rng.randint(0, 12)
        self.prompt = (
            f"Measure all samples of {self.client}, each once, and nobody else's. Load them into the "
            "tray; the instrument works through it by itself in the order of loading. "
            f"A sample takes its minutes; fitting the column for a sample takes {FIT} minutes more "
            "whenever another column, or none, is in place (none is at the start). From the start "
            f"of the job until the last sample is measured at most {self.limit} minutes may pass. When the job "
            "is over, stop the clock; loading is not possible after that. No answer is needed."
        )
        self.tools = [self.list_samples, self.load, self.wait_for_tray, self.stop_clock]

    def _work(self):
        while self.tray:
            name = self.tray.pop(0)
            row = self.samples[name]
            self.minute += row["minutes"] + (FIT if row["column"] != self.column else 0)
            self.column = row["column"]
            self.measured.append(name)

    def list_samples(self) -> list[dict]:
        """All samples on the shelf with client, column and minutes."""
        return [{"sample": s, **row} for s, row in self.samples.items()]

    def load(self, sample: str) -> str:
        """Put a sample at the end of the tray; it can not be taken out again."""
        if not isinstance(sample, str) or sample not in self.samples:
            raise ValueError("no such sample")
        if self.stopped >= 0:
            raise ValueError("the clock is stopped")
        if sample in self.tray or sample in self.measured:
            raise ValueError("already loaded")
        self.tray.append(sample)
        return f"{len(self.tray)} in the tray"

    def wait_for_tray(self) -> str:
        """Wait until the tray is empty."""
        self._work()
        return f"tray empty, {len(self.measured)} measured, minute {self.minute}"

    def _sync(self):
        pass

    def stop_clock(self) -> str:
        """Stop the job's clock, once."""
        if self.stopped >= 0:
            raise ValueError("the clock is stopped")
        self._sync()
        self.stopped = self.minute
        return f"stopped at minute {self.stopped}"

    def finish(self, answer):
        self._work()
        return float(sorted(self.measured) == sorted(self.mine) and 0 <= self.stopped <= self.limit)

    def reference(self):
        order = sorted(self.mine, key=lambda s: (self.samples[s]["column"], s))
        return [("list_samples", {}), *[("load", {"sample": s}) for s in order], ("wait_for_tray", {}), ("stop_clock", {})], None

    def alternatives(self):
        order = sorted(self.mine, key=lambda s: (self.samples[s]["column"], s), reverse=True)
        return [([*[("load", {"sample": s}) for s in order], ("stop_clock", {})], None)]

    def state(self):
        return {
            "samples": self.list_samples(),
            "tray": [{"place": i, "sample": s} for i, s in enumerate(self.tray, 1)],
            "measured": [{"place": i, "sample": s} for i, s in enumerate(self.measured, 1)],
            "clock": [{"minute": self.minute, "column": self.column, "stopped": self.stopped}],
        }


class OtherBench(Bench):
    def _sync(self):
        self._work()


class Lab:
    name = "chromatography-bench"

    def __init__(self, bench):
        self.bench = bench

    def cases(self):
        return ["client-batch"]

    def start(self, case, seed):
        return self.bench(seed)


def faulty():
    return Lab(Bench)


def repaired():
    return Lab(OtherBench)
