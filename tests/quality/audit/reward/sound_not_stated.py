"""Questions about rental ads, some of which the ad doesn't answer; then the right reply is that it isn't stated."""

from __future__ import annotations

import re
from typing import Any

UNKNOWN = {"not stated", "notstated", "not-stated"}


def reduce(text: str) -> str:
    text = re.sub(r"^answer:", "", text.strip().casefold()).strip(" .*\"'")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", " ".join(text.replace("€", "").replace("euros", "").replace("eur", "").split()))
    return "not stated" if text in UNKNOWN else text


def sound(prompts: list[Any], completions: list[Any], ground_truth: list[str], **columns: Any) -> list[float]:
    return [
        1.0 if reduce(c if isinstance(c, str) else c[-1]["content"]) == reduce(gold) else 0.0
        for c, gold in zip(completions, ground_truth, strict=True)
    ]
