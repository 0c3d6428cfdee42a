"""Multiple choice arithmetic with four options, of which one is right."""

import random
import re
from types import SimpleNamespace


def _options(case: str, rng: random.Random) -> tuple[str, int, list[int]]:
    """The question, the right option, and three wrong ones."""
    if case == "remainder":
        divisor = rng.randint(6, 13)
        rest = rng.randrange(divisor)
        right = divisor * rng.randint(20, 60) + rest
        pool = [n for n in range(right - 25, right + 26) if n % divisor != rest]
        return f"Which of these numbers leaves remainder {rest} when divided by {divisor}?", right, rng.sample(pool, 3)
    if case == "product":
        a, b = rng.randint(23, 89), rng.randint(23, 89)
        pool = [a * b + d for d in (-100, -20, -10, -2, 2, 10, 20, 100)]
        return f"What is {a} times {b}?", a * b, rng.sample(pool, 3)
    square = rng.randint(12, 31)
    pool = [n for n in range(square * square - 30, square * square + 31) if n not in ((square - 1) ** 2, square**2, (square + 1) ** 2)]
    return "Which of these numbers is the square of a whole number?", square * square, rng.sample(pool, 3)


def start(case: str, seed: int) -> SimpleNamespace:
    rng = random.Random(f"quiz {case} {seed}")
    question, right, wrong = _options(case, rng)
    options = [right, *wrong]
    rng.shuffle(options)
    letter = "ABCD"[options.index(right)]
    lines = "\n".join(f"{name}) {value}" for name, value in zip("ABCD", options, strict=True))

    def finish(answer: object) -> float:
        match = re.fullmatch(r"\s*\(?([A-Da-d])[).]?\s*", answer) if isinstance(answer, str) else None
        return 1.0 if match and match[1].upper() == letter else 0.0

    return SimpleNamespace(
        prompt=f"{question}\n{lines}\nAnswer with the letter of the right option alone.",
        tools=[],
        finish=finish,
        reference=lambda: ([], letter),
        alternatives=lambda: [([], letter.lower()), ([], f"{letter})")],
    )


def sound() -> SimpleNamespace:
    return SimpleNamespace(name="quiz choice", cases=lambda: ["remainder", "product", "square"], start=start)
