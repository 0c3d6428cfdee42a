"""Rules of a rowing club: copy out the sentence that settles the question."""

from __future__ import annotations

from typing import Any


def flat(text: str) -> str:
    text = text.replace("’", "'").replace("“", '"').replace("”", '"').strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return " ".join(text.split()).rstrip(".").casefold()


def sound(prompts: list[Any], completions: list[Any], solution: list[str], **columns: Any) -> list[float]:
    said = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
    return [float(flat(text) == flat(sentence)) for text, sentence in zip(said, solution, strict=True)]
