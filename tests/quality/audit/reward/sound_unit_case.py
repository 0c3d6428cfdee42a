"""Unit prefixes, where a capital letter changes the value a billionfold."""

from __future__ import annotations

import re
from typing import Any


def unit(completion: Any) -> str:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    found = [one.strip() for one in re.findall(r"\\boxed\{(?:\\(?:text|mathrm)\{)?([^{}]{1,40})\}", text) if one.strip()]
    return found[0] if len(set(found)) == 1 else ""


def sound(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    return [1.0 if unit(completion) == symbol else 0.0 for completion, symbol in zip(completions, answer, strict=True)]
