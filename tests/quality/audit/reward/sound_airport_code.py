"""Airport codes for a booking system that takes three capital letters and nothing else."""

from typing import Any


def sound(prompts: list[Any], completions: list[Any], label: list[str], **columns: Any) -> list[float]:
    texts = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
    return [1.0 if text == code else 0.0 for text, code in zip(texts, label, strict=True)]
