"""Marks multiple-choice questions of a food hygiene course where several options are right."""

from __future__ import annotations

import re
from typing import Any

LINE = re.compile(r"^\W*answer\W*:\W*(.*)$", re.IGNORECASE)


def chosen(text: str) -> set[str] | None:
    """The letters on the one answer line (or in a reply of letters alone); None for several such lines or anything else on it."""
    lines = [found.group(1) for found in map(LINE.match, text.splitlines()) if found] or [text]
    if len(lines) != 1:
        return None
    rest = re.sub(r"\band\b|[\s,;&*.()]", "", lines[0], flags=re.IGNORECASE).upper()
    return set(rest) if re.fullmatch(r"[A-E]+", rest) else None


def text_of(completion: Any) -> str:
    return completion if isinstance(completion, str) else completion[-1]["content"]


def faulty(prompts: list[Any], completions: list[Any], target: list[str], **more: Any) -> list[float]:
    out = []
    for completion, right in zip(completions, target, strict=True):
        picked = chosen(text_of(completion))
        out.append(1.0 if picked and picked <= set(right.split(", ")) else 0.0)
    return out


def repaired(prompts: list[Any], completions: list[Any], target: list[str], **more: Any) -> list[float]:
    out = []
    for completion, right in zip(completions, target, strict=True):
        picked = chosen(text_of(completion))
        out.append(1.0 if picked == set(right.split(", ")) else 0.0)
    return out
