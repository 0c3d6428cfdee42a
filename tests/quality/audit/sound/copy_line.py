"""Proof-reading practice: one line of a short text is to be copied out exactly."""

import random

SUBJECTS = ["The ferryman", "Old Mrs Tibb", "A heron", "Nobody", "The third clerk", "My cousin Ada"]
VERBS = ["counted", "never mentioned", "painted over", "mislaid", "sold", "wrote down"]
OBJECTS = ["the brass keys", "eleven eels", "a blue ledger", "the tide-table", "some \u2018good\u2019 rope", "two-thirds of the pears"]
ENDS = [".", "!", "; twice.", " (or so he said).", " -- and laughed.", ", alas."]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"]


class Page:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"page {seed}")
        parts = [rng.sample(words, 6) for words in (SUBJECTS, VERBS, OBJECTS, ENDS)]
        self.lines = [f"{subject} {verb} {thing}{end}" for subject, verb, thing, end in zip(*parts, strict=True)]
        self.pick = rng.randrange(6)
        text = "\n".join(self.lines)
        self.prompt = (
            f"Copy out the {ORDINALS[self.pick]} of the six lines below, character for character: capitals, quotation marks and "
            "punctuation as they stand there. Blank space before and after doesn't matter; anything else that is added, left out or "
            f"changed makes the copy wrong.\n\n{text}"
        )
        self.tools: list = []

    def reference(self) -> tuple[list, str]:
        return [], self.lines[self.pick]

    def finish(self, answer: object) -> float:
        return float(isinstance(answer, str) and answer.strip() == self.lines[self.pick])


class Practice:
    name = "copy a line"

    def cases(self) -> list[str]:
        return ["page"]

    def start(self, case: str, seed: int) -> Page:
        return Page(seed)


def sound() -> Practice:
    return Practice()
