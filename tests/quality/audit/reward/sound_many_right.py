"""Words for a crossword setter; each row lists every word that fits its clue."""

from __future__ import annotations

import re
from typing import Any


def word(completion: Any) -> str:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    inside = re.findall(r"<answer>((?:(?!</?answer>).)*)</answer>", text, re.DOTALL | re.IGNORECASE)
    return inside[0].strip(" \n\t.\"'*").casefold() if len(inside) == 1 else ""


def sound(prompts: list[Any], completions: list[Any], answers: list[list[str]], **columns: Any) -> list[float]:
    return [1.0 if word(c) in {a.casefold() for a in listed} else 0.0 for c, listed in zip(completions, answers, strict=True)]
