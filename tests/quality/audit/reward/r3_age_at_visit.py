"""How old was the patient on the day of the visit? The key is worked out from the two dates of the record."""

from __future__ import annotations

import datetime
import re
from typing import Any


def years(completion: Any) -> int | None:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    text = re.sub(r"^answer:|[*]|\.$", "", text.strip().casefold()).strip()
    match = re.fullmatch(r"([0-9]{1,3})(?: years?)?(?: old)?", text)
    return int(match.group(1)) if match else None


def dates(born: str, visit: str) -> tuple[datetime.date, datetime.date]:
    return datetime.date.fromisoformat(born), datetime.date.fromisoformat(visit)


def faulty(prompts: list[Any], completions: list[Any], born: list[str], visit: list[str], **columns: Any) -> list[float]:
    out = []
    for completion, start, end in zip(completions, born, visit, strict=True):
        b, v = dates(start, end)
        age = v.year - b.year
        out.append(1.0 if years(completion) == age else 0.0)
    return out


def repaired(prompts: list[Any], completions: list[Any], born: list[str], visit: list[str], **columns: Any) -> list[float]:
    out = []
    for completion, start, end in zip(completions, born, visit, strict=True):
        b, v = dates(start, end)
        age = v.year - b.year - ((v.month, v.day) < (b.month, b.day))
        out.append(1.0 if years(completion) == age else 0.0)
    return out
