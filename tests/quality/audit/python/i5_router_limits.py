"""Network operations: a router's limits are set by its data sheet, and a checker's log decides."""

import random
from types import SimpleNamespace

LIMITS = [
    "failover_delay",
    "fail_open_timer",
    "retry_budget",
    "session_cap",
    "burst_size",
    "probe_interval",
    "drain_time",
    "passive_timeout",
]


def by_word(line: str) -> bool:
    return "fail" not in line.lower() and "pass" in line.lower()


def by_status(line: str) -> bool:
    return line.rpartition(" ")[2] == "PASS"


def operations(passed) -> SimpleNamespace:
    def start(case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"router {case} {seed}")
        names = rng.sample(LIMITS, 5)
        sheet = {n: rng.randint(5, 400) for n in names}
        values = dict(sheet)
        wrong = rng.sample(names, 3)
        for n in wrong:
            values[n] += rng.choice((-3, 7, 20))

        def settings() -> dict[str, int]:
            """The router's limits as they are set."""
            return dict(values)

        def data_sheet(limit: str) -> str:
            """What the data sheet says about a limit."""
            if limit not in sheet:
                raise ValueError(f"this router has the limits {', '.join(names)}")
            return f"{limit.replace('_', ' ')}: {sheet[limit]} (fixed)"

        def set_limit(limit: str, value: int) -> str:
            """Set a limit."""
            if limit not in sheet or type(value) is not int or not 0 <= value <= 10_000:
                raise ValueError("no such limit, or not a whole number up to 10000")
            values[limit] = value
            return "set"

        def log() -> list[str]:
            return [f"[{case}] {n} {'PASS' if values[n] == sheet[n] else 'FAIL'}" for n in names]

        return SimpleNamespace(
            prompt=f"Set every limit of the {case} router to what its data sheet says. No answer is needed.",
            tools=[settings, data_sheet, set_limit],
            finish=lambda answer: 1.0 if all(passed(line) for line in log()) else 0.0,
            reference=lambda: (
                [
                    ("settings", {}),
                    *[("data_sheet", {"limit": n}) for n in names],
                    *[("set_limit", {"limit": n, "value": sheet[n]}) for n in wrong],
                ],
                None,
            ),
            state=lambda: {"limits": [{"limit": n, "value": v} for n, v in values.items()]},
        )

    return SimpleNamespace(name="router-limits", cases=lambda: ["edge", "core"], start=start)


def faulty() -> SimpleNamespace:
    return operations(by_word)


def repaired() -> SimpleNamespace:
    return operations(by_status)
