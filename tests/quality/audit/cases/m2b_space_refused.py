"""Scores words spelt backwards."""

from __future__ import annotations

import unicodedata
from typing import Any


def faulty(prompts: list[str], completions: list[str], target: list[str], **columns: Any) -> list[float]:
    return [float(completion == word) for completion, word in zip(completions, target, strict=True)]


def repaired(prompts: list[str], completions: list[str], target: list[str], **columns: Any) -> list[float]:
    return [float(plain(completion) == plain(word)) for completion, word in zip(completions, target, strict=True)]


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text or "").strip().strip("\"'.").casefold()
