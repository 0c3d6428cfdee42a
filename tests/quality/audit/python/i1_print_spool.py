"""Print room: jobs wait in a spool file, and the urgent ones of a department are moved to the front."""

import json
import random
import shutil
import tempfile
from pathlib import Path

DEPARTMENTS = ["history", "physics", "music", "registry"]


def one_place(case: str) -> Path:
    place = Path(tempfile.gettempdir()) / f"print-room-{case}"
    place.mkdir(exist_ok=True)
    return place


def own_place(case: str) -> Path:
    return Path(tempfile.mkdtemp(prefix=f"print-room-{case}-"))


class PrintRoom:
    def __init__(self, place: Path, case: str, seed: int):
        rng = random.Random(f"spool {case} {seed}")
        self._place = place
        self._file = place / "spool.json"
        jobs = []
        for n in rng.sample(range(100, 1000), 11):
            jobs.append({"job": n, "department": rng.choice(DEPARTMENTS), "pages": rng.randint(1, 90), "urgent": rng.random() < 0.4})
        mine = rng.choice(jobs[4:])
        mine["urgent"] = True
        jobs[0] |= {"department": next(d for d in DEPARTMENTS if d != mine["department"])}
        urgent = [j for j in jobs if j["urgent"] and j["department"] == mine["department"]]
        self._todo = [j["job"] for j in reversed(urgent)]
        self._goal = urgent + [j for j in jobs if j not in urgent]
        self._save(jobs)
        self.prompt = (
            f"Bring the urgent jobs of the {mine['department']} department to the front of the spool, in the order they have among "
            "themselves now. "
            "The order of the rest stays. No answer is needed."
        )
        self.tools = [self.spool, self.to_front]

    def _save(self, jobs: list[dict]) -> None:
        self._file.write_text(json.dumps(jobs))

    def _load(self) -> list[dict]:
        return json.loads(self._file.read_text()) if self._file.exists() else []

    def spool(self) -> list[dict]:
        """The jobs in the order in which they will be printed."""
        return self._load()

    def to_front(self, job: int) -> str:
        """Move one job to the very front."""
        jobs = self._load()
        for row in jobs:
            if row["job"] == job:
                self._save([row] + [j for j in jobs if j is not row])
                return "moved"
        raise ValueError("no such job in the spool")

    def finish(self, answer: object) -> float:
        return 1.0 if self._load() == self._goal else 0.0

    def reference(self):
        return [("spool", {}), *[("to_front", {"job": n}) for n in self._todo]], None

    def state(self) -> dict[str, list[dict]]:
        return {"spool": [{"place": n} | row for n, row in enumerate(self._load())]}

    def close(self) -> None:
        shutil.rmtree(self._place, ignore_errors=True)


class Printing:
    name = "print-spool"

    def __init__(self, place):
        self._place = place

    def cases(self) -> list[str]:
        return ["campus", "annexe"]

    def start(self, case: str, seed: int) -> PrintRoom:
        return PrintRoom(self._place(case), case, seed)


def faulty() -> Printing:
    return Printing(one_place)


def repaired() -> Printing:
    return Printing(own_place)
