"""A swimming bath computes the new four-digit code of a locker from its slip."""

import random
from types import SimpleNamespace


def start(case: str, seed: int) -> SimpleNamespace:
    rng = random.Random(f"lockers {case} {seed}")
    numbers = rng.sample(range(1, 400), 6)
    slips = {n: {"locker": n, "old_code": f"{rng.randrange(10_000):04}", "step": rng.randint(101, 4999)} for n in numbers}
    mine = rng.choice(numbers)
    if rng.random() < 0.5:  # the counter often wraps round to a small number
        slips[mine]["old_code"] = f"{10_000 + rng.randint(1, 99) - slips[mine]['step']:04}"
    code = f"{(int(slips[mine]['old_code']) + slips[mine]['step']) % 10_000:04}"

    def lockers() -> list[int]:
        """Numbers of the lockers that wait for a new code."""
        return sorted(numbers)

    def slip(locker: int) -> dict:
        """The slip of a locker: its old code and its step."""
        if locker not in slips:
            raise ValueError("there is no slip for that locker")
        return dict(slips[locker])

    def finish(answer: object) -> float:
        if isinstance(answer, int) and not isinstance(answer, bool):
            return 1.0 if answer >= 1000 and answer == int(code) else 0.0
        return 1.0 if isinstance(answer, str) and answer.strip() == code else 0.0

    return SimpleNamespace(
        prompt=f"What is the new code of locker {mine}? It is the old code plus the step of the slip; of a sum of five digits only "
        "the last four count. A code has four digits, and zeros in front belong to it: 0042 is a code, 42 isn't. "
        "Answer with the four digits alone.",
        tools=[lockers, slip],
        finish=finish,
        state=lambda: {"slips": [dict(row) for row in slips.values()]},
        reference=lambda: ([("slip", {"locker": mine})], code),
        alternatives=lambda: [([("lockers", {}), ("slip", {"locker": mine})], f" {code} ")],
    )


def sound() -> SimpleNamespace:
    return SimpleNamespace(name="locker code", cases=lambda: ["slip"], start=start)
