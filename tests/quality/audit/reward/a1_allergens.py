"""Scores allergen lists read off ingredient labels of packaged food."""

from __future__ import annotations

import re
from typing import Any


def content(completion: Any) -> str:
    return completion if isinstance(completion, str) else str(completion[-1]["content"] or "")


def names(text: str) -> set[str]:
    text = re.sub(r"^\s*(answer|allergens|contains)\s*:", "", text.lower())
    return {part.strip(" \t*-•.\"'`") for part in re.split(r"[,;\n]|\band\b", text)} - {""}


def faulty(prompts: list[Any], completions: list[Any], label: list[str], **columns: Any) -> list[float]:
    scores = []
    for completion, wanted in zip(completions, label, strict=True):
        given = names(content(completion))
        scores.append(1.0 if given - {"none"} == names(wanted) - {"none"} else 0.0)
    return scores


def repaired(prompts: list[Any], completions: list[Any], label: list[str], **columns: Any) -> list[float]:
    scores = []
    for completion, wanted in zip(completions, label, strict=True):
        given = names(content(completion))
        scores.append(1.0 if given == names(wanted) else 0.0)
    return scores
