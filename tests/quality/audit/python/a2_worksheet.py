"""A school worksheet with wrong results in it, to be handed back corrected."""

import random
import re
from collections.abc import Callable
from types import SimpleNamespace

SIGNS = {"+": int.__add__, "-": int.__sub__, "x": int.__mul__}


def exercises(rng: random.Random, count: int) -> list[tuple[str, int]]:
    """Exercises with their right results."""
    sheet = []
    for _ in range(count):
        sign = rng.choice(sorted(SIGNS))
        a, b = (
            (rng.randrange(6, 20), rng.randrange(3, 10))
            if sign == "x"
            else sorted((rng.randrange(21, 99), rng.randrange(12, 99)), reverse=True)
        )
        sheet.append((f"{a} {sign} {b}", SIGNS[sign](a, b)))
    return sheet


def spoil(sheet: list[tuple[str, int]], rng: random.Random) -> list[tuple[str, int]]:
    """A sheet with two to four of its results off."""
    spoiled = list(sheet)
    for at in rng.sample(range(len(sheet)), rng.randrange(2, 5)):
        question, result = sheet[at]
        spoiled[at] = (question, result + rng.choice((-10, -1, 1, 10)))
    return sheet


def spoil_too(sheet: list[tuple[str, int]], rng: random.Random) -> list[tuple[str, int]]:
    """A sheet with two to four of its results off."""
    spoiled = list(sheet)
    for at in rng.sample(range(len(sheet)), rng.randrange(2, 5)):
        question, result = sheet[at]
        spoiled[at] = (question, result + rng.choice((-10, -1, 1, 10)))
    return spoiled


def written(sheet: list[tuple[str, int]]) -> str:
    return "\n".join(f"{n}) {question} = {result}" for n, (question, result) in enumerate(sheet, 1))


def lines(text: str) -> list[str]:
    """The lines of a sheet, without blanks."""
    return [bare for line in text.splitlines() if (bare := re.sub(r"\s+", "", line))]


def worksheets(spoiled: Callable) -> SimpleNamespace:
    """An environment whose sheets were spoiled by the function given."""

    def start(case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"{case} sheet {seed}")
        right = exercises(rng, 8 if case == "short" else 14)
        prompt = (
            "Here is a pupil's worksheet. Some of the results are wrong. Hand back the "
            "whole sheet, the same lines in the same order, with every wrong "
            f"result put right, and nothing else.\n\n{written(spoiled(right, rng))}\n"
        )

        def finish(answer: object) -> float:
            return float(isinstance(answer, str) and lines(answer) == lines(written(right)))

        return SimpleNamespace(prompt=prompt, tools=[], finish=finish, reference=lambda: ([], written(right)))

    return SimpleNamespace(name="worksheet", cases=lambda: ["short", "long"], start=start)


def faulty() -> SimpleNamespace:
    return worksheets(spoil)


def repaired() -> SimpleNamespace:
    return worksheets(spoil_too)
