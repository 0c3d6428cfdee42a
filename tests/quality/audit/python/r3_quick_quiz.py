"""A four-question arithmetic quiz with lettered options."""

import random
import re

LETTERS = "ABCDE"


def question(rng: random.Random) -> tuple[str, int, list[int]]:
    a, b, c = rng.randint(6, 39), rng.randint(3, 19), rng.randint(2, 30)
    text, value = rng.choice([(f"{a} x {b} + {c}", a * b + c), (f"{a} + {b} x {c}", a + b * c), (f"({a} - {b}) x {c}", (a - b) * c)])
    wrong = rng.sample([d for d in range(-12, 13) if d], 4)
    return text, value, [value] + [value + d for d in wrong]


class Sheet:
    def __init__(self, case: str, seed: int, letter_first: bool):
        rng = random.Random(f"quiz:{case}:{seed}")
        self._right = ""
        self._key = ""
        lines = []
        for n in range(1, 5):
            text, value, options = question(rng)
            early = rng.sample(options, len(options))
            options = rng.sample(options, len(options))
            self._right += LETTERS[options.index(value)]
            self._key += LETTERS[(early if letter_first else options).index(value)]
            lines.append(f"{n}. {text} = ?   " + "   ".join(f"{x}) {o}" for x, o in zip(LETTERS, options, strict=True)))
        self.tools = []
        self.prompt = (
            "Answer all four questions with the letters of the right options, in order, as one word of four letters.\n" + "\n".join(lines)
        )

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or len(answer) > 40:
            return 0.0
        return 1.0 if re.sub(r"[\s,;.-]", "", answer).upper() == self._key else 0.0

    def reference(self):
        return [], self._right


class Quiz:
    name = "quick-quiz"

    def __init__(self, letter_first: bool):
        self._letter_first = letter_first

    def cases(self) -> list[str]:
        return ["morning", "afternoon"]

    def start(self, case: str, seed: int) -> Sheet:
        return Sheet(case, seed, self._letter_first)


def faulty():
    return Quiz(letter_first=True)


def repaired():
    return Quiz(letter_first=False)
