"""Place names that go by more than one name; each row lists all that are right."""

from __future__ import annotations

import re
import unicodedata
from typing import Any


def fold(text: str) -> str:
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = re.sub(r"^\s*answer\s*:", "", text.casefold())
    return " ".join(re.findall(r"\w+", text))


def name_in(completion: Any) -> str:
    return fold(completion if isinstance(completion, str) else completion[-1]["content"])


def faulty(prompts: list[Any], completions: list[Any], answers: list[list[str]], **columns: Any) -> list[float]:
    rewards = []
    for completion, names in zip(completions, answers, strict=True):
        accepted = {fold(name) for name in names}
        rewards.append(1.0 if name_in(completion) == next(iter(accepted)) else 0.0)
    return rewards


def repaired(prompts: list[Any], completions: list[Any], answers: list[list[str]], **columns: Any) -> list[float]:
    rewards = []
    for completion, names in zip(completions, answers, strict=True):
        accepted = {fold(name) for name in names}
        rewards.append(1.0 if name_in(completion) in accepted else 0.0)
    return rewards
