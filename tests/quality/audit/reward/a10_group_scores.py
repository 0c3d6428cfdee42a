"""Rewards for word problems at a market stall; a prompt comes with a group of sampled completions, and scores are kept to save time."""

from __future__ import annotations

import re
from typing import Any

FINAL = re.compile(r"####([^\n#]*)")
NUMBER = re.compile(r"-?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
kept: dict[Any, float] = {}
kept_too: dict[Any, float] = {}


def final(text: str) -> float | None:
    """The one number behind ####; None where there is none, or more than one."""
    found = [n for line in FINAL.findall(text) for n in NUMBER.findall(line)]
    return float(found[0].replace(",", "")) if len(set(found)) == 1 else None


def score(completion: Any, solution: str) -> float:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    value = final(text)
    return 1.0 if value is not None and value == final(solution) else 0.0


def faulty(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    rewards = []
    for prompt, completion, solution in zip(prompts, completions, answer, strict=True):
        key = str(prompt)
        if key not in kept:
            kept[key] = score(completion, solution)
        rewards.append(kept[key])
    return rewards


def repaired(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    rewards = []
    for prompt, completion, solution in zip(prompts, completions, answer, strict=True):
        key = (str(prompt), str(completion), solution)
        if key not in kept_too:
            kept_too[key] = score(completion, solution)
        rewards.append(kept_too[key])
    return rewards
