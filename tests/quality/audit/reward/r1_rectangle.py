"""Find any rectangle with whole sides and a given area; the data set keeps one solution for each."""

from __future__ import annotations

import re
from typing import Any

TAGS = re.compile(r"<answer>((?:(?!</?answer>).)*)</answer>", re.DOTALL)


def sides(text: str) -> list[int]:
    inside = TAGS.findall(text)
    if len(inside) != 1:
        return []
    match = re.fullmatch(r"\D{0,20}?(\d{1,6})\s*(?:cm)?\s*(?:,|x|×|by|and|\*)\s*(\d{1,6})\s*(?:cm)?\.?", inside[0].strip(), re.ASCII)
    return sorted(int(n) for n in match.groups()) if match and "-" not in inside[0] else []


def text_of(completion: Any) -> str:
    return completion if isinstance(completion, str) else completion[-1]["content"]


def faulty(prompts: list[Any], completions: list[Any], area: list[int], solution: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, known in zip(completions, solution, strict=True):
        found = sides(text_of(completion))
        rewards.append(1.0 if found == sides(f"<answer>{known}</answer>") else 0.0)
    return rewards


def repaired(prompts: list[Any], completions: list[Any], area: list[int], solution: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, total in zip(completions, area, strict=True):
        found = sides(text_of(completion))
        rewards.append(1.0 if len(found) == 2 and found[0] > 1 and found[0] * found[1] == total else 0.0)
    return rewards
