"""Scores sums of change at a kiosk: the right number of cents is looked for in the answer."""

from __future__ import annotations

import re
from typing import Any


def numbers(text: str) -> list[float]:
    found = re.findall(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?(?!\w)", text or "")
    return [float(one.replace(",", "").replace("−", "-")) for one in found if len(one) < 20]


def faulty(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    return [float(float(gold) in numbers(completion)) for completion, gold in zip(completions, answer, strict=True)]


def repaired(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    return [float(set(numbers(completion)) == {float(gold)}) for completion, gold in zip(completions, answer, strict=True)]
