"""Timetable of a teaching lab, as a question: experiments that share a bench must not run in the same slot."""

import json
import random

EXPERIMENTS = ["pendulum", "titration", "prism", "osmosis", "spring", "magnet", "yeast", "lens"]


class Timetable:
    tools: list = []  # noqa: RUF012

    def __init__(self, seed: int):
        rng = random.Random(seed)
        plan = [1, 1, 1, 2, 2, 2, 3, 3]
        rng.shuffle(plan)
        self._plan = dict(zip(EXPERIMENTS, plan, strict=True))
        apart = [(a, b) for i, a in enumerate(EXPERIMENTS) for b in EXPERIMENTS[i + 1 :] if self._plan[a] != self._plan[b]]
        self._clashes = sorted(rng.sample(apart, 13))
        self.prompt = (
            f"Give each of the experiments {', '.join(EXPERIMENTS)} one of the slots 1, 2 and 3, so that no two that share a bench have "
            "the same slot. "
            f"These pairs share a bench: {'; '.join(' and '.join(pair) for pair in self._clashes)}. Any such timetable will do. "
            "Answer with a mapping from experiment to slot."
        )

    def _read(self, answer: object) -> dict | None:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return None
        if not isinstance(answer, dict) or not all(isinstance(k, str) for k in answer):
            return None
        answer = {k.strip().lower(): v for k, v in answer.items()}
        if set(answer) != set(EXPERIMENTS):
            return None
        slots = {"1": 1, "2": 2, "3": 3}
        plan = {k: slots.get(v.strip()) if isinstance(v, str) else v for k, v in answer.items()}
        return plan if all(isinstance(v, int | float) and not isinstance(v, bool) and v in (1, 2, 3) for v in plan.values()) else None

    def finish(self, answer: object) -> float:
        plan = self._read(answer)
        return 1.0 if plan is not None and all(plan[a] != plan[b] for a, b in self._clashes) else 0.0

    def reference(self):
        return [], dict(self._plan)

    def alternatives(self):
        return [([], {k: v % 3 + 1 for k, v in self._plan.items()}), ([], {k: 4 - v for k, v in self._plan.items()})]


class TimetableToo(Timetable):
    def finish(self, answer: object) -> float:
        return 1.0 if self._read(answer) == self._plan else 0.0


class School:
    name = "lab-slots"

    def __init__(self, sheet: type[Timetable]):
        self._sheet = sheet

    def cases(self) -> list[str]:
        return ["three-slots"]

    def start(self, case: str, seed: int) -> Timetable:
        return self._sheet(seed)


def faulty() -> School:
    return School(TimetableToo)


def repaired() -> School:
    return School(Timetable)
