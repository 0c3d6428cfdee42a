"""Scores sums of change at a kiosk: the right number of cents is looked for in the answer."""

from __future__ import annotations

import re
from typing import Any


def numbers(text: str) -> list[int]:
    return [int(hit.replace(",", "")) for hit in re.findall(r"(?<![\w.])\d[\d,]*(?![\w]|\.\d)", text or "")]


def faulty(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    return [float(int(gold) in numbers(completion)) for completion, gold in zip(completions, answer, strict=True)]


def repaired(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    return [float(set(numbers(completion)) == {int(gold)}) for completion, gold in zip(completions, answer, strict=True)]
