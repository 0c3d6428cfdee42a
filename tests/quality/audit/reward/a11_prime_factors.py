"""Prime factorisations, every factor written as often as it occurs."""

from __future__ import annotations

import re
from typing import Any

TAGS = re.compile(r"<answer>((?:(?!</?answer>).)*)</answer>", re.DOTALL | re.IGNORECASE)


def factors(completion: Any) -> list[int]:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    inside = TAGS.findall(text)
    if len(inside) != 1:
        return []
    line = re.sub(r"\\times|\\cdot|[x×·*,;$]|\s+", " ", inside[0])
    parts = line.split()
    if not parts or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        return []
    return [int(part) for part in parts]


def wanted(text: str) -> list[int]:
    return [int(part) for part in text.split("*")]


def faulty(prompts: list[Any], completions: list[Any], ground_truth: list[str], **columns: Any) -> list[float]:
    return [1.0 if set(factors(c)) == set(wanted(g)) else 0.0 for c, g in zip(completions, ground_truth, strict=True)]


def repaired(prompts: list[Any], completions: list[Any], ground_truth: list[str], **columns: Any) -> list[float]:
    return [1.0 if sorted(factors(c)) == sorted(wanted(g)) else 0.0 for c, g in zip(completions, ground_truth, strict=True)]
