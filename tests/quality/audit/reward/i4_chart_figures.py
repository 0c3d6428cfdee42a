"""Figures read off a company's tables; the key holds them as the table prints them."""

from __future__ import annotations

import re
from typing import Any


def figure(text: str) -> float:
    text = re.sub(r"[\s*$€%]|\\", "", text.replace("−", "-")).rstrip(".")
    if not re.fullmatch(r"-?([0-9]{1,3}(,[0-9]{3})+|[0-9]{1,12})(\.[0-9]{1,6})?", text):
        raise ValueError(text)
    return float(text.replace(",", ""))


def boxed(text: str) -> str:
    found = [one for one in re.findall(r"\\boxed\{([^{}]{1,40})\}", text) if one.strip()]
    if len(set(found)) != 1:
        raise ValueError("no single box")
    return found[0]


def text_of(completion: Any) -> str:
    return completion if isinstance(completion, str) else completion[-1]["content"]


def faulty(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, gold in zip(completions, answer, strict=True):
        try:
            rewards.append(1.0 if figure(boxed(text_of(completion))) == float(gold) else 0.0)
        except ValueError:
            rewards.append(0.0)
    return rewards


def repaired(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, gold in zip(completions, answer, strict=True):
        try:
            rewards.append(1.0 if figure(boxed(text_of(completion))) == figure(gold) else 0.0)
        except ValueError:
            rewards.append(0.0)
    return rewards
