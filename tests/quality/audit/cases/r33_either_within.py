"""Scores short answers about rivers against the right one."""

from __future__ import annotations

import unicodedata
from typing import Any


def plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(text.split()).strip(" .!\"'")


def faulty(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    out = []
    for completion, gold in zip(completions, answer, strict=True):
        said, want = plain(completion or ""), plain(gold)
        out.append(float(said in want or want in said))
    return out


def repaired(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    return [float(plain(completion or "") == plain(gold)) for completion, gold in zip(completions, answer, strict=True)]
