"""Quantity surveyor's estimates: within five percent of the exact figure is good enough."""

from __future__ import annotations

import math
import re
from typing import Any


def estimate(completion: Any) -> float | None:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    boxes = [b.strip() for b in re.findall(r"\\boxed\{([^{}]{1,40})\}", text) if b.strip()]
    if len(set(boxes)) != 1:
        return None
    number = boxes[0].replace(",", "").replace("−", "-").strip(" $~≈")
    try:
        return float(number)
    except ValueError:
        return None


def sound(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, gold in zip(completions, answer, strict=True):
        x, exact = estimate(completion), float(gold)
        close = x is not None and math.isfinite(x) and abs(x - exact) <= 0.05 * exact
        rewards.append(1.0 if close else 0.0)
    return rewards
