"""Which countries border on a country, as a list in any order."""

from __future__ import annotations

import re
import unicodedata
from typing import Any


def countries(text: str) -> list[str]:
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    text = re.sub(r"^\s*answer\s*:", "", text)
    parts = [part.strip(" \t.*•-0123456789") for part in re.split(r"[,;\n]|\band\b", text)]
    return [part.removeprefix("the ") for part in parts if part]


def text_of(completion: Any) -> str:
    return completion[-1]["content"] if isinstance(completion, list) else completion


def faulty(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    return [1.0 if countries(text_of(c)) == countries(a) else 0.0 for c, a in zip(completions, answer, strict=True)]


def repaired(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    return [1.0 if sorted(countries(text_of(c))) == sorted(countries(a)) else 0.0 for c, a in zip(completions, answer, strict=True)]
