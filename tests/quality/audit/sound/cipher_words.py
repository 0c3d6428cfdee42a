"""Shift cipher exercises with a shaped score: a little for trying, more for letters in place, success only for the exact text."""

import random

WORDS = [
    "anchor",
    "basket",
    "candle",
    "dragon",
    "engine",
    "fabric",
    "garden",
    "hammer",
    "island",
    "jacket",
    "kettle",
    "ladder",
    "magnet",
    "needle",
    "orchid",
    "pencil",
    "quartz",
    "ribbon",
    "saddle",
    "temple",
    "urchin",
    "velvet",
    "walnut",
    "yellow",
    "zephyr",
]
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def shift(text: str, by: int) -> str:
    return "".join(ALPHABET[(ALPHABET.index(c) + by) % 26] if c in ALPHABET else c for c in text)


class Exercise:
    pass_mark = 0.9

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"cipher|{case}|{seed}")
        self.plain = " ".join(rng.sample(WORDS, 3 if case == "short" else 5))
        by = rng.randint(3, 23)
        self.tools: list = []
        self.prompt = (
            f"In this text every letter was replaced by the one {by} places further on in the alphabet (after z comes a): "
            f"{shift(self.plain, by)}\nAnswer with the original text; capitals and the amount of space between words don't matter. "
            "Score: 1 for the right text. Otherwise 0.05 for any words at all, plus up to 0.4 for the share of letters that are right at "
            "their place, if the length is right. Success is 0.9 or more."
        )

    def reference(self) -> tuple[list, object]:
        return [], self.plain

    def alternatives(self) -> list[tuple[list, object]]:
        return [([], self.plain.upper()), ([], "  ".join(self.plain.split()) + "\n")]

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or not answer.strip():
            return 0.0
        said = " ".join(answer.lower().split())
        if said == self.plain:
            return 1.0
        score = 0.05
        if len(said) == len(self.plain):
            letters = [(a, b) for a, b in zip(said, self.plain, strict=True) if b != " "]
            score += 0.4 * sum(a == b for a, b in letters) / len(letters)
        return round(score, 4)


class Ciphers:
    name = "cipher words"

    def cases(self) -> list[str]:
        return ["short", "long"]

    def start(self, case: str, seed: int) -> Exercise:
        return Exercise(case, seed)


def sound() -> Ciphers:
    return Ciphers()
