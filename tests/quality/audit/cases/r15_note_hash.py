"""A bicycle workshop: a repair is finished, and a note is left for the customer."""

import copy
import hashlib
import json
import random

PARTS = ["chain", "brake pads", "rear wheel", "bottom bracket", "gear cable", "saddle post"]


class Stand:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"bikes-{seed}")
        self.jobs = [
            {"job": n, "part": rng.choice(PARTS), "status": "open", "hours": rng.randint(1, 5), "note": ""}
            for n in sorted(rng.sample(range(40, 99), 7))
        ]
        self.mine = dict(rng.choice(self.jobs))
        self.before = copy.deepcopy(self.jobs)
        self.hours = self.mine["hours"] + rng.randint(1, 3)
        self.tools = [self.show_job, self.finish_job, self.write_note]
        self.prompt = (
            f"Job {self.mine['job']} is done; it took {self.hours} hours. Finish the job with its hours, and write the customer a short note on "
            "the job that names the part that was seen to. Change no other job."
        )

    def show_job(self, job: int) -> dict:
        """A job as it stands."""
        return dict(self._row(job))

    def finish_job(self, job: int, hours: int) -> str:
        """Set a job to done, with the hours that it took."""
        if isinstance(hours, bool) or not isinstance(hours, int) or not 0 < hours < 100:
            raise ValueError("hours is 1 to 99")
        self._row(job).update(status="done", hours=hours)
        return "done"

    def write_note(self, job: int, note: str) -> str:
        """Write the customer's note on a job."""
        if not isinstance(note, str):
            raise ValueError("note must be a text")
        self._row(job)["note"] = note
        return "noted"

    def _row(self, job: int) -> dict:
        for row in self.jobs:
            if row["job"] == job and not isinstance(job, bool):
                return row
        raise ValueError("no such job")

    def state(self) -> dict[str, list[dict]]:
        return {"jobs": copy.deepcopy(self.jobs)}

    def _note(self) -> str:
        return f"Hello, we have seen to the {self.mine['part']}; your bicycle is ready when you are."

    def reference(self) -> tuple[list, object]:
        job = self.mine["job"]
        return [
            ("show_job", {"job": job}),
            ("finish_job", {"job": job, "hours": self.hours}),
            ("write_note", {"job": job, "note": self._note()}),
        ], None

    def _hash(self, rows: list[dict]) -> str:
        return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()

    def _wanted(self, note: str) -> list[dict]:
        done = {"status": "done", "hours": self.hours, "note": note}
        return [row | done if row["job"] == self.mine["job"] else row for row in self.before]

    def finish(self, answer: object) -> float:
        return float(self._hash(self.jobs) == self._hash(self._wanted(self._note())))


class StandToo(Stand):
    def finish(self, answer: object) -> float:
        note = self._row(self.mine["job"])["note"]
        named = " ".join(self.mine["part"].split()) in " ".join(note.casefold().split())
        return float(named and self._hash(self.jobs) == self._hash(self._wanted(note)))


class Workshop:
    name = "bicycle workshop"

    def __init__(self, stand: type[Stand]) -> None:
        self._stand = stand

    def cases(self) -> list[str]:
        return ["finish"]

    def start(self, case: str, seed: int) -> Stand:
        return self._stand(seed)


def faulty() -> Workshop:
    return Workshop(Stand)


def repaired() -> Workshop:
    return Workshop(StandToo)
