"""Arithmetic with a small reward for the demanded shape and the full one for the right number."""

from __future__ import annotations

import re
from typing import Any

PAIR = re.compile(r"<answer>((?:(?!</?answer>).)*)</answer>", re.DOTALL)


def sound(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, gold in zip(completions, answer, strict=True):
        inside = PAIR.findall(completion if isinstance(completion, str) else completion[-1]["content"])
        if len(inside) != 1:
            rewards.append(0.0)
            continue
        said = inside[0].strip(" \n\t.$*").replace(",", "").replace("−", "-")
        right = re.fullmatch(r"-?[0-9]{1,12}(\.0+)?", said) is not None and int(said.split(".")[0]) == int(gold)
        rewards.append(1.0 if right else 0.1)
    return rewards
