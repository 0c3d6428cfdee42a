"""Find a number with a property: whatever fits is right, and the solution in the data set is one of several."""

from __future__ import annotations

import re
from typing import Any


def number(completion: Any) -> int | None:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    lines = re.findall(r"####([^\n#]*)", text)
    found = {n for line in lines for n in re.findall(r"-?[0-9][0-9.,]*", line)}
    if len(found) != 1:
        return None
    digits = found.pop().rstrip(".,")
    return int(digits) if re.fullmatch(r"-?[0-9]{1,9}", digits) else None


def sound(
    prompts: list[Any], completions: list[Any], answer: list[str], low: list[int], high: list[int], of: list[int], **columns: Any
) -> list[float]:
    rewards = []
    for completion, least, most, base in zip(completions, low, high, of, strict=True):
        n = number(completion)
        rewards.append(1.0 if n is not None and least <= n <= most and n % base == 0 else 0.0)
    return rewards
