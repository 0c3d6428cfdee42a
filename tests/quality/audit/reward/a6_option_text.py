"""Geography quiz: the model answers with the text of one of the listed options."""

from __future__ import annotations

import re
import unicodedata
from typing import Any


def fold(text: str) -> str:
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = re.sub(r"^\s*(the\s+)?answer(\s+is)?\s*:?\s", "", text.casefold())
    return " ".join(re.findall(r"\w+", text))


def words_of(completion: Any) -> str:
    return fold(completion if isinstance(completion, str) else completion[-1]["content"])


def faulty(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    return [
        1.0 if f" {fold(right)} " in f" {words_of(completion)} " else 0.0 for completion, right in zip(completions, answer, strict=True)
    ]


def repaired(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    return [1.0 if fold(right) == words_of(completion) else 0.0 for completion, right in zip(completions, answer, strict=True)]
