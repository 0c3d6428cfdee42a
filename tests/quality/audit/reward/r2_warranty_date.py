"""On which day does a warranty end? The date may be written in words or as ISO."""

from __future__ import annotations

import datetime
import re
from typing import Any

MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]


def iso(text: str) -> datetime.date | None:
    match = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", text)
    try:
        return datetime.date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def words(text: str) -> datetime.date | None:
    text = re.sub(r"^(mon|tues|wednes|thurs|fri|satur|sun)day,?\s+", "", text.casefold())
    text = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", text)
    match = re.fullmatch(r"([0-9]{1,2})\.? (?:of )?([a-z]{3,9})\.?,? ([0-9]{4})", text)
    day, month, year = match.groups() if match else (None, None, None)
    if match is None and (match := re.fullmatch(r"([a-z]{3,9})\.? ([0-9]{1,2}),? ([0-9]{4})", text)):
        month, day, year = match.groups()
    number = [i for i, name in enumerate(MONTHS, start=1) if month and (name.startswith(month))]
    try:
        return datetime.date(int(year or 0), number[0], int(day or 0)) if number else None
    except ValueError:
        return None


def tidy(completion: Any) -> str:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    text = re.sub(r"^\W*answer\W*:", "", text, flags=re.IGNORECASE)
    return " ".join(text.replace("*", "").split()).strip(" .")


def faulty(prompts: list[Any], completions: list[Any], label: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, gold in zip(completions, label, strict=True):
        day = iso(tidy(completion))
        rewards.append(1.0 if day == iso(gold) else 0.0)
    return rewards


def repaired(prompts: list[Any], completions: list[Any], label: list[str], **columns: Any) -> list[float]:
    rewards = []
    for completion, gold in zip(completions, label, strict=True):
        day = iso(tidy(completion)) or words(tidy(completion))
        rewards.append(1.0 if day == iso(gold) else 0.0)
    return rewards
