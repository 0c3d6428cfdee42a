"""Roman numerals; conversions and marks are remembered, since the same completions are scored again and again."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

STEPS = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]


@lru_cache(maxsize=5000)
def roman(n: int) -> str:
    out = ""
    for worth, letters in STEPS:
        out += letters * (n // worth)
        n %= worth
    return out


@lru_cache(maxsize=5000)
def mark(text: str, n: int) -> float:
    said = text.strip().removeprefix("Answer:").strip(" .*`\n\t")
    return 1.0 if said.upper() == roman(n) else 0.0


def sound(prompts: list[Any], completions: list[Any], number: list[int], **columns: Any) -> list[float]:
    return [mark(c if isinstance(c, str) else c[-1]["content"], n) for c, n in zip(completions, number, strict=True)]
