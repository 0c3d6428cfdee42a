"""Train connections: free reasoning, and the arrival time alone on the last line."""

from __future__ import annotations

import re
from typing import Any


def minutes(text: str) -> int | None:
    match = re.fullmatch(r"([0-9]{1,2})[:.h]([0-9]{2})(?: ?h)?", text.strip(" *.\t`"))
    if match is None or int(match.group(1)) > 23 or int(match.group(2)) > 59:
        return None
    return 60 * int(match.group(1)) + int(match.group(2))


def sound(prompts: list[Any], completions: list[Any], solution: list[str], **columns: Any) -> list[float]:
    out = []
    for completion, due in zip(completions, solution, strict=True):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        lines = [line for line in text.splitlines() if line.strip()]
        out.append(1.0 if lines and minutes(lines[-1]) == minutes(due) else 0.0)
    return out
